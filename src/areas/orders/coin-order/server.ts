import * as z from 'zod'
import { keepsAccount } from '#areas/members/member/closing.server.ts'
import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { isEnteredByHand } from '#areas/orders/examination/transfer.server.ts'
import { type Receiver, UNPAID_MS } from '#areas/orders/order/placing.server.ts'
import { asReceiver, sentPhone, sentReceiver } from '#areas/orders/order/receiver.server.ts'
import { giveBackPiece } from '#areas/products/coin-goods/server.ts'
import { giveBack } from '#engines/entitlement/server.ts'
import { giveMoneyBack } from '#engines/payment/refund.server.ts'
import { paymentReceived, type ReceivedPayment, receivePayment, takePayment } from '#engines/payment/server.ts'
import { numbersKept } from '#engines/sequence/server.ts'
import { ID, money } from '#kit/model/field.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineEvent, NotYet } from '#kit/server/live/event.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { type CashBack, type CoinOrder, type CoinOrderFacts, resource, workflow } from './model.ts'
import { lockKnownMember, tryCoinOrder } from './placing.server.ts'

export type ApprovedCoinOrder = {
  readonly coinOrderId: string
  readonly memberId: string
  readonly receiver: Receiver
  readonly baseProductId: string
  readonly quantity: number
  readonly name: string
}
/** A coin order goes to the send desk. Whoever sends holds the goods for it, or refuses. */
export const coinOrderApproved = defineAnnouncement<ApprovedCoinOrder>('coin-order-approved')
/** A coin order will not be sent: what is held for it is free again. Refused by whoever has already sent it. */
export const coinOrderCancelled = defineAnnouncement<{ coinOrderId: string }>('coin-order-cancelled')

export const routes = serve(resource, {
  workflow,
  facts: factsOf,
  // The member first, as when it was placed: cancelling gives coins back.
  async lock(op, id) {
    const found = await op.tx.selectFrom('coin_order').select('member_id').where('id', '=', id).executeTakeFirst()
    if (found) await lockMember(op.tx, found.member_id)
  },
  effects: {
    approve: (op, row) => toTheSendDesk(op, row),
    cancel: (op, row) => giveAllBack(op, row),
    repeatCashBack: (op, row) => giveCashBack(op, row),
  },
  detail: async (app, row) => ({ ...(await factsOf(app.db.query, [row])).get(row.id) }),
})

async function toTheSendDesk(change: Change, row: CoinOrder): Promise<void> {
  const { base_product_id: baseProductId } = await change.tx
    .selectFrom('coin_goods')
    .select('base_product_id')
    .where('id', '=', row.coinGoodsId)
    .executeTakeFirstOrThrow()
  await announce(change, coinOrderApproved, {
    coinOrderId: row.id,
    memberId: row.memberId,
    receiver: {
      name: row.receiverName,
      phone: row.receiverPhone,
      province: row.receiverProvince,
      address: row.receiverAddress,
    },
    baseProductId,
    quantity: 1,
    name: row.goodsName,
  })
}

type Cancelled = Pick<CoinOrder, 'id' | 'orderNo' | 'memberId' | 'coinGoodsId'>

/** Coins go back to the lots they came from, the piece to the quota, the cash the way it came. */
async function giveAllBack(change: Change, row: Cancelled): Promise<void> {
  await giveBack(change, row.memberId, row.id)
  await giveBackPiece(change.tx, row.coinGoodsId)
  await giveCashBack(change, row)
  await announce(change, coinOrderCancelled, { coinOrderId: row.id })
}

async function giveCashBack(change: Change, { id, orderNo }: Pick<CoinOrder, 'id' | 'orderNo'>): Promise<void> {
  const payment = await change.tx
    .selectFrom('payment')
    .select(['id', 'amount_fen'])
    .where('coin_order_id', '=', id)
    .where('status', '=', 'RECEIVED')
    .executeTakeFirst()
  if (!payment) return
  await giveMoneyBack(change, {
    paymentId: payment.id,
    refundNo: `${orderNo}-back`,
    refundId: null,
    amountFen: fen(payment.amount_fen),
  })
}

