import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type Calls, paged, pick, press, renderPage } from '../../../../tools/testing/page.tsx'
import { Page } from './page.tsx'
// What comes later is there at once: no test waits for the machine to read it.
import './compare.page.tsx'
import './editor.page.tsx'
import './held.page.tsx'
import type { PermissionTree } from './permission-tree.model.ts'

const PATH = '/api/system/role'
const entry = (key: string, name: string, isHeld = true) => ({ key, name, isHeld })
const TREE: PermissionTree = [
  {
    key: 'order',
    name: 'Trade',
    pages: [
      {
        ...entry('orders', 'Order book'),
        actions: [
          entry('orders:list', 'View list'),
          entry('orders:create', 'Create'),
          entry('orders:reveal', 'Reveal', false),
        ],
        fields: [{ name: 'Phone', right: 'orders:reveal' }],
      },
      { ...entry('refunds', 'Refunds'), actions: [entry('refunds:approve', 'Approve')], fields: [] },
    ],
  },
]
const role = (id: string, more: object = {}) => ({
  id,
  name: `Role ${id}`,
  code: `ROLE_${id}`,
  scope: 'SELF',
  secondFactor: 'OPTIONAL',
  people: 1,
  note: '',
  createdAt: '2026-05-01T00:00:00.000Z',
  orgIds: [],
  permissions: ['orders', 'orders:list'],
  given: null,
  taken: null,
  copyOf: null,
  holders: [{ id: '9', name: 'Wu Min', account: 'wumin', department: 'Sales', enabled: false }],
  outdated: 0,
  version: 3,
  labels: {},
  steps: { delete: null },
  waiting: null,
  ...more,
})
const CALLS: Calls = {
  [`GET ${PATH}`]: () => paged([role('5')]),
  [`GET ${PATH}/permissions`]: () => TREE,
  [`GET ${PATH}/5`]: () => role('5'),
  [`GET ${PATH}/6`]: () =>
    role('6', { scope: 'ALL', permissions: ['orders', 'orders:list', 'refunds', 'orders:reveal'] }),
  [`GET ${PATH}/1`]: () => role('1', { code: 'SUPER_ADMIN', permissions: [] }),
  [`GET ${PATH}/5/timeline`]: () => [],
  [`GET ${PATH}/1/timeline`]: () => [],
  [`PUT ${PATH}/5`]: () => null,
  [`POST ${PATH}`]: () => ({ id: '7' }),
  'GET /api/common/reference/role': () => [{ id: '6', name: 'Role 6', note: 'ROLE_6', tone: null }],
}
const ALL = ['list', 'detail', 'create', 'update', 'delete']
const open = (search: string, actions: string[] = ALL) =>
  renderPage(<Page />, { search, calls: CALLS, grants: { 'iam-role': actions } })
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })

