import { describe, expect, test } from 'vitest'
import {
  exceptionOf,
  type FactName,
  type Facts,
  isOwed,
  leadPhoneOf,
  numbersOf,
  statusOf,
  told,
} from './facts.model.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 8, minute)).toISOString()
type Telling = readonly [minute: number, facts: Partial<Record<FactName, unknown>>]
const knowing = (tellings: readonly Telling[]): Facts =>
  tellings.reduce<Facts>((facts, [minute, said]) => told(facts, at(minute), said), {})

const STORY: readonly Telling[] = [
  [1, { paid: true, productName: '体验课', platformPhone: { number: '13800000001', isVirtual: true } }],
  [2, { claimed: true, ownPhone: '13800000002' }],
  [3, { registered: true }],
  [4, { verified: { isOn: true, verifyId: 'V1' } }],
  [5, { verified: { isOn: false, verifyId: null } }],
  [6, { refunded: true, refundedFen: 1_990 }],
  [7, { productName: '体验课（新）' }],
]

/** Every order the story can be told in, of which some are tried. */
function* shuffles(): Generator<Telling[]> {
  for (let turn = 0; turn < 200; turn += 1) {
    const left = [...STORY, ...STORY.filter((_, index) => (index + turn) % 3 === 0)]
    const told: Telling[] = []
    for (let seed = turn * 7_919 + 1; left.length > 0; seed = (seed * 48_271) % 2_147_483_647)
      told.push(...left.splice(seed % left.length, 1))
    yield told
  }
}

describe('what platforms tell', () => {
  test('comes to the same, in whatever order and however often it is told', () => {
    const inOrder = knowing(STORY)
    for (const shuffled of shuffles()) expect(knowing(shuffled)).toEqual(inOrder)
  })

  test('is first when it happened, and last where something stands until it changes', () => {
    expect(
      knowing([
        [5, { paid: true }],
        [2, { paid: true }],
      ]).paid?.at,
    ).toBe(at(2))
    expect(
      knowing([
        [5, { author: 'B' }],
        [2, { author: 'A' }],
      ]).author?.value,
    ).toBe('B')
  })

  test('makes a number that only forwards nobody’s own, whoever names it again, and leaves the one that was decrypted', () => {
    const lent = { platformPhone: { number: '13800000001', isVirtual: true } }
    const named = knowing([
      [1, lent],
      [2, { ownPhone: '13800000001', registeredPhone: '13800000001' }],
    ])
    expect([numbersOf(named), leadPhoneOf(named)]).toEqual([[], { leadPhone: '13800000001', phoneKind: 'VIRTUAL' }])
    const decrypted = { platformPhone: { number: '13800000003', isVirtual: false } }
    for (const minutes of [
      [1, 2],
      [2, 1],
    ] as const)
      expect(
        numbersOf(
          knowing([
            [minutes[0], decrypted],
            [minutes[1], lent],
          ]),
        ),
      ).toEqual(['13800000003'])
  })

  test('moves an order on, a refund from any state, and a cancelled verification back', () => {
    const states = STORY.map((_, index) => {
      const facts = knowing(STORY.slice(0, index + 1))
      return statusOf(facts, facts.registered !== undefined)
    })
    expect(states).toEqual(['BOUGHT', 'CLAIMED', 'REGISTERED', 'VERIFIED', 'REGISTERED', 'REFUNDED', 'REFUNDED'])
    expect(statusOf(knowing([[1, { refunded: true }]]), false)).toBe('REFUNDED')
    expect(statusOf({}, false)).toBe('UNPAID')
    expect(statusOf({}, true)).toBe('UNPAID')
  })
})

describe('a number of the platform', () => {
  const virtual = knowing([[1, { platformPhone: { number: '13800000001', isVirtual: true } }]])
  test('that only forwards finds no member', () => {
    expect(numbersOf(virtual)).toEqual([])
    expect(leadPhoneOf(virtual)).toEqual({ leadPhone: '13800000001', phoneKind: 'VIRTUAL' })
  })

  test('gives way to the one its person has given, and one told in part is nobody’s', () => {
    expect(leadPhoneOf(told(virtual, at(0), { ownPhone: '13800000002' }))).toMatchObject({ phoneKind: 'OWN' })
    expect(leadPhoneOf(knowing([[1, { ownPhone: '138****0000' }]]))).toEqual({
      leadPhone: '138****0000',
      phoneKind: null,
    })
  })
})

describe('a number told only in part', () => {
  const part = { platformPhone: { number: '138****0001', isVirtual: false } }
  const whole = { platformPhone: { number: '13800000001', isVirtual: false } }
  test('is nobody’s, and never takes the place of a whole one', () => {
    expect(leadPhoneOf(knowing([[1, part]]))).toEqual({ leadPhone: '138****0001', phoneKind: null })
    expect(numbersOf(knowing([[1, part]]))).toEqual([])
    const known = { leadPhone: '13800000001', phoneKind: 'DECRYPTED' }
    for (const tellings of [
      [
        [1, whole],
        [2, part],
      ],
      [
        [2, part],
        [1, whole],
      ],
      [
        [1, whole],
        [2, { ownPhone: '138****0001' }],
      ],
    ] as Telling[][])
      expect(leadPhoneOf(knowing(tellings))).toEqual(known)
  })
})

describe('a course is owed', () => {
  test('once it is paid and its person known, unless the money went back before', () => {
    expect(isOwed(knowing([[1, { paid: true }]]))).toBe(false)
    expect(
      isOwed(
        knowing([
          [1, { paid: true }],
          [2, { registered: true }],
        ]),
      ),
    ).toBe(true)
    expect(
      isOwed(
        knowing([
          [1, { paid: true }],
          [3, { registered: true }],
          [2, { refunded: true }],
        ]),
      ),
    ).toBe(false)
    expect(
      isOwed(
        knowing([
          [1, { paid: true }],
          [2, { registered: true }],
          [3, { refunded: true }],
        ]),
      ),
    ).toBe(true)
  })
})

describe('an exception', () => {
  const fine = {
    status: 'BOUGHT' as const,
    isActive: false,
    isUnopened: false,
    isMismatch: false,
    isTwice: false,
    isLate: false,
    handled: [],
  }
  test('is the worst of what is wrong, and not raised again once somebody has handled it', () => {
    expect(exceptionOf(fine)).toBe('NONE')
    expect(exceptionOf({ ...fine, isLate: true })).toBe('UNCLAIMED')
    expect(exceptionOf({ ...fine, isLate: true, isTwice: true })).toBe('SAME_PHONE')
    expect(exceptionOf({ ...fine, isLate: true, isTwice: true, handled: ['SAME_PHONE'] })).toBe('UNCLAIMED')
    expect(exceptionOf({ ...fine, isLate: true, isTwice: true, handled: ['SAME_PHONE', 'UNCLAIMED'] })).toBe('NONE')
    expect(exceptionOf({ ...fine, status: 'REFUNDED', isActive: true, isTwice: true })).toBe('REFUNDED_ACTIVE')
  })
})
