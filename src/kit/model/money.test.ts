import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fen, formatCount, formatFen, formatYuan, parseYuan } from './money.ts'

test('what a person types is read to the fen', () => {
  expect(parseYuan('0.29')).toBe(29)
  expect(parseYuan('19.99')).toBe(1999)
  expect(parseYuan(' 1,234.5 ')).toBe(123_450)
  expect(parseYuan('-1.50')).toBe(-150)
  expect(parseYuan('0')).toBe(0)
})

test('a third decimal is refused rather than rounded away', () => {
  for (const typed of ['1.005', '', 'abc', '1.', '.5', '1e3', '1 000', '--1', '1,19', '1,2345', '12,34.5', ',5'])
    expect(parseYuan(typed)).toBeUndefined()
})

test('amounts are shown with separated thousands, the sign before the currency', () => {
  expect(formatYuan(123_456_789)).toBe('1,234,567.89')
  expect(formatYuan(5)).toBe('0.05')
  expect(formatFen(-150)).toBe('-¥1.50')
  expect(formatFen(-5)).toBe('-¥0.05')
  expect(formatFen(0)).toBe('¥0.00')
})

test('what is counted is shown with separated thousands too', () => {
  expect([0, 999, 1_000, -12_345, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '-12,345', '1,234,567'])
})

test('every amount survives being shown and typed again', () => {
  fc.assert(fc.property(fc.integer({ min: -1e12, max: 1e12 }), amount => parseYuan(formatYuan(amount)) === amount))
})

test('money is a whole, safe number of fen', () => {
  expect(fen('9007199254740991')).toBe(9_007_199_254_740_991)
  for (const value of [1.5, Number.NaN, '9007199254740993', '1.5', '']) expect(() => fen(value)).toThrow(RangeError)
})
