import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { OwnEntry } from '#kit/model/menu.ts'
import { frameCalls, openConsole, userInfo } from '../../../../../tools/testing/console.tsx'
import { type Calls, paged, refused, type } from '../../../../../tools/testing/page.tsx'
import type { Settings } from '../../settings.ts'
import { type PermissionEntry, useUser } from '../../user.ts'
import { go } from '../session/navigation.ts'

const SAVE = 'PUT /api/account/preference'

async function open(favourites: readonly string[] = [], calls: Calls = {}, settings: Partial<Settings> = {}) {
  const page = await openConsole({
    path: '/dashboard',
    settings,
    calls: {
      ...frameCalls(),
      'GET /api/auth/userInfo': () => ({ ...userInfo({ superAdmin: true }), preference: { favourites } }),
      [SAVE]: () => ({}),
      ...calls,
    },
  })
  await screen.findByRole('navigation', { name: 'Main menu' })
  return page
}
const menu = () => within(screen.getByRole('navigation', { name: 'Main menu' }))
const box = () => menu().findByRole<HTMLInputElement>('searchbox', { name: 'Find in menu' })
const links = () =>
  menu()
    .getAllByRole('link')
    .map(link => link.textContent)
const groups = () => [...document.querySelectorAll('nav .ant-menu-submenu-title')].map(group => group.textContent)
const star = (name: string) =>
  menu().getAllByRole('button', { name: `Favorite ${name}`, hidden: true })[0] as HTMLElement
const kept = () => useUser.getState().info?.preference.favourites

describe('narrowing the menu', () => {
  test.each([
    ['a part of a name', 'refund', ['Refund applications', 'Refund statistics']],
    ['pinyin', 'tuikuan', ['Refund applications', 'Refund statistics']],
    ['initials', 'tksq', ['Refund applications']],
    ['another language', '退款统计', ['Refund statistics']],
    ['what is written without its accents', 'conferencia de', ['Order review']],
  ])('leaves what is called so by %s', async (_by, typed, expected) => {
    await open()
    fireEvent.focus(await box())
    type(await box(), typed)
    await waitFor(() => expect(links()).toEqual(expected))
  })

  test('by the name of a group leaves all of the group, open', async () => {
    await open()
    type(await box(), 'logist')
    expect(groups()).toEqual(['Logistics'])
    expect(links()).toEqual(expect.arrayContaining(['Shipping', 'Tracking', 'Stock']))
  })

  test('Enter opens the first that is left, Esc shows all again, and what fits nothing says so', async () => {
    const page = await open()
    const all = groups()
    type(await box(), 'no such page')
    expect(menu().getByText('No page found')).toBeTruthy()
    fireEvent.keyDown(await box(), { key: 'Escape' })
    expect((await box()).value).toBe('')
    expect(groups()).toEqual(all)
    type(await box(), 'account')
    fireEvent.keyDown(await box(), { key: 'Escape' })
    type(await box(), 'workb')
    fireEvent.keyDown(await box(), { key: 'Enter' })
    await waitFor(() => expect(page.address()).toMatch(/^\/dashboard/))
    expect((await box()).value).toBe('')
  })

  test('the arrow down leads from the box to the first link', async () => {
    await open()
    type(await box(), 'coupon')
    fireEvent.keyDown(await box(), { key: 'ArrowDown' })
    expect(document.activeElement?.textContent).toBe('Coupons')
  })

  test('a collapsed menu makes room for the box when it is asked for', async () => {
    await open([], {}, { collapsed: true })
    fireEvent.click(menu().getByRole('button', { name: 'Find in menu' }))
    await waitFor(async () => expect(document.activeElement).toBe(await box()))
  })
})

