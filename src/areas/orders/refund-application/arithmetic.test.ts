import { describe, expect, test } from 'vitest'
import { daysUsed, periodsOf } from '#engines/entitlement/model.ts'
import { spread, suggestLine, type Terms, type UsedGrant } from './arithmetic.model.ts'

const TERMS: Terms = { windowDays: 7, windowUsedPercent: 10, l2Fen: 100_000, l2Days: 30 }
const days = (usedUnits: number, totalUnits: number, sharePermille = 1_000): UsedGrant => ({
  sharePermille,
  usedUnits,
  totalUnits,
})
/** Paid on the first of March, asked for this many days later. */
const PAID_ON = '2026-03-01'
const asked = (after: number) => new Date(Date.parse(PAID_ON) + after * 86_400_000).toISOString().slice(0, 10)

type Case = [
  name: string,
  given: { paid: number; taken?: number; grants?: UsedGrant[]; goods?: number; after?: number },
  suggested: number,
]

const CASES: Case[] = [
  ['nothing used, asked the same day: all of it', { paid: 36_500, after: 0, grants: [days(0, 365)] }, 36_500],
  [
    'the first day of a year used, within the window: all of it',
    { paid: 36_500, after: 0, grants: [days(1, 365)] },
    36_500,
  ],
  [
    'ten days of a year used after the window: ten days kept',
    { paid: 36_500, after: 9, grants: [days(10, 365)] },
    35_500,
  ],
  ['the last day of a year: nothing left', { paid: 36_500, after: 364, grants: [days(365, 365)] }, 0],
  ['the last day but one: one day left', { paid: 36_500, after: 363, grants: [days(364, 365)] }, 100],
  ['long after the end: nothing', { paid: 36_500, after: 500, grants: [days(365, 365)] }, 0],
  ['a leap year has a day more', { paid: 36_600, after: 30, grants: [days(31, 366)] }, 33_500],
  ['the seventh day after payment is within the window', { paid: 100_000, after: 7, grants: [days(8, 365)] }, 100_000],
  ['the eighth is not', { paid: 100_000, after: 8, grants: [days(9, 365)] }, 97_535],
  ['exactly ten per cent used is hardly used', { paid: 10_000, after: 3, grants: [days(10, 100)] }, 10_000],
  ['one unit more is not', { paid: 10_000, after: 3, grants: [days(11, 100)] }, 8_900],
  [
    'a tenth of a fen more does not count: deductions are rounded down',
    { paid: 999, after: 3, grants: [days(1, 10)] },
    999,
  ],
  ['hardly used but too late', { paid: 10_000, after: 8, grants: [days(1, 100)] }, 9_900],
  ['in time but used a lot', { paid: 10_000, after: 1, grants: [days(50, 100)] }, 5_000],
  ['deductions are rounded down', { paid: 10_000, after: 20, grants: [days(1, 3)] }, 6_667],
  ['each grant is rounded down by itself', { paid: 100, after: 20, grants: [days(1, 3, 500), days(1, 3, 500)] }, 68],
  ['one fen paid, a third used', { paid: 1, after: 20, grants: [days(1, 3)] }, 1],
  ['one fen paid, all used', { paid: 1, after: 20, grants: [days(3, 3)] }, 0],
  ['lessons by attendance: four of twelve', { paid: 120_000, after: 40, grants: [days(4, 12)] }, 80_000],
  ['no lesson attended, asked late: all of it', { paid: 120_000, after: 40, grants: [days(0, 12)] }, 120_000],
  ['all lessons attended', { paid: 120_000, after: 40, grants: [days(12, 12)] }, 0],
  [
    'days and lessons weigh by their shares',
    { paid: 100_000, after: 30, grants: [days(100, 400, 600), days(3, 12, 400)] },
    75_000,
  ],
  [
    'coins are a part of the price: half of them spent',
    { paid: 50_000, after: 20, grants: [days(0, 365, 900), days(50, 100, 100)] },
    47_500,
  ],
  ['all coins spent', { paid: 50_000, after: 20, grants: [days(0, 365, 900), days(100, 100, 100)] }, 45_000],
  [
    'spent coins within the window, under ten per cent of the price',
    { paid: 50_000, after: 2, grants: [days(0, 365, 900), days(100, 100, 100)] },
    50_000,
  ],
  [
    'spent coins within the window, over ten per cent',
    { paid: 50_000, after: 2, grants: [days(0, 365, 800), days(100, 100, 200)] },
    40_000,
  ],
  ['more spent than granted counts as all', { paid: 50_000, after: 20, grants: [days(120, 100)] }, 0],
  ['goods still out are kept at list value', { paid: 50_000, after: 20, grants: [days(0, 365)], goods: 8_000 }, 42_000],
  ['goods still out within the window too', { paid: 50_000, after: 1, grants: [days(0, 365)], goods: 8_000 }, 42_000],
  ['goods that came back cost nothing', { paid: 50_000, after: 20, grants: [days(0, 365)], goods: 0 }, 50_000],
  ['goods worth more than what is left: nothing, never a debt', { paid: 5_000, after: 20, goods: 8_000 }, 0],
  ['use and goods together', { paid: 50_000, after: 100, grants: [days(73, 365)], goods: 8_000 }, 32_000],
  [
    'a share of nothing weighs nothing',
    { paid: 50_000, after: 100, grants: [days(365, 365, 0), days(0, 12, 1_000)] },
    50_000,
  ],
  [
    'a coupon made it cheaper: what was paid counts, not the list price',
    { paid: 29_900, after: 100, grants: [days(100, 365)] },
    21_709,
  ],
  ['after an earlier part was refunded', { paid: 36_500, taken: 10_000, after: 100, grants: [days(73, 365)] }, 19_200],
  ['part after part until nothing is left', { paid: 36_500, taken: 29_200, after: 100, grants: [days(73, 365)] }, 0],
  [
    'earlier refunds took more than what use leaves: nothing',
    { paid: 36_500, taken: 36_000, after: 100, grants: [days(73, 365)] },
    0,
  ],
  ['an open application counts like a paid one', { paid: 36_500, taken: 36_500, after: 1 }, 0],
  [
    'within the window after a part was refunded',
    { paid: 36_500, taken: 10_000, after: 1, grants: [days(1, 365)] },
    26_500,
  ],
  ['something free has nothing to give back', { paid: 0, after: 1, grants: [days(1, 365)] }, 0],
  ['something without grants comes back whole', { paid: 9_900, after: 300 }, 9_900],
  ['a grant of nothing divides by nothing', { paid: 9_900, after: 30, grants: [days(0, 0)] }, 9_900],
  [
    'a hundred million yuan stays exact',
    { paid: 9_999_999_999, after: 30, grants: [days(333_333, 1_000_000)] },
    6_666_670_000,
  ],
]

