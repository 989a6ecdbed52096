import { refundEffect } from '#areas/orders/refund-application/effects.server.ts'
import { releaseCoupon, spendCoupon } from '#areas/products/coupon/using.server.ts'
import { lockMember } from '#engines/entitlement/server.ts'
import { listen } from '#kit/server/announce.ts'
import type { Change } from '#kit/server/operation.ts'
import { shareOut } from './model.ts'
import { lockForPaying, orderClosed, payOrder } from './paying.server.ts'
import { type NewOrder, type PlacedOrder, placeOrder } from './placing.server.ts'

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
  const coupon = await spendCoupon(change, {
    memberCouponId,
    memberId: order.member.id,
    lines: order.lines.map(({ product, amountFen }) => ({ productId: product?.id ?? null, amountFen })),
  })
  const shares = shareOut(coupon.discountFen, coupon.weights)
  const lines = order.lines.map((line, at) => ({ ...line, amountFen: line.amountFen - (shares[at] ?? 0) }))
  const placed = await placeOrder(change, { ...order, lines })
  if (!placed) return undefined
  await coupon.markUsed(placed.id)
  if (placed.amountFen === 0) await payNothing(change, placed.id)
  return placed
}

/** Nothing is left to pay: nobody will send money for it, so it is paid as it is placed. */
async function payNothing(change: Change, orderId: string): Promise<void> {
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
