import { sql } from 'kysely'
import { nextNumber } from '#engines/sequence/server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused } from '#kit/model/refusal.ts'
import { announce, defineAnnouncement } from '#kit/server/announce.ts'
import type { App } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/invariants.ts'
import type { DeclaredJob } from '#kit/server/job.ts'
import type { Change } from '#kit/server/operation.ts'
import { AskAgain, defineDelivery, deliver } from '#kit/server/outbox.ts'
import type { Routes } from '#kit/server/route.ts'
import { noticeRoute, requireSameAmount } from './notice.server.ts'
import { PROVIDERS, type Provider, type ProviderName, type RefundResult } from './provider.server.ts'
import { openProvider } from './providers.server.ts'

/** Offline money is examined before it is stored, a platform's is told by the platform. */
export type PaymentSource = ProviderName | 'OFFLINE' | 'PLATFORM'
export type StrayReason = 'CLOSED' | 'TWICE' | 'AMOUNT' | 'EXAMINING' | 'UNAVAILABLE' | 'UNKNOWN'

export type Incoming = {
  readonly provider: PaymentSource
  readonly providerNo: string
  /** What the payer says it is for. */
  readonly orderNo: string
  readonly amountFen: number
  readonly paidAt: Date
}
export type ReceivedPayment = Incoming & { readonly id: string }

/** Money came in. Whoever owns what it is for takes it (`takePayment`); what nobody takes is a stray. */
export const paymentReceived = defineAnnouncement<ReceivedPayment>('payment-received')
/** A refund through a provider has come to an end, good or bad. */
export const moneyGivenBack = defineAnnouncement<RefundResult & { refundId: string | null; paymentId: string }>(
  'money-given-back',
)

/** Stores money that came in, once for each number of the provider: the same notice again changes nothing. */
export async function receivePayment(change: Change, incoming: Incoming): Promise<void> {
  const { tx, now } = change
  const stored = await tx
    .insertInto('payment')
    .values({
      payment_no: await nextNumber(tx, 'P', now),
      provider: incoming.provider,
      provider_no: incoming.providerNo,
      amount_fen: incoming.amountFen,
      status: 'STRAY',
      stray_reason: 'UNKNOWN',
      said_order_no: incoming.orderNo,
      received_at: incoming.paidAt,
    })
    .onConflict(conflict => conflict.columns(['provider', 'provider_no']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (stored) await announce(change, paymentReceived, { ...incoming, id: stored.id })
}

/** What money may be for, as its owner knows it under its lock. */
export type Due = {
  readonly of: { readonly orderId: string } | { readonly coinOrderId: string }
  readonly amountFen: number
  /** Why it takes no money now. */
  readonly against?: StrayReason | undefined
}

/** Money pays what it is for if it fits, and if what was bought can be given; else it stays aside as a stray, with the reason. */
export async function takePayment(change: Change, payment: ReceivedPayment, due: Due, pay: () => Promise<void>) {
  const { tx } = change
  const store = (set: { status?: 'RECEIVED'; stray_reason: StrayReason | null; coin_order_id?: string }) =>
    tx
      .updateTable('payment')
      .set({ ...set, ...('orderId' in due.of ? { order_id: due.of.orderId } : {}) })
      .where('id', '=', payment.id)
      .execute()
  const against = due.against ?? (due.amountFen === payment.amountFen ? undefined : 'AMOUNT')
  if (against) return void (await store({ stray_reason: against }))
  await sql`savepoint before_paying`.execute(tx)
  try {
    const taken = 'coinOrderId' in due.of ? { coin_order_id: due.of.coinOrderId } : {}
    await store({ status: 'RECEIVED', stray_reason: null, ...taken })
    await pay()
  } catch (error) {
    // Whoever examines money is told; a provider who is told no only says it again, and the money is here all the same.
    if (!(error instanceof Refused) || payment.provider === 'OFFLINE') throw error
    await sql`rollback to savepoint before_paying`.execute(tx)
    change.app.log.warn({ payment: payment.id, code: error.refusal.code }, 'money came for what cannot be given')
    await store({ stray_reason: 'UNAVAILABLE' })
  }
}

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

export const deliveries = [
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
  await announce(change, moneyGivenBack, { ...result, refundId: settled.refund_id, paymentId: settled.payment_id })
}

export const routes: Routes = app =>
  PROVIDERS.map(name =>
    noticeRoute(app, name, {
      receive: (change, provider, { kind: _, ...paid }) => receivePayment(change, { provider, ...paid }),
      async settle(change, notice) {
        await requireSameAmount(change, notice)
        await settleRefund(change, notice.refundNo, notice)
      },
    }),
  )

const LOOK_MS = 60_000
/** Time in which finance may put a stray payment to the order it was meant for. */
const STRAY_MS = 24 * 3_600_000
const STRAYS_AT_ONCE = 100

/** Money that fits nothing goes back by itself. What came offline has no way back but by hand. */
const giveStraysBack: DeclaredJob = {
  name: 'give-strays-back',
  ms: LOOK_MS,
  async work(change) {
    const { tx, now } = change
    const strays = await tx
      .selectFrom('payment')
      .select(['id', 'payment_no', 'amount_fen'])
      .where('status', '=', 'STRAY')
      .where('provider', 'in', ['WECHAT', 'ALIPAY'])
      .where('received_at', '<', new Date(now.getTime() - STRAY_MS) as never)
      .orderBy('id')
      .limit(STRAYS_AT_ONCE)
      .forUpdate()
      .execute()
    for (const { id, payment_no: paymentNo, amount_fen: amount } of strays) {
      await tx.updateTable('payment').set({ status: 'GIVING_BACK' }).where('id', '=', id).execute()
      await giveMoneyBack(change, {
        paymentId: id,
        refundNo: `${paymentNo}-stray`,
        refundId: null,
        amountFen: fen(amount),
      })
    }
  },
}
export const jobs = [giveStraysBack]

export type { Provider }

export const invariants: readonly Invariant[] = [
  {
    name: 'what a payment gave back is the sum of its finished refunds',
    query: `
      select p.id, p.refunded_fen, coalesce(r.sum, 0) as refunds from payment p
      left join (select payment_id, sum(amount_fen) as sum from provider_refund where status = 'SUCCESS' group by 1) r on r.payment_id = p.id
      where p.refunded_fen <> coalesce(r.sum, 0)`,
  },
]
