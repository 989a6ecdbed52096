import { describe, expect, test } from 'vitest'
import { defaultsOf, defineSettings, whole, whyNotValue } from './setting.ts'

const days = whole({ unit: 'days', min: 1, max: 30, default: 7 })
const limit = whole({ unit: 'fen', min: 0, max: 1_000_000, default: 100_000, money: true })

describe('a business setting', () => {
  test.each([1, 7, 30])('of 1 to 30 days takes %s', value => {
    expect(whyNotValue(days, value)).toBeUndefined()
  })

  test.each([
    [0, { code: 'kit:field-too-small', params: { min: 1 } }],
    [-1, { code: 'kit:field-too-small', params: { min: 1 } }],
    [31, { code: 'kit:field-too-big', params: { max: 30 } }],
    [1.5, { code: 'kit:field-no-number' }],
    [Number.NaN, { code: 'kit:field-no-number' }],
    ['7', { code: 'kit:field-no-number' }],
    [null, { code: 'kit:field-no-number' }],
  ])('of 1 to 30 days refuses %s and says why', (value, refusal) => {
    expect(whyNotValue(days, value)).toEqual(refusal)
  })

  test('of money names its bounds in yuan', () => {
    expect(whyNotValue(limit, 1_000_001)).toEqual({ code: 'kit:field-too-big', params: { max: '¥10,000.00' } })
  })

  test('needs one person unless it says that money hangs on it', () => {
    expect([days.money, limit.money]).toEqual([false, true])
  })

  test('holds at its default before anybody has changed it', () => {
    expect(defaultsOf(defineSettings({ group: 'g', keys: { days, limit } }))).toEqual({ days: 7, limit: 100_000 })
  })

  test('whose default is outside its own bounds is a mistake found at start', () => {
    const wrong = whole({ unit: 'percent', min: 0, max: 100, default: 101 })
    expect(() => defineSettings({ group: 'g', keys: { wrong } })).toThrow(/g\.wrong/)
  })
})
