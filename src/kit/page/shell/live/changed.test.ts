import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askAgain } from './changed.ts'

const MEMBER = { record: 'members/member', id: '5' }
const asked: string[] = []
let client: QueryClient
let leave: (() => void)[] = []

/** Something that stands on the screen, and was just read; gives back how to put it out of sight. */
function shown(...queryKey: unknown[]): () => void {
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => {
      asked.push(JSON.stringify(queryKey))
      return asked.length
    },
    initialData: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const end = observer.subscribe(() => {})
  leave.push(end)
  return end
}
beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  asked.length = 0
})
afterEach(() => {
  for (const end of leave) end()
  leave = []
  vi.useRealTimers()
})

test('a record that stands open is asked for again with what hangs on it, once for several words; the rest is left alone', async () => {
  shown('members/member', 'detail', '5')
  shown('orders/order', 'list', { memberId: ['5'], current: 1 }, '/orders/order')
  shown('members/member', 'list', { kind: ['COINS'] }, '/members/member/5/lots')
  shown('members/member', 'list', { current: 1 }, '/members/member')
  shown('orders/order', 'detail', '55')
  for (let word = 0; word < 3; word += 1) askAgain(MEMBER, client)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(3)
  expect(asked.join()).not.toContain('55')
  askAgain(MEMBER, client)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(6)
})

test('of a record nobody has open nothing is asked for', async () => {
  shown('members/member', 'detail', '7')
  shown('orders/order', 'list', { memberId: ['5'] }, '/orders/order')
  askAgain(MEMBER, client)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([])
})

test('of a record in a tab that is out of sight nothing is asked for until it is looked at again; then it is asked for, though it was just read', async () => {
  const away = [
    shown('members/member', 'detail', '5'),
    shown('orders/order', 'list', { memberId: ['5'] }, '/orders/order'),
    shown('members/member', 'detail', '7'),
  ]
  for (const hide of away) hide()
  askAgain(MEMBER, client)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([])
  shown('members/member', 'detail', '5')
  shown('orders/order', 'list', { memberId: ['5'] }, '/orders/order')
  shown('members/member', 'detail', '7')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(2)
  expect(asked.join()).not.toContain('"7"')
})
