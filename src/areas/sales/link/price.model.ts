import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { addDays } from '#kit/model/time.ts'

/** What other records know of a link: whether its product is sold, to what day its discount can be used, and to what day its price can be locked. */
export type Standing = {
  readonly today: string
  readonly onSale: boolean
  readonly discountUntil: string | null
  readonly lastDay: string
}

/** A price is locked for so many days from the day it was that of everybody, however often the link is extended. */
export const lastDayOf = (madeOn: string, mostDays: number): string => addDays(madeOn, mostDays)

/** Why a link cannot be in force for longer. */
export function whyNotExtend(_link: unknown, _person: unknown, standing: Standing): Refusal | undefined {
  const { today, onSale, discountUntil, lastDay } = standing
  if (!onSale) return refuse('product-off-sale')
  if (discountUntil !== null && discountUntil < today) return refuse('discount-over', { day: discountUntil })
  if (lastDay < today) return refuse('lock-over', { day: lastDay })
}

/** A discount somebody asked for, as it is about to be sold by. */
export type Discount = {
  readonly kind: string
  readonly status: string
  readonly ownerId: string
  readonly productId: string | null
  readonly usableUntil: string | null
}

/** Why a link cannot be made with a discount. */
export function discountFault(
  { kind, status, ownerId, productId, usableUntil }: Discount,
  wanted: { readonly ownerId: string; readonly productId: string; readonly today: string },
): Refusal | undefined {
  if (kind !== 'DISCOUNT' || status !== 'APPROVED' || usableUntil === null) return refuse('discount-not-agreed')
  if (ownerId !== wanted.ownerId) return refuse('discount-of-another')
  if (productId !== wanted.productId) return refuse('discount-other-product')
  if (usableUntil < wanted.today) return refuse('discount-over', { day: usableUntil })
}

/** Why a link cannot be in force to this day: one of the days to come, no longer than its price is locked, nor than its discount. */
export function dayFault(
  expiresOn: string,
  { today, lastDay, discountUntil }: Omit<Standing, 'onSale'>,
): Refusal | undefined {
  if (expiresOn < today) return refuse('day-past')
  if (discountUntil !== null && expiresOn > discountUntil) return refuse('beyond-discount', { day: discountUntil })
  if (expiresOn > lastDay) return refuse('too-long', { day: lastDay })
}

/** Whether who comes by it today buys at its price. */
export const isInForce = (link: { readonly status: string; readonly expiresOn: string }, today: string): boolean =>
  link.status === 'ACTIVE' && link.expiresOn >= today

/** How the price of an order came about that was placed by a link. */
export const OUTCOMES = {
  LOCKED: 'done',
  DISCOUNTED: 'special',
  NOT_IN_FORCE: 'idle',
  ALREADY_USED: 'attention',
  OTHER_PRODUCT: 'idle',
  WITH_COUPON: 'idle',
} as const
export type Outcome = keyof typeof OUTCOMES

type Selling = {
  readonly status: string
  readonly expiresOn: string
  readonly productId: string
  readonly priceFen: number
  readonly hasDiscount: boolean
}
type Ordered = {
  readonly productId: string | null
  /** What one costs today. */
  readonly todayFen: number
  readonly quantity: number
  readonly hasCoupon: boolean
}

/**
 * What an order costs by a link, and why. A lock protects whoever buys: never more than was promised for each, and not more than everybody
 * pays. An agreed price is for one piece and sold once, and takes no coupon besides; where everybody pays no more than it, it is not used up.
 */
export function priceBy(
  link: Selling,
  { productId, todayFen, quantity, hasCoupon }: Ordered,
  today: string,
): { readonly outcome: Outcome; readonly amountFen: number } {
  const usual = (outcome: Outcome) => ({ outcome, amountFen: todayFen * quantity })
  if (productId !== link.productId) return usual('OTHER_PRODUCT')
  if (link.status === 'USED') return usual('ALREADY_USED')
  if (!isInForce(link, today)) return usual('NOT_IN_FORCE')
  if (!link.hasDiscount || todayFen <= link.priceFen)
    return { outcome: 'LOCKED', amountFen: Math.min(todayFen, link.priceFen) * quantity }
  return hasCoupon
    ? usual('WITH_COUPON')
    : { outcome: 'DISCOUNTED', amountFen: link.priceFen + todayFen * (quantity - 1) }
}

/** Whether the shop says it sold for less than the order costs here. */
export const isShort = (amountFen: number, toldFen: number | null): boolean => toldFen !== null && toldFen < amountFen
