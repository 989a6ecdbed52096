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
  named,
  price,
  share,
  written,
} from '../../../tools/testing/books.ts'
import { editionOn, partOf } from './model.ts'
import { periodBefore, periodOf, statementNo } from './period.model.ts'

const PRICED: readonly Case[] = [
  [
    'a registration is worth its price',
    { prices: [price()], events: [came('2026-03-05T10:00:00')], statements: [MARCH] },
    [1_000, 'COUNTED 1000'],
  ],
  ['a month without events comes to nothing', { prices: [price()], events: [], statements: [MARCH] }, [0]],
  [
    'a price that changes within the month holds from its own day on',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-03-10', priceFen: 1_500 })],
      events: [came('2026-03-09T23:59:59'), came('2026-03-10T00:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [2_500, 'COUNTED 1000', 'COUNTED 1500'],
  ],
  [
    'a price that changes after the event changes nothing',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-04-01', priceFen: 9_900 })],
      events: [came('2026-03-31T23:59:59')],
      statements: [MARCH],
    },
    [1_000, 'COUNTED 1000'],
  ],
  [
    'what was frozen is paid by the price of its own day, not by that of the day it thaws',
    {
      prices: [price({ freezeDays: 15 }), price({ id: '2', validFrom: '2026-04-01', priceFen: 9_900 })],
      events: [came('2026-03-31T12:00:00')],
      statements: [MARCH, APRIL],
    },
    [0, 'FROZEN 0'],
    [1_000, 'COUNTED 1000'],
  ],
  [
    'of two prices that begin on one day the one made last holds',
    {
      prices: [price(), price({ id: '3', priceFen: 700 }), price({ id: '2', priceFen: 800 })],
      events: [came('2026-03-05T10:00:00')],
      statements: [MARCH],
    },
    [700, 'COUNTED 700'],
  ],
  [
    'the number of an edition is a number: the tenth was made after the ninth',
    {
      prices: [price({ id: '9', priceFen: 900 }), price({ id: '10', priceFen: 1_100 })],
      events: [came('2026-03-05T10:00:00')],
      statements: [MARCH],
    },
    [1_100, 'COUNTED 1100'],
  ],
  [
    'before its first day there is no price',
    { prices: [price({ validFrom: '2026-03-06' })], events: [came('2026-03-05T23:59:59')], statements: [MARCH] },
    [0, 'NO_PRICE 0'],
  ],
  [
    'the last day of a price still counts, the day after does not',
    {
      prices: [price({ validTo: '2026-03-10' })],
      events: [came('2026-03-10T23:59:59'), came('2026-03-11T00:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [1_000, 'COUNTED 1000', 'NO_PRICE 0'],
  ],
  [
    'when a later price has ended, the one before it holds again',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-03-05', validTo: '2026-03-06', priceFen: 2_000 })],
      events: [came('2026-03-06T10:00:00'), came('2026-03-07T10:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [3_000, 'COUNTED 2000', 'COUNTED 1000'],
  ],
  [
    'when a cheaper price has ended, no dearer one before it holds again by itself',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-03-05', validTo: '2026-03-06', priceFen: 600 })],
      events: [came('2026-03-06T10:00:00'), came('2026-03-07T10:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [600, 'COUNTED 600', 'NO_PRICE 0'],
  ],
  [
    'nor one that is dearer because less is deducted, however many ended in between',
    {
      prices: [
        price(),
        price({ id: '2', validFrom: '2026-03-03', validTo: '2026-03-04', deductionPermille: 100 }),
        price({ id: '3', validFrom: '2026-03-05', validTo: '2026-03-06', priceFen: 2_000 }),
      ],
      events: [came('2026-03-07T10:00:00')],
      statements: [MARCH],
    },
    [0, 'NO_PRICE 0'],
  ],
  [
    'a price called off before its first day takes the place of none',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-03-05', validTo: '2026-03-01', priceFen: 600 })],
      events: [came('2026-03-07T10:00:00')],
      statements: [MARCH],
    },
    [1_000, 'COUNTED 1000'],
  ],
  [
    'each kind of event has its own price',
    {
      prices: [price(), price({ id: '2', kind: 'ACTIVATED', priceFen: 300 })],
      events: [came('2026-03-05T10:00:00'), came('2026-03-06T10:00:00', { kind: 'ACTIVATED' })],
      statements: [MARCH],
    },
    [1_300, 'COUNTED 1000', 'COUNTED 300'],
  ],
  [
    'a kind without a price is not paid for, whatever another kind is worth',
    { prices: [price()], events: [came('2026-03-05T10:00:00', { kind: 'ACTIVATED' })], statements: [MARCH] },
    [0, 'NO_PRICE 0'],
  ],
]

const JUDGED: readonly Case[] = [
  [
    'own staff is not paid for',
    { prices: [price()], events: [came('2026-03-05T10:00:00', { isStaff: true })], statements: [MARCH] },
    [0, 'OWN_STAFF 0'],
  ],
  [
    'who had come to us before is not paid for',
    { prices: [price()], events: [came('2026-03-05T10:00:00', { isOld: true })], statements: [MARCH] },
    [0, 'OLD_MEMBER 0'],
  ],
  [
    'staff is told before everything else',
    { prices: [], events: [came('2026-03-05T10:00:00', { isStaff: true, isOld: true })], statements: [MARCH] },
    [0, 'OWN_STAFF 0'],
  ],
  [
    'whom another partner is paid for is a duplicate',
    { prices: [price()], events: [came('2026-03-05T10:00:00')], held: ['REGISTERED 1'], statements: [MARCH] },
    [0, 'DUPLICATE 0'],
  ],
  [
    'the same person told twice is paid for once, by the first',
    {
      prices: [price(), price({ id: '2', validFrom: '2026-03-06', priceFen: 2_000 })],
      events: [came('2026-03-07T10:00:00'), came('2026-03-05T10:00:00')],
      statements: [MARCH],
    },
    [1_000, 'COUNTED 1000', 'DUPLICATE 0'],
  ],
  [
    'one person may be worth several kinds',
    {
      prices: [price(), first({ id: '2' }), share(100, { id: '3' })],
      events: [
        came('2026-03-05T10:00:00'),
        firstBought('2026-03-06T10:00:00', 50_000),
        bought('2026-03-06T10:00:00', 50_000),
      ],
      statements: [MARCH],
    },
    [12_000, 'COUNTED 1000', 'COUNTED 6000', 'COUNTED 5000'],
  ],
  [
    'what happens on the last day of the window counts',
    {
      prices: [price({ kind: 'ACTIVATED', windowDays: 7 })],
      events: [came('2026-03-12T23:59:59', { kind: 'ACTIVATED', memberSince: new Date('2026-03-05T00:00:00+08:00') })],
      statements: [MARCH],
    },
    [1_000, 'COUNTED 1000'],
  ],
  [
    'what happens the day after the window does not',
    {
      prices: [price({ kind: 'ACTIVATED', windowDays: 7 })],
      events: [came('2026-03-13T00:00:00', { kind: 'ACTIVATED', memberSince: new Date('2026-03-05T23:59:59+08:00') })],
      statements: [MARCH],
    },
    [0, 'TOO_LATE 0'],
  ],
]

const CAPPED: readonly Case[] = [
  [
    'a cap is filled by who came first',
    {
      prices: [price({ monthlyCap: 2 })],
      events: ['2026-03-09', '2026-03-07', '2026-03-08'].map((on, nth) =>
        came(`${on}T10:00:00`, { subjectId: `${nth + 1}` }),
      ),
      statements: [MARCH],
    },
    [2_000, 'COUNTED 1000', 'COUNTED 1000', 'OVER_CAP 0'],
  ],
  [
    'a cap begins anew each month',
    {
      prices: [price({ monthlyCap: 1 })],
      events: [came('2026-03-31T23:59:59'), came('2026-04-01T00:00:00', { subjectId: '2' })],
      statements: [MARCH, APRIL],
    },
    [1_000, 'COUNTED 1000'],
    [1_000, 'COUNTED 1000'],
  ],
  [
    'who does not count takes no place under the cap',
    {
      prices: [price({ monthlyCap: 1 })],
      events: [came('2026-03-05T10:00:00', { isStaff: true }), came('2026-03-06T10:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [1_000, 'OWN_STAFF 0', 'COUNTED 1000'],
  ],
  [
    'what is frozen keeps its place under the cap, and a refund makes no room for another',
    {
      prices: [first({ monthlyCap: 1, freezeDays: 15 })],
      events: [
        firstBought('2026-03-20T10:00:00', 5_000),
        firstBought('2026-03-21T10:00:00', 5_000, { subjectId: '2', orderId: '2' }),
      ],
      refunds: [back(5_000, '2026-04-02T10:00:00')],
      statements: [MARCH, APRIL],
    },
    [0, 'FROZEN 0', 'OVER_CAP 0'],
    [0, 'REFUNDED 0'],
  ],
  [
    'what is told late fills what its own month has left',
    {
      prices: [price({ monthlyCap: 1 })],
      events: [came('2026-03-05T10:00:00'), came('2026-03-06T10:00:00', { subjectId: '2', kind: 'REGISTERED' })],
      statements: [{ ...MARCH, to: '2026-03-05' }, APRIL],
    },
    [1_000, 'COUNTED 1000'],
    [0, 'OVER_CAP 0'],
  ],
  [
    'two prices of one month fill one cap',
    {
      prices: [price({ monthlyCap: 1 }), price({ id: '2', validFrom: '2026-03-10', monthlyCap: 1 })],
      events: [came('2026-03-09T10:00:00'), came('2026-03-11T10:00:00', { subjectId: '2' })],
      statements: [MARCH],
    },
    [1_000, 'COUNTED 1000', 'OVER_CAP 0'],
  ],
]

const CASES = named([...PRICED, ...JUDGED, ...CAPPED])

describe('a statement', () => {
  test.each(CASES)('$name', ({ told, expected }) => {
    expect(written(told)).toEqual(expected)
  })

  test.each(CASES)('and what is carried come to what happened and what was added besides: $name', ({ told }) => {
    expectConserved(told)
  })
})

test('a month is a calendar month of the business, and its statement is named by it', () => {
  expect(periodOf('2026-02-14')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(periodOf('2028-02-29')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(periodOf('2026-12-31')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  expect(periodBefore('2026-01-01')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(statementNo(periodOf('2026-03-05'), '7')).toBe('C202603-0007')
})

test('what is taken of an amount is rounded as what is given', () => {
  expect([5, -5, 4, -4, 0].map(fen => partOf(fen, 100))).toEqual([1, -1, 0, 0, 0])
})

test('without any price there is none', () => {
  expect(editionOn([], 'SHARE', '2026-03-01')).toBeUndefined()
})
