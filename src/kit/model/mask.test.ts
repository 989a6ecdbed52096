import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mask, parsePhone } from './mask.ts'

test('a phone keeps its ends, a name its first character, an address its district', () => {
  expect(mask('phone', '13800138000')).toBe('138****8000')
  expect(mask('name', '张小明')).toBe('张*')
  expect(mask('name', '𠮷野')).toBe('𠮷*')
  expect(mask('address', '浙江省杭州市西湖区文三路 1 号')).toBe('浙江省杭州市***')
  expect(mask('chat', 'wx_abcdef')).toBe('wx***')
  expect(mask('account', '6222021234567890123')).toBe('***0123')
})

test('a value of another shape shows nothing of itself', () => {
  for (const value of ['+86 138-0013-8000', '138001', '', 'abc', '138001380001'])
    expect(mask('phone', value)).toBe('***')
  expect(mask('address', '5 Somewhere Street')).toBe('***')
  expect(mask('name', '')).toBe('***')
  expect(mask('account', '1234567')).toBe('***')
})

test('no masked phone contains the number', () => {
  fc.assert(fc.property(fc.string(), value => value.length < 8 || !mask('phone', value).includes(value)))
})

test('numbers as people write them become the plain eleven digits', () => {
  for (const typed of [
    '13800138000',
    '+86 138-0013-8000',
    '86 13800138000',
    '１３８００１３８０００',
    '(138) 0013 8000',
  ])
    expect(parsePhone(typed)).toBe('13800138000')
  for (const typed of ['1380013800', '23800138000', '138001380000', '', 'phone'])
    expect(parsePhone(typed)).toBeUndefined()
})
