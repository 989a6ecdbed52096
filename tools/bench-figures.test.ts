import { describe, expect, test } from 'vitest'
import { medianOf, shuffled, verdictCell, verdictOf, verdicts } from '../bench/figures.ts'

describe('a promise of docs/performance.md', () => {
  const missed = verdictOf('CPU a call', { ours: 30, baseline: 20, unit: 'µs' }, { atMost: 1.25 })

  test('that is missed says by how much, and what was measured against what', () => {
    expect(missed).toBe('MISSED CPU a call: 1.50 (goal ≤ 1.25, missed by 20 %; 30.0 against 20.0 µs)')
    expect(verdictOf('CPU a call', { ours: 25, baseline: 20, unit: 'µs' }, { atMost: 1.25 })).toMatch(/^kept /)
  })

  test('is judged at full size alone: small sizes give no verdict, in a line or in a table', () => {
    const said = (quick: boolean) => [...verdicts({ quick }, [missed]), verdictCell({ quick }, 1.5, { atMost: 1.25 })]
    expect(said(true)).toEqual(['No verdict: the sizes are small.', '–'])
    expect(said(false)).toEqual([missed, 'MISSED'])
  })

  test('goes by the middle of all rounds, whatever one of them met', () => {
    expect(medianOf([10, 900, 11], value => value)).toBe(11)
    expect(medianOf([10, 900, 11, 12], value => value)).toBe(11.5)
  })

  test('is measured in another order each time, and none is left out', () => {
    const cases = Array.from({ length: 20 }, (_, nth) => nth)
    const orders = Array.from({ length: 5 }, () => shuffled(cases))
    for (const order of orders) expect(order.toSorted((one, other) => one - other)).toEqual(cases)
    expect(new Set(orders.map(String)).size).toBeGreaterThan(1)
  })
})
