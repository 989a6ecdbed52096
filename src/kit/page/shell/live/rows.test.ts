import { focusManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askForRows } from './rows.ts'
import { askWhenTouched } from './touched.ts'

const asked: string[] = []
let client: QueryClient
let leave: (() => void)[] = []

/** Something that stands on the screen, and was just read; gives back how to put it out of sight. */
function shown(...queryKey: unknown[]): () => void {
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => {
      asked.push(queryKey.join(' '))
      return asked.length
    },
    initialData: 0,
    staleTime: 30_000,
  })
  const end = observer.subscribe(() => {})
  leave.push(end)
  return end
}
beforeEach(() => {
  vi.useFakeTimers()
  client = new QueryClient()
  client.mount()
  asked.length = 0
  askWhenTouched()
})
afterEach(() => {
  for (const end of leave) end()
  leave = []
  client.unmount()
  focusManager.setEventListener(() => {})
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('an open list asks for its rows and its numbers when it is told of them; other lists do not', async () => {
  shown('orders/order', 'list', 'first page')
  shown('orders/order', 'counts')
  shown('orders/refund-application', 'list')
  askForRows('order-list', client)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual(['orders/order list first page', 'orders/order counts'])
})

test('a list in a tab that is out of sight is asked for when it is looked at again, though it was just read', async () => {
  shown('orders/order', 'list')()
  askForRows('order-list', client)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual([])
  shown('orders/order', 'list')
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual(['orders/order list'])
})

test('a list nobody has been before for ten minutes, or whose window is hidden, asks with the next touch', async () => {
  shown('orders/order', 'list')
  await vi.advanceTimersByTimeAsync(600_000)
  askForRows('order-list', client)
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toEqual([])
  window.dispatchEvent(new Event('pointermove'))
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveLength(1)
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  askForRows('order-list', client)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked).toHaveLength(1)
  hidden.mockReturnValue('visible')
  window.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveLength(2)
})
