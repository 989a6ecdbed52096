import { describe, expect, test } from 'vitest'
import { formatInstant } from '#kit/model/time.ts'
import { exportTitle, harmless, shownInstant } from './sheet.ts'

describe('a cell', () => {
  test('shows a time as every page does, at any hour of any day', () => {
    const start = Date.parse('2027-12-30T00:00:00.5Z')
    for (let hour = 0; hour < 24 * 62; hour += 1) {
      const instant = new Date(start + hour * 3_599_000)
      expect(shownInstant(instant.toISOString())).toBe(formatInstant(instant))
    }
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['+86 138', "'+86 138"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['  =1', "'  =1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['＝1', "'＝1"],
    ['－1', "'－1"],
    ['_x003D_1+1', '_x005F_x003D_1+1'],
    ['1=1', '1=1'],
    ['张三 (139****0001)', '张三 (139****0001)'],
  ])('turns %j into %j', (typed, shown) => {
    expect(harmless(typed)).toBe(shown)
  })

  test('is named by what it is of and when it was taken, in Shanghai', () => {
    expect(exportTitle('订单列表', new Date('2026-11-15T16:03:09Z'))).toBe('订单列表-20261116-000309')
  })
})
