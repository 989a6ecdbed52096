import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { Page as Members } from '#areas/members/member/page.tsx'
import { Page as Orders } from '#areas/orders/order/page.tsx'
import { paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, order } from '../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/orders/order'
const TREE = `${LIST}/departments`
const KEEP = 'PUT /api/account/preference'
const node = (id: string, name: string, parentId: string | null, beside: string, children = 0) => ({
  id,
  name,
  parentId,
  beside,
  children,
})
const NODES = {
  isWhole: true,
  nodes: [node('4', 'Sales', null, '6', 2), node('5', 'North', '4', '3'), node('6', 'South', '4', '2')],
}
const viewport = (width: number) =>
  (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width })

const open = async (options: { search?: string; preference?: Record<string, unknown> } = {}) => {
  const page = await renderPage(<Orders />, {
    grants: { 'order-list': ['list', 'detail'] },
    ...options,
    calls: {
      ...commonCalls,
      [LIST]: () => paged([order('1')]),
      [`${LIST}/counts`]: () => ({}),
      'GET /api/common/view': () => ({ views: [], mayShare: false }),
      [TREE]: () => NODES,
      [KEEP]: () => ({}),
    },
  })
  await screen.findByText('202603020000000001')
  return page
}
const side = () => screen.findByRole('navigation', { name: 'Departments' })

describe('departments at the side', () => {
  afterEach(() => viewport(1024))

  test('are opened beside the rows, and stay open until they are closed', async () => {
    const page = await open()
    expect(page.sent(TREE)).toHaveLength(0)
    fireEvent.click(await screen.findByRole('button', { name: 'Departments' }))
    await within(await side()).findByText('North')
    expect(page.sent(KEEP).map(({ body }) => body)).toEqual([{ 'side.order-list': true }])
    press('Close departments')
    await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Departments' })).toBeNull())
    expect(page.sent(KEEP).at(-1)?.body).toEqual({ 'side.order-list': null })
  })

  test('write one filter, told as a chip, and are marked by it; choosing all takes it away', async () => {
    const page = await open({ preference: { 'side.order-list': true }, search: 'current=3' })
    fireEvent.click(await within(await side()).findByText('North'))
    await waitFor(() => expect(page.address()).toBe('department=5'))
    expect(page.sent(LIST).at(-1)?.query).toMatchObject({ department: '5' })
    expect(await screen.findByText('Departments: North')).toBeTruthy()
    await waitFor(() => expect(document.querySelector('.ant-tree-node-selected')?.textContent).toContain('North'))
    fireEvent.click(screen.getByText('All departments'))
    await waitFor(() => expect(page.address()).toBe(''))
  })

  test('tell how many rows each has, and are found by name', async () => {
    await open({ preference: { 'side.order-list': true } })
    const tree = within(await side())
    expect((await tree.findByText('Sales')).parentElement?.textContent).toBe('Sales6')
    fireEvent.change(tree.getByLabelText('Find a department'), { target: { value: 'South' } })
    await waitFor(() => expect(tree.queryByText('North')).toBeNull())
    expect(tree.getByText('South')).toBeTruthy()
  })

  test('come up as a sheet on a phone, which goes once one is chosen, and not by themselves', async () => {
    viewport(390)
    const page = await open({ preference: { 'side.order-list': true } })
    expect(page.sent(TREE)).toHaveLength(0)
    fireEvent.click(await screen.findByRole('button', { name: 'Departments' }))
    fireEvent.click(await screen.findByText('South'))
    await waitFor(() => expect(page.address()).toBe('department=6'))
    await waitFor(() => expect(document.querySelector('.inkstone-side-sheet')).toBeNull())
    expect(page.sent(KEEP)).toHaveLength(0)
  })

  test('stand at the side of the members too', async () => {
    await renderPage(<Members />, {
      grants: { 'member-list': ['list', 'detail'] },
      preference: { 'side.member-list': true },
      calls: {
        ...commonCalls,
        'GET /api/members/member': () => paged([]),
        'GET /api/members/member/counts': () => ({}),
        'GET /api/common/view': () => ({ views: [], mayShare: false }),
        'GET /api/members/member/departments': () => NODES,
      },
    })
    expect(await within(await side()).findByText('North')).toBeTruthy()
  })
})
