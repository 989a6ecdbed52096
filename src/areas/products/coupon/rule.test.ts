import { describe, expect, test } from 'vitest'
import { decideIssue, discountOf, type Rule, validOn } from './rule.model.ts'

describe('what a coupon takes off', () => {
  const rule = (given: Partial<Rule>): Rule => ({
    name: 'x',
    kind: 'CASH',
    amountFen: 2_000 as Rule['amountFen'],
    permille: null,
    thresholdFen: 0 as Rule['thresholdFen'],
    productIds: [],
    ...given,
  })
  const fen = (amount: number) => amount as Rule['amountFen']
  const bought = (...lines: [productId: string | null, amountFen: number][]) =>
    lines.map(([productId, amountFen]) => ({ productId, amountFen }))
  const eightEight = rule({ kind: 'DISCOUNT', permille: 880, amountFen: fen(5_000) })

  test.each([
    ['20 off 100', rule({}), bought(['1', 10_000]), 2_000],
    ['20 off 15: nobody is paid for buying', rule({}), bought(['1', 1_500]), 1_500],
    ['20 off from exactly 100', rule({ thresholdFen: fen(10_000) }), bought(['1', 10_000]), 2_000],
    [
      'two lines reach the threshold together',
      rule({ thresholdFen: fen(10_000) }),
      bought(['1', 6_000], ['2', 4_000]),
      2_000,
    ],
    ['12 % off 100', eightEight, bought(['1', 10_000]), 1_200],
    ['12 % off 1000, capped at 50', eightEight, bought(['1', 100_000]), 5_000],
    ['a part of a fen is the parent’s: 12 % of 1 fen', eightEight, bought(['1', 1]), 1],
    ['a part of a fen is the parent’s: 12 % of 9.99', eightEight, bought(['1', 999]), 120],
    [
      'only its own products count',
      rule({ kind: 'DISCOUNT', permille: 500, amountFen: fen(90_000), productIds: ['2'] }),
      bought(['1', 9_000], ['2', 1_000]),
      500,
    ],
    ['what others sold counts where every product does', rule({}), bought([null, 9_900]), 2_000],
    ['nothing off nothing', rule({}), bought(['1', 0]), 0],
  ])('%s', (_name, given, lines, expected) => {
    expect(discountOf(given, lines)).toBe(expected)
  })

  test.each([
    [
      'a fen below the threshold',
      rule({ thresholdFen: fen(10_000) }),
      bought(['1', 9_999]),
      'products/coupon:coupon-below-threshold',
    ],
    [
      'other products do not help to reach it',
      rule({ thresholdFen: fen(5_000), productIds: ['2'] }),
      bought(['1', 9_000], ['2', 1_000]),
      'products/coupon:coupon-below-threshold',
    ],
    [
      'none of its products',
      rule({ productIds: ['2'] }),
      bought(['1', 9_000]),
      'products/coupon:coupon-other-products',
    ],
    [
      'what others sold is no product of ours',
      rule({ productIds: ['2'] }),
      bought([null, 9_000]),
      'products/coupon:coupon-other-products',
    ],
  ])('it does not apply: %s', (_name, given, lines, code) => {
    expect(discountOf(given, lines)).toMatchObject({ code })
  })

  test('a coupon for one day is valid on the day it is taken; fixed days stay what they are', () => {
    expect(validOn({ validFrom: null, validTo: null, validDays: 1 }, '2026-02-28')).toEqual({
      from: '2026-02-28',
      to: '2026-02-28',
    })
    expect(validOn({ validFrom: null, validTo: null, validDays: 3 }, '2026-02-28')).toEqual({
      from: '2026-02-28',
      to: '2026-03-02',
    })
    expect(validOn({ validFrom: '2026-05-01', validTo: '2026-05-07', validDays: null }, '2026-02-28')).toEqual({
      from: '2026-05-01',
      to: '2026-05-07',
    })
  })

  test('who gets one: in the order they were asked for, until none is left', () => {
    const active = (held: number) => ({ status: 'ACTIVE', held })
    expect(
      decideIssue({ left: 2, perPerson: 1 }, [
        active(0),
        active(1),
        { status: 'FROZEN', held: 0 },
        active(0),
        { status: undefined, held: 0 },
        active(0),
      ]),
    ).toEqual([null, 'LIMIT', 'FROZEN', null, 'MISSING', 'USED_UP'])
  })
})
