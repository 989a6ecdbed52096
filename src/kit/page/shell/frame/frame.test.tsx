import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { frameCalls, openConsole, userInfo, type Who } from '../../../../../tools/testing/console.tsx'
import { type Calls, press, refused, type } from '../../../../../tools/testing/page.tsx'
import { readToken } from '../../token.ts'
import { go } from '../session/navigation.ts'
import { setUnsaved, useTabs } from '../tabs/tabs.ts'

const PROFILE = {
  account: 'tester',
  name: 'Tester',
  gender: 'UK',
  phone: null,
  email: null,
  avatar: null,
  language: null,
  version: 1,
  org: 'Sales',
  roles: ['Test'],
}
const PAGES: Calls = {
  'GET /api/account/settings-base': () => PROFILE,
  'GET /api/account/settings-notifications': () => ({ offered: [2], muted: [] }),
  'GET /api/account/settings-password': () => ({ min: 8, max: 128, classes: 1, remembered: 1, maxAgeDays: null }),
}
const BASE = '/account/settings/base'
const NOTIFICATIONS = '/account/settings/notifications'
const PASSWORD = '/account/settings/changePwd'

const open = async (path: string, who: Who = {}, calls: Calls = {}) => {
  const page = await openConsole({ path, calls: { ...frameCalls(who), ...PAGES, ...calls } })
  await screen.findByRole('main')
  return page
}
const visit = (path: string) => act(async () => go(path))
const bar = () => screen.findByRole('navigation', { name: 'Open pages' })
const titles = async () =>
  within(await bar())
    .getAllByRole('link')
    .map(link => link.textContent)
const nameInput = () => screen.findByLabelText<HTMLInputElement>('Name')
const rightClick = async (title: string, choice: string) => {
  fireEvent.contextMenu(within(await bar()).getByRole('link', { name: title }))
  const menus = await waitFor(() => {
    const found = [...document.querySelectorAll('.ant-dropdown:not(.ant-dropdown-hidden) [role="menuitem"]')].filter(
      item => item.textContent === choice,
    )
    if (found.length === 0) throw new Error(`no "${choice}"`)
    return found
  })
  fireEvent.click(menus.at(-1) as Element)
}

afterEach(() => vi.restoreAllMocks())

describe('the frame', () => {
  test('shows the pages of the person’s role, grouped, and nothing else', async () => {
    await open(
      '/dashboard',
      { groups: ['order'], grants: { 'order-list': ['list'] } },
      { 'GET /api/orders/order/counts': () => ({}) },
    )
    const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }))
    expect(menu.getByRole('link', { name: 'Workbench' })).toBeTruthy()
    fireEvent.click(menu.getByText('Orders'))
    expect(await menu.findByRole('link', { name: 'Orders' })).toBeTruthy()
    expect(menu.queryByText('Refund applications')).toBeNull()
    expect(menu.queryByText('System')).toBeNull()
    expect(document.title).toBe('Workbench - Inkstone')
  })

  test('a page without permission is refused inside the frame, and no tab opens for it', async () => {
    await open('/system/dictionary/list')
    expect(await screen.findByRole('heading', { name: 'You do not have access to this page' })).toBeTruthy()
    expect(within(await bar()).queryAllByRole('link')).toEqual([])
    press('Back to the workbench')
    expect(await titles()).toEqual(['Workbench'])
  })

  test('text can be selected only by roles that may copy', async () => {
    await open('/dashboard', { code: 'SALES' })
    await bar()
    expect(document.body.classList.contains('ink-unselectable')).toBe(true)
    await open('/dashboard', { code: 'SALES_MANAGER_COPY' })
    await waitFor(() => expect(document.body.classList.contains('ink-unselectable')).toBe(false))
  })

  test('on a telephone a page’s title stands whole in its tab, and where there are no tabs on a line of its own', async () => {
    const phone = { addEventListener() {}, removeEventListener() {}, addListener() {}, removeListener() {} }
    vi.stubGlobal('matchMedia', (media: string) => ({ matches: media.includes('max-width'), ...phone }))
    await open('/dashboard')
    expect(await titles()).toEqual(['Workbench'])
    expect(document.querySelector('.ink-header-title')).toBeNull()
    await openConsole({ path: '/dashboard', settings: { multiTab: false } })
    await screen.findByRole('main')
    expect(document.querySelector('.ink-header-title')?.textContent).toBe('Workbench')
  })

  test('whoever must change the password first can do only that', async () => {
    const page = await open('/dashboard', { superAdmin: true, mustChangePassword: true })
    expect(await screen.findByText('Change your initial password before you start')).toBeTruthy()
    expect(page.address()).toBe(PASSWORD)
    expect(screen.queryByRole('navigation', { name: 'Main menu' })).toBeNull()
    expect(page.sent('POST /api/iam/ticket')).toEqual([])
    expect(page.sent('GET /api/message/web/count')).toEqual([])
  })

  test('the badge counts what is unread', async () => {
    await open('/dashboard')
    expect(await screen.findByRole('button', { name: 'Refund notices, 3 unprocessed' })).toBeTruthy()
  })
})

