import { expect, test } from 'vitest'
import { numbersIn } from './model.ts'

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
