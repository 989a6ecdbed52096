import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  choice,
  code,
  day,
  files,
  instant,
  lines,
  money,
  number,
  optional,
  permille,
  reference,
  tags,
  text,
} from '#kit/model/field.ts'
import { Refused } from '#kit/model/refusal.ts'
import { parsed } from '../http/http.ts'

const schema = z.strictObject({
  name: text(5),
  password: z.string().min(8),
  code: code(30).regex(/^[A-Z]+$/),
  priceFen: money(),
  places: number(1, 10),
  commission: permille(5, 500),
  from: day(),
  kind: choice({ NEW: 'idle', OLD: 'done' }),
  parts: z.array(z.string()).max(2),
  depositFen: optional(money(1)),
  memberId: reference('member'),
  at: optional(instant()),
  proof: files('image', 1),
  topics: tags('TOPIC'),
  bought: lines(z.strictObject({ productId: reference('product'), priceFen: money(1) }), 5),
})
const GOOD = {
  name: '学员',
  password: 'long enough',
  code: 'ABC',
  priceFen: 100,
  places: 3,
  commission: 100,
  from: '2026-01-31',
  kind: 'NEW',
  parts: [],
  depositFen: null,
  memberId: '7',
  at: null,
  proof: [],
  topics: [],
  bought: [],
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
    ['a share too large', { commission: 501 }, 'commission', 'kit:field-too-big', { params: { max: '50%' } }],
    ['a share too small', { commission: 4 }, 'commission', 'kit:field-too-small', { params: { min: '0.5%' } }],
    ['too many', { parts: ['a', 'b', 'c'] }, 'parts', 'kit:field-too-big', { params: { max: 2 } }],
    ['no number', { places: 'three' }, 'places', 'kit:field-no-number', {}],
    ['half a fen', { priceFen: 1.5 }, 'priceFen', 'kit:field-no-money', {}],
    ['words for an amount', { priceFen: 'free' }, 'priceFen', 'kit:field-no-money', {}],
    ['an amount too small', { depositFen: 0 }, 'depositFen', 'kit:field-too-small', { params: { min: '¥0.01' } }],
    ['nobody', { memberId: 'x' }, 'memberId', 'kit:field-no-choice', {}],
    ['no time', { at: 'noon' }, 'at', 'kit:field-no-day', {}],
    ['no file', { proof: ['x'] }, 'proof.0', 'kit:file-missing', {}],
    ['no tags', { topics: 'all' }, 'topics', 'kit:field-no-choice', {}],
    [
      'a line of nothing',
      { bought: [{ productId: '-', priceFen: 1 }] },
      'bought.0.productId',
      'kit:field-no-choice',
      {},
    ],
    [
      'a line for nothing',
      { bought: [{ productId: '1', priceFen: 0 }] },
      'bought.0.priceFen',
      'kit:field-too-small',
      { params: { min: '¥0.01' } },
    ],
    ['no day', { from: '2026-02-31' }, 'from', 'kit:field-no-day', {}],
    ['no choice', { kind: 'ODD' }, 'kind', 'kit:field-no-choice', {}],
    ['of another form', { code: 'abc' }, 'code', 'kit:field-invalid', {}],
    ['unknown', { colour: 'red' }, 'colour', 'kit:field-unknown', {}],
  ])('%s', (_name, part, field, wanted, params) => {
    expect(refusalOf(part)).toEqual({ [field]: { code: wanted, ...params } })
  })
})
