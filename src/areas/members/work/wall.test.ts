import { expect, test } from 'vitest'
import { monthsOf } from './wall.model.ts'

const work = (submittedAt: string, score: number | null) => ({ submittedAt, score })

test('works hang month by month as it is in Shanghai, the newest first, with the mean of those that were judged', () => {
  const months = monthsOf([
    work('2026-11-16T02:00:00Z', null),
    work('2026-10-31T16:30:00Z', 91),
    work('2026-10-31T15:30:00Z', 80),
    work('2026-10-02T02:00:00Z', 85),
    work('2026-08-02T02:00:00Z', null),
  ])
  expect(months.map(({ month, of, average }) => [month, of.length, average])).toEqual([
    ['2026-11', 2, 91],
    ['2026-10', 2, 83],
    ['2026-08', 1, null],
  ])
})