describe('what a line should give back', () => {
  test.each(CASES)('%s', (_name, { paid, taken = 0, grants = [], goods = 0, after = 0 }, suggested) => {
    const line = { paidFen: paid, takenFen: taken, grants, goodsFen: goods }
    expect(suggestLine(line, PAID_ON, asked(after), TERMS).suggestedFen).toBe(suggested)
  })
})

describe('days used', () => {
  const lots = (...given: [grantedOn: string, remaining: number][]) =>
    periodsOf(
      given.map(([grantedOn, remaining], index) => ({ id: String(index + 1), grantedOn, remaining })),
      [],
    )
  const used = (today: string, ...given: [string, number][]) => lots(...given).map(period => daysUsed(period, today))

  test.each([
    ['the first day counts whole', '2026-03-01', [['2026-03-01', 365]], [1]],
    ['the day before counts nothing', '2026-02-28', [['2026-03-01', 365]], [0]],
    ['the last day counts', '2027-02-28', [['2026-03-01', 365]], [365]],
    ['after the last day no more days are used', '2027-03-10', [['2026-03-01', 365]], [365]],
    ['a leap day is a day', '2028-03-01', [['2028-02-28', 10]], [3]],
    [
      'a second purchase begins where the first ends',
      '2026-03-12',
      [
        ['2026-03-01', 10],
        ['2026-03-05', 10],
      ],
      [10, 2],
    ],
    [
      'a second purchase after a gap begins when it is bought',
      '2026-05-02',
      [
        ['2026-03-01', 10],
        ['2026-05-01', 10],
      ],
      [10, 2],
    ],
    [
      'what was taken back moves the next one forward',
      '2026-03-07',
      [
        ['2026-03-01', 5],
        ['2026-03-05', 10],
      ],
      [5, 2],
    ],
  ] as const)('%s', (_name, today, given, expected) => {
    expect(used(today, ...(given as unknown as [string, number][]))).toEqual(expected)
  })
})

describe('an amount spread over lines', () => {
  const lines = [
    { suggestedFen: 100, leftFen: 300 },
    { suggestedFen: 200, leftFen: 200 },
  ]
  test.each([
    ['within the suggestion by proportion', 150, [50, 100]],
    ['to the last fen', 100, [33, 67]],
    ['the whole suggestion', 300, [100, 200]],
    ['beyond it where something is left', 400, [200, 200]],
    ['all there is', 500, [300, 200]],
  ])('%s', (_name, amount, expected) => {
    expect(spread(amount, lines)).toEqual(expected)
  })

  test('more than there is cannot be spread', () => {
    expect(spread(501, lines)).toBeUndefined()
  })
})
