import { expect, test } from 'vitest'
import { addDays, dayOf, formatInstant, greetingAt, relativeDay, startOfDay } from './time.ts'

const at = (text: string) => new Date(text)

test('a day begins and ends at midnight in Shanghai', () => {
  expect(dayOf(at('2026-11-14T15:59:59.999Z'))).toBe('2026-11-14')
  expect(dayOf(at('2026-11-14T16:00:00Z'))).toBe('2026-11-15')
  expect(startOfDay('2026-11-15').toISOString()).toBe('2026-11-14T16:00:00.000Z')
})

test('days are added across months and leap days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

test('a stamp is written to the second, in Shanghai', () => {
  expect(formatInstant(at('2026-11-15T02:05:09.900Z'))).toBe('2026-11-15 10:05:09')
})

test('yesterday, today, tomorrow and the day after have names, other days have none', () => {
  const now = at('2026-11-15T02:00:00Z')
  const named = (text: string) => relativeDay(at(text), now).day
  expect(named('2026-11-14T15:59:00Z')).toBe('yesterday')
  expect(named('2026-11-14T16:00:00Z')).toBe('today')
  expect(named('2026-11-15T16:00:00Z')).toBe('tomorrow')
  expect(named('2026-11-16T16:00:00Z')).toBe('dayAfter')
  expect(named('2026-11-17T16:00:00Z')).toBeUndefined()
  expect(named('2026-11-13T15:00:00Z')).toBeUndefined()
  expect(relativeDay(at('2026-11-15T06:03:00Z'), now)).toEqual({ day: 'today', time: '14:03' })
})

test('the greeting follows the hour in Shanghai', () => {
  const greetings = Array.from({ length: 24 }, (_, hour) =>
    greetingAt(at(`2026-11-15T${String((hour + 16) % 24).padStart(2, '0')}:30:00Z`)),
  )
  expect(greetings.slice(0, 9)).toEqual(Array(9).fill('morning'))
  expect(greetings.slice(9, 12)).toEqual(Array(3).fill('forenoon'))
  expect(greetings.slice(12, 14)).toEqual(Array(2).fill('noon'))
  expect(greetings.slice(14, 20)).toEqual(Array(6).fill('afternoon'))
  expect(greetings.slice(20)).toEqual(Array(4).fill('evening'))
})
