/** What no refund has claimed of a lot as yet, and what earlier ones claimed: units that are there, and spent ones that are owed. */
export type LotUse = {
  readonly leftUnits: number
  readonly takenUnits: number
  readonly owableUnits: number
  readonly owedUnits: number
  /** The suggestion kept money back for what was spent of it. */
  readonly isDeducted: boolean
}
type LineRefund = {
  readonly amountFen: number
  readonly suggestedFen: number
  readonly leftFen: number
  readonly takenFen: number
  /** Kept back for use and for goods. */
  readonly keptFen: number
}
type LotTake = { readonly units: number; readonly debt: number }

/** Rights come back in proportion to the money; what was spent is owed as far as no money was kept back for it. */
export function takeFrom(lot: LotUse, line: LineRefund): LotTake {
  const { amountFen, suggestedFen, leftFen, takenFen, keptFen } = line
  const refund = { part: amountFen, whole: suggestedFen > 0 ? suggestedFen : leftFen, before: takenFen }
  // Beyond the suggestion goes back what was kept for use: then what was used is owed.
  const within = Math.max(0, leftFen + takenFen - keptFen)
  const beyond = {
    part: amountFen - suggestedFen,
    whole: leftFen - suggestedFen,
    before: Math.max(0, takenFen - within),
  }
  return {
    units: proportion({ left: lot.leftUnits, taken: lot.takenUnits }, refund),
    debt: proportion({ left: lot.owableUnits, taken: lot.owedUnits }, lot.isDeducted ? beyond : refund),
  }
}

/**
 * As many units of what is left as `part` is of `whole`. Rounded so that with what was taken before, for `before`, all
 * together take what one refund would have taken, rounded down: many small ones take no less.
 */
function proportion(
  { left, taken }: { readonly left: number; readonly taken: number },
  { part, whole, before }: { readonly part: number; readonly whole: number; readonly before: number },
): number {
  if (part <= 0) return 0
  if (part >= whole) return left
  const exact = BigInt(left) * BigInt(part)
  const least = Number(exact / BigInt(whole))
  const most = Number((exact + BigInt(whole) - 1n) / BigInt(whole))
  const together = (BigInt(left + taken) * BigInt(before + part)) / BigInt(before + whole)
  return Math.min(most, Math.max(least, Number(together) - taken))
}