describe('the tab bar', () => {
  test('each visited page is a tab; an alias is the same page', async () => {
    await open('/dashboard')
    await visit(BASE)
    await visit('/dashboard/index')
    expect(await titles()).toEqual(['Workbench', 'Basic settings'])
  })

  test('the last tab cannot be closed, and there is nothing to its left or right', async () => {
    await open('/dashboard')
    for (const [choice, message] of [
      ['Close current', 'The last tab cannot be closed'],
      ['Close left', 'There are no tabs on the left'],
      ['Close right', 'There are no tabs on the right'],
      ['Close all', 'The last tab cannot be closed'],
    ] as const) {
      await rightClick('Workbench', choice)
      expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
    }
    expect(await titles()).toEqual(['Workbench'])
  })

  test('closing left, right and all leaves what it should', async () => {
    const page = await open('/dashboard')
    await visit(BASE)
    await visit(NOTIFICATIONS)
    await rightClick('Basic settings', 'Close right')
    expect(await titles()).toEqual(['Workbench', 'Basic settings'])
    await rightClick('Basic settings', 'Close left')
    expect(await titles()).toEqual(['Basic settings'])
    await rightClick('Basic settings', 'Close all')
    await waitFor(() => expect(page.address()).toBe('/dashboard'))
    expect(await titles()).toEqual(['Workbench'])
  })

  test('the middle button and Delete close a tab; the one looked at last comes back', async () => {
    const page = await open('/dashboard')
    await visit(BASE)
    await visit(NOTIFICATIONS)
    await visit(BASE)
    const link = (name: string) =>
      within(document.querySelector('.ink-tabs') as HTMLElement).getByRole('link', { name })
    fireEvent(link('Basic settings'), new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }))
    await waitFor(() => expect(page.address()).toBe(NOTIFICATIONS))
    fireEvent.keyDown(link('Notifications'), { key: 'Delete' })
    await waitFor(() => expect(page.address()).toBe('/dashboard'))
    expect(await titles()).toEqual(['Workbench'])
  })

  test('a tab with unsaved input asks before it closes', async () => {
    await open('/dashboard')
    await visit(BASE)
    type(await nameInput(), 'Somebody')
    fireEvent.click(await screen.findByRole('button', { name: 'Close Basic settings' }))
    expect(await screen.findByText(/What you entered on these pages will be lost: Basic settings/)).toBeTruthy()
    press('Keep editing')
    expect(await titles()).toEqual(['Workbench', 'Basic settings'])
    fireEvent.click(await screen.findByRole('button', { name: 'Close Basic settings' }))
    fireEvent.click((await screen.findAllByRole('button', { name: 'Discard' })).at(-1) as Element)
    await waitFor(async () => expect(await titles()).toEqual(['Workbench']))
  })
})

