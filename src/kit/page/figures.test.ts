import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figure, formatCount, formatFen, formatYuan, parseYuan, readWhole, yuanOf } from './figures.ts'
import { switchLanguage } from './language.ts'
import { formatMeasure } from './statistic/measure.ts'

describe('figures in Portuguese', () => {
  beforeAll(() => switchLanguage('pt-BR'))
  afterAll(() => switchLanguage('en-US'))

  test('have a point between thousands and a comma before decimals', () => {
    expect([formatYuan(119_900), formatFen(-123_456_789), formatCount(12_345), yuanOf('150')]).toEqual([
      '1.199,00',
      '-¥1.234.567,89',
      '12.345',
      '1,50',
    ])
    expect([formatMeasure('rate', 0.123), formatMeasure('hours', 1_234.5), formatMeasure('count', null)]).toEqual([
      '12,3',
      '1.234,5',
      '–',
    ])
    expect(figure('R2026.03')).toBe('R2026.03')
  })

  test('are read as they are shown, or as a calculator writes them, and never a hundredfold', () => {
    expect(['1.199,00', '1199,5', '1199.50', '1.199', '-1,5'].map(parseYuan)).toEqual([
      119_900, 119_950, 119_950, 119_900, -150,
    ])
    for (const typed of ['1.19,00', '1,199.00', '1,199', '11.99.00']) expect(parseYuan(typed)).toBeUndefined()
  })
})

test('a whole number is read as the language on screen writes it, and never as a part or a multiple of it', async () => {
  await switchLanguage('pt-BR')
  expect(['1.234', '1234', ' -12 ', '999.999.999.999.999', '１２'].map(readWhole)).toEqual([
    1_234, 1_234, -12, 999_999_999_999_999, 12,
  ])
  for (const typed of ['1,234', '1,5', '1.23', '1.2345', '0.042', '1234567890123456', 'x', ''])
    expect(readWhole(typed)).toBeUndefined()
  for (const language of ['zh-CN', 'en-US'] as const) {
    await switchLanguage(language)
    expect(['1,234', '1234'].map(readWhole)).toEqual([1_234, 1_234])
    for (const typed of ['1.234', '1.5', '1,23', '1,2345']) expect(readWhole(typed)).toBeUndefined()
  }
})

test('figures in Chinese and English have a comma between thousands and a point before decimals', async () => {
  for (const language of ['zh-CN', 'zh-TW', 'en-US'] as const) {
    await switchLanguage(language)
    expect([formatYuan(119_900), parseYuan('1,199.00'), parseYuan('1,19')]).toEqual(['1,199.00', 119_900, undefined])
  }
})
