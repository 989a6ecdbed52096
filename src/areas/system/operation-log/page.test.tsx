import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#kit/model/time.ts'
import { type Calls, renderPage } from '../../../../tools/testing/page.tsx'
import { Page } from './page.tsx'

const PATH = '/api/system/operation-log'
const named = (name: string) => ({ id: '7', name, note: null, tone: null })
const LINE = {
  id: '7',
  at: '2026-11-16T04:00:00Z',
  actorId: null,
  actorName: '',
  page: 'order-refundApply',
  action: 'approve',
  kind: 'STEP',
  recordId: '42',
  recordNo: 'R2026111500042',
  result: 'DONE',
  why: null,
  reason: null,
  changes: [
    { id: 'status', name: 'State', before: 'Waiting', after: 'Approved' },
    { id: 'phone', name: 'Phone', before: null, after: null },
  ],
  address: '10.0.0.9',
  durationMs: 12,
  requestId: 'a-request',
  version: 1,
  labels: {
    page: named('Refund applications'),
    action: named('Approve'),
    recordId: named('R2026111500042'),
    actorId: named('System'),
  },
  steps: {},
  waiting: null,
}
const REFUSED = { ...LINE, id: '8', result: 'REFUSED', why: 'No permission for this action', changes: [] }
const CALLS: Calls = {
  [`GET ${PATH}`]: () => ({ records: [LINE], total: 1, totalAt: '2026-11-16T04:00:00Z' }),
  [`GET ${PATH}/7`]: () => LINE,
  [`GET ${PATH}/8`]: () => REFUSED,
  [`GET ${PATH}/7/timeline`]: () => [],
  [`GET ${PATH}/8/timeline`]: () => [],
  'GET /api/common/reference/staff': () => [],
}
const open = (search: string, more: Record<string, string[]> = {}) =>
  renderPage(<Page />, {
    path: '/system/iamOperationLog/list',
    search,
    calls: CALLS,
    grants: { 'operation-log': ['list', 'detail'], ...more },
  })

describe('the operation log', () => {
  test('begins with the last thirty days, and with what was asked for where something was', async () => {
    const page = await open('')
    await screen.findAllByText('Approve')
    expect(page.address()).toContain(`atBegin=${addDays(dayOf(new Date()), -29)}`)
    const asked = await open('result=REFUSED')
    await screen.findAllByText('Approve')
    expect(asked.address()).toBe('result=REFUSED')
  })

  test('offers the pages by the names of the menu, and says by which of them it is filtered', async () => {
    await open('page=order-refundApply&page=task')
    expect((await screen.findByText(/^Page: /)).textContent).toBe('Page: Refund applications, Task centre')
  })

  test('says whose lines these are where it was asked for one record, and leads there from a line of it', async () => {
    const page = await open('page=order-refundApply&recordId=42')
    await screen.findByText('Record: R2026111500042')
    expect(page.sent(`GET ${PATH}`)[0]?.query).toMatchObject({ page: 'order-refundApply', recordId: '42' })
    await open('open=7')
    const link = await screen.findByRole('link', { name: 'Everything done to this record' })
    expect(link.getAttribute('href')).toBe('#/system/iamOperationLog/list?page=order-refundApply&recordId=42')
  })

  test('says who did what to which record, and names the console where nobody did', async () => {
    await open('result=DONE')
    const row = (await screen.findByText('Refund applications')).closest('tr') as HTMLElement
    for (const text of ['Approve', 'R2026111500042', 'System', 'Done']) within(row).getByText(text)
    expect(screen.queryByRole('columnheader', { name: 'Actions' })).toBeNull()
  })

  test('shows before and after side by side, and leads to the record whoever may open it', async () => {
    await open('open=7', { order: [], 'order-refundApply': ['list', 'detail'] })
    const change = (await screen.findByText('State')).closest('tr') as HTMLElement
    expect(
      within(change)
        .getAllByRole('cell')
        .map(cell => cell.textContent),
    ).toEqual(['State', 'Waiting', 'Approved'])
    const link = screen.getByRole('link', { name: 'R2026111500042' })
    expect(link.getAttribute('href')).toBe('#/order/refundApply/42')
    await open('open=7')
    await screen.findByText('State')
    expect(screen.queryByRole('link', { name: 'R2026111500042' })).toBeNull()
  })

  test('says why something was refused', async () => {
    await open('open=8')
    await screen.findByText('No permission for this action')
  })
})
