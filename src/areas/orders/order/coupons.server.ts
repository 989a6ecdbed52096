import { lockMember } from '#areas/members/member/holding.server.ts'
import { refundEffect } from '#areas/orders/refund-application/effects.server.ts'
import { releaseCoupon, spendCoupon } from '#areas/products/coupon/using.server.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { shareOut } from './model.ts'
import { lockForPaying, orderClosed, payOrder } from './paying.server.ts'
import { type NewLine, type NewOrder, type PlacedOrder, placeOrder } from './placing.server.ts'

/** Places an order of which a coupon takes a part off; the coupon is used with it, or neither stands. */
export async function placeWithCoupon(
  change: Change,
  order: NewOrder,
  memberCouponId: string,
): Promise<PlacedOrder | undefined> {
  const { tx } = change
  // The sender's own number, sent again, is the same order: its coupon is used by now, and rightly.
  if (order.orderNo !== undefined) {
    const known = await tx
      .selectFrom('sales_order')
      .select('id')
      .where('order_no', '=', order.orderNo)
      .executeTakeFirst()
    if (known) return undefined
  }
  await lockMember(tx, order.member.id)
  const { lines, markUsed } = await discount(change, { lines: order.lines, memberId: order.member.id }, memberCouponId)
  const placed = await placeOrder(change, { ...order, lines })
  if (!placed) return undefined
  await markUsed(placed.id)
  return placed
}

export type Discounted = {
  readonly lines: readonly NewLine[]
  /** To be called in the same transaction, once the order stands. */
  markUsed(orderId: string): Promise<void>
}

/** What the lines cost once the coupon has taken its part off; the member is locked. */
export async function discount(
  change: Change,
  { lines, memberId }: { lines: readonly NewLine[]; memberId: string },
  memberCouponId: string,
): Promise<Discounted> {
  const coupon = await spendCoupon(change, {
    memberCouponId,
    memberId,
    lines: lines.map(({ product, amountFen }) => ({ productId: product?.id ?? null, amountFen })),
  })
  const shares = shareOut(coupon.discountFen, coupon.weights)
  return {
    lines: lines.map((line, at) => ({ ...line, amountFen: line.amountFen - (shares[at] ?? 0) })),
    markUsed: coupon.markUsed,
  }
}

/** Nothing is left to pay: nobody will send money for it, so it is paid as it is placed. */
export async function payNothing(change: Change, orderId: string): Promise<void> {
  const order = await lockForPaying(change.tx, { id: orderId })
  if (order) await payOrder(change, order)
}

export const couponListeners = [
  listen(orderClosed, async (change, { orderId }) => void (await releaseCoupon(change, orderId))),
  listen(refundEffect, async (change, { name, orderId, isWhole, report }) => {
    if (name !== 'COUPON') return
    report({ coupons: isWhole ? await releaseCoupon(change, orderId) : 0 })
  }),
]

export const couponInvariants: readonly Invariant[] = [
  {
    name: 'a used coupon was used by an order of its holder that was not closed',
    query: `
      select h.id, o.id as order_id from member_coupon h join sales_order o on o.id = h.order_id
      where o.member_id <> h.member_id or o.pay_state = 'CLOSED'`,
  },
]
