import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Page } from '#areas/organisation/department/page.tsx'
import type { TreeNode } from '#kit/model/tree.ts'
import { button, type Calls, press, refused, renderPage } from '../../../../tools/testing/page.tsx'

const PATH = '/api/organisation/department'
const node = (id: string, parentId: string | null, name: string, children = 0): TreeNode => ({
  id,
  parentId,
  name,
  beside: '3',
  children,
})
const NODES = [
  node('1', null, 'Company', 2),
  node('2', '1', 'Sales', 1),
  node('3', '1', 'Finance'),
  node('4', '2', 'Team one'),
]
const department = (id: string) => ({
  id,
  name: NODES.find(known => known.id === id)?.name ?? '',
  shortName: null,
  code: `D${id}`,
  type: 'DEPT',
  parentId: NODES.find(known => known.id === id)?.parentId ?? null,
  managerId: null,
  note: '',
  sort: 0,
  createdAt: '2026-05-01T00:00:00.000Z',
  people: [{ id: '9', name: 'Li Lei', account: 'lilei' }],
  version: 5,
  labels: {},
  steps: {},
  waiting: null,
})
const CALLS: Calls = {
  'POST /api/common/attachMore': () => ({}),
  'GET /api/common/reference/department/tree': () => ({ nodes: NODES, isWhole: true }),
  'GET /api/common/reference/staff': () => [],
  [`GET ${PATH}/tree`]: () => ({ nodes: NODES, isWhole: true }),
  ...Object.fromEntries(
    NODES.flatMap(({ id }) => [
      [`GET ${PATH}/${id}`, () => department(id)],
      [`GET ${PATH}/${id}/timeline`, () => []],
      [`GET ${PATH}/${id}/move`, () => ['Will see its records: Wang']],
      [`POST ${PATH}/${id}/move`, () => null],
      [`POST ${PATH}/${id}/move/undo`, () => null],
    ]),
  ),
}
const ALL = ['list', 'detail', 'create', 'update', 'delete', 'move']
const open = (search = '', actions: string[] = ALL, calls: Calls = {}) =>
  renderPage(<Page />, { search, calls: { ...CALLS, ...calls }, grants: { org: actions } })

/** So far to the left of where it was taken that it goes below no other record, only after one. */
const AT_THE_LEFT = -100

/** Takes a branch by its name and drops it on another, so far beside where it was taken. */
async function drag(moved: string, target: string, beside = 0): Promise<void> {
  const named = (name: string) => screen.findByText(name, { selector: '.inkstone-node-name' })
  const [from, to] = [await named(moved), await named(target)]
  // The document of these tests knows no drag events that say where the pointer is.
  const tell = (at: Element, type: string, clientX: number) =>
    fireEvent(at, new MouseEvent(type, { bubbles: true, cancelable: true, clientX }))
  tell(from, 'dragstart', 0)
  tell(to, 'dragenter', beside)
  tell(to, 'dragover', beside)
  tell(to, 'drop', beside)
  tell(from, 'dragend', beside)
}

