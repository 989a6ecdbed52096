import { describe, expect, test } from 'vitest'
import { PHONES, phoneAt, pinyinOf, pupil, randomFrom } from './builders.server.ts'
import { rhythmUntil } from './rhythm.server.ts'

describe('made-up people', () => {
  test('the same seed makes the same people, another one makes others', () => {
    const people = (seed: number) => {
      const random = randomFrom(seed)
      return Array.from({ length: 50 }, () => pupil(random))
    }
    expect(people(7)).toEqual(people(7))
    expect(people(7)).not.toEqual(people(8))
  })

  test('a name is found by its pinyin, surnames read as surnames', () => {
    expect(['张伟', '曾子轩', '单雨桐', '吕一诺'].map(pinyinOf)).toEqual([
      'zhangwei',
      'zengzixuan',
      'shanyutong',
      'lvyinuo',
    ])
  })

  test('half a million numbers are mobile numbers and no two are equal', () => {
    const phones = Array.from({ length: 500_000 }, (_, index) => phoneAt(PHONES.bulk + index))
    expect(new Set(phones).size).toBe(500_000)
    expect(phones.every(phone => /^1[3-9]\d{9}$/.test(phone))).toBe(true)
  })
})

describe('the rhythm of orders', () => {
  const now = new Date('2026-11-15T03:20:00Z')
  const rhythm = rhythmUntil(now)
  const inShanghai = (ms: number) => new Date(ms + 8 * 3_600_000)

  test('every order falls into the two years before now', () => {
    expect(rhythm.hours(12_345).reduce((sum, { orders }) => sum + orders, 0)).toBe(12_345)
    expect(rhythm.hours(12_345).every(({ start, lengthMs }) => start + lengthMs <= now.getTime())).toBe(true)
    expect(rhythm.at(0)).toBe(Date.parse('2024-11-14T16:00:00Z'))
    expect(rhythm.at(1)).toBe(now.getTime())
  })

  test('parents buy in the evening, at the weekend and in summer', () => {
    const count = (wanted: (at: Date) => boolean) =>
      rhythm
        .hours(100_000)
        .filter(({ start }) => wanted(inShanghai(start)))
        .reduce((sum, { orders }) => sum + orders, 0)
    expect(count(at => at.getUTCHours() >= 19 && at.getUTCHours() < 23)).toBeGreaterThan(
      2 * count(at => at.getUTCHours() >= 8 && at.getUTCHours() < 12),
    )
    expect(count(at => at.getUTCDay() === 6)).toBeGreaterThan(1.2 * count(at => at.getUTCDay() === 2))
    expect(count(at => at.getUTCMonth() === 6)).toBeGreaterThan(1.5 * count(at => at.getUTCMonth() === 1))
  })
})
