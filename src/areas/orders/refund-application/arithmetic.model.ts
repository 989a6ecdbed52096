import type { ValuesOf } from '#kit/model/setting.ts'
import { addDays } from '#kit/model/time.ts'
import type { settings } from './settings.model.ts'

/** What a line's grant is worth and how much of it has been used. */
export type UsedGrant = {
  readonly sharePermille: number
  readonly usedUnits: number
  readonly totalUnits: number
  /** Used units that earlier refunds made a debt: no money is kept back for them. */
  readonly owedUnits?: number
}
export type LineFacts = {
  /** The line's share of what was paid. */
  readonly paidFen: number
  /** Refunds of the line already paid or asked for. */
  readonly takenFen: number
  readonly grants: readonly UsedGrant[]
  /** Value of parts that left and have not come back, and of those that shall leave all the same. */
  readonly goodsFen: number
}
/** The numbers of the business a refund is asked for under, and decided by. */
export type Terms = ValuesOf<typeof settings>
type LineSuggestion = {
  readonly usedFen: number
  readonly suggestedFen: number
  readonly inWindow: boolean
  /** What use and goods would have kept back if nothing of it were owed. */
  readonly keptFen: number
}

/** What one line should give back: what was paid, less what was used and what is still out. All in whole fen. */
export function suggestLine(line: LineFacts, paidOn: string, askedOn: string, terms: Terms): LineSuggestion {
  const { paidFen, takenFen, goodsFen, grants } = line
  const allUsed = grants.reduce((sum, grant) => sum + valueUsed(paidFen, grant), 0)
  const owed = grants.reduce((sum, grant) => sum + valueUsed(paidFen, { ...grant, usedUnits: grant.owedUnits ?? 0 }), 0)
  const inWindow = askedOn <= addDays(paidOn, terms.windowDays) && allUsed * 100 <= paidFen * terms.windowUsedPercent
  const usedFen = allUsed - owed
  const suggestedFen = Math.max(0, paidFen - takenFen - goodsFen - (inWindow ? 0 : usedFen))
  return { usedFen, inWindow, suggestedFen, keptFen: goodsFen + (inWindow ? 0 : allUsed) }
}

/** Rounded down, in the parent's favour. The product passes what a double holds, so it is calculated in whole numbers. */
export function valueUsed(paidFen: number, { sharePermille, usedUnits, totalUnits }: UsedGrant): number {
  if (totalUnits === 0) return 0
  const worth = BigInt(paidFen) * BigInt(sharePermille) * BigInt(Math.min(usedUnits, totalUnits))
  return Number(worth / (1_000n * BigInt(totalUnits)))
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
