import { describe, expect, test } from 'vitest'
import { monthsOf, thenAndNow } from './wall.model.ts'

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

describe('what was then beside what is now', () => {
  const hung = (lesson: string, picture = [lesson]) => ({ id: lesson, lesson, picture })

  test('is the same lesson: the newest that was practised before, and the first time it was', () => {
    const works = [
      hung('posture'),
      hung('bare', []),
      hung('cross'),
      hung('dot'),
      hung('cross'),
      hung('cross'),
      hung('dot'),
    ]
    expect(thenAndNow(works, [])?.[0]).toBe(works[5])
    expect(thenAndNow(works, [])?.[1]).toBe(works[2])
  })

  test('is the newest and the oldest where no lesson was practised twice, and nothing of a single work', () => {
    const [newest, oldest] = [hung('cross'), hung('dot')]
    expect(thenAndNow([newest], [oldest])).toEqual([oldest, newest])
    expect(thenAndNow([newest], [newest])).toBeUndefined()
    expect(thenAndNow([], [])).toBeUndefined()
  })

  test('passes over works without a picture: nobody compares with an empty place', () => {
    const [bare, newest, oldest] = [hung('posture', []), hung('cross'), hung('dot')]
    expect(thenAndNow([bare, newest], [bare, oldest])).toEqual([oldest, newest])
    expect(thenAndNow([bare], [bare, oldest])).toBeUndefined()
    expect(thenAndNow([newest], [bare])).toBeUndefined()
  })
})