describe('keep-alive', () => {
  test('what was typed is there when the tab comes back, and gone once the tab was closed', async () => {
    await open(BASE)
    type(await nameInput(), 'Half typed')
    await visit('/dashboard')
    expect(screen.queryByLabelText('Name')?.closest('[style*="display: none"]') ?? null).not.toBeUndefined()
    await visit(BASE)
    expect((await nameInput()).value).toBe('Half typed')
    setUnsaved(BASE, false)
    fireEvent.click(await screen.findByRole('button', { name: 'Close Basic settings' }))
    await waitFor(() => expect(useTabs.getState().tabs.map(({ route }) => route)).toEqual(['/dashboard']))
    await visit(BASE)
    expect((await nameInput()).value).toBe('Tester')
  })

  test('a screen that keeps nothing begins anew, unless something in it is unsaved', async () => {
    await open(PASSWORD)
    const old = () => screen.findByLabelText<HTMLInputElement>('Current password')
    const first = await old()
    await visit('/dashboard')
    await visit(PASSWORD)
    const second = await old()
    expect(second).not.toBe(first)
    type(second, 'secret')
    await visit('/dashboard')
    await visit(PASSWORD)
    expect((await old()).value).toBe('secret')
  })

  test('a page people here do not want kept begins anew at each visit', async () => {
    const rows = { records: [], total: 0, totalAt: '2026-05-01T00:00:00.000Z' }
    const own = { names: {}, words: [], icon: null, hidden: false, keepAlive: false }
    const listed = async (isKept: boolean) => {
      await open(
        '/system/dictionary/list',
        { groups: ['system'], grants: { dictionary: ['list'] } },
        {
          'GET /api/system/dictionary': () => rows,
          'GET /api/auth/userInfo': () => {
            const info = userInfo({ groups: ['system'], grants: { dictionary: ['list'] } })
            for (const entry of isKept ? [] : (info.role?.permissionList ?? [])) entry.own = own
            return info
          },
        },
      )
      const first = await screen.findByRole('searchbox', { name: /Search/ })
      await visit('/dashboard')
      await visit('/system/dictionary/list')
      return (await screen.findByRole('searchbox', { name: /Search/ })) === first
    }
    expect(await listed(true)).toBe(true)
    expect(await listed(false)).toBe(false)
  })

  test('reloading a page begins it anew and asks the server again', async () => {
    const page = await open(BASE)
    type(await nameInput(), 'Half typed')
    setUnsaved(BASE, false)
    press('Reload this page')
    await waitFor(async () => expect((await nameInput()).value).toBe('Tester'))
    expect(page.sent('GET /api/account/settings-base').length).toBeGreaterThan(1)
  })

  test('reloading a statistic asks for its numbers again, though they are kept with the list they count', async () => {
    const period = { from: '2026-05-01', to: '2026-05-02' }
    const asked = { ...period, interval: 'day', dimension: 'time', basis: 'finished', filters: {}, previous: period }
    const page = await open(
      '/order/refundCount',
      { groups: ['order'], grants: { 'order-refundCount': ['list'] } },
      { 'GET /api/orders/refund-count': () => ({ ...asked, asOf: '2026-05-03T04:05:06.000Z', totals: {}, rows: [] }) },
    )
    await screen.findByText(/^No data for this period/)
    press('Reload this page')
    await waitFor(() => expect(page.sent('GET /api/orders/refund-count').length).toBeGreaterThan(1))
  })

  test('without tabs, one page at a time', async () => {
    await openConsole({ path: NOTIFICATIONS, settings: { multiTab: false }, calls: { ...frameCalls(), ...PAGES } })
    await screen.findByLabelText('New order')
    await visit('/dashboard')
    expect(screen.queryByLabelText('New order')).toBeNull()
    expect(screen.queryByRole('navigation', { name: 'Open pages' })).toBeNull()
  })
})

describe('signing out', () => {
  test('asks the question of the contract, and the token is gone even if the server fails', async () => {
    const reload = vi.fn()
    vi.stubGlobal('location', { ...window.location, reload })
    const page = await open(
      '/dashboard',
      {},
      { 'POST /api/logout': () => refused(5000, 'Something went wrong: try again', null, 500) },
    )
    fireEvent.click(await screen.findByRole('button', { name: 'Account menu of Tester' }))
    fireEvent.click(await screen.findByText('Log out'))
    expect(await screen.findByText('Are you sure you would like to logout?')).toBeTruthy()
    press('OK')
    expect(
      await screen.findByText('The server could not log you out, but you are logged out in this browser'),
    ).toBeTruthy()
    expect(readToken()).toBeNull()
    await waitFor(() => expect(page.address()).toContain('/user/login'))
    // The words are read first; whoever does not wait for it leaves a navigation to the next test.
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  })
})
