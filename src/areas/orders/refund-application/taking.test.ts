import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UsedGrant } from './arithmetic.model.ts'
import { type ClaimableLot, divide, type Known, type KnownLine, suggest, takesNothing } from './suggesting.model.ts'

const TERMS = { windowDays: 7, windowUsedPercent: 10, l2Fen: 100_000, l2Days: 30 }
const lot = (of: Partial<ClaimableLot> & UsedGrant & { leftUnits: number }): ClaimableLot => ({
  lotId: of.lotId ?? '1',
  kind: 'MEMBER_DAYS',
  name: 'lot',
  takenUnits: 0,
  owableUnits: 0,
  owedUnits: 0,
  ...of,
})
const line = (of: Partial<KnownLine>): KnownLine => ({
  lineId: '1',
  name: 'line',
  paidFen: 36_500,
  takenFen: 0,
  sentFen: 0,
  unsentFen: 0,
  unsentPieces: 0,
  lots: [],
  ...of,
})
/** Paid on the first of March; asked for long after, unless the day is told. */
const ask = (lines: KnownLine[], askedOn = '2026-06-01'): Known => ({
  lines,
  paidOn: '2026-03-01',
  askedOn,
  terms: TERMS,
})
const NOBODY_CHOSE = new Map<string, never>()
const taken = (known: Known, amountFen: number) =>
  divide(known, amountFen, NOBODY_CHOSE)?.lines.flatMap(({ parts }) => parts.map(({ units, debt }) => [units, debt]))

describe('what goes back with the money', () => {
  const days = lot({ sharePermille: 1_000, usedUnits: 73, totalUnits: 365, leftUnits: 292 })

  test.each([
    ['the suggested amount takes all that is left', 29_200, [292, 0]],
    ['half of it takes half', 14_600, [146, 0]],
    ['a little less than half takes less, rounded in the parent’s favour', 14_599, [145, 0]],
    ['more than suggested takes all that is left, and no more', 36_500, [292, 0]],
  ])('%s', (_name, amountFen, expected) => {
    expect(taken(ask([line({ lots: [days] })]), amountFen)).toEqual([expected])
  })

  test('a fen where nothing was suggested takes its part of what is left of the line, and not everything', () => {
    const known = ask([line({ lots: [{ ...days, usedUnits: 1, leftUnits: 364 }], sentFen: 40_000 })])
    expect(suggest(known, NOBODY_CHOSE).suggestedFen).toBe(0)
    expect(taken(known, 1)).toEqual([[0, 0]])
    expect(taken(known, 18_250)).toEqual([[182, 0]])
    expect(taken(known, 36_500)).toEqual([[364, 0]])
  })

  const coins = (of: Partial<ClaimableLot>) =>
    lot({ kind: 'COINS', sharePermille: 100, usedUnits: 100, totalUnits: 100, leftUnits: 0, owableUnits: 100, ...of })

  test('coins spent within the window are owed: no money was kept back for them', () => {
    expect(taken(ask([line({ lots: [coins({})] })], '2026-03-03'), 36_500)).toEqual([[0, 100]])
    expect(taken(ask([line({ lots: [coins({})] })], '2026-03-03'), 18_250)).toEqual([[0, 50]])
  })

  test('coins spent are not owed where money was kept back for them, and are as far as it goes back after all', () => {
    expect(taken(ask([line({ lots: [coins({})] })]), 32_850)).toEqual([[0, 0]])
    expect(taken(ask([line({ lots: [coins({})] })]), 34_675)).toEqual([[0, 50]])
    expect(taken(ask([line({ lots: [coins({})] })]), 36_500)).toEqual([[0, 100]])
  })

  test('coins that were worth nothing of the price are owed at any time: nothing was kept back for them', () => {
    expect(taken(ask([line({ lots: [coins({ sharePermille: 0 })] })]), 36_500)).toEqual([[0, 100]])
  })

  test('coins that are owed already are not kept back as well', () => {
    const owed = coins({ owedUnits: 50, owableUnits: 50 })
    const known = ask([line({ lots: [owed], takenFen: 18_250 })])
    // Half the price is left, less what the other fifty coins were worth.
    expect(suggest(known, NOBODY_CHOSE).suggestedFen).toBe(18_250 - 1_825)
  })

  test('nothing is taken where there was something to take', () => {
    const of = (known: Known, amountFen: number) => takesNothing(divide(known, amountFen, NOBODY_CHOSE)?.lines ?? [])
    expect(of(ask([line({ lots: [days] })]), 99)).toBe(true)
    expect(of(ask([line({ lots: [days] })]), 100)).toBe(false)
    expect(of(ask([line({ lots: [] })]), 99)).toBe(false)
  })
})

