import { lockOrderOf } from '#areas/orders/order/paying.server.ts'
import { bookRefund } from '#areas/orders/order/refunds.server.ts'
import { lockNumber } from '#engines/payment/number.server.ts'
import { giveMoneyBack, moneyGivenBack } from '#engines/payment/refund.server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Database, Tx } from '#kit/server/database/database.ts'
import { attach } from '#kit/server/storage/file.ts'
import { lineAmounts } from './calculation.server.ts'
import { beginEffects } from './effects.server.ts'
import { OPEN_STATES, type RefundApplication, resource, type workflow } from './model.ts'

/** Asks the provider to give the money back, under the refund's own number: asked twice, it is paid once. */
export async function pay(op: Operation, row: RefundApplication): Promise<Partial<RefundApplication>> {
  const payment = await paymentOf(op.tx, row.orderId)
  if (!payment) throw new Refused(refuse('refund-no-payment'))
  await giveMoneyBack(op, {
    paymentId: payment.id,
    refundNo: row.refundNo,
    refundId: row.id,
    amountFen: row.amountFen,
  })
  return { paidBy: op.actor.id, failure: '' }
}

/** Dashes are no number, and that of money which came in tells of none that went out. */
export async function requireNumber(
  op: Operation,
  { transactionNo }: EnteredWith<typeof workflow, 'recordPaid'>,
): Promise<void> {
  const number = await lockNumber(op.tx, transactionNo)
  if (number === null) throw onField('transactionNo', refuse('orders/order:transaction-empty'))
  const came = await op.tx
    .selectFrom('payment')
    .select('id')
    .where('bank_number', '=', number)
    .unionAll(
      op.tx
        .selectFrom('order_examination')
        .select('id')
        .where('bank_number', '=', number)
        .where('status', '<>', 'REJECTED'),
    )
    .limit(1)
    .executeTakeFirst()
  if (came) throw onField('transactionNo', refuse('number-of-income'))
}

/** Money that did not go through the provider: where it went is told by its number, and shown. */
export async function recordPaid(
  op: Operation,
  row: RefundApplication,
  transactionNo: string,
  proof: string[],
): Promise<Partial<RefundApplication>> {
  await attach(op.tx, op.actor.id, { proof }, resource.screen.key, row.id)
  await finish(op, row)
  const now = op.now.toISOString()
  // What the provider could not give back goes to whoever paid, and to nobody else.
  const payee = row.route === 'ORIGINAL' ? ({ payee: 'PAYER' } as const) : {}
  return { ...payee, paidBy: op.actor.id, paidAt: now, endedAt: now, transactionNo, proof, failure: '' }
}

/** The money is back: the books follow at once, and what else follows is ticked off one by one. */
export async function finish(
  change: Change,
  row: Pick<RefundApplication, 'id' | 'orderId' | 'calculation'>,
): Promise<void> {
  await bookRefund(change, row.orderId, lineAmounts(row))
  await beginEffects(change, row.id)
}

export const listeners = [
  listen(moneyGivenBack, async (change, { refundId, status, error }) => {
    if (refundId === null) return
    await lockOrderOf(change.tx, 'refund_application', refundId)
    const row = await change.tx
      .selectFrom('refund_application')
      .select(['id', 'order_id as orderId', 'status', 'calculation', 'failure'])
      .where('id', '=', refundId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    // A refund the provider gave up, or left to a person, may have been paid after all, whatever was decided since: what was paid counts.
    if (status === 'SUCCESS' && (OPEN_STATES as readonly string[]).includes(row.status)) {
      await finish(change, { ...row, calculation: row.calculation as RefundApplication['calculation'] })
      return writeChange(change, resource, row, { status: 'PAID', paidAt: change.now, endedAt: change.now }, 'paid')
    }
    if (status === 'SUCCESS' || row.status !== 'PAYING') return
    const failed = status === 'ABNORMAL' ? 'ABNORMAL' : 'FAILED'
    return writeChange(change, resource, row, { status: failed, failure: error, payFailed: true }, 'fail')
  }),
]

const paymentsOf = (db: Tx | Database['query'], orderId: string) =>
  db.selectFrom('payment').where('order_id', '=', orderId).where('status', '=', 'RECEIVED')

/** The payment of an order that a provider can give back. */
export const paymentOf = (db: Tx | Database['query'], orderId: string) =>
  paymentsOf(db, orderId)
    .select(['id', 'provider'])
    .where('provider', 'in', ['WECHAT', 'ALIPAY'])
    .orderBy('id')
    .executeTakeFirst()

/** The ways an order's money can go back. By bank it always can; a platform gives back what a platform took. */
export async function routesOf(db: Tx | Database['query'], orderId: string): Promise<RefundApplication['route'][]> {
  const platform = await paymentsOf(db, orderId).select('id').where('provider', '=', 'PLATFORM').executeTakeFirst()
  return [
    ...((await paymentOf(db, orderId)) ? (['ORIGINAL'] as const) : []),
    ...(platform ? (['PLATFORM'] as const) : []),
    'OFFLINE',
  ]
}
