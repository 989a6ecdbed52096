import { sql } from 'kysely'
import { fen } from '#kit/model/money.ts'
import type { App, Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { AskAgain, defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import type { ProviderName, RefundResult } from './provider.server.ts'
import { openProvider } from './providers.server.ts'

/** A refund through a provider has come to an end, good or bad. */
export const moneyGivenBack = defineAnnouncement<RefundResult & { refundId: string | null; paymentId: string }>(
  'money-given-back',
)

export type GivenBack = { paymentId: string; refundNo: string; refundId: string | null; amountFen: number }

/** Gives money back through the provider it came by; asked again under the same number it is the same refund. */
export async function giveMoneyBack(change: Change, given: GivenBack): Promise<void> {
  await sql`
    insert into provider_refund (refund_no, payment_id, refund_id, amount_fen, created_at)
    values (${given.refundNo}, ${given.paymentId}, ${given.refundId}, ${given.amountFen}, ${change.now})
    on conflict (refund_no) do update set status = 'PROCESSING', tries = provider_refund.tries + 1, error = '', finished_at = null
    where provider_refund.status in ('CLOSED', 'ABNORMAL')`.execute(change.tx)
  await deliver(change, { kind: PROVIDER_REFUND, key: given.refundNo, payload: { refundNo: given.refundNo } })
}

const PROVIDER_REFUND = 'provider-refund'
type Ordered = { refundNo: string }

export const refundDeliveries = [
  defineDelivery<Ordered, RefundResult>({
    kind: PROVIDER_REFUND,
    async call(app, { refundNo }) {
      const row = await refundRow(app, refundNo)
      const result = await openProvider(app, row.provider as ProviderName).refund({
        refundNo,
        paymentProviderNo: row.provider_no,
        orderNo: row.said_order_no,
        amountFen: fen(row.amount_fen),
        paidFen: fen(row.paid_fen),
      })
      // Accepted is not paid: ask again until the provider has decided.
      if (result.status === 'PROCESSING') throw new AskAgain(`${refundNo} is under way`)
      return result
    },
    settle: (change, { refundNo }, result) => settleRefund(change, refundNo, result),
  }),
]

const refundRow = (app: App, refundNo: string) =>
  app.db.query
    .selectFrom('provider_refund as r')
    .innerJoin('payment as p', 'p.id', 'r.payment_id')
    .select(['p.provider', 'p.provider_no', 'p.said_order_no', 'p.amount_fen as paid_fen', 'r.amount_fen'])
    .where('r.refund_no', '=', refundNo)
    .executeTakeFirstOrThrow()

/** What the provider decided, by answer or by notification, once. */
export async function settleRefund(change: Change, refundNo: string, result: RefundResult): Promise<void> {
  const { tx, now } = change
  if (result.status === 'PROCESSING') return
  const settled = await tx
    .updateTable('provider_refund')
    .set({
      status: result.status,
      provider_no: result.providerNo,
      error: result.error.slice(0, 500),
      finished_at: now,
    })
    .where('refund_no', '=', refundNo)
    // A late "failed" does not undo what has been paid out.
    .where('status', '<>', 'SUCCESS')
    .returning(['payment_id', 'refund_id', 'amount_fen'])
    .executeTakeFirst()
  if (!settled) return
  if (result.status === 'SUCCESS') {
    await sql`
      update payment set refunded_fen = refunded_fen + ${settled.amount_fen},
        status = case when status = 'GIVING_BACK' then 'GIVEN_BACK' else status end
      where id = ${settled.payment_id}`.execute(tx)
  }
  // What was to go back and did not is here, and a stray again.
  else
    await tx
      .updateTable('payment')
      .set({ status: 'STRAY' })
      .where('id', '=', settled.payment_id)
      .where('status', '=', 'GIVING_BACK')
      .execute()
  await announce(change, moneyGivenBack, { ...result, refundId: settled.refund_id, paymentId: settled.payment_id })
}