describe('goods that have not left', () => {
  const goods = line({ paidFen: 10_000, unsentFen: 3_000, unsentPieces: 2 })
  const of = (amountFen: number, choices: ReadonlyMap<string, 'CANCEL' | 'SEND'> = NOBODY_CHOSE) => {
    const divided = divide(ask([goods]), amountFen, choices)
    return [divided?.calculation.suggestedFen, divided?.lines[0]?.unsent, divided?.lines[0]?.goodsFen]
  }
  test.each([
    ['stay here when the whole suggestion goes back', 10_000, {}, [10_000, 'CANCEL', 0]],
    ['are sent when less goes back, and deducted', 9_999, {}, [7_000, 'SEND', 3_000]],
    ['are sent when somebody says so, and deducted', 10_000, { 1: 'SEND' }, [7_000, 'SEND', 3_000]],
    ['stay here when somebody says so', 100, { 1: 'CANCEL' }, [10_000, 'CANCEL', 0]],
  ] as const)('%s', (_name, amountFen, choices, expected) => {
    expect(of(amountFen, new Map(Object.entries(choices)) as never)).toEqual(expected)
  })
})

describe('many small refunds', () => {
  /** The books after a refund: what it took is claimed. */
  const refunded = (known: Known, amountFen: number): Known => {
    const divided = divide(known, amountFen, NOBODY_CHOSE)?.lines[0]
    const [only] = known.lines
    if (!divided || !only) throw new Error('too much')
    const lots = only.lots.map((before, index) => {
      const { units, debt } = divided.parts[index] ?? { units: 0, debt: 0 }
      return {
        ...before,
        leftUnits: before.leftUnits - units,
        takenUnits: before.takenUnits + units,
        owableUnits: before.owableUnits - debt,
        owedUnits: before.owedUnits + debt,
      }
    })
    return { ...known, lines: [{ ...only, takenFen: only.takenFen + amountFen, lots }] }
  }
  const all = (known: Known) => known.lines[0]?.lots.map(({ takenUnits, owedUnits }) => [takenUnits, owedUnits])

  test('take of every lot what one refund of the sum takes, to the unit, and never more than all', () => {
    const someLot = fc.record({ total: fc.integer({ min: 1, max: 2_000 }), used: fc.nat(2_000), share: fc.nat(500) })
    fc.assert(
      fc.property(
        fc.integer({ min: 50, max: 500_000 }),
        fc.array(someLot, { minLength: 1, maxLength: 2 }),
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 30 }),
        fc.nat(40_000),
        fc.constantFrom('2026-03-02', '2026-06-01'),
        (paidFen, given, amounts, sentFen, askedOn) => {
          const lots = given.map(({ total, used, share }, index) => {
            const spent = Math.min(used, total)
            const units = { usedUnits: spent, totalUnits: total, leftUnits: total - spent }
            return lot({ lotId: String(index), ...units, sharePermille: share, owableUnits: index === 1 ? spent : 0 })
          })
          const known = ask([line({ paidFen, sentFen, lots })], askedOn)
          let [left, sum] = [paidFen, 0]
          let many = known
          for (const amount of amounts) {
            const part = Math.min(amount, left)
            if (part === 0) break
            many = refunded(many, part)
            left -= part
            sum += part
          }
          expect(all(many)).toEqual(all(refunded(known, sum)))
          for (const { leftUnits, owableUnits } of many.lines[0]?.lots ?? [])
            expect(Math.min(leftUnits, owableUnits)).toBeGreaterThanOrEqual(0)
        },
      ),
      { numRuns: 500 },
    )
  })
})
