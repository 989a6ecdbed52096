import { describe, expect, test } from 'vitest'
import {
  afterQuiet,
  defineMessage,
  fillIn,
  holesIn,
  inWords,
  judge,
  partsOf,
  whyNotFilled,
  whyNotSent,
  withoutAddress,
} from './model.ts'

const TERMS = { quietFrom: 21, quietUntil: 8, marketingDays: 7 }
/** A time of day in Shanghai. */
const at = (time: string, day = '2026-03-10') => new Date(`${day}T${time}:00+08:00`)

describe('what a template says', () => {
  const parcel = defineMessage({
    code: 'PARCEL',
    channel: 'SMS',
    kind: 'NOTICE',
    title: '发货提醒',
    body: '{name}，包裹 {no} 于 {at} 发出，价值 {worth}，共 {pieces} 件，{day} 前到达。',
    holes: {
      name: { kind: 'TEXT', sample: '小明' },
      no: { kind: 'TEXT', sample: 'SF1' },
      at: { kind: 'INSTANT', sample: '2026-03-10 09:30' },
      worth: { kind: 'MONEY', sample: '¥128.00' },
      pieces: { kind: 'NUMBER', sample: '2' },
      day: { kind: 'DAY', sample: '2026-03-12' },
    },
  })

  test('each value is written as its kind is read: money in yuan, times in Shanghai', () => {
    const filled = inWords(parcel, {
      name: '{no}',
      no: 'SF99',
      at: new Date('2026-03-10T01:30:00Z'),
      worth: 12_800,
      pieces: 2,
      day: '2026-03-12',
    })
    // What somebody is called is no template: it is put in once and not looked at again.
    expect(fillIn(parcel.body, filled)).toBe(
      '{no}，包裹 SF99 于 2026-03-10 09:30 发出，价值 ¥128.00，共 2 件，2026-03-12 前到达。',
    )
  })

  test('a hole nobody declared, a variable declared twice and a sample of another kind are refused', () => {
    const words = { title: 't', body: '{name} {constructor}' }
    const name = { name: 'name', kind: 'TEXT', sample: '小明' } as const
    expect(holesIn(words.body)).toEqual(['name', 'constructor'])
    expect(whyNotFilled(words, [name])).toMatchObject({ params: { name: 'constructor' } })
    expect(whyNotFilled({ ...words, body: '{name}' }, [name, name])?.code).toBe('engines/message:variable-twice')
    for (const [kind, sample] of [
      ['NUMBER', 'two'],
      ['MONEY', '12.8'],
      ['DAY', '2026-02-31'],
      ['INSTANT', '2026-02-28 25:00'],
      ['TEXT', ''],
    ] as const)
      expect(whyNotFilled({ ...words, body: 'x' }, [{ name: 'x', kind, sample }])?.code).toBe(
        'engines/message:sample-wrong',
      )
    expect(() => defineMessage({ ...parcel, body: '{nobody}' })).toThrow('nobody')
    expect(fillIn('{constructor}', {})).toBe('{constructor}')
  })

  test('advertising by text message says how one is rid of it', () => {
    const words = { channel: 'SMS', kind: 'MARKETING', body: '春季班八折' } as const
    expect(whyNotSent(words)?.code).toBe('engines/message:opt-out-missing')
    expect(whyNotSent({ ...words, body: '春季班八折，拒收请回复R' })).toBeUndefined()
    expect(whyNotSent({ ...words, channel: 'EMAIL' })).toBeUndefined()
  })

  test('seventy signs are one text message, more are counted by sixty-seven', () => {
    expect([70, 71, 134, 135].map(length => partsOf('字'.repeat(length)))).toEqual([1, 2, 2, 3])
  })
})

describe('when a message leaves', () => {
  test.each([
    ['20:59', '20:59', '2026-03-10'],
    ['21:00', '08:00', '2026-03-11'],
    ['23:59', '08:00', '2026-03-11'],
    ['00:00', '08:00', '2026-03-10'],
    ['07:59', '08:00', '2026-03-10'],
    ['08:00', '08:00', '2026-03-10'],
  ])('advertising of %s leaves at %s of %s', (now, then, day) => {
    expect(afterQuiet(at(now), TERMS)).toEqual(at(then, day))
  })

  test('hours set within one day are quiet within it, and equal ones are none', () => {
    expect(afterQuiet(at('13:00'), { quietFrom: 12, quietUntil: 14 })).toEqual(at('14:00'))
    expect(afterQuiet(at('15:00'), { quietFrom: 12, quietUntil: 14 })).toEqual(at('15:00'))
    expect(afterQuiet(at('12:00'), { quietFrom: 12, quietUntil: 12 })).toEqual(at('12:00'))
  })

  const asked = { hasAddress: true, now: at('22:00'), terms: TERMS, consent: 'NONE', lastAt: at('21:30') } as const

  test('codes and notices leave at any hour, asked or not', () => {
    for (const kind of ['CODE', 'NOTICE'] as const) expect(judge({ ...asked, kind })).toEqual({ status: 'SENDING' })
  })

  test('advertising needs consent, respects who opted out, and comes once in seven days', () => {
    const of = (more: object) => judge({ ...asked, kind: 'MARKETING', lastAt: null, ...more })
    expect(of({})).toEqual({ status: 'WITHHELD', cause: 'NO_CONSENT' })
    expect(of({ consent: 'OPTED_OUT' })).toEqual({ status: 'WITHHELD', cause: 'OPTED_OUT' })
    expect(of({ consent: 'GIVEN' })).toEqual({
      status: 'SCHEDULED',
      cause: 'QUIET_HOURS',
      at: at('08:00', '2026-03-11'),
    })
    expect(of({ consent: 'GIVEN', now: at('10:00'), lastAt: at('10:01', '2026-03-03') })).toEqual({
      status: 'WITHHELD',
      cause: 'LATELY',
    })
    expect(of({ consent: 'GIVEN', now: at('10:00'), lastAt: at('10:00', '2026-03-03') })).toEqual({ status: 'SENDING' })
  })

  test('who left no address is sent nothing, not even a code', () => {
    expect(judge({ ...asked, kind: 'CODE', hasAddress: false })).toEqual({ status: 'WITHHELD', cause: 'NO_ADDRESS' })
  })
})

test('what a provider says is told without the address it repeats, however it spells it', () => {
  expect(withoutAddress('550 <LIN.a+b@Example.test> unknown', 'lin.a+b@example.test')).toBe(
    '550 <l***@example.test> unknown',
  )
  expect(withoutAddress('to 8613800138000: off', '13800138000')).toBe('to 86138****8000: off')
  expect(withoutAddress('off', null)).toBe('off')
})
