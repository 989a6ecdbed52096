import { describe, expect, test } from 'vitest'
import { ageOf, dueAfter, paceOf } from './waiting.ts'

const since = '2026-03-02T02:00:00.000Z'
const later = (hours: number) => new Date(Date.parse(since) + hours * 3_600_000)

describe('how long something has waited', () => {
  const wait = { since, dueAt: dueAfter(since, 24) }

  test('is in order at first, due soon from seven tenths of its time on, and overdue when the time is up', () => {
    expect([0, 16.7, 16.8, 23.9, 24, 240].map(hours => paceOf(wait, later(hours)))).toEqual([
      'normal',
      'normal',
      'due',
      'due',
      'overdue',
      'overdue',
    ])
  })

  test('is never late where nobody said how long it may take', () => {
    expect(paceOf({ since, dueAt: null }, later(10_000))).toBe('normal')
    expect(paceOf({ since: null, dueAt: null }, later(10_000))).toBe('normal')
  })

  test('is told in minutes, then hours, then days', () => {
    expect([-1, 0.5, 1, 47.9, 48, 100].map(hours => ageOf(since, later(hours)))).toEqual([
      { count: 0, unit: 'minute' },
      { count: 30, unit: 'minute' },
      { count: 1, unit: 'hour' },
      { count: 47, unit: 'hour' },
      { count: 2, unit: 'day' },
      { count: 4, unit: 'day' },
    ])
  })

  test('is told in hours of work while they are few, and in days of the calendar after that', () => {
    // A Monday at ten, of weeks of five days from nine to six.
    const hours = { days: [1, 2, 3, 4, 5], from: 9, to: 18, holidays: [] }
    expect([8, 24, 7 * 24, 14 * 24].map(past => ageOf(since, later(past), hours))).toEqual([
      { count: 8, unit: 'hour' },
      { count: 9, unit: 'hour' },
      { count: 45, unit: 'hour' },
      { count: 14, unit: 'day' },
    ])
  })
})
