import { formatFen } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { addDays } from '#kit/model/time.ts'
import type { Coupon } from './model.ts'

/** The part of a coupon that a member's copy keeps, whatever becomes of the coupon. */
export type Rule = Pick<Coupon, 'name' | 'kind' | 'amountFen' | 'permille' | 'thresholdFen' | 'productIds'>

export const ruleOf = ({ name, kind, amountFen, permille, thresholdFen, productIds }: Rule): Rule => ({
  name,
  kind,
  amountFen,
  permille,
  thresholdFen,
  productIds,
})

/** A line of an order, as a coupon sees it; what another system sold under a name of its own is no product of ours. */
export type Bought = { readonly productId: string | null; readonly amountFen: number }

export const covers = ({ productIds }: Pick<Rule, 'productIds'>, { productId }: Bought): boolean =>
  productIds.length === 0 || (productId !== null && productIds.includes(productId))

/** What a coupon takes off these lines, or why it does not apply to them. A part of a fen is the parent's. */
export function discountOf(rule: Rule, bought: readonly Bought[]): number | Refusal {
  const lines = bought.filter(line => covers(rule, line))
  if (lines.length === 0) return refuse('products/coupon:coupon-other-products')
  const fen = lines.reduce((sum, { amountFen }) => sum + amountFen, 0)
  if (fen < rule.thresholdFen)
    return refuse('products/coupon:coupon-below-threshold', { amount: formatFen(rule.thresholdFen) })
  const off = rule.kind === 'CASH' ? rule.amountFen : fen - Math.floor((fen * (rule.permille ?? 1_000)) / 1_000)
  return Math.min(off, rule.amountFen, fen)
}

/** The days on which a coupon taken today may be used, both included. */
export const validOn = (
  { validFrom, validTo, validDays }: Pick<Coupon, 'validFrom' | 'validTo' | 'validDays'>,
  today: string,
): { from: string; to: string } => ({
  from: validFrom ?? today,
  to: validTo ?? addDays(today, (validDays ?? 1) - 1),
})

/** Why a member gets no coupon: has as many as one may have, none is left, is not to be found, is frozen. */
export type WhyNotIssued = 'LIMIT' | 'USED_UP' | 'MISSING' | 'FROZEN'
type Room = { readonly left: number; readonly perPerson: number }
type Asked = { readonly status: string | undefined; readonly held: number }

/** One after another, in the order they were asked for: nobody gets one while an earlier one could not. */
export function decideIssue({ left, perPerson }: Room, asked: readonly Asked[]): (WhyNotIssued | null)[] {
  let free = left
  return asked.map(({ status, held }) => {
    if (status === undefined) return 'MISSING'
    if (status !== 'ACTIVE') return 'FROZEN'
    if (held >= perPerson) return 'LIMIT'
    if (free <= 0) return 'USED_UP'
    free -= 1
    return null
  })
}
