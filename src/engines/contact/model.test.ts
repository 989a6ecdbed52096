import { describe, expect, test } from 'vitest'
import { answeredAs, follows, inCalls, protectedUntil } from './model.ts'

const now = new Date('2026-11-17T10:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

test.each([
  [0, []],
  [1, [1]],
  [100, [100]],
  [101, [100, 1]],
  [250, [100, 100, 50]],
])('%i contacts leave in calls of %j', (count, sizes) => {
  const all = Array.from({ length: count }, (_, nth) => nth)
  expect(inCalls(all).map(({ length }) => length)).toEqual(sizes)
  expect(inCalls(all).flat()).toEqual(all)
})

describe('a customer who was handed on between colleagues at work', () => {
  test.each([
    ['never', 'may go', []],
    ['once', 'may go', [ago(3)]],
    ['twice, once of them long ago', 'may go', [ago(91), ago(3)]],
    ['twice', 'stays until 2027-02-12', [ago(40), ago(3)]],
    ['twice, 90 days ago to the moment', 'may go', [ago(90), ago(90)]],
    ['three times', 'stays until 2027-02-05', [ago(80), ago(40), ago(10)]],
  ])('%s %s', (_, expected, handedOn) => {
    const until = protectedUntil(handedOn, now)
    expect(until ? `stays until ${until.toISOString().slice(0, 10)}` : 'may go').toBe(expected)
  })
})

test.each([
  [0, 'WAITING'],
  [40_129, 'WAITING'],
  [40_100, 'WAITING'],
  [40_128, 'PROTECTED'],
  [40_099, 'FULL'],
  [40_096, 'REJECTED'],
])('an answer of %i means %s', (errcode, status) => {
  expect(answeredAs(errcode)).toBe(status)
})

describe('what the platform tells of a transfer', () => {
  const called = { calledAt: ago(2) }
  test.each([
    [1, 'WAITING', 'DONE'],
    [2, 'WAITING', undefined],
    [2, 'UNKNOWN', 'WAITING'],
    [3, 'WAITING', 'REFUSED'],
    [4, 'UNKNOWN', 'FULL'],
    [5, 'UNKNOWN', 'NO_RECORD'],
  ] as const)('as %i makes of %s: %s', (state, status, next) => {
    expect(follows(state, { ...called, status }, now)).toBe(next)
  })

  test('as "no record" within the hour changes nothing: it may not have been written down yet', () => {
    const calledAt = new Date(now.getTime() - 59 * 60_000)
    expect(follows(5, { status: 'UNKNOWN', calledAt }, now)).toBeUndefined()
  })
})
