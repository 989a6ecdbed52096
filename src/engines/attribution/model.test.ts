import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IS_LONG } from '../../../tools/testing/long.ts'
import { creditOf, endsOf, type Paying, type Touch } from './model.ts'

const at = (day: string, time = '12:00') => new Date(`2026-${day}T${time}:00+08:00`)
const OWN = { source: 'APP', channel: 'STORE' }
const paying = (days = 90): Paying => ({ paidAt: at('10-01'), days, own: OWN })
const touch = (key: string, when: Date, cameBy: Touch['cameBy'], channel: string): Touch => ({
  ...{ key, at: when, cameBy, channel, source: 'XIAOHONGSHU' },
})

const NOTE = touch('form:1', at('08-01'), 'FORM', 'XIAOHONGSHU_FORM')
const LINK = touch('link:a', at('09-20'), 'LINK', 'REFERRAL')
const APP = touch('registered', at('09-25'), 'REGISTRATION', 'STORE')

describe('the one channel of a paying member', () => {
  test.each<[string, readonly Touch[], number, [channel: string, why: string]]>([
    [
      'is that of the first touch within the days before the payment',
      [APP, LINK, NOTE],
      90,
      ['XIAOHONGSHU_FORM', 'FIRST_WITHIN'],
    ],
    ['is not that of a touch before those days', [APP, LINK, NOTE], 30, ['REFERRAL', 'FIRST_WITHIN']],
    ['is that of the last touch where all are older', [NOTE, LINK, APP], 3, ['STORE', 'LAST_BEFORE']],
    ['is as the member was entered where nothing else is known', [], 90, ['STORE', 'ENTERED']],
    [
      'is no colleague’s who brought a list',
      [touch('row:1', at('09-01'), 'IMPORT', 'SCHOOL')],
      90,
      ['STORE', 'ENTERED'],
    ],
    [
      'is none of what came after the payment',
      [touch('form:9', at('10-02'), 'FORM', 'SCHOOL'), APP],
      90,
      ['STORE', 'FIRST_WITHIN'],
    ],
    [
      'counts a touch at the very instant of the payment',
      [touch('link:z', at('10-01'), 'LINK', 'SCHOOL')],
      1,
      ['SCHOOL', 'FIRST_WITHIN'],
    ],
    [
      'counts one exactly so many days before',
      [touch('form:2', at('09-01'), 'FORM', 'SCHOOL'), APP],
      30,
      ['SCHOOL', 'FIRST_WITHIN'],
    ],
    [
      'does not count one a minute earlier',
      [touch('form:2', at('09-01', '11:59'), 'FORM', 'SCHOOL'), APP],
      30,
      ['STORE', 'FIRST_WITHIN'],
    ],
  ])('%s', (_name, touches, days, [channel, why]) => {
    expect(creditOf(touches, paying(days))).toMatchObject({ channel, why })
  })

  test('at one instant a link goes before a form, a form before a purchase, and that before registering', () => {
    const now = at('09-10')
    const ways = ['REGISTRATION', 'PLATFORM_ORDER', 'FORM', 'LINK'] as const
    const all = ways.map(way => touch(`${way}:1`, now, way, way))
    for (let left = all; left.length > 0; left = left.slice(0, -1))
      expect(creditOf(left, paying()).channel).toBe(left.at(-1)?.channel)
    // Also where they are the last of those that are too old.
    expect(creditOf(all, paying(1))).toMatchObject({ channel: 'LINK', why: 'LAST_BEFORE' })
    const twins = [touch('form:b', now, 'FORM', 'B'), touch('form:a', now, 'FORM', 'A')]
    expect(creditOf(twins, paying()).channel).toBe('A')
  })

  test('the first and the last touch are told whatever counts', () => {
    const late = touch('form:9', at('10-02'), 'FORM', 'SCHOOL')
    const { first, last } = endsOf([late, APP, NOTE, LINK], at('10-01'))
    expect([first?.key, last?.key]).toEqual(['form:1', 'registered'])
  })
})

const DAY_MS = 86_400_000
const anyTouch = fc.record({
  key: fc.constantFrom('form:1', 'form:2', 'form:3', 'link:a', 'link:b', 'registration', 'platform:1'),
  // Few instants, so that many happen at once.
  at: fc.integer({ min: 0, max: 40 }).map(days => new Date(at('06-01').getTime() + days * 3 * DAY_MS)),
  cameBy: fc.constantFrom('FORM', 'LINK', 'REGISTRATION', 'PLATFORM_ORDER', 'IMPORT'),
  source: fc.constantFrom('DOUYIN', 'XIAOHONGSHU'),
  channel: fc.constantFrom('A', 'B', 'C', 'D'),
})

test('whatever order the touches are told in, the member belongs to the same channel', () => {
  const paths = fc.uniqueArray(anyTouch, { selector: ({ key }) => key, maxLength: 7 })
  const days = fc.integer({ min: 1, max: 120 })
  fc.assert(
    fc.property(
      paths.chain(path => fc.tuple(fc.constant(path), fc.shuffledSubarray(path, { minLength: path.length }))),
      days,
      ([path, told], lookBack) => {
        expect(creditOf(told, paying(lookBack))).toEqual(creditOf(path, paying(lookBack)))
      },
    ),
    { numRuns: IS_LONG ? 20_000 : 2_000 },
  )
})
