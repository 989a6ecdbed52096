import * as z from 'zod'
import type { ValuesOf } from '#engines/rule/fact.model.ts'
import { isStorable } from '#kit/model/storable.ts'
import type { Terms } from './arithmetic.model.ts'
import type { CalculatedLine } from './calculation.model.ts'
import { type L2Reason, withReasons } from './second-approval.model.ts'
import { takesNothing } from './suggesting.model.ts'

/** What a chain knows of a refund. Nothing of it names a person. */
export const RISK_FACTS = {
  amountFen: 'whole',
  suggestedFen: 'whole',
  /** What of the amount no line suggests. */
  beyondFen: 'whole',
  /** What the member got back or asked for in the last 30 days, this one included. */
  sumFen: 'whole',
  l2Fen: 'whole',
  daysSincePaid: 'whole',
  l2Days: 'whole',
  refundsBefore: 'whole',
  isOtherPayee: 'truth',
  takesNothing: 'truth',
  reason: 'text',
  route: 'text',
  channel: 'text',
  /** What of the order it asks back, line by line. */
  lines: {
    name: 'text',
    paidFen: 'whole',
    takenFen: 'whole',
    usedFen: 'whole',
    goodsFen: 'whole',
    suggestedFen: 'whole',
    amountFen: 'whole',
    inWindow: 'truth',
  },
} as const
export type RiskFacts = ValuesOf<typeof RISK_FACTS>

type Asked = {
  readonly payee: string | null
  readonly reason: string
  readonly route: string
  readonly channel: string
  readonly amountFen: number
  readonly suggestedFen: number
  readonly calculation: readonly CalculatedLine[]
}
type Around = {
  readonly sumFen: number
  readonly daysSincePaid: number
  readonly refundsBefore: number
  readonly terms: Pick<Terms, 'l2Fen' | 'l2Days'>
}

export function riskFacts(refund: Asked, { sumFen, daysSincePaid, refundsBefore, terms }: Around): RiskFacts {
  const { amountFen, suggestedFen, calculation, payee, reason, route, channel } = refund
  const within = calculation.reduce((sum, line) => sum + Math.min(line.amountFen, line.suggestedFen), 0)
  return {
    amountFen,
    suggestedFen,
    beyondFen: Math.max(0, amountFen - within),
    sumFen,
    l2Fen: terms.l2Fen,
    daysSincePaid,
    l2Days: terms.l2Days,
    refundsBefore,
    isOtherPayee: payee === 'OTHER',
    takesNothing: takesNothing(calculation),
    reason,
    route,
    channel,
    lines: calculation.map(({ name, paidFen, takenFen, usedFen, goodsFen, suggestedFen, amountFen, inWindow }) => ({
      name,
      paidFen,
      takenFen,
      usedFen,
      goodsFen,
      suggestedFen,
      amountFen,
      inWindow,
    })),
  }
}

/** What the code judges by itself, as a chain says it: a test compares the two. */
export const SHIPPED_RISK = `IF(
  OR(
    overFact.bind("fact", "sumFen").bind("than", "l2Fen"),
    overFact.bind("fact", "daysSincePaid").bind("than", "l2Days"),
    over.bind("fact", "beyondFen").bind("than", 0),
    isTrue.bind("fact", "isOtherPayee"),
    isTrue.bind("fact", "takesNothing")
  ),
  askL2
)`

export const MAX_HOLD_REASON = 200

/** What a chain may decide about a refund: nothing of it lets one pass. */
export const riskOutcome = z.object({
  hold: z.boolean().optional(),
  holdReason: z.string().trim().max(MAX_HOLD_REASON).refine(isStorable).optional(),
  askL2: z.boolean().optional(),
})
type RiskOutcome = z.infer<typeof riskOutcome>

export type Judgement = { readonly needsL2: boolean; readonly l2Reasons: readonly L2Reason[] }

/** A decision on a refund that waits for it. It adds to what the code judged, and takes nothing from it. */
export function tightened(
  { needsL2, l2Reasons }: Judgement,
  { hold = false, holdReason = '', askL2 = false }: RiskOutcome,
  edition: number,
): Judgement & { readonly hold: 'NONE' | 'HELD'; readonly holdReason: string } {
  const asked: L2Reason[] = askL2 && !needsL2 ? [{ why: 'RULE', value: edition }] : []
  return {
    needsL2: needsL2 || askL2,
    l2Reasons: withReasons(l2Reasons, asked),
    hold: hold ? 'HELD' : 'NONE',
    holdReason: hold ? holdReason : '',
  }
}
