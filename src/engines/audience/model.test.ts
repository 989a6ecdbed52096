import { expect, test } from 'vitest'
import { numbersIn, numbersOfRows } from './model.ts'

test('numbers are read as people paste them: spaced, with country code, in columns, full-width, each once', () => {
  const pasted =
    '手机号,姓名\n138 0013 8000,林小满\n+86 138-0013-8001；１３８００１３８００２\n13800138000\n"13800138003"\r\n'
  expect(numbersIn(pasted)).toEqual({
    phones: ['13800138000', '13800138001', '13800138002', '13800138003'],
    repeated: 1,
    invalid: 0,
  })
})

test('what was meant as a number and is none is counted, and words are not', () => {
  expect(numbersIn('12345\n王家长\n1380013800\n\n，，')).toEqual({ phones: [], repeated: 0, invalid: 2 })
})

test('of each row of a file stands its number, or why it gives none; the headings are no row of it', () => {
  const rows = [
    ['姓名', '手机号'],
    ['林', '138 0013 8000'],
    ['王', ''],
    ['陈', '1380013'],
    ['李', '13800138000'],
    ['赵', '1.38E+10'],
  ]
  const file = rows.map((cells, at) => ({ no: at + 1, cells }))
  expect(numbersOfRows(file)).toEqual({
    phones: ['13800138000'],
    refused: [
      { no: 3, why: 'MISSING', first: null },
      { no: 4, why: 'INVALID', first: null },
      { no: 5, why: 'REPEATED', first: 2 },
      { no: 6, why: 'SHORTENED', first: null },
    ],
  })
})

test('a row with the numbers of both parents gives both, and a file may begin with a number', () => {
  const file = [['13800138000'], ['13800138001', '13800138000', '13800138002']].map((cells, at) => ({
    no: at + 1,
    cells,
  }))
  expect(numbersOfRows(file)).toEqual({ phones: ['13800138000', '13800138001', '13800138002'], refused: [] })
})
