import type { Reading } from '#kit/server/change/rules.ts'
import type { CalculatedLine } from './calculation.model.ts'
import type { RefundApplication } from './model.ts'
import { askingReasons, type L2Reason } from './second-approval.model.ts'
import { type Order, reasonsForMore } from './second-approval.server.ts'
import { type Calculation, type Known, takesNothing } from './suggesting.model.ts'

/** What is asked for, and what is suggested at this moment. */
type Asking = Pick<RefundApplication, 'payee'> & {
  readonly amountFen: number
  /** What of it each line gives; nothing where there is not so much. */
  readonly lines: readonly CalculatedLine[] | null
  readonly calculation: Calculation
}

/** Why finance has to agree to what is asked for now, or asked for once more: the same whoever asks, and on which way. */
export async function reasonsToAsk(
  db: Reading,
  { order, known, now }: { readonly order: Order; readonly known: Known; readonly now: Date },
  { amountFen, payee, lines, calculation }: Asking,
): Promise<L2Reason[]> {
  return [
    ...(await reasonsForMore(db, order, { now, amountFen, terms: known.terms })),
    ...askingReasons({
      amountFen,
      suggestedFen: lines ? within(lines, calculation) : calculation.suggestedFen,
      payee,
      takesNothing: takesNothing(lines ?? []),
    }),
  ]
}

/** What of it is suggested, line by line: what one gives too much is not made good by another that could have given more. */
function within(lines: readonly CalculatedLine[], calculation: Calculation): number {
  const suggested = new Map(calculation.lines.map(line => [line.lineId, line.suggestedFen]))
  return lines.reduce((sum, { lineId, amountFen }) => sum + Math.min(amountFen, suggested.get(lineId) ?? 0), 0)
}

/** Whatever is not the suggestion says why. */
export const needsWhy = (amountFen: number, deviation: string, { suggestedFen }: Calculation): boolean =>
  amountFen !== suggestedFen && deviation === ''
