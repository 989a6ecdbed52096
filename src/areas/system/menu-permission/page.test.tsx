import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { TreeNode } from '#kit/model/tree.ts'
import { type Calls, press, renderPage } from '../../../../tools/testing/page.tsx'
import { Page } from './page.tsx'

const PATH = '/api/system/menu-permission'
const node = (id: string, parentId: string | null, name: string, beside: string | null = null): TreeNode => ({
  id,
  parentId,
  name,
  beside,
  children: parentId === null ? 2 : 0,
})
const NODES = [node('1', null, 'Orders'), node('2', '1', 'Order book'), node('3', '1', 'Refunds', 'Hidden')]
const KINDS: Readonly<Record<string, string>> = { 1: 'GROUP', 2: 'PAGE', 3: 'PAGE' }
const entry = (id: string) => ({
  id,
  displayName: 'stored',
  resourceCode: `key-${id}`,
  displayType: 'MENU',
  parentId: NODES.find(known => known.id === id)?.parentId ?? null,
  nameZhCn: null,
  nameZhTw: null,
  nameEnUs: null,
  namePtBr: null,
  icon: null,
  hidden: id === '3',
  keepAlive: true,
  sort: 0,
  codeNames: { 'zh-CN': '订单', 'zh-TW': '訂單', 'en-US': 'Orders', 'pt-BR': 'Pedidos' },
  kind: KINDS[id],
  route: '/order/list',
  rights: [
    { id: '20', name: 'Open', code: 'key', vanished: false, roles: [{ id: '7', name: 'Sales' }], people: 12 },
    { id: '21', name: 'Approve', code: 'approve', vanished: false, roles: [], people: 0 },
  ],
  version: 5,
  labels: { displayName: { id, name: NODES.find(known => known.id === id)?.name, note: null, tone: null } },
  steps: {},
  waiting: null,
})
const CALLS: Calls = {
  [`GET ${PATH}/tree`]: () => ({ nodes: NODES, isWhole: true }),
  ...Object.fromEntries(
    NODES.flatMap(({ id }) => [
      [`GET ${PATH}/${id}`, () => entry(id)],
      [`PUT ${PATH}/${id}`, () => null],
      [`GET ${PATH}/${id}/timeline`, () => []],
      [`POST ${PATH}/${id}/move`, () => null],
    ]),
  ),
}
const ALL = ['list', 'detail', 'update', 'move']
const open = (search: string, actions: string[] = ALL) =>
  renderPage(<Page />, { search, calls: CALLS, grants: { 'iam-resource-permission': actions } })
const named = (name: string) => screen.findByText(name, { selector: '.inkstone-node-name' })

describe('menu permissions', () => {
  test('show who holds the page and each of its actions', async () => {
    await open('open=2')
    const row = (await screen.findByText('Approve')).closest('tr') as HTMLElement
    expect(within(row).getByText('No role')).toBeTruthy()
    expect(screen.getByText('Sales')).toBeTruthy()
    expect(screen.getByText('12')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open /order/list' }).getAttribute('href')).toBe('#/order/list')
  })

  test('say what it means that an entry is hidden', async () => {
    await open('open=3')
    await screen.findByText(/Not shown in the menu/)
  })

  test('change places on their own level, and never go below another', async () => {
    const page = await open('open=3')
    const name = await named('Refunds')
    await screen.findByText('Approve')
    expect(screen.queryByRole('button', { name: 'Move to…' })).toBeNull()
    for (const key of ['ArrowRight', 'ArrowLeft']) fireEvent.keyDown(name, { key, altKey: true })
    fireEvent.keyDown(name, { key: 'ArrowUp', altKey: true })
    await screen.findByText('Moved "Refunds"')
    expect(page.sent(`POST ${PATH}/3/move`).map(({ body }) => body)).toEqual([
      { parentId: '1', afterId: null, version: 5 },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('ask of a page whether it is kept, of a group for its picture', async () => {
    const page = await open('open=2&edit=2')
    await screen.findByLabelText('Keep the page while another tab is shown')
    expect(screen.queryByRole('radio', { name: 'Pen' })).toBeNull()
    // What stands there unless something is entered.
    expect(await screen.findByPlaceholderText('Pedidos')).toBe(screen.getByLabelText('Own name (Portuguese)'))
    fireEvent.change(screen.getByLabelText('Own name (English)'), { target: { value: 'Ledger' } })
    press('Save menu entry')
    await waitFor(() => expect(page.sent(`PUT ${PATH}/2`)).toHaveLength(1))
    expect(page.sent(`PUT ${PATH}/2`)[0]?.body).toMatchObject({ nameEnUs: 'Ledger', icon: null, keepAlive: true })

    const group = await open('open=1&edit=1')
    fireEvent.click(await screen.findByRole('radio', { name: 'Pen' }))
    expect(screen.queryByLabelText('Keep the page while another tab is shown')).toBeNull()
    press('Save menu entry')
    await waitFor(() => expect(group.sent(`PUT ${PATH}/1`)).toHaveLength(1))
    expect(group.sent(`PUT ${PATH}/1`)[0]?.body).toMatchObject({ icon: 'brush', nameEnUs: null })
  })

  test('offer nothing to whoever only reads', async () => {
    await open('open=2', ['list', 'detail'])
    await screen.findByText('Approve')
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
    expect(screen.queryByText(/Drag to change/)).toBeNull()
  })
})
