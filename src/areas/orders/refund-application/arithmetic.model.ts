import { daysBetween } from '#engines/entitlement/model.ts'
import { addDays } from '#kit/model/time.ts'

/** What a line's grant is worth and how much of it has been used. */
export type UsedGrant = {
  readonly sharePermille: number
  readonly usedUnits: number
  readonly totalUnits: number
}
export type LineFacts = {
  /** The line's share of what was paid. */
  readonly paidFen: number
  /** Refunds of the line already paid or asked for. */
  readonly takenFen: number
  readonly grants: readonly UsedGrant[]
  /** List value of shipped parts that have not come back. */
  readonly goodsFen: number
}
export type Terms = {
  readonly windowDays: number
  readonly windowUsedPercent: number
  readonly l2Fen: number
  readonly l2Days: number
}
export type LineSuggestion = { readonly usedFen: number; readonly suggestedFen: number; readonly inWindow: boolean }

/** What one line should give back: what was paid, less what was used and what is still out. All in whole fen. */
export function suggestLine(line: LineFacts, paidOn: string, askedOn: string, terms: Terms): LineSuggestion {
  const usedFen = line.grants.reduce((sum, grant) => sum + valueUsed(line.paidFen, grant), 0)
  const inWindow =
    askedOn <= addDays(paidOn, terms.windowDays) && usedFen * 100 <= line.paidFen * terms.windowUsedPercent
  const left = line.paidFen - line.takenFen
  const kept = line.goodsFen + (inWindow ? 0 : usedFen)
  return { usedFen, inWindow, suggestedFen: Math.max(0, left - kept) }
}

/** Rounded down, in the parent's favour. The product passes what a double holds, so it is calculated in whole numbers. */
function valueUsed(paidFen: number, { sharePermille, usedUnits, totalUnits }: UsedGrant): number {
  if (totalUnits === 0) return 0
  const worth = BigInt(paidFen) * BigInt(sharePermille) * BigInt(Math.min(usedUnits, totalUnits))
  return Number(worth / (1_000n * BigInt(totalUnits)))
}

/** Finance decides too about much money, and about money that came long ago. */
export const needsSecondApproval = (amountFen: number, paidOn: string, askedOn: string, terms: Terms): boolean =>
  amountFen > terms.l2Fen || daysBetween(paidOn, askedOn) > terms.l2Days

/** Units of one lot a refund of `amountFen` takes: of what is left in proportion, and beyond the suggestion of what is used. */
export type LotUse = { readonly owableUnits: number; readonly leftUnits: number }
export type LotTake = { readonly units: number; readonly debt: number }

export function takeFrom(
  { owableUnits, leftUnits }: LotUse,
  { amountFen, suggestedFen, leftFen }: { amountFen: number; suggestedFen: number; leftFen: number },
): LotTake {
  if (amountFen >= suggestedFen) {
    const beyond = leftFen - suggestedFen
    // More than suggested is given back: then more than what is left comes back too, as a debt where it can be owed.
    const debt = beyond === 0 ? 0 : Number((BigInt(owableUnits) * BigInt(amountFen - suggestedFen)) / BigInt(beyond))
    return { units: leftUnits, debt }
  }
  // Rounded down as well: who gets less back keeps at least as much.
  return { units: Number((BigInt(leftUnits) * BigInt(amountFen)) / BigInt(suggestedFen)), debt: 0 }
}

/** Spreads an amount over lines: first within what each should give back, beyond that within what each has left. */
export function spread(
  amountFen: number,
  lines: readonly { readonly suggestedFen: number; readonly leftFen: number }[],
): number[] | undefined {
  const all = (of: (line: (typeof lines)[number]) => number) => lines.reduce((sum, line) => sum + of(line), 0)
  if (amountFen > all(line => line.leftFen)) return undefined
  const suggested = all(line => line.suggestedFen)
  if (amountFen <= suggested)
    return fill(
      amountFen,
      lines.map(line => line.suggestedFen),
    )
  const more = fill(
    amountFen - suggested,
    lines.map(line => line.leftFen - line.suggestedFen),
  )
  return lines.map((line, index) => line.suggestedFen + (more[index] ?? 0))
}

/** Parts of an amount in proportion to the room there is; none gets more than its room. */
function fill(amountFen: number, rooms: readonly number[]): number[] {
  const room = rooms.reduce((sum, part) => sum + part, 0)
  let [given, passed] = [0, 0]
  return rooms.map(part => {
    passed += part
    const upTo = room === 0 ? 0 : Number((BigInt(amountFen) * BigInt(passed)) / BigInt(room))
    const share = upTo - given
    given = upTo
    return share
  })
}