describe('a tree', () => {
  test('shows what stands below what, and beside it the one that was chosen', async () => {
    await open()
    fireEvent.click(await screen.findByText('Finance'))
    await screen.findByText('Li Lei')
    expect(screen.getByText('D3')).toBeTruthy()
  })

  test('shows the first one until somebody chooses', async () => {
    await open()
    await screen.findByText(`D${NODES[0]?.id}`)
  })

  test('finds a record by a part of its name, with everything above it', async () => {
    await open()
    await screen.findByText('Finance')
    fireEvent.change(screen.getByPlaceholderText('Search by name'), { target: { value: 'team' } })
    await waitFor(() => expect(screen.queryByText('Finance')).toBeNull())
    for (const name of ['Company', 'Sales', 'Team one']) screen.getByText(name, { selector: '.inkstone-node-name' })
    fireEvent.change(screen.getByPlaceholderText('Search by name'), { target: { value: 'nobody' } })
    await screen.findByText('No name contains "nobody"')
  })

  test('changes places by keyboard at once, and offers the way back', async () => {
    const page = await open('open=3')
    fireEvent.keyDown(await screen.findByText('Finance', { selector: '.inkstone-node-name' }), {
      key: 'ArrowUp',
      altKey: true,
    })
    await screen.findByText('Moved "Finance"')
    expect(page.sent(`POST ${PATH}/3/move`).map(({ body }) => body)).toEqual([
      { parentId: '1', afterId: null, version: 5 },
    ])
    await waitFor(() => button('Undo'))
    press('Undo')
    await screen.findByText('Undone: Move "Finance"')
    expect(page.sent(`POST ${PATH}/3/move/undo`)).toHaveLength(1)
  })

  test('closes its delete button over what must stay, with the reason', async () => {
    const kept = { ...department('3'), steps: { delete: { code: 'has-people', msg: 'Staff working here: 1' } } }
    await open('open=3', ALL, { [`GET ${PATH}/3`]: () => kept })
    await screen.findByText('Li Lei')
    const closed = button('Delete')
    expect(closed.disabled).toBe(true)
    fireEvent.pointerEnter(closed)
    expect((await screen.findByRole('tooltip')).textContent).toBe('Staff working here: 1')
  })

  test('tells what follows before a record goes below another, and does nothing until that is confirmed', async () => {
    const page = await open('open=3')
    fireEvent.keyDown(await screen.findByText('Finance', { selector: '.inkstone-node-name' }), {
      key: 'ArrowRight',
      altKey: true,
    })
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('Will see its records: Wang')
    expect(page.sent(`POST ${PATH}/3/move`)).toEqual([])
    press('Move below "Sales"')
    await waitFor(() =>
      expect(page.sent(`POST ${PATH}/3/move`).map(({ body }) => body)).toEqual([{ parentId: '2', version: 5 }]),
    )
  })

  test('tells what follows before a branch is dropped on another, and moves it once that is confirmed', async () => {
    const page = await open()
    await drag('Sales', 'Finance')
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('Will see its records: Wang')
    expect(page.sent(`GET ${PATH}/2/move`).map(({ query }) => query)).toEqual([{ parentId: '3' }])
    expect(page.sent(`POST ${PATH}/2/move`)).toEqual([])
    press('Move below "Finance"')
    await screen.findByText('Moved "Sales"')
    expect(page.sent(`POST ${PATH}/2/move`).map(({ body }) => body)).toEqual([{ parentId: '3', version: 5 }])
  })

  test('a drop that is not confirmed moves nothing', async () => {
    const page = await open()
    await drag('Sales', 'Finance')
    await within(await screen.findByRole('dialog')).findByText('Will see its records: Wang')
    press('Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(page.sent(`POST ${PATH}/2/move`)).toEqual([])
  })

  test('dropped into the gap below another among its own, a branch moves at once', async () => {
    const page = await open()
    // Below the last one of Sales, and so far to the left that it comes after Sales.
    await drag('Finance', 'Team one', AT_THE_LEFT)
    await screen.findByText('Moved "Finance"')
    expect(page.sent(`POST ${PATH}/3/move`).map(({ body }) => body)).toEqual([
      { parentId: '1', afterId: '2', version: 5 },
    ])
  })

  test.each([
    ['itself', 'Sales', 0],
    ['what stands below it', 'Team one', 0],
    ['the gap below the last of what stands below it', 'Team one', AT_THE_LEFT],
  ] as const)('asks nothing and moves nothing when a branch is dropped on %s', async (_, target, left) => {
    const page = await open()
    await drag('Sales', target, left)
    // What comes after it says that nothing was on its way.
    await drag('Finance', 'Sales')
    await within(await screen.findByRole('dialog')).findByText('Will see its records: Wang')
    expect([...page.sent(`GET ${PATH}/2/move`), ...page.sent(`POST ${PATH}/2/move`)]).toEqual([])
  })

  test('offers no moving, adding, changing or deleting to whoever may not', async () => {
    const page = await open('open=3', ['list', 'detail'])
    const name = await screen.findByText('Finance', { selector: '.inkstone-node-name' })
    await screen.findByText('Li Lei')
    fireEvent.keyDown(name, { key: 'ArrowUp', altKey: true })
    for (const label of ['Move to…', 'Add below', 'Edit', 'Delete'])
      expect(screen.queryByRole('button', { name: label })).toBeNull()
    expect(page.sent(`POST ${PATH}/3/move`)).toEqual([])
  })

  test('leaves Alt and the arrows to whoever is typing elsewhere', async () => {
    const page = await open('open=3')
    await screen.findByText('Li Lei')
    fireEvent.keyDown(screen.getByPlaceholderText('Search by name'), { key: 'ArrowUp', altKey: true })
    fireEvent.keyDown(document.body, { key: 'ArrowUp', altKey: true })
    await screen.findByText('Moved "Finance"')
    expect(page.sent(`POST ${PATH}/3/move`)).toHaveLength(1)
  })

  test('adds below the chosen one', async () => {
    await open('open=2')
    await screen.findByText('Li Lei')
    press('Add below')
    await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Sales'))
  })

  test('says why it cannot be shown, and tries again', async () => {
    let fails = true
    await open('', ALL, {
      [`GET ${PATH}/tree`]: () => {
        return fails ? refused(5000, 'Something went wrong', 500) : { nodes: NODES, isWhole: true }
      },
    })
    await waitFor(() => button('Try again'))
    fails = false
    press('Try again')
    await screen.findByText('Finance')
  })
})
