import { type LineFacts, spread, suggestLine, type Terms, type UsedGrant, valueUsed } from './arithmetic.model.ts'
import type { CalculatedLine, SuggestedLine, UnsentChoice } from './calculation.model.ts'
import { type LotUse, takeFrom } from './taking.model.ts'

/** A lot as a line's refund sees it: its worth, its use, and what refunds have claimed of it. */
export type ClaimableLot = UsedGrant &
  Omit<LotUse, 'isDeducted'> & { readonly lotId: string; readonly kind: string; readonly name: string }

/** What is known of an order's line before anybody says what becomes of goods that have not left. */
export type KnownLine = Pick<LineFacts, 'paidFen' | 'takenFen'> & {
  readonly lineId: string
  readonly name: string
  readonly lots: readonly ClaimableLot[]
  /** Value of parts that left and have not come back. */
  readonly sentFen: number
  readonly unsentFen: number
  readonly unsentPieces: number
}
export type Known = {
  readonly lines: readonly KnownLine[]
  readonly paidOn: string
  readonly askedOn: string
  readonly terms: Terms
}
export type Choices = ReadonlyMap<string, UnsentChoice>

type Line = SuggestedLine & {
  readonly leftFen: number
  readonly keptFen: number
  readonly lots: readonly (ClaimableLot & LotUse)[]
}
export type Calculation = {
  readonly lines: readonly Line[]
  readonly suggestedFen: number
  /** All that may be asked for. */
  readonly leftFen: number
}

/** What an order should give back; where nobody has said what becomes of unsent goods, `otherwise` does. */
export function suggest(known: Known, choices: Choices, otherwise: UnsentChoice = 'CANCEL'): Calculation {
  const lines = known.lines.map(line => suggestOn(line, known, choices.get(line.lineId) ?? otherwise))
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0)
  return { lines, suggestedFen: sum(line => line.suggestedFen), leftFen: sum(line => line.leftFen) }
}

function suggestOn(line: KnownLine, { paidOn, askedOn, terms }: Known, choice: UnsentChoice): Line {
  const { lots, sentFen, ...said } = line
  const { paidFen, takenFen, unsentFen, unsentPieces } = said
  const unsent = unsentPieces > 0 ? choice : null
  const goodsFen = sentFen + (unsent === 'SEND' ? unsentFen : 0)
  const suggestion = suggestLine({ paidFen, takenFen, goodsFen, grants: lots }, paidOn, askedOn, terms)
  return {
    ...said,
    ...suggestion,
    unsent,
    goodsFen,
    leftFen: paidFen - takenFen,
    lots: lots.map(lot => ({ ...lot, isDeducted: !suggestion.inWindow && valueUsed(paidFen, lot) > 0 })),
  }
}

type Divided = { readonly calculation: Calculation; readonly lines: readonly CalculatedLine[] }

/**
 * How an amount is taken: from which lines, and what goes with it. Unsent goods nobody decided on are cancelled when the
 * whole suggestion goes back, and sent when less does. Nothing when there is not so much.
 */
export function divide(known: Known, amountFen: number, choices: Choices): Divided | undefined {
  const cancelled = suggest(known, choices)
  const calculation = amountFen < cancelled.suggestedFen ? suggest(known, choices, 'SEND') : cancelled
  const amounts = spread(amountFen, calculation.lines)
  if (!amounts) return undefined
  const lines = calculation.lines.flatMap((line, index): CalculatedLine[] => {
    const part = amounts[index] ?? 0
    if (part === 0) return []
    const { leftFen, keptFen, lots, ...said } = line
    const { suggestedFen, takenFen } = said
    const refund = { amountFen: part, suggestedFen, leftFen, takenFen, keptFen }
    const parts = lots.map(lot => {
      const { lotId, kind, name, usedUnits, totalUnits } = lot
      return { lotId, kind, name, usedUnits, totalUnits, leftUnits: lot.leftUnits, ...takeFrom(lot, refund) }
    })
    return [{ ...said, amountFen: part, parts }]
  })
  return { calculation, lines }
}

/** There was something to take back, and nothing is taken. */
export function takesNothing(lines: readonly CalculatedLine[]): boolean {
  const parts = lines.flatMap(line => line.parts)
  const isTaken = lines.some(({ unsent }) => unsent === 'CANCEL') || parts.some(({ units, debt }) => units + debt > 0)
  return !isTaken && parts.some(({ leftUnits }) => leftUnits > 0)
}