async function factsOf(db: Reading, rows: readonly Pick<CoinOrder, 'id'>[]): Promise<Map<string, CoinOrderFacts>> {
  const refunds = await db
    .selectFrom('payment as p')
    .innerJoin('provider_refund as r', 'r.payment_id', 'p.id')
    .select(['p.coin_order_id', 'r.status'])
    .where(
      'p.coin_order_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  const states = new Map(refunds.map(row => [row.coin_order_id, CASH_STATES[row.status] ?? 'FAILED']))
  return new Map(rows.map(({ id }) => [id, { cashBack: states.get(id) ?? 'NONE' }]))
}
const CASH_STATES: Readonly<Record<string, CashBack>> = { PROCESSING: 'UNDER_WAY', SUCCESS: 'DONE' }

/** How far the goods of a coin order have come; logistics knows, and tells it here. */
export async function setCoinOrderProgress(change: Change, coinOrderId: string, state: 'SENT' | 'DONE'): Promise<void> {
  const row = await lockCoinOrder(change.tx, { id: coinOrderId })
  const before = state === 'SENT' ? ['APPROVED'] : ['APPROVED', 'SENT']
  if (!row || !before.includes(row.status)) return
  await writeChange(change, resource, row, { status: state }, state === 'SENT' ? 'send' : 'finish')
}

const lockCoinOrder = (tx: Tx, by: { id: string } | { orderNo: string }) =>
  tx
    .selectFrom('coin_order')
    .select(['id', 'order_no as orderNo', 'member_id as memberId', 'coin_goods_id as coinGoodsId', 'status'])
    .select(['cash_fen as cashFen', 'paid_fen as paidFen'])
    .where(eb => ('id' in by ? eb('id', '=', by.id) : eb('order_no', '=', by.orderNo)))
    .forUpdate()
    .executeTakeFirst()

async function takeCash(change: Change, payment: ReceivedPayment): Promise<void> {
  if (!payment.orderNo.startsWith('C')) return
  const order = await lockCoinOrder(change.tx, { orderNo: payment.orderNo })
  if (!order) return
  const against = order.status === 'CANCELLED' ? 'CLOSED' : fen(order.paidFen) > 0 ? 'TWICE' : undefined
  const recorded = (await isEnteredByHand(change.tx, payment)) ? 'RECORDED' : undefined
  const due = { of: { coinOrderId: order.id }, amountFen: fen(order.cashFen), against: recorded ?? against } as const
  await takePayment(change, payment, due, () =>
    writeChange(change, resource, { ...order, paidFen: 0 }, { paidFen: payment.amountFen }, 'pay'),
  )
}

export const listeners = [
  listen(paymentReceived, takeCash),
  followOwner('coin_order'),
  keepsAccount('coin_order', "status in ('WAITING', 'APPROVED', 'SENT')", 'orders/coin-order:open-keeps'),
  forgets({
    table: 'coin_order',
    becomes: { receiver_name: "'-'", receiver_phone: "'-'", receiver_address: "'-'" },
    known: ['receiver_name', 'receiver_phone', 'receiver_address'],
  }),
]

/** As many characters as a payment keeps of what it says it is for. */
const MAX_SAID = 64

const coinOrderPlaced = defineEvent({
  type: 'coin-order.placed',
  sources: ['app'],
  data: z
    .strictObject({
      memberId: z.string().regex(ID).optional(),
      phone: sentPhone.optional(),
      coinGoodsId: z.string().regex(ID),
      receiver: sentReceiver,
      payment: z
        .strictObject({
          provider: z.enum(['WECHAT', 'ALIPAY']),
          providerNo: z.string().regex(/^[\w-]{1,64}$/),
          amountFen: money(1),
        })
        .optional(),
    })
    .refine(given => given.memberId !== undefined || given.phone !== undefined),
  async apply({ app, tx, now, key }, { memberId, phone, coinGoodsId, receiver, payment }) {
    const change = ownChange(app, tx, now, `event:${key}`)
    const member = await lockKnownMember(tx, { memberId, phone })
    // The member's registration may be still on its way.
    if (!member) throw new NotYet(refuse('orders/order:member-missing'))
    const placed = await tryCoinOrder(change, { member, coinGoodsId, receiver: asReceiver(receiver) })
    // What cannot be had now must not be had weeks later, when there are coins again: the wish ends here, its money goes back.
    if (placed instanceof Refused) app.log.info({ event: key, code: placed.refusal.code }, 'a coin order was refused')
    if (payment)
      await receivePayment(change, {
        ...payment,
        // A wish that was refused has no number, and its money names none that an order could have.
        orderNo: placed instanceof Refused ? `wish:${key}`.slice(0, MAX_SAID) : placed.orderNo,
        paidAt: now,
        sender: 'app',
      })
  },
})
export const events = [coinOrderPlaced]

const CANCELLED_AT_ONCE = 100

/** Coins are not kept waiting for cash that does not come. */
const cancelUnpaid = defineJob({
  name: 'cancel-unpaid-coin-orders',
  cron: '0 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx, now } = change
    const due = await tx
      .selectFrom('coin_order')
      .select(['id', 'member_id as memberId'])
      .where('status', '=', 'WAITING')
      .whereRef('paid_fen', '<', 'cash_fen')
      .where('created_at', '<=', new Date(now.getTime() - UNPAID_MS).toISOString())
      .orderBy('member_id')
      .orderBy('id')
      .limit(CANCELLED_AT_ONCE)
      .execute()
    return each(due, async ({ id, memberId }) => {
      await lockMember(tx, memberId)
      const row = await lockCoinOrder(tx, { id })
      if (row?.status !== 'WAITING' || row.paidFen === row.cashFen) return false
      await giveAllBack(change, row)
      return writeChange(change, resource, row, { status: 'CANCELLED' }, 'cancel')
    })
  },
})
export const jobs = [cancelUnpaid]

export const invariants: readonly Invariant[] = [
  ...numbersKept('C', { table: 'coin_order', no: 'order_no', givenAt: 'created_at' }),
  seenByOwner('coin_order'),
  {
    name: 'a coin order holds the coins it cost, a cancelled one none',
    query: `
      select o.id, o.coins, coalesce(-sum(e.delta), 0) as held from coin_order o left join entitlement_entry e on e.coin_order_id = o.id
      group by o.id having coalesce(-sum(e.delta), 0) <> case when o.status = 'CANCELLED' then 0 else o.coins end`,
  },
  {
    name: 'the cash of a coin order is the payment it took, and nothing is sent before it came',
    query: `
      select o.id from coin_order o left join payment p on p.coin_order_id = o.id and p.status = 'RECEIVED'
      group by o.id having o.paid_fen <> coalesce(sum(p.amount_fen), 0)
        or (o.status in ('APPROVED', 'SENT', 'DONE') and o.paid_fen < o.cash_fen)`,
  },
  {
    name: 'what the coin mall has sold is the number of its orders that stand',
    query: `
      select g.id, g.sold, count(o.id) as orders from coin_goods g
      left join coin_order o on o.coin_goods_id = g.id and o.status <> 'CANCELLED'
      group by g.id having g.sold <> count(o.id)`,
  },
]
