import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leftOf } from '#areas/members/work/desk.model.ts'
import { formatInstant } from '#kit/model/time.ts'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { Lease } from './lease.page.tsx'

const MINUTE_MS = 60_000
/** Later than the clock all ages go by was set, so that it is set anew. */
const NOW = new Date(Date.now() + 5 * MINUTE_MS)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOW }))
afterEach(() => void vi.useRealTimers())

test.each([
  ['half an hour', 30 * MINUTE_MS, 30],
  ['a minute that has begun', 4 * MINUTE_MS + 1, 5],
  ['the last second', 1_000, 1],
  ['its end', 0, 0],
  ['long after it', -MINUTE_MS, 0],
])('of %s so many minutes are left', (_, ms, minutes) => {
  expect(leftOf(new Date(NOW.getTime() + ms).toISOString(), NOW)).toBe(minutes)
})

test('the time a work is held runs down minute by minute, stands out towards its end, and asks the desk once it is over', async () => {
  await loadTexts('members/work-desk')
  let asked = 0
  const until = new Date(NOW.getTime() + 7 * MINUTE_MS).toISOString()
  await renderPage(<Lease until={until} onOver={() => (asked += 1)} />)
  const timer = () => screen.getByRole('timer')
  const pass = (minutes: number) => act(() => vi.advanceTimersByTime(minutes * MINUTE_MS))
  expect(timer().textContent).toBe(`Yours until ${formatInstant(new Date(until)).slice(11, 16)} · 7 minutes left`)
  expect(timer().style.color).toBe('')
  pass(1)
  expect(timer().textContent).toContain('6 minutes left')
  expect(timer().style.color).toBe('')
  pass(1)
  expect(timer().textContent).toContain('5 minutes left')
  expect(timer().style.color).not.toBe('')
  pass(4)
  expect(timer().textContent).toContain('1 minute left')
  expect(asked).toBe(0)
  pass(1)
  expect(timer().textContent).toContain('time is over')
  pass(3)
  expect(asked).toBe(1)
})
