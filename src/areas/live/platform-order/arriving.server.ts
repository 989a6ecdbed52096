import * as z from 'zod'
import { findMember } from '#areas/members/member/known.server.ts'
import { memberNumbered } from '#areas/members/member/leads.server.ts'
import { recognise } from '#areas/members/member/recognising.server.ts'
import { saidOfMember, tellOfMember, word } from '#areas/members/member/telling.server.ts'
import { orderPaid } from '#areas/orders/order/paying.server.ts'
import { requireOwnOrder } from '#areas/orders/order/sender.server.ts'
import { asksOrders, type ShopOrder } from '#engines/platform/server.ts'
import { PUSHES } from '#kit/model/contract.ts'
import { instant, money } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { deliver } from '#kit/server/change/outbox.ts'
import { type Applying, defineEvent, NotYet, SHOPS } from '#kit/server/live/event.ts'
import { writeException } from './exceptions.server.ts'
import { type Facts, told } from './facts.model.ts'
import { hear, settle } from './hearing.server.ts'
import { holdWhatItGave } from './opening.server.ts'
import { PLATFORM_OF, type Platform } from './platforms.server.ts'
import { lockedRow, type PlatformRow, SYNC } from './row.server.ts'

const orderNo = word(64)
// Platforms often give a phone only in part: such a one is kept as it came, and finds nobody.
const mobile = word(40).transform(typed => parsePhone(typed) ?? typed)
const at = instant().optional()

const changeOf = ({ app, tx, now, key }: Applying): Change => ownChange(app, tx, now, `event:${key}`)
const timeOf = (given: string | undefined, now: Date): Date => (given === undefined ? now : new Date(given))

/** What a platform tells of an order: all of it, or what has changed. */
const orderTold = defineEvent({
  type: 'platform-order.told',
  sources: SHOPS,
  data: z.strictObject({
    orderNo,
    at,
    paidAt: instant().optional(),
    isClosed: z.boolean().optional(),
    product: word(100).optional(),
    skuId: word(64).optional(),
    /** Ours, which the shop keeps beside what it sells. */
    productCode: word(30).optional(),
    amountFen: money().optional(),
    status: word(40).optional(),
    afterSale: word(60).optional(),
    isRefundAsked: z.boolean().optional(),
    buyerMobile: mobile.optional(),
    /** Of the platform's own numbers: it only forwards. */
    isVirtual: z.boolean().default(false),
    unionid: word(128).optional(),
    state: word(128).optional(),
    author: word(100).optional(),
    room: word(100).optional(),
    certificate: z.strictObject({ id: word(64), code: word(200).optional(), last4: word(4).optional() }).optional(),
  }),
  async apply(applying, { at: when, ...order }) {
    const { tx, now, source } = applying
    await requireOwnOrder(tx, order.orderNo, source)
    const told = { ...order, at: timeOf(when, now).toISOString() }
    const change = changeOf(applying)
    const row = await hearOrder(change, PLATFORM_OF[source], told, 'tell')
    if (asksOrders(applying.app, source) && isToldInPart(row))
      await deliver(change, { kind: SYNC, key: `${row.id}:told`, payload: { id: row.id } })
  },
})

/** Messages of some platforms name an order and little more: the rest is asked for. */
const isToldInPart = ({ product_name: product, amount_fen: amount, platform, facts }: PlatformRow): boolean =>
  product === null || amount === null || (platform === 'DOUYIN' && (facts as Facts).certificate === undefined)

/** An order as its platform has it. */
export async function hearOrder(
  change: Change,
  platform: Platform,
  order: ShopOrder,
  action: string,
): Promise<PlatformRow> {
  const { certificate, buyerMobile } = order
  const { row } = await hear(change, {
    platform,
    orderNo: order.orderNo,
    action,
    at: new Date(order.at),
    paidAt: order.paidAt === undefined ? undefined : new Date(order.paidAt),
    facts: {
      productName: order.product,
      skuId: order.skuId,
      productCode: order.productCode,
      amountFen: order.amountFen,
      platformStatus: order.status,
      afterSale: order.afterSale,
      refundAsked: order.isRefundAsked,
      platformPhone:
        buyerMobile === undefined ? undefined : { number: buyerMobile, isVirtual: order.isVirtual ?? false },
      unionid: order.unionid,
      state: order.state,
      author: order.author,
      room: order.room,
      closed: order.isClosed || undefined,
      certificate: certificate && {
        id: certificate.id,
        code: certificate.code ?? null,
        last4: certificate.last4 ?? null,
      },
    },
  })
  return row
}

