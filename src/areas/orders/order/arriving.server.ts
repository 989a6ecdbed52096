import * as z from 'zod'
import { requireActive } from '#areas/members/member/known.server.ts'
import { lockKnownMember } from '#areas/orders/coin-order/placing.server.ts'
import { findProduct } from '#areas/products/product/server.ts'
import { lockOrderNo } from '#engines/payment/number.server.ts'
import { receivePayment } from '#engines/payment/server.ts'
import { dictionary, ID, instant, money } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineEvent, NotYet, SELLERS, type Seller } from '#kit/server/live/event.ts'
import { orderByLink } from './by-link.server.ts'
import { payNothing, placeWithCoupon } from './coupons.server.ts'
import { takeWaitingMoney } from './paying.server.ts'
import { type NewLine, offeredLine, placeOrder, productNameOf, tellPlaced } from './placing.server.ts'
import { asReceiver, sentPhone, sentReceiver } from './receiver.server.ts'
import { requireOwnOrder, senderOf } from './sender.server.ts'

const orderPlacedEvent = defineEvent({
  type: 'order.placed',
  sources: SELLERS,
  data: z.strictObject({
    orderNo: z
      .string()
      .regex(/^\d{18}$/)
      .optional(),
    phone: sentPhone,
    /** Ours, by its code; or what the sender calls it, which gives nothing here. */
    productCode: z.string().max(30).optional(),
    product: z.string().trim().min(1).max(100).optional(),
    quantity: z.int().min(1).max(100).default(1),
    amountFen: money().optional(),
    /** What the member holds, not the coupon it is one of. */
    couponId: z.string().regex(ID).optional(),
    source: dictionary('ORDER_SOURCE'),
    receiver: sentReceiver.optional(),
    /** What the link has sent along that the buyer came by. */
    state: z.string().min(1).max(64).optional(),
  }),
  async apply({ app, tx, now, key, source }, { phone, ...data }) {
    if (senderOf(data.source) !== source) throw new Refused(refuse('orders/order:source-of-another'))
    const change = ownChange(app, tx, now, `event:${key}`)
    if (data.orderNo !== undefined) await lockOrderNo(tx, data.orderNo)
    const member = await lockKnownMember(tx, { memberId: undefined, phone })
    // The member's registration may be still on its way.
    if (!member) throw new NotYet(refuse('orders/order:member-missing'))
    requireActive(member)
    const ordered = await orderedLine(change, data, source)
    const link = await linkOf(change, ordered, data)
    const line = link?.line ?? ordered
    const wanted = {
      member,
      lines: [line],
      linkId: link?.linkId,
      orderNo: data.orderNo,
      source: data.source,
      receiver: data.receiver && asReceiver(data.receiver),
    }
    const order = await (data.couponId === undefined
      ? placeOrder(change, wanted)
      : placeWithCoupon(change, wanted, data.couponId))
    if (!order) return requireSame(tx, wanted)
    await link?.markPlaced(order)
    if (order.amountFen === 0) await payNothing(change, order.id)
    else await takeWaitingMoney(change, order)
    await tellPlaced(change, { ...order, productName: line.name }, member)
  },
})

type Sent = {
  readonly state?: string | undefined
  readonly couponId?: string | undefined
  readonly amountFen?: number | null | undefined
}

const linkOf = async (change: Change, line: NewLine, { state, couponId, amountFen: toldFen = null }: Sent) =>
  state === undefined
    ? undefined
    : ask(change.app, orderByLink, { change, state, line, hasCoupon: couponId !== undefined, toldFen })

/** Its own number, sent again under another event, is the same order; another order cannot have it. */
async function requireSame(
  tx: Tx,
  wanted: { member: { id: string }; lines: readonly NewLine[]; orderNo?: string | undefined },
) {
  const { orderNo = '', member, lines } = wanted
  const first = await tx
    .selectFrom('sales_order')
    .select(['member_id', 'product_name'])
    .where('order_no', '=', orderNo)
    .executeTakeFirst()
  if (first?.member_id !== member.id || first.product_name !== productNameOf(lines))
    throw new Refused(refuse('orders/order:number-taken', { orderNo }))
}

type Ordered = {
  productCode?: string | undefined
  product?: string | undefined
  quantity: number
  amountFen?: number | undefined
}

async function orderedLine(
  { tx }: Change,
  { productCode, product, quantity, amountFen }: Ordered,
  source: Seller,
): Promise<NewLine> {
  const offered = productCode === undefined ? undefined : await findProduct(tx, { code: productCode })
  // A shop has sold it already; in the app nothing is sold that is not on sale.
  if (offered && !offered.onSale && source === 'app') throw new Refused(refuse('orders/order:product-off-sale'))
  if (offered) return offeredLine(offered, quantity)
  if (product === undefined || amountFen === undefined) throw new Refused(refuse('orders/order:product-missing'))
  return { product: null, name: product, quantity, listFen: amountFen, amountFen }
}

const orderPaidEvent = defineEvent({
  type: 'order.paid',
  sources: SELLERS,
  data: z.strictObject({
    orderNo: z.string().regex(/^\d{18}$/),
    provider: z.enum(['WECHAT', 'ALIPAY', 'PLATFORM']),
    providerNo: z.string().regex(/^[\w-]{1,64}$/),
    amountFen: money(1),
    paidAt: instant(),
  }),
  async apply({ app, tx, now, key, source }, { paidAt, ...paid }) {
    if ((paid.provider === 'PLATFORM') !== (source !== 'app'))
      throw new Refused(refuse('orders/order:payment-of-another'))
    await requireOwnOrder(tx, paid.orderNo, source)
    await receivePayment(ownChange(app, tx, now, `event:${key}`), { ...paid, paidAt: new Date(paidAt), sender: source })
  },
})

export const arrivals = [orderPlacedEvent, orderPaidEvent]
