import * as z from 'zod'
import { findMember, requireActive } from '#areas/members/member/server.ts'
import { findProduct } from '#areas/products/product/server.ts'
import { receivePayment } from '#engines/payment/server.ts'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { defineEvent, SOURCES } from '#kit/server/live/event.ts'
import { type Change, ownChange } from '#kit/server/operation.ts'
import { placeWithCoupon } from './coupons.server.ts'
import { type NewLine, offeredLine, placeOrder, tellPlaced } from './placing.server.ts'
import { asReceiver, sentPhone, sentReceiver } from './receiver.server.ts'

const orderPlacedEvent = defineEvent({
  type: 'order.placed',
  sources: SOURCES,
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
    amountFen: z.int().min(0).optional(),
    /** What the member holds, not the coupon it is one of. */
    couponId: z.string().regex(ID).optional(),
    source: z.string().regex(/^[A-Z][A-Z0-9_]{0,49}$/),
    receiver: sentReceiver.optional(),
  }),
  async apply({ app, tx, now, key }, { phone: by, ...data }) {
    const change = ownChange(app, tx, now, `event:${key}`)
    const member = await findMember(tx, { phone: by })
    // Kept and tried again: the member's registration may be still on its way.
    if (!member) throw new Refused(refuse('orders/order:member-missing'))
    requireActive(member)
    const line = await orderedLine(change, data)
    const wanted = {
      member,
      lines: [line],
      orderNo: data.orderNo,
      source: data.source,
      receiver: data.receiver && asReceiver(data.receiver),
    }
    const order = await (data.couponId === undefined
      ? placeOrder(change, wanted)
      : placeWithCoupon(change, wanted, data.couponId))
    if (order) await tellPlaced(change, { ...order, productName: line.name }, member)
  },
})

type Ordered = {
  productCode?: string | undefined
  product?: string | undefined
  quantity: number
  amountFen?: number | undefined
}

async function orderedLine({ tx }: Change, { productCode, product, quantity, amountFen }: Ordered): Promise<NewLine> {
  const offered = productCode === undefined ? undefined : await findProduct(tx, { code: productCode })
  if (offered) return offeredLine(offered, quantity)
  if (product === undefined || amountFen === undefined) throw new Refused(refuse('orders/order:product-missing'))
  return { product: null, name: product, quantity, listFen: amountFen, amountFen }
}

const orderPaidEvent = defineEvent({
  type: 'order.paid',
  sources: SOURCES,
  data: z.strictObject({
    orderNo: z.string().regex(/^\d{18}$/),
    provider: z.enum(['WECHAT', 'ALIPAY', 'PLATFORM']),
    providerNo: z.string().regex(/^[\w-]{1,64}$/),
    amountFen: z.int().min(1),
    paidAt: z.iso.datetime({ offset: true }),
  }),
  apply: ({ app, tx, now, key }, { paidAt, ...paid }) =>
    receivePayment(ownChange(app, tx, now, `event:${key}`), { ...paid, paidAt: new Date(paidAt) }),
})

export const arrivals = [orderPlacedEvent, orderPaidEvent]
