import { sql } from 'kysely'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { memberPaid } from '#areas/members/member/paying.server.ts'
import { isEnteredByHand } from '#areas/orders/examination/transfer.server.ts'
import { spendAgain } from '#areas/products/coupon/using.server.ts'
import { countSold } from '#areas/products/product/server.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { type Granted, giveGrants } from '#engines/entitlement/server.ts'
import { takeStray } from '#engines/payment/exception.server.ts'
import type { StrayReason } from '#engines/payment/provider.server.ts'
import { paymentReceived, type ReceivedPayment, takePayment, waitingPayments } from '#engines/payment/server.ts'
import { fen, formatFen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { earnCommission } from './commission.server.ts'
import { resource, shareOut } from './model.ts'
import type { PlacedOrder } from './placing.server.ts'
import { senderOf } from './sender.server.ts'

type PaidLine = {
  readonly id: string
  readonly quantity: number
  readonly grants: readonly Grant[]
  /** Goods that are not there may be waited for. */
  readonly mayWait: boolean
}
/** Why it is given: bought, or a code that was bought elsewhere. */
type Given = Pick<Granted, 'source' | 'redemptionId'>
export type PaidOrder = { readonly orderId: string; readonly memberId: string; readonly lines: readonly PaidLine[] }

/** An order is paid: what it gives has been given, and what it sends can be prepared. */
export const orderPaid = defineAnnouncement<PaidOrder>('order-paid')

type Row = {
  id: string
  memberId: string
  payState: string
  amountFen: number
  source: string
  soldBy: string | null
}

/** The member before the order, as everywhere: paying changes both. */
export async function lockForPaying(tx: Tx, by: { id: string } | { orderNo: string }): Promise<Row | undefined> {
  const order = () =>
    tx.selectFrom('sales_order').where(eb => ('id' in by ? eb('id', '=', by.id) : eb('order_no', '=', by.orderNo)))
  const found = await order().select('member_id').executeTakeFirst()
  if (!found) return undefined
  await lockMember(tx, found.member_id)
  const row = await order()
    .select(['id', 'member_id', 'pay_state', 'amount_fen', 'source', 'sold_by'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    memberId: row.member_id,
    payState: row.pay_state,
    amountFen: fen(row.amount_fen),
    source: row.source,
    soldBy: row.sold_by,
  }
}

/** Member and order before what hangs on the order, as when it was made. */
export async function lockOrderOf(
  tx: Tx,
  table: 'order_examination' | 'redemption' | 'refund_application',
  id: string,
): Promise<void> {
  const { rows } = await sql<{ order_id: string }>`select order_id from ${sql.table(table)} where id = ${id}`.execute(
    tx,
  )
  if (rows[0]) await lockForPaying(tx, { id: rows[0].order_id })
}

/** The whole amount has come in: the order is paid, its lines share the money, and the member gets what was bought. */
export async function payOrder(
  change: Change,
  order: Omit<Row, 'source'>,
  given: Given = { source: 'ORDER' },
): Promise<void> {
  const { tx, now } = change
  const lines = await tx
    .selectFrom('order_line')
    .select(['id', 'product_id', 'quantity', 'amount_fen', 'grants', 'commission_permille', 'may_wait'])
    .where('order_id', '=', order.id)
    .orderBy('id')
    .execute()
  const shares = shareOut(
    order.amountFen,
    lines.map(line => fen(line.amount_fen)),
  )
  await writeChange(
    change,
    resource,
    { id: order.id, payState: order.payState, paidFen: 0, paidAt: null },
    { payState: 'PAID', paidFen: order.amountFen, paidAt: now, closesAt: null, closedAt: null },
    'pay',
  )
  const ids = lines.map(({ id }) => id)
  await sql`
    update order_line l set paid_fen = s.fen from unnest(${ids}::bigint[], ${shares}::bigint[]) as s (id, fen) where l.id = s.id`.execute(
    tx,
  )
  for (const [index, line] of lines.entries()) {
    const share = shares[index] ?? 0
    if (line.product_id !== null) await countSold(tx, line.product_id, line.quantity)
    await earnCommission(change, { id: line.id, permille: line.commission_permille, paidFen: share }, order.soldBy)
    await giveGrants(change, {
      ...given,
      memberId: order.memberId,
      grants: line.grants as Grant[],
      times: line.quantity,
      orderLineId: line.id,
    })
  }
  if (order.amountFen > 0) await announce(change, memberPaid, { memberId: order.memberId, paidFen: order.amountFen })
  await announce(change, orderPaid, {
    orderId: order.id,
    memberId: order.memberId,
    lines: lines.map(line => ({
      id: line.id,
      quantity: line.quantity,
      grants: line.grants as Grant[],
      mayWait: line.may_wait,
    })),
  })
}

/** Why an order takes no money. A price under examination may still change: what comes meanwhile waits for a person. */
const AGAINST: Readonly<Record<string, StrayReason>> = { CLOSED: 'CLOSED', PAID: 'TWICE', EXAMINING: 'EXAMINING' }

async function takeMoney(change: Change, payment: ReceivedPayment): Promise<void> {
  const order = await lockForPaying(change.tx, { orderNo: payment.orderNo })
  // Money a sender told us of before the order was there may be told of an order that is not its own.
  if (!order || (payment.sender && payment.sender !== senderOf(order.source))) return
  const against = (await isEnteredByHand(change.tx, payment)) ? 'RECORDED' : AGAINST[order.payState]
  const due = { of: { orderId: order.id }, amountFen: order.amountFen, against }
  await takePayment(change, payment, due, () => payOrder(change, order))
}

export const listeners = [listen(paymentReceived, takeMoney)]

/** The money was here before the order: it pays it now. */
export async function takeWaitingMoney(change: Change, { orderNo }: PlacedOrder): Promise<void> {
  for (const payment of await waitingPayments(change, orderNo)) await takeMoney(change, payment)
}

type Found = { readonly id: string; readonly amountFen: number }

/** Two people have put money that fitted nothing to an order: one that waits for it, or that closed before it came. */
export async function payWithStray(change: Change, payment: Found, orderId: string): Promise<void> {
  const order = await lockForPaying(change.tx, { id: orderId })
  if (!order) throw new Refused(refuse('orders/order:order-missing'))
  const isOpen = order.payState === 'UNPAID' || (order.payState === 'CLOSED' && senderOf(order.source) !== undefined)
  if (!isOpen) throw new Refused(refuse('orders/order:takes-no-money', { state: `payState.${order.payState}` }))
  if (order.amountFen !== payment.amountFen)
    throw new Refused(refuse('orders/order:money-differs', { amount: formatFen(order.amountFen) }))
  await takeStray(change, payment.id, orderId)
  if (order.payState === 'CLOSED') await spendAgain(change, order.id, order.memberId)
  await payOrder(change, order)
}

const CLOSED_AT_ONCE = 200

/** An order nobody pays makes room after two hours; one under examination never. */
const closeUnpaid = defineJob({
  name: 'close-unpaid-orders',
  cron: '*/30 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx, now } = change
    const due = await tx
      .selectFrom('sales_order')
      .select(['id', 'pay_state as payState'])
      .where('pay_state', '=', 'UNPAID')
      .where('closes_at', '<=', now.toISOString())
      .orderBy('id')
      .limit(CLOSED_AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    return each(due, async order => {
      await writeChange(change, resource, order, { payState: 'CLOSED', closedAt: now, closesAt: null }, 'close')
      await announce(change, orderClosed, { orderId: order.id })
    })
  },
})
export const jobs = [closeUnpaid]

/** An order will not be paid: what was set aside for it, a coupon say, is free again. */
export const orderClosed = defineAnnouncement<{ orderId: string }>('order-closed')

/** An order that counted as paid counts no more, and nothing of it was used: what waits to be sent is not sent. */
export const orderUndone = defineAnnouncement<{ orderId: string }>('order-undone')

/** Takes an order of nothing back; the member and the order are locked. Refused by whoever has already sent something. */
export async function undoOrder(change: Change, orderId: string): Promise<void> {
  await announce(change, orderUndone, { orderId })
  const before = { id: orderId, payState: 'PAID' }
  await writeChange(change, resource, before, { payState: 'CLOSED', closedAt: change.now }, 'undo')
}

/** An agreed price stands: the lines share it in proportion to their list prices. */
export async function shareNewPrice({ tx }: Change, orderId: string, amountFen: number): Promise<void> {
  const lines = await tx
    .selectFrom('order_line')
    .select(['id', 'list_fen'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  const shares = shareOut(
    amountFen,
    lines.map(line => fen(line.list_fen)),
  )
  for (const [index, { id }] of lines.entries())
    await tx
      .updateTable('order_line')
      .set({ amount_fen: shares[index] ?? 0 })
      .where('id', '=', id)
      .execute()
}