describe('roles', () => {
  test('are ticked by group, page and action, and what saving gives and takes is said before', async () => {
    const page = await open('edit=5')
    fireEvent.click(await screen.findByText('Trade'))
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search pages, actions or codes' }), {
      target: { value: 'trade' },
    })
    fireEvent.click(await box('Approve'))
    fireEvent.click(await box('View list'))
    await screen.findByText('2 to give: Refunds · Approve and Refunds · Open')
    await screen.findByText('1 to take away: Order book · View list')
    press('Save role')
    await waitFor(() => expect(page.sent(`PUT ${PATH}/5`)).toHaveLength(1))
    expect(page.sent(`PUT ${PATH}/5`)[0]?.body).toMatchObject({
      permissions: ['orders', 'refunds:approve', 'refunds'],
      version: 3,
    })
  })

  test('show what the editor does not hold himself, and keep it locked', async () => {
    await open('edit=5')
    const search = await screen.findByRole('searchbox', { name: 'Search pages, actions or codes' })
    fireEvent.change(search, { target: { value: 'reveal' } })
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: /Reveal/ })).disabled).toBe(true)
    expect(screen.queryByRole('checkbox', { name: 'Create' })).toBeNull()
    expect(screen.getByText(/Masked fields: Phone/)).toBeTruthy()
  })

  test('are begun with nothing where none is copied', async () => {
    const page = await open('create=1')
    fireEvent.change(await screen.findByLabelText('Name', { selector: 'input' }), { target: { value: 'New' } })
    fireEvent.change(screen.getByLabelText('Code', { selector: 'input' }), { target: { value: 'NEW' } })
    await pick(screen.getByLabelText('Data scope', { selector: '[aria-required]' }), 'Everything')
    await screen.findByText('No change to the permissions')
    press('Create role')
    await waitFor(() => expect(page.sent(`POST ${PATH}`)).toHaveLength(1))
    expect(page.sent(`POST ${PATH}`)[0]?.body).toMatchObject({ copyOf: null, scope: 'ALL', permissions: [] })
    expect(page.sent(`GET ${PATH}/`)).toEqual([])
  })

  test('are copied with what the copier holds', async () => {
    const page = await open('create=1&with.copyOf=6')
    await screen.findByText('3 to give: Order book · Open, Order book · View list, and Refunds · Open')
    fireEvent.change(screen.getByLabelText('Name', { selector: 'input' }), { target: { value: 'Copy' } })
    fireEvent.change(screen.getByLabelText('Code', { selector: 'input' }), { target: { value: 'MINE' } })
    press('Create role')
    await waitFor(() => expect(page.sent(`POST ${PATH}`)).toHaveLength(1))
    expect(page.sent(`POST ${PATH}`)[0]?.body).toMatchObject({
      copyOf: '6',
      scope: 'ALL',
      permissions: ['orders', 'orders:list', 'refunds'],
    })
  })

  test('are compared by what sets them apart', async () => {
    await open('open=5')
    fireEvent.click(await screen.findByRole('tab', { name: 'Compare' }))
    const panel = screen.getByRole('tabpanel', { name: 'Compare' })
    fireEvent.mouseDown(await within(panel).findByRole('combobox'))
    fireEvent.click(await screen.findByText('Role 6'))
    await within(panel).findByText('Refunds · Open')
    await within(panel).findByText('Order book · Phone in full')
    expect(within(panel).queryByText('Order book · View list')).toBeNull()
    fireEvent.click(within(panel).getByText('Only "Role 5" may 0'))
    expect(within(panel).queryByText('Refunds · Open')).toBeNull()
    fireEvent.click(within(panel).getByText('Only "Role 6" may 3'))
    await within(panel).findByText('Refunds · Open')
    fireEvent.click(within(panel).getByRole('switch', { name: 'Only differences' }))
    await within(panel).findByText('Order book · View list')
    fireEvent.change(within(panel).getByRole('searchbox'), { target: { value: 'refunds' } })
    expect(within(panel).queryByText('Order book · View list')).toBeNull()
    expect(within(panel).getByText('Refunds · Open')).toBeTruthy()
  })

  test('are compared from the list, once two of them are chosen', async () => {
    const page = await renderPage(<Page />, {
      calls: { ...CALLS, [`GET ${PATH}`]: () => paged([role('5'), role('6'), role('7')]) },
      grants: { 'iam-role': ['list', 'detail'] },
    })
    await screen.findByText('Role 5')
    const tick = (id: string) =>
      fireEvent.click(document.querySelector(`tr[data-row-key="${id}"] input[type=checkbox]`) as Element)
    const compare = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Compare roles' })
    tick('5')
    expect((await compare()).disabled).toBe(true)
    tick('6')
    await waitFor(async () => expect((await compare()).disabled).toBe(false))
    fireEvent.click(await compare())
    await screen.findByText('All differences 4')
    expect(screen.getByRole('columnheader', { name: 'Role 6' })).toBeTruthy()
    expect(page.sent(`GET ${PATH}/7`)).toEqual([])
  })

  test('name who holds them, and whose account is shut', async () => {
    await open('open=5')
    fireEvent.click(await screen.findByRole('tab', { name: 'People' }))
    expect((await screen.findByText('Wu Min')).closest('tr')?.textContent).toContain('Disabled')
  })

  test('say before they ask for a second step whom that stops at work, from this moment on', async () => {
    const steps = { requireFactor: null }
    await renderPage(<Page />, {
      calls: { ...CALLS, [`GET ${PATH}`]: () => paged([role('5', { steps, people: 12 })]) },
      grants: { 'iam-role': ['list', 'requireFactor'] },
    })
    const row = (await screen.findByText('ROLE_5')).closest('tr') as HTMLElement
    fireEvent.click(await within(row).findByText('Require two-step verification'))
    const asked = await screen.findByRole('dialog')
    await within(asked).findByText(/can do nothing but set it up, also in the middle of work/)
    expect(asked.textContent).toContain('12')
  })

  test('of the super administrator offer nothing to change', async () => {
    await open('edit=1')
    expect((await screen.findAllByText(/has every permission and can be neither/)).length).toBeGreaterThan(0)
    expect(screen.queryByLabelText('Name', { selector: 'input' })).toBeNull()
  })
})
