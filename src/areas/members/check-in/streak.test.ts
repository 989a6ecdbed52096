import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#kit/model/time.ts'
import { addMonths, weeksOf } from './calendar.model.ts'
import { counted, currentStreak, earnsReward, longestStreak, runOf } from './streak.model.ts'

const FIRST = '2026-01-01'
const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 50 })
const daysOf = (numbers: readonly number[]): string[] =>
  [...numbers].sort((a, b) => a - b).map(offset => addDays(FIRST, offset))

describe('days in a row', () => {
  test('are as many as lie without a gap up to the day, however they came in', () => {
    fc.assert(
      fc.property(offsets, numbers => {
        const all = new Set(numbers)
        for (const [day, { streak, dayNo }] of counted(daysOf(numbers))) {
          const at = Math.round((Date.parse(day) - Date.parse(FIRST)) / 86_400_000)
          let back = 0
          while (all.has(at - back)) back += 1
          expect(streak).toBe(back)
          expect(dayNo).toBe(numbers.filter(one => one <= at).length)
        }
      }),
    )
  })

  test('grow together when a make-up fills the one day between them', () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05']
    expect(counted(days).get('2026-03-05')).toEqual({ dayNo: 4, streak: 2 })
    const filled = [...days, '2026-03-03'].sort()
    expect(counted(filled).get('2026-03-05')).toEqual({ dayNo: 5, streak: 5 })
    expect(runOf(filled, '2026-03-03')).toEqual(filled)
  })

  test('are days of Shanghai: half past midnight there is the new day, whatever day it is elsewhere', () => {
    const days = ['2026-11-14T16:30:00Z', '2026-11-15T15:59:59Z', '2026-11-15T16:30:00Z'].map(at => dayOf(new Date(at)))
    expect(days).toEqual(['2026-11-15', '2026-11-15', '2026-11-16'])
    expect(counted([...new Set(days)]).get('2026-11-16')?.streak).toBe(2)
  })

  test('stand today until a whole day has passed without one', () => {
    const days = ['2026-03-01', '2026-03-02']
    expect(['2026-03-02', '2026-03-03', '2026-03-04'].map(today => currentStreak(days, today))).toEqual([2, 2, 0])
    expect(longestStreak(days)).toBe(2)
    expect(longestStreak([])).toBe(0)
  })
})

describe('rewards', () => {
  test('are one for every so many days in a row, in whatever order days come in, and never more', () => {
    const order = offsets.chain(numbers => fc.shuffledSubarray(numbers, { minLength: numbers.length }))
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 9 }), (numbers, every) => {
        const [days, rewarded] = [[] as string[], new Set<string>()]
        for (const offset of numbers) {
          const day = addDays(FIRST, offset)
          days.push(day)
          if (earnsReward(days, day, rewarded, every)) rewarded.add(day)
          for (const one of days) {
            const run = runOf(days, one)
            const given = run.filter(each => rewarded.has(each)).length
            expect(given).toBe(Math.floor(run.length / every))
          }
        }
      }),
    )
  })
})

test('days that earned nothing when they were due are not caught up with day by day', () => {
  const days = Array.from({ length: 70 }, (_, at) => addDays(FIRST, at))
  const next = addDays(FIRST, 70)
  expect(earnsReward([...days, next], next, new Set(), 7)).toBe(false)
  const full = Array.from({ length: 7 }, (_, at) => addDays(FIRST, 70 + at))
  expect(earnsReward([...days, ...full], full.at(-1) ?? '', new Set(), 7)).toBe(true)
})

describe('a month of the calendar', () => {
  test('holds each of its days once, under its weekday', () => {
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 300 }), months => {
        const month = addMonths('2026-11', months)
        const weeks = weeksOf(month)
        const days = weeks.flat().filter(day => day !== null)
        expect(days[0]).toBe(`${month}-01`)
        expect(addDays(days.at(-1) ?? '', 1)).toBe(`${addMonths(month, 1)}-01`)
        for (const week of weeks)
          for (const [at, day] of week.entries()) if (day !== null) expect((new Date(day).getUTCDay() + 6) % 7).toBe(at)
      }),
    )
  })
})