describe('favourites', () => {
  test('stand in a group of their own at the top, in the order of the marking, beside the whole menu', async () => {
    await open([])
    expect(groups()[0]).not.toBe('Favorites')
    const before = groups()
    await open(['products/coupon', 'orders/order'])
    expect(groups()).toEqual(['Favorites', ...before])
    expect(links().slice(0, 2)).toEqual(['Coupons', 'Orders'])
  })

  test('are marked by a button beside the link and kept with the person', async () => {
    const page = await open(['orders/order'])
    expect(star('Orders').getAttribute('aria-pressed')).toBe('true')
    type(await box(), 'coupons')
    fireEvent.click(star('Coupons'))
    expect(star('Coupons').getAttribute('aria-pressed')).toBe('true')
    expect(page.sent(SAVE).map(({ body }) => body)).toEqual([{ favourites: ['orders/order', 'products/coupon'] }])
    type(await box(), '')
    fireEvent.click(star('Orders'))
    expect(page.sent(SAVE)[1]?.body).toEqual({ favourites: ['products/coupon'] })
    expect(page.address()).toBe('/dashboard')
  })

  test('a mark that could not be kept is taken back and says so', async () => {
    await open([], { [SAVE]: () => refused(5003, 'Busy: come again') })
    type(await box(), 'coupons')
    fireEvent.click(star('Coupons'))
    expect(kept()).toEqual(['products/coupon'])
    await screen.findByText('come again')
    expect(kept()).toEqual([])
  })

  test('pages the person may no longer open are not among them', async () => {
    await open(['orders/order'], {
      'GET /api/auth/userInfo': () => ({ ...userInfo(), preference: { favourites: ['orders/order', 'nobody/knows'] } }),
    })
    expect(groups()).toEqual([])
  })
})

describe('the menu as people here arranged it', () => {
  const own = (changed: Partial<OwnEntry>): OwnEntry => ({
    names: {},
    words: [],
    icon: null,
    hidden: false,
    keepAlive: true,
    ...changed,
  })
  const entry = (resourceCode: string, parentId: string | null, changed?: Partial<OwnEntry>): PermissionEntry => ({
    id: resourceCode,
    parentId,
    resourceCode,
    displayName: resourceCode,
    displayType: 'MENU',
    ...(changed ? { own: own(changed) } : {}),
  })
  const arranged = (...permissionList: PermissionEntry[]) => ({
    'GET /api/orders/order': () => paged([]),
    'GET /api/orders/order/counts': () => null,
    'GET /api/auth/userInfo': () => {
      const info = userInfo()
      return { ...info, role: info.role && { ...info.role, permissionList } }
    },
  })

  test('stands in its order, below what everybody has', async () => {
    await open(
      [],
      arranged(
        entry('product', null),
        entry('order', null),
        entry('order-browse', 'order'),
        entry('order-list', 'order'),
        entry('coupon-list', 'product'),
      ),
    )
    expect(groups()).toEqual(['Products', 'Orders'])
    type(await box(), 'order')
    expect(links()).toEqual(['Viewed, not ordered', 'Orders'])
  })

  test('is called, and found, by its own names; in the tab and the title too', async () => {
    await open(
      [],
      arranged(
        entry('order', null, { names: { 'en-US': 'Trade' } }),
        entry('order-list', 'order', { names: { 'en-US': 'Order book', 'zh-CN': '台账' }, words: ['taizhang', 'tz'] }),
      ),
    )
    expect(groups()).toEqual(['Trade'])
    for (const typed of ['book', '台账', 'taizh', 'tz', 'orders']) {
      type(await box(), typed)
      await waitFor(() => expect(links()).toEqual(['Order book']))
    }
    await act(async () => go('/order/list'))
    await waitFor(() => expect(document.title).toMatch(/^Order book - /))
    expect(
      within(screen.getByRole('navigation', { name: 'Open pages' })).getByRole('link', { name: 'Order book' }),
    ).toBeTruthy()
  })

  test('leaves out what is hidden, and opens it all the same', async () => {
    const page = await open(
      [],
      arranged(entry('order', null), entry('order-list', 'order', { hidden: true }), entry('order-browse', 'order')),
    )
    type(await box(), 'o')
    expect(links()).not.toContain('Orders')
    await act(async () => go('/order/list'))
    expect(page.address()).toBe('/order/list')
    await screen.findByRole('link', { name: 'Orders' })
  })

  test('shows a picture people chose, wherever that comes from', async () => {
    await open(
      [],
      arranged(
        entry('order', null, { icon: 'brush' }),
        entry('order-list', 'order'),
        entry('product', null, { icon: 'finance' }),
        entry('coupon-list', 'product'),
      ),
    )
    await waitFor(() => expect(document.querySelector('nav .anticon-highlight')).toBeTruthy())
    expect(document.querySelector('nav .anticon-account-book')).toBeTruthy()
    expect(document.querySelector('nav .anticon-file-text')).toBeNull()
  })
})
