import { describe, expect, test } from 'vitest'
import { statistic } from '#areas/orders/refund-count/model.ts'
import {
  bucketsOf,
  changeOf,
  daysOf,
  formatMeasure,
  INTERVALS,
  MAX_BUCKETS,
  previousOf,
  readAsked,
  rowsBehind,
  whyNotPeriod,
} from './statistic.ts'

describe('a period', () => {
  test('is the last thirty days unless told, by day', () => {
    expect(readAsked(statistic, {}, '2026-03-15')).toEqual({
      from: '2026-02-14',
      to: '2026-03-15',
      interval: 'day',
      dimension: 'time',
      basis: 'finished',
      filters: {},
    })
  })

  test.each([
    ['2026-01-01', '2026-03-03', 'day'],
    ['2026-01-01', '2026-03-04', 'week'],
    ['2026-01-01', '2026-12-31', 'month'],
  ])('from %s to %s is shown by %3$s', (from, to, interval) => {
    expect(readAsked(statistic, { from, to }, '2027-01-01').interval).toBe(interval)
  })

  test('is compared with as many days right before it, over a leap day too', () => {
    expect(daysOf({ from: '2028-02-28', to: '2028-03-01' })).toBe(3)
    expect(previousOf({ from: '2028-03-01', to: '2028-03-31' })).toEqual({ from: '2028-01-30', to: '2028-02-29' })
    expect(previousOf({ from: '2026-06-30', to: '2026-06-30' })).toEqual({ from: '2026-06-29', to: '2026-06-29' })
  })

  test('is cut into weeks that begin on Monday, and into months, both cut off at its ends', () => {
    expect(bucketsOf({ from: '2026-11-01', to: '2026-11-10', interval: 'week' })).toEqual([
      { key: '2026-10-26', from: '2026-11-01', to: '2026-11-01' },
      { key: '2026-11-02', from: '2026-11-02', to: '2026-11-08' },
      { key: '2026-11-09', from: '2026-11-09', to: '2026-11-10' },
    ])
    expect(bucketsOf({ from: '2026-01-31', to: '2026-03-01', interval: 'month' })).toEqual([
      { key: '2026-01-01', from: '2026-01-31', to: '2026-01-31' },
      { key: '2026-02-01', from: '2026-02-01', to: '2026-02-28' },
      { key: '2026-03-01', from: '2026-03-01', to: '2026-03-01' },
    ])
  })

  test('loses no day and counts none twice, whatever the steps', () => {
    for (const interval of ['day', 'week', 'month'] as const) {
      const buckets = bucketsOf({ from: '2027-12-05', to: '2028-03-17', interval })
      expect(buckets.reduce((sum, bucket) => sum + daysOf(bucket), 0)).toBe(104)
      expect(new Set(buckets.map(({ key }) => key)).size).toBe(buckets.length)
    }
  })
})

describe('a period nobody can mean', () => {
  const NONSENSE = ['0000-01-01', '9999-12-31', '1999-12-31', '2101-01-01', '', 'today', '9'.repeat(10_000)]

  test.each([
    ['from=2026-06-02&to=2026-06-01', 'kit:period-turned-round'],
    ['from=2026-02-31&to=2026-03-01', 'kit:period-no-day'],
    ['from=2026-02-01&to=2026-13-01', 'kit:period-no-day'],
    ['from=2000-01-01&to=2003-01-05', 'kit:period-too-long'],
    ['from=2026-01-01&to=2027-02-05&interval=day', 'kit:statistic-too-fine'],
    ['from=2000-01-01&to=2000-01-31', undefined],
    ['from=2100-12-01&to=2100-12-31', undefined],
  ])('%s is told why', (address, code) => {
    const given = Object.fromEntries(new URLSearchParams(address))
    expect(whyNotPeriod(readAsked(statistic, given, '2026-03-15'))?.code).toBe(code)
  })

  test.each(NONSENSE)('"%s" at either end is told which days there are, and nothing is counted through', day => {
    for (const given of [{ from: day }, { to: day }, { from: day, to: day }])
      expect(whyNotPeriod(readAsked(statistic, given, '2026-03-15'))?.code).toBe('kit:period-outside')
  })

  test('is never cut into more pieces than a line shows, whoever asks', () => {
    for (const interval of INTERVALS)
      for (const [from, to] of [
        ['9999-12-01', '9999-12-31'],
        ['0000-01-01', '9999-12-31'],
        ['2026-01-01', 'zzz'],
      ] as const)
        expect(() => bucketsOf({ from, to, interval })).toThrow(RangeError)
    expect(MAX_BUCKETS).toBeLessThanOrEqual(1_100)
  })
})

describe('the rows behind a number', () => {
  const asked = {
    from: '2026-05-01',
    to: '2026-05-31',
    dimension: 'age',
    basis: 'cohort',
    filters: { channel: ['LINK'] },
  }
  const row = { key: 'within-30', from: '2026-05-01', to: '2026-05-31' }

  test('are those of its period, its filters and its own kind', () => {
    expect(rowsBehind(statistic, asked, 'retentionRate')).toEqual({
      channel: ['LINK'],
      status: ['REJECTED', 'WITHDRAWN'],
      orderPaidAtBegin: ['2026-05-01'],
      orderPaidAtEnd: ['2026-05-31'],
    })
  })

  test('lie within the ends of a band, of which the last has one', () => {
    expect(rowsBehind(statistic, asked, 'orders', row)).toMatchObject({
      daysSincePaidBegin: ['8'],
      daysSincePaidEnd: ['30'],
    })
    const last = rowsBehind(statistic, asked, 'orders', { ...row, key: 'later' })
    expect(last).toMatchObject({ daysSincePaidBegin: ['91'] })
    expect(last).not.toHaveProperty('daysSincePaidEnd')
  })

  test('cannot be shown where the value is missing', () => {
    expect(rowsBehind(statistic, { ...asked, dimension: 'owner' }, 'orders', { ...row, key: null })).toBeUndefined()
  })
})

describe('a number in words', () => {
  test.each([
    ['count', 1_234_567, '1,234,567'],
    ['count', 0, '0'],
    ['money', 123_450, '1,234.50'],
    ['rate', 0.0414, '4.1'],
    ['rate', 1, '100.0'],
    ['hours', 26.46, '26.5'],
    ['hours', null, '–'],
  ] as const)('%s %s reads %s', (kind, value, text) => {
    expect(formatMeasure(kind, value)).toBe(text)
  })

  test.each([
    ['count', 110, 100, 10],
    ['money', 50, 100, -50],
    ['rate', 0.052, 0.04, 1.2],
    ['count', 5, 0, null],
    ['rate', null, 0.1, null],
    ['rate', 0.1, 0, 10],
  ] as const)('%s %s after %s has changed by %s', (kind, now, before, change) => {
    expect(changeOf(kind, { now, before })).toBe(change)
  })
})
