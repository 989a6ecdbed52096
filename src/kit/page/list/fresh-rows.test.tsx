import { useQueryClient } from '@tanstack/react-query'
import { act, renderHook, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { resource as refunds } from '#areas/orders/refund-application/model.ts'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { held, inTurn, paged, press, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, refund } from '../../../../tools/testing/page-records.ts'
import { unknownParameters } from './known-parameters.ts'
import { askForAll, EVERYWHERE, type ListState, type Row, useOwnChanges } from './list-state.ts'
import { useSettledRows } from './use-settled-rows.ts'

const resource = refunds as unknown as Resource
const LIST = 'GET /api/orders/refund-application'
const STATE: ListState = { current: 1, size: 10, sort: undefined, query: '', filters: {} }

describe('what comes of a push or a colleague', () => {
  beforeEach(() => useOwnChanges.setState({}, true))

  type Given = { ids: string[]; at: number; state?: ListState; status?: string }
  const settle = (first: Given) =>
    renderHook(
      ({ ids, at, state = STATE, status = 'SUBMITTED' }: Given) => {
        const page = paged(ids.map(id => refund(id, { status } as never))) as never
        return useSettledRows(resource, state, { data: page, dataUpdatedAt: at, isPlaceholderData: false } as never)
      },
      { initialProps: first },
    )
  const ids = ({ page }: { page: { records: readonly Row[] } | undefined }) => page?.records.map(({ id }) => id)

  test('changes rows in their places; newcomers wait, are counted, and come when asked for', () => {
    const { result, rerender } = settle({ ids: ['2', '1'], at: 100 })
    rerender({ ids: ['4', '3', '2'], at: 200, status: 'PAID' })
    expect(ids(result.current)).toEqual(['2', '1'])
    expect(result.current.page?.records[0]).toMatchObject({ id: '2', status: 'PAID' })
    expect(result.current.waiting).toBe(2)
    act(() => result.current.showWaiting())
    expect(ids(result.current)).toEqual(['4', '3', '2'])
    expect(result.current.waiting).toBe(0)
  })

  test('that takes rows away leaves them where they are, as gone, until they are asked for; a full page may only have moved on', () => {
    const { result, rerender } = settle({ ids: ['3', '2', '1'], at: 100 })
    rerender({ ids: ['3', '1'], at: 200 })
    expect(ids(result.current)).toEqual(['3', '2', '1'])
    expect([...result.current.gone]).toEqual(['2'])
    act(() => result.current.showWaiting())
    expect(ids(result.current)).toEqual(['3', '1'])
    const full = { ...STATE, size: 2 }
    rerender({ ids: ['3', '1'], at: 300, state: full })
    rerender({ ids: ['4', '3'], at: 400, state: full })
    expect([[...result.current.gone], result.current.waiting]).toEqual([[], 1])
  })

  test('one’s own change, another question and an empty list show what is there at once', () => {
    const { result, rerender } = settle({ ids: [], at: 100 })
    rerender({ ids: ['1'], at: 200 })
    expect(ids(result.current)).toEqual(['1'])
    act(() => useOwnChanges.setState({ [resource.screen.name]: 300 }))
    rerender({ ids: ['2', '1'], at: 400 })
    expect(ids(result.current)).toEqual(['2', '1'])
    rerender({ ids: ['9'], at: 500, state: { ...STATE, query: '张' } })
    expect(ids(result.current)).toEqual(['9'])
    // A task of one's own may have worked on any list.
    act(() => useOwnChanges.setState({ [EVERYWHERE]: 600 }))
    rerender({ ids: ['8'], at: 700, state: { ...STATE, query: '张' } })
    expect(ids(result.current)).toEqual(['8'])
  })
})

/** What the live channel sets off when somebody's reach has changed. */
function ReachChanged() {
  const client = useQueryClient()
  return (
    <button type="button" onClick={() => askForAll(client)}>
      another reach
    </button>
  )
}

test('what is out of reach from now on leaves the screen, and does not stand there as gone', async () => {
  const page = await renderPage(
    <>
      <Refunds />
      <ReachChanged />
    </>,
    {
      grants: { 'order-refundApply': ['list'] },
      calls: {
        ...commonCalls,
        [LIST]: inTurn(
          () => paged([refund('2'), refund('1')]),
          () => paged([refund('1')]),
        ),
        [`${LIST}/counts`]: () => ({}),
      },
    },
  )
  await screen.findByText('R2026030200002')
  press('another reach')
  await waitFor(() => expect(page.sent(LIST)).toHaveLength(2))
  await waitFor(() => expect(screen.queryByText('R2026030200002')).toBeNull())
  expect(screen.getByText('R2026030200001')).toBeTruthy()
})

test('rows of one tab never stand under the name of another', async () => {
  const paid = held()
  const page = await renderPage(<Refunds />, {
    grants: { 'order-refundApply': ['list'] },
    calls: {
      ...commonCalls,
      [`${LIST}/counts`]: () => ({}),
      [LIST]: ({ query }) => (query.status === 'PAID' ? paid.answer() : paged([refund('1')])),
    },
  })
  await screen.findByText('R2026030200001')
  page.go('status=PAID')
  await waitFor(() => expect(screen.queryByText('R2026030200001')).toBeNull())
  paid.give(paged([refund('2', { status: 'PAID' })]))
  expect(await screen.findByText('R2026030200002')).toBeTruthy()
})

describe('an address with a parameter the list knows nothing of', () => {
  const unknown = (search: string) => unknownParameters(resource, new URLSearchParams(search))

  test.each([
    ['status=PAID&createdAtBegin=2026-01-01&todo=pay&current=2&open=7&with.orderId=5', []],
    ['statuses=PAID', ['statuses']],
    ['createdAt=2026-01-01&statusBegin=PAID', ['createdAt', 'statusBegin']],
  ])('%s', (search, names) => expect(unknown(search)).toEqual(names))

  test('opens all the same, and says what was left out', async () => {
    const page = await renderPage(<Refunds />, {
      search: 'status=PAID&colour=red',
      grants: { 'order-refundApply': ['list'] },
      calls: { ...commonCalls, [`${LIST}/counts`]: () => ({}), [LIST]: () => paged([refund('1')]) },
    })
    expect(await screen.findByText('This list has no filter called colour; it was ignored')).toBeTruthy()
    expect(page.address()).toBe('status=PAID')
  })
})

test('a value that does not exist is taken out of the address, and the list says so and stands', async () => {
  const page = await renderPage(<Refunds />, {
    search: 'status=GONE&todo=nothing&applicantId=7',
    grants: { 'order-refundApply': ['list'] },
    calls: {
      ...commonCalls,
      [`${LIST}/counts`]: () => ({}),
      [LIST]: ({ query }) => {
        const bad = ['status', 'todo'].filter(name => query[name] !== undefined)
        if (bad.length === 0) return paged([refund('1')])
        return refused(
          CODES.parameter,
          'Not valid: x',
          { fields: Object.fromEntries(bad.map(name => [name, 'x'])) },
          400,
        )
      },
    },
  })
  // The word does not stay: whoever waits for the rows first may come too late for it.
  await Promise.all([
    screen.findByText('No such value of Status, To do: the filter was ignored'),
    screen.findByText('R2026030200001'),
  ])
  expect(page.address()).toBe('applicantId=7')
})
