import { describe, expect, test } from 'vitest'
import { randomFrom } from '#demo/builders.server.ts'
import { DAY_MS } from '#demo/world.server.ts'
import { scorePicture } from '#engines/handwriting/scoring.server.ts'
import { drawPage, LESSONS } from './demo-pages.server.ts'
import { levelOf, pointsFor, skillAt, skillOfLevel } from './demo-progress.server.ts'

const PUPILS = Array.from({ length: 40 }, (_, nth) => nth + 1)
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

describe('a pupil of the demo business', () => {
  test('writes better from month to month, each from a beginning and at a pace of their own', () => {
    for (const pupil of PUPILS) {
      const levels = [0, 180, 360, 540, 720].map(days => skillAt(pupil, 0, days * DAY_MS))
      expect([...levels].sort((a, b) => a - b)).toEqual(levels)
      expect((levels.at(-1) ?? 0) - (levels[0] ?? 0)).toBeGreaterThan(0.6)
    }
    expect(new Set(PUPILS.map(pupil => skillAt(pupil, 0, 0).toFixed(3))).size).toBeGreaterThan(30)
  })

  test('is given more and more points, with better days and worse ones', () => {
    const chance = randomFrom(3)
    const given = (skill: number) => Array.from({ length: 300 }, () => pointsFor(chance, skill))
    const [begun, half, whole] = [given(0), given(0.5), given(1)]
    expect(mean(begun)).toBeLessThan(6.2)
    expect(mean(half) - mean(begun)).toBeGreaterThan(1.5)
    expect(mean(whole) - mean(half)).toBeGreaterThan(1.2)
    for (const points of [begun, half, whole]) {
      expect(new Set(points).size).toBeGreaterThan(1)
      expect(points.every(one => one >= 4 && one <= 10)).toBe(true)
    }
  })

  test('is at one of few levels, so that a page is drawn once for many', () => {
    expect([0, 0.19, 0.2, 0.5, 0.99, 1].map(levelOf)).toEqual([0, 0, 1, 2, 4, 4])
    expect([0, 1, 2, 3, 4].map(level => levelOf(skillOfLevel(level)))).toEqual([0, 1, 2, 3, 4])
  })

  test('hands in pages in which the scorer sees it too: fewer faults and more points', async () => {
    const [lesson, characters] = [2, LESSONS[2]?.[1] ?? '']
    const read = await Promise.all(
      [0, 2, 4].map(async level => {
        const page = await scorePicture(await drawPage(lesson, level, skillOfLevel(level)), characters)
        if (typeof page === 'string') throw new Error(page)
        return [page.characters.filter(({ reasons }) => reasons.length > 0).length, page.score ?? 0] as const
      }),
    )
    const [begun, half, whole] = read as [(typeof read)[0], (typeof read)[0], (typeof read)[0]]
    expect([begun[0] > half[0], half[0] > whole[0]]).toEqual([true, true])
    expect([begun[1] + 8 < half[1], half[1] + 8 < whole[1]]).toEqual([true, true])
  })
})
