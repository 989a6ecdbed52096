import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { choice, code, day, money, number, text } from '#kit/model/field.ts'
import { Refused } from '#kit/model/refusal.ts'
import { parsed } from './http.ts'

const schema = z.strictObject({
  name: text(5),
  password: z.string().min(8),
  code: code(30).regex(/^[A-Z]+$/),
  priceFen: money(),
  places: number(1, 10),
  from: day(),
  kind: choice({ NEW: 'idle', OLD: 'done' }),
  parts: z.array(z.string()).max(2),
})
const GOOD = {
  name: '学员',
  password: 'long enough',
  code: 'ABC',
  priceFen: 100,
  places: 3,
  from: '2026-01-31',
  kind: 'NEW',
  parts: [],
}

const refusalOf = (part: object) => {
  try {
    parsed(schema, { ...GOOD, ...part }, 'validation')
  } catch (error) {
    if (error instanceof Refused) return error.fields
  }
  return undefined
}

describe('a value that cannot be stored is told what is wrong with it', () => {
  test('nothing is wrong with a good one', () => {
    expect(refusalOf({})).toBeUndefined()
  })

  test.each([
    ['left out', { name: undefined }, 'name', 'kit:field-missing', {}],
    ['empty', { name: '' }, 'name', 'kit:field-missing', {}],
    ['nothing but spaces', { name: '   ' }, 'name', 'kit:field-missing', {}],
    ['none where one is needed', { places: null }, 'places', 'kit:field-missing', {}],
    ['too long', { name: '一二三四五六' }, 'name', 'kit:field-too-long', { params: { max: 5 } }],
    ['too short', { password: 'short' }, 'password', 'kit:field-too-short', { params: { min: 8 } }],
    ['too small', { places: 0 }, 'places', 'kit:field-too-small', { params: { min: 1 } }],
    ['too large', { places: 11 }, 'places', 'kit:field-too-big', { params: { max: 10 } }],
    ['too many', { parts: ['a', 'b', 'c'] }, 'parts', 'kit:field-too-big', { params: { max: 2 } }],
    ['no number', { places: 'three' }, 'places', 'kit:field-no-number', {}],
    ['half a fen', { priceFen: 1.5 }, 'priceFen', 'kit:field-no-number', {}],
    ['no day', { from: '2026-02-31' }, 'from', 'kit:field-no-day', {}],
    ['no choice', { kind: 'ODD' }, 'kind', 'kit:field-no-choice', {}],
    ['of another form', { code: 'abc' }, 'code', 'kit:field-invalid', {}],
    ['unknown', { colour: 'red' }, 'colour', 'kit:field-unknown', {}],
  ])('%s', (_name, part, field, wanted, params) => {
    expect(refusalOf(part)).toEqual({ [field]: { code: wanted, ...params } })
  })
})
