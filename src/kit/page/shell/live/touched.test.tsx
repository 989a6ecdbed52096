import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { frameCalls, openConsole } from '../../../../../tools/testing/console.tsx'
import { type Answer, inTurn, paged, refused } from '../../../../../tools/testing/page.tsx'
import { commonCalls, refund } from '../../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/orders/refund-application'
const GRANTS = { 'order-refundApply': ['list', 'detail', 'approve'] }

let later = 0
beforeEach(() => {
  later = 0
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + later)
})
afterEach(() => vi.restoreAllMocks())

const touch = () => fireEvent.pointerMove(document.body)
/** What was set off has been sent by then. */
const settle = () => act(async () => void (await new Promise(resolve => setTimeout(resolve, 50))))

async function open(path: string, rows: Answer, record: Answer = () => refund('2')) {
  const page = await openConsole({
    path,
    calls: {
      ...frameCalls({ groups: ['order'], grants: GRANTS }),
      ...commonCalls,
      [LIST]: rows,
      [`${LIST}/counts`]: () => ({}),
      [`${LIST}/2`]: record,
    },
  })
  await waitFor(() => expect(screen.queryAllByText('R2026030200002').length).toBeGreaterThan(0))
  return page
}

describe('a list that stands open', () => {
  const two = paged([refund('2'), refund('1')])
  const three = paged([refund('3'), refund('2', { status: 'PAID' }), refund('1')])

  test('is asked for again when somebody comes back to it after half a minute: rows change in place, new ones wait', async () => {
    const page = await open(
      '/order/refundApply',
      inTurn(
        () => two,
        () => three,
      ),
    )
    later = 31_000
    touch()
    await waitFor(() => expect(page.sent(LIST)).toHaveLength(2))
    expect(await screen.findByRole('button', { name: '1 new' })).toBeTruthy()
    expect(await screen.findByText('Refunded', { selector: 'td *' })).toBeTruthy()
    expect(screen.queryByText('R2026030200003')).toBeNull()
  })

  test('is left alone while its answer is fresh, however lively the pointer, and while nobody touches it', async () => {
    const page = await open('/order/refundApply', () => two)
    touch()
    later = 20_000
    touch()
    await settle()
    expect(page.sent(LIST)).toHaveLength(1)
    later = 600_000
    await settle()
    expect(page.sent(LIST)).toHaveLength(1)
    touch()
    touch()
    await waitFor(() => expect(page.sent(LIST)).toHaveLength(2))
    touch()
    await settle()
    expect(page.sent(LIST)).toHaveLength(2)
  })

  test('keeps its rows and what is chosen when the server cannot answer just now', async () => {
    const page = await open(
      '/order/refundApply',
      inTurn(
        () => two,
        () => refused(CODES.unavailable, 'Unavailable: later', null, 503),
      ),
    )
    const box = () => document.querySelectorAll<HTMLInputElement>('tbody input[type="checkbox"]')[0] as HTMLInputElement
    fireEvent.click(box())
    later = 31_000
    touch()
    await waitFor(() => expect(page.sent(LIST)).toHaveLength(2))
    await settle()
    expect(screen.getByText('R2026030200002')).toBeTruthy()
    expect(box().checked).toBe(true)
  })
})

describe('a record that stands open', () => {
  const path = '/order/refundApply?open=2'
  const title = () => document.querySelector('.ant-drawer-title')?.textContent

  test('shows what a colleague made of it once somebody comes back to it', async () => {
    await open(
      path,
      () => paged([refund('2')]),
      inTurn(
        () => refund('2'),
        () => refund('2', { status: 'PAID' }),
      ),
    )
    await waitFor(() => expect(title()).toContain('Awaiting manager'))
    later = 31_000
    fireEvent.keyDown(document.body, { key: 'Shift' })
    await waitFor(() => expect(title()).toContain('Refunded'))
  })

  test('stays in sight, without a word, when the server cannot answer just now', async () => {
    const page = await open(
      path,
      () => paged([refund('2')]),
      inTurn(
        () => refund('2'),
        () => refused(CODES.unavailable, 'Unavailable: later', null, 503),
      ),
    )
    await waitFor(() => expect(title()).toContain('Awaiting manager'))
    later = 31_000
    touch()
    await waitFor(() => expect(page.sent(`${LIST}/2`)).toHaveLength(2))
    await settle()
    expect(title()).toContain('Awaiting manager')
    expect(screen.queryByText('Unavailable: later')).toBeNull()
  })
})
