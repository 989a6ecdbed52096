import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  APRIL,
  back,
  bought,
  type Case,
  came,
  expectConserved,
  first,
  firstBought,
  MARCH,
  MAY,
  named,
  price,
  share,
  written,
} from '../../../tools/testing/books.ts'
import { IS_LONG } from '../../../tools/testing/long.ts'

const REFUNDED: readonly Case[] = [
  [
    'a refund within the freeze takes the whole order off',
    {
      prices: [share(100, { freezeDays: 15 })],
      events: [bought('2026-03-25T10:00:00', 20_000)],
      refunds: [back(20_000, '2026-04-05T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [0, 'FROZEN 0'],
    [0, 'REFUNDED 0'],
  ],
  [
    'a partial refund within the freeze leaves the share of the rest',
    {
      prices: [share(100, { freezeDays: 15 })],
      events: [bought('2026-03-25T10:00:00', 20_000)],
      refunds: [back(5_000, '2026-04-05T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [0, 'FROZEN 0'],
    [1_500, 'COUNTED 1500'],
  ],
  [
    'an order given back before the statement is made never was worth anything',
    {
      prices: [share(100)],
      events: [bought('2026-03-05T10:00:00', 20_000)],
      refunds: [back(20_000, '2026-03-06T10:00:00')],
      statements: [MARCH],
    },
    [0, 'REFUNDED 0'],
  ],
  [
    'a refund after settlement is a negative line of the next month',
    {
      prices: [share(100)],
      events: [bought('2026-03-05T10:00:00', 20_000), bought('2026-04-06T10:00:00', 50_000, { subjectId: '2' })],
      refunds: [back(20_000, '2026-04-10T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [2_000, 'COUNTED 2000'],
    [3_000, 'COUNTED 5000', 'TAKEN_BACK -2000'],
  ],
  [
    'a partial refund after settlement takes its share back, and the next one the rest',
    {
      prices: [share(100)],
      events: [bought('2026-03-05T10:00:00', 20_000), bought('2026-04-06T10:00:00', 50_000, { subjectId: '2' })],
      refunds: [back(5_000, '2026-04-10T10:00:00'), back(15_000, '2026-05-10T10:00:00')],
      statements: [MARCH, APRIL, { ...MAY }],
    },
    [2_000, 'COUNTED 2000'],
    [4_500, 'COUNTED 5000', 'TAKEN_BACK -500'],
    [0, 'TAKEN_BACK -1500', 'CARRIED 1500'],
  ],
  [
    'a first order keeps its price while something of it is left',
    {
      prices: [first()],
      events: [firstBought('2026-03-05T10:00:00', 20_000)],
      refunds: [back(19_999, '2026-04-10T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [6_000, 'COUNTED 6000'],
    [0, 'TAKEN_BACK 0'],
  ],
  [
    'a first order given back whole is taken back whole, and carried where there is nothing to take it from',
    {
      prices: [first()],
      events: [
        firstBought('2026-03-05T10:00:00', 20_000),
        firstBought('2026-05-05T10:00:00', 9_900, { subjectId: '2', orderId: '2' }),
      ],
      refunds: [back(20_000, '2026-04-10T10:00:00')],
      statements: [MARCH, APRIL, MAY],
    },
    [6_000, 'COUNTED 6000'],
    [0, 'TAKEN_BACK -6000', 'CARRIED 6000'],
    [0, 'COUNTED 6000', 'CARRIED -6000'],
  ],
  [
    'the same refund is taken back once',
    {
      prices: [share(100)],
      events: [bought('2026-03-05T10:00:00', 20_000)],
      refunds: [back(10_000, '2026-04-10T10:00:00')],
      statements: [MARCH, APRIL, MAY],
    },
    [2_000, 'COUNTED 2000'],
    [0, 'TAKEN_BACK -1000', 'CARRIED 1000'],
    [0, 'CARRIED -1000', 'CARRIED 1000'],
  ],
  [
    'a registration has nothing that could be given back',
    {
      prices: [price()],
      events: [came('2026-03-05T10:00:00')],
      refunds: [back(1, '2026-04-05T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [1_000, 'COUNTED 1000'],
    [0],
  ],
  [
    'the freeze lasts to the end of its last day',
    {
      prices: [share(100, { freezeDays: 7 })],
      events: [bought('2026-03-25T00:00:00', 20_000)],
      statements: [MARCH, { ...MARCH, at: '2026-04-01T23:59:59+08:00' }, { ...MARCH, at: '2026-04-02T00:00:00+08:00' }],
    },
    [0, 'FROZEN 0'],
    [0],
    [2_000, 'COUNTED 2000'],
  ],
]

const ADJUSTED: readonly Case[] = [
  [
    'what is agreed to be deducted is a line of its own',
    { prices: [price({ deductionPermille: 100 })], events: [came('2026-03-05T10:00:00')], statements: [MARCH] },
    [900, 'COUNTED 1000', 'DEDUCTION -100'],
  ],
  [
    'a deduction is reckoned of the sum, not of each line',
    {
      prices: [price({ priceFen: 5, deductionPermille: 100 })],
      events: Array.from({ length: 10 }, (_, nth) => came('2026-03-05T10:00:00', { subjectId: `${nth + 1}` })),
      statements: [MARCH],
    },
    [45, ...Array.from({ length: 10 }, () => 'COUNTED 5'), 'DEDUCTION -5'],
  ],
  [
    'deductions of several months come to what is deducted of them all, to the fen',
    {
      prices: [price({ priceFen: 15, deductionPermille: 100 })],
      events: ['2026-03-05', '2026-04-05', '2026-05-05'].map((on, nth) =>
        came(`${on}T10:00:00`, { subjectId: `${nth + 1}` }),
      ),
      statements: [MARCH, APRIL, MAY],
    },
    [13, 'COUNTED 15', 'DEDUCTION -2'],
    [14, 'COUNTED 15', 'DEDUCTION -1'],
    [13, 'COUNTED 15', 'DEDUCTION -2'],
  ],
  [
    'what was deducted of an order is given back whole with it, in however many parts it goes back',
    {
      prices: [share(100, { deductionPermille: 150 })],
      events: [bought('2026-03-05T10:00:00', 300), bought('2026-03-06T10:00:00', 9_000, { subjectId: '2' })],
      refunds: [back(100, '2026-04-10T10:00:00'), back(200, '2026-05-10T10:00:00')],
      statements: [{ ...MARCH, to: '2026-03-05' }, APRIL, MAY],
    },
    [25, 'COUNTED 30', 'DEDUCTION -5'],
    [757, 'COUNTED 900', 'TAKEN_BACK -10', 'DEDUCTION -133'],
    [0, 'TAKEN_BACK -20', 'DEDUCTION 3', 'CARRIED 17'],
  ],
  [
    'of what is taken back the deduction is given back',
    {
      prices: [share(100, { deductionPermille: 100 })],
      events: [bought('2026-03-05T10:00:00', 20_000), bought('2026-04-06T10:00:00', 50_000, { subjectId: '2' })],
      refunds: [back(20_000, '2026-04-10T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [1_800, 'COUNTED 2000', 'DEDUCTION -200'],
    [2_700, 'COUNTED 5000', 'TAKEN_BACK -2000', 'DEDUCTION -300'],
  ],
  [
    'each price is deducted from by its own rate',
    {
      prices: [price({ deductionPermille: 100 }), price({ id: '2', validFrom: '2026-03-10', deductionPermille: 200 })],
      events: [came('2026-03-09T10:00:00'), came('2026-03-11T10:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [1_700, 'COUNTED 1000', 'COUNTED 1000', 'DEDUCTION -100', 'DEDUCTION -200'],
  ],
  [
    'what is deducted by hand comes off at once',
    { prices: [price()], events: [came('2026-03-05T10:00:00')], statements: [{ ...MARCH, deduct: 300 }] },
    [700, 'COUNTED 1000', 'DEDUCTION -300'],
  ],
  [
    'what is deducted beyond the sum goes on to the next month',
    {
      prices: [price()],
      events: [came('2026-03-05T10:00:00'), came('2026-04-05T10:00:00', { subjectId: '2' })],
      statements: [{ ...MARCH, deduct: 1_300 }, APRIL],
    },
    [0, 'COUNTED 1000', 'DEDUCTION -1300', 'CARRIED 300'],
    [700, 'COUNTED 1000', 'CARRIED -300'],
  ],
  [
    'a correction stands on the next statement and leaves its own as it was',
    {
      prices: [price()],
      events: [came('2026-03-05T10:00:00'), came('2026-04-05T10:00:00', { subjectId: '2' })],
      statements: [{ ...MARCH, correct: 250 }, APRIL],
    },
    [1_000, 'COUNTED 1000'],
    [1_250, 'COUNTED 1000', 'CORRECTION 250'],
  ],
  [
    'a correction may take off too',
    {
      prices: [price()],
      events: [came('2026-03-05T10:00:00'), came('2026-04-05T10:00:00', { subjectId: '2' })],
      statements: [{ ...MARCH, correct: -250 }, APRIL],
    },
    [1_000, 'COUNTED 1000'],
    [750, 'COUNTED 1000', 'CORRECTION -250'],
  ],
]

const ROUNDED: readonly Case[] = [
  [
    'half a fen is rounded up',
    { prices: [share(125)], events: [bought('2026-03-05T10:00:00', 4)], statements: [MARCH] },
    [1, 'COUNTED 1'],
  ],
  [
    'less than half a fen is nothing',
    { prices: [share(1)], events: [bought('2026-03-05T10:00:00', 499)], statements: [MARCH] },
    [0, 'COUNTED 0'],
  ],
  [
    'a share of an odd price is whole fen',
    { prices: [share(75)], events: [bought('2026-03-05T10:00:00', 39_999)], statements: [MARCH] },
    [3_000, 'COUNTED 3000'],
  ],
  [
    'what is taken back in three parts comes to what was given, to the fen',
    {
      prices: [share(333)],
      events: [bought('2026-03-05T10:00:00', 100)],
      refunds: [back(33, '2026-04-10T10:00:00'), back(33, '2026-05-10T10:00:00'), back(34, '2026-05-11T10:00:00')],
      statements: [MARCH, APRIL, MAY],
    },
    [33, 'COUNTED 33'],
    [0, 'TAKEN_BACK -11', 'CARRIED 11'],
    [0, 'TAKEN_BACK -22', 'CARRIED -11', 'CARRIED 33'],
  ],
  [
    'the dearest order at the whole share stays exact',
    { prices: [share(1_000)], events: [bought('2026-03-05T10:00:00', 100_000_000_000)], statements: [MARCH] },
    [100_000_000_000, 'COUNTED 100000000000'],
  ],
]

const BOUNDED: readonly Case[] = [
  [
    'the last second of a month in Shanghai is still in it, though it is another day elsewhere',
    {
      prices: [price()],
      events: [came('2026-03-31T23:59:59'), came('2026-04-01T00:00:00', { subjectId: '2' })],
      statements: [MARCH, APRIL],
    },
    [1_000, 'COUNTED 1000'],
    [1_000, 'COUNTED 1000'],
  ],
  [
    'the first hours of a month in Shanghai are in it, though it is still the month before elsewhere',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-04-01', priceFen: 2_000 })],
      events: [came('2026-04-01T07:59:59')],
      statements: [MARCH, APRIL],
    },
    [0],
    [2_000, 'COUNTED 2000'],
  ],
  [
    'what became known after its month was settled stands on the next statement',
    {
      prices: [price()],
      events: [came('2026-03-05T10:00:00')],
      statements: [{ ...MARCH, to: '2026-02-28' }, APRIL],
    },
    [0],
    [1_000, 'COUNTED 1000'],
  ],
  [
    'a statement made again later adds only what is news',
    { prices: [price()], events: [came('2026-03-05T10:00:00')], statements: [MARCH, { ...MARCH, at: APRIL.at }] },
    [1_000, 'COUNTED 1000'],
    [0],
  ],
]

const CASES = named([...REFUNDED, ...ADJUSTED, ...ROUNDED, ...BOUNDED])

describe('a statement', () => {
  test.each(CASES)('$name', ({ told, expected }) => {
    expect(written(told)).toEqual(expected)
  })

  test.each(CASES)('and what is carried come to what happened and what was added besides: $name', ({ told }) => {
    expectConserved(told)
  })
})

const anyDay = fc
  .integer({ min: 0, max: 88 })
  .map(nth => new Date(Date.parse('2026-03-01T00:00:00+08:00') + nth * 86_400_000))
const anyKind = fc.constantFrom('REGISTERED', 'FIRST_ORDER', 'SHARE' as const)
const anyPrice = fc
  .record({
    kind: anyKind,
    from: fc.integer({ min: 0, max: 60 }),
    fen: fc.integer({ min: 1, max: 5_000 }),
    freezeDays: fc.integer({ min: 0, max: 40 }),
    monthlyCap: fc.option(fc.integer({ min: 1, max: 4 })),
    deductionPermille: fc.constantFrom(0, 0, 33, 150),
  })
  .map(({ kind, from, fen, ...terms }) => ({
    ...terms,
    ...(kind === 'SHARE' ? { priceFen: null, sharePermille: (fen % 999) + 1 } : { priceFen: fen, sharePermille: null }),
    kind,
    validFrom: new Date(Date.UTC(2026, 2, 1 + from)).toISOString().slice(0, 10),
  }))
const anyEvent = fc.record({
  kind: anyKind,
  subject: fc.integer({ min: 1, max: 12 }),
  at: anyDay,
  baseFen: fc.integer({ min: 1, max: 9_999 }),
  isStaff: fc.constantFrom(false, false, false, true),
  refunds: fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), anyDay), { maxLength: 3 }),
})

test('whatever happens, is given back, deducted and corrected, statements and what is carried come to the sum of the events', () => {
  fc.assert(
    fc.property(
      fc.array(anyPrice, { maxLength: 6 }),
      fc.array(anyEvent, { maxLength: 30 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: -3_000, max: 3_000 })), {
        minLength: 3,
        maxLength: 3,
      }),
      (prices, happened, byHand) => {
        const once = [...new Map(happened.map(one => [`${one.kind} ${one.subject}`, one])).values()]
        const orderOf = ({ kind, subject }: (typeof once)[number]) => `${kind}${subject}`
        expectConserved({
          prices: prices.map((one, nth) => price({ ...one, id: `${nth + 1}` })),
          events: once.map(one => ({
            ...came('2026-03-01T00:00:00'),
            ...{ kind: one.kind, subjectId: `${one.subject}`, at: one.at, isStaff: one.isStaff },
            ...(one.kind === 'REGISTERED' ? {} : { orderId: orderOf(one), baseFen: one.baseFen }),
          })),
          refunds: once.flatMap(one => {
            let left = one.baseFen
            return one.refunds.map(([percent, at]) => {
              const fen = Math.min(left, Math.ceil((one.baseFen * percent) / 100))
              left -= fen
              return { orderId: orderOf(one), fen, at: at.toISOString() }
            })
          }),
          statements: [MARCH, APRIL, MAY].map((statement, nth) => {
            const [deduct, correct] = byHand[nth] as [number, number]
            return { ...statement, deduct, correct }
          }),
        })
      },
    ),
    { numRuns: IS_LONG ? 3_000 : 300 },
  )
})
