import * as z from 'zod'
import type { Terms } from './arithmetic.model.ts'

/**
 * Why finance decides too. The value: fen of 30 days, days since payment, fen beyond the suggestion, the edition of a chain; and the
 * fen beyond the suggestion that were given when finance did not have to be asked yet.
 */
export const L2_WHYS = ['SUM', 'LATE', 'PAYEE', 'BEYOND', 'NOTHING', 'RULE', 'EARLIER'] as const
export const l2Reason = z.strictObject({ why: z.enum(L2_WHYS), value: z.int() })
export type L2Reason = z.infer<typeof l2Reason>

/** So many days of a member's refunds count together: who splits a sum does not get round finance. */
export const SUM_DAYS = 30

/** What changes while a refund waits: what else the member got or asked for, and how long ago the order was paid. */
export type Standing = { readonly sumFen: number; readonly daysSincePaid: number }

export function standingReasons({ sumFen, daysSincePaid }: Standing, terms: Terms): L2Reason[] {
  return [
    ...(sumFen > terms.l2Fen ? [{ why: 'SUM' as const, value: sumFen }] : []),
    ...(daysSincePaid > terms.l2Days ? [{ why: 'LATE' as const, value: daysSincePaid }] : []),
  ]
}

/** What is decided by asking: how much, to whom, and what comes back for it. */
export type Asking = {
  readonly amountFen: number
  readonly suggestedFen: number
  readonly payee: 'PAYER' | 'OTHER' | null
  readonly takesNothing: boolean
}

export function askingReasons({ amountFen, suggestedFen, payee, takesNothing }: Asking): L2Reason[] {
  return [
    ...(payee === 'OTHER' ? [{ why: 'PAYEE' as const, value: 0 }] : []),
    ...(amountFen > suggestedFen ? [{ why: 'BEYOND' as const, value: amountFen - suggestedFen }] : []),
    ...(takesNothing ? [{ why: 'NOTHING' as const, value: 0 }] : []),
  ]
}

/** Newer reasons stand for older ones of their kind; none is forgotten. */
export const withReasons = (known: readonly L2Reason[], fresh: readonly L2Reason[]): L2Reason[] => [
  ...known.filter(({ why }) => fresh.every(reason => reason.why !== why)),
  ...fresh,
]

/** Finance agreed to none of these, or to less beyond the suggestion: nobody can be taken to have decided on them. */
export const isMore = (known: readonly L2Reason[], fresh: readonly L2Reason[]): boolean =>
  fresh.some(({ why, value }) => {
    const before = known.find(reason => reason.why === why)
    return before === undefined || (why === 'BEYOND' && value > before.value)
  })