/** Push 6: somebody has entered the code and claims the course, mostly under a number of one's own. */
const claimed = defineEvent({
  type: PUSHES[6].event,
  sources: ['douyin', 'wechat-shop', 'xiaohongshu'],
  data: saidOfMember({
    orderNo,
    product: word(100),
    at,
    state: word(128).optional(),
    /** Whoever claims it has added a consultant in the chat tool too; told with the claim, or again once it is so. */
    isChatAdded: z.boolean().optional(),
  }),
  async apply(applying, { orderNo: no, product, at: when, state, isChatAdded, memberId, phone }) {
    const { app, tx, now, source, key } = applying
    const { row, isNews } = await hear(changeOf(applying), {
      platform: PLATFORM_OF[source],
      orderNo: no,
      at: timeOf(when, now),
      facts: {
        claimed: true,
        chatAdded: isChatAdded || undefined,
        productName: product,
        ownPhone: phone && parsePhone(phone),
        state,
      },
      memberId,
      action: 'claim',
    })
    if (source !== 'douyin' || !isNews('claimed')) return
    const member = row.member_id === null ? undefined : await findMember(tx, { memberId: row.member_id })
    await tellOfMember(app, tx, { type: 6, key, content: { orderNo: no, product }, member, phone })
  },
})

/** Push 7: the buyer has registered in the app, under a number that need not be the one it was bought with. */
const registered = defineEvent({
  type: PUSHES[7].event,
  sources: ['app'],
  data: saidOfMember({
    product: word(100),
    at,
    platform: z.enum(SHOPS).optional(),
    orderNo: orderNo.optional(),
    unionid: word(128).optional(),
    state: word(128).optional(),
  }),
  async apply(applying, { memberId, phone, product, platform: shop, orderNo: no, at: when, ...names }) {
    const { app, tx, now, key } = applying
    // Not locked yet: orders are, before their member.
    const known = await tx
      .selectFrom('member')
      .select('id')
      .where(eb => (memberId === undefined ? eb('phone', '=', parsePhone(phone ?? '') ?? '') : eb('id', '=', memberId)))
      .executeTakeFirst()
    const order = shop && no ? { shop, orderNo: no } : undefined
    // Whose it is would be lost; the registration may be still on its way.
    if (!known && (order || names.unionid !== undefined || names.state !== undefined))
      throw new NotYet(refuse('members/member:member-unknown'))
    if (known) await recognise(changeOf(applying), { memberId: known.id, ...names, order, at: timeOf(when, now) })
    const member = known && (await findMember(tx, { memberId: known.id }))
    await tellOfMember(app, tx, { type: 7, key, content: { product }, member, phone })
  },
})

/** A platform has verified a certificate, here or elsewhere, or taken that back. */
const verified = defineEvent({
  type: 'voucher.verified',
  sources: ['douyin'],
  data: z.strictObject({
    orderNo,
    at,
    certificateId: word(64).optional(),
    verifyId: word(64).optional(),
    isCancelled: z.boolean().default(false),
  }),
  async apply(applying, { orderNo: no, at: when, verifyId, isCancelled }) {
    await hear(changeOf(applying), {
      platform: 'DOUYIN',
      orderNo: no,
      at: timeOf(when, applying.now),
      facts: { verified: { isOn: !isCancelled, verifyId: verifyId ?? null }, verifyId },
      action: isCancelled ? 'verifyCancelled' : 'verified',
    })
  },
})

/** Push 8 and a notice: the money is back already, and nobody has entered it yet. */
const refunded = defineEvent({
  type: PUSHES[8].event,
  sources: SHOPS,
  data: z.strictObject({
    orderNo,
    at,
    leadMobile: mobile.optional(),
    mobilePhone: mobile.optional(),
    amountFen: money().optional(),
  }),
  async apply(applying, { orderNo: no, at: when, leadMobile, mobilePhone, amountFen }) {
    const { tx, now, source } = applying
    await requireOwnOrder(tx, no, source)
    await hear(changeOf(applying), {
      platform: PLATFORM_OF[source],
      orderNo: no,
      at: timeOf(when, now),
      facts: { refunded: true, refundedFen: amountFen, ownPhone: leadMobile, registeredPhone: mobilePhone },
      action: 'refund',
    })
  },
})

export const events = [orderTold, claimed, registered, verified, refunded]

/** Its money was back before our order was paid: what that gives now is held from the first. */
export const paidLate = listen(orderPaid, async (change, { orderId, memberId }) => {
  const frozen = await change.tx
    .selectFrom('platform_order')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('frozen', '=', true)
    .forUpdate()
    .execute()
  if (frozen.length > 0) await holdWhatItGave(change, orderId, memberId, true)
  for (const row of frozen) await writeException(change, row)
})

/** Who registers under a number finds what was bought under it; the number is locked, and so comes nothing new meanwhile. */
export const numbered = listen(memberNumbered, async (change, { memberId, phone }) => {
  const waiting = await change.tx
    .selectFrom('platform_order')
    .select('id')
    .where('lead_phone', '=', phone)
    .where('phone_kind', 'in', ['OWN', 'DECRYPTED'])
    .where('member_id', 'is', null)
    .orderBy('id')
    .execute()
  const member = waiting.length > 0 ? await findMember(change.tx, { memberId }) : undefined
  for (const { id } of waiting) {
    const row = await lockedRow(change.tx, id)
    const facts = told(row.facts as Facts, change.now.toISOString(), { registered: true })
    await settle(change, row, facts, member, 'register')
  }
})
