import { sql } from 'kysely'
import { nextNumber, numbersKept } from '#engines/sequence/server.ts'
import { fen, formatYuan } from '#kit/model/money.ts'
import { Refused } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import type { Seller } from '#kit/server/live/event.ts'
import { exceptionFound, tellStray } from './exception.server.ts'
import { noticeRoute } from './notice.server.ts'
import { lockNumber, lockOrderNo } from './number.server.ts'
import {
  type PaymentSource,
  PROVIDERS,
  type ProviderName,
  type RefundNotice,
  type StrayReason,
} from './provider.server.ts'
import { refundDeliveries, settleRefund } from './refund.server.ts'

type Incoming = {
  readonly provider: PaymentSource
  readonly providerNo: string
  /** What the payer says it is for. */
  readonly orderNo: string
  readonly amountFen: number
  /** As the payer's side says it. */
  readonly paidAt: Date
  /** Who told us by an event; a provider's own notice has no sender. */
  readonly sender?: Seller | undefined
}
export type ReceivedPayment = Incoming & { readonly id: string }

/** Money came in. Whoever owns what it is for takes it (`takePayment`); what nobody takes is a stray. */
export const paymentReceived = defineAnnouncement<ReceivedPayment>('payment-received')
/**
 * Stores money that came in, once for each number of the provider, and of each shop: the same notice again changes nothing.
 * Told under a known number, another order or another amount is no second payment, and somebody has to look.
 */
export async function receivePayment(change: Change, told: Incoming): Promise<void> {
  const { tx, now } = change
  // A clock that runs ahead of ours puts no money into a day that has not come.
  const incoming = { ...told, paidAt: new Date(Math.min(told.paidAt.getTime(), now.getTime())) }
  // By hand the number was claimed when the money was entered.
  if (incoming.provider !== 'OFFLINE') {
    await lockNumber(tx, incoming.providerNo)
    await lockOrderNo(tx, incoming.orderNo)
  }
  const first = await firstOf(change, incoming)
  if (first) return compareWithFirst(change, first, incoming)
  const { id } = await tx
    .insertInto('payment')
    .values({
      payment_no: await nextNumber(change, 'P'),
      provider: incoming.provider,
      provider_no: incoming.providerNo,
      amount_fen: incoming.amountFen,
      status: 'STRAY',
      stray_reason: 'UNKNOWN',
      said_order_no: incoming.orderNo,
      received_at: incoming.paidAt,
      told_at: now,
      sender: incoming.sender ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await announce(change, paymentReceived, { ...incoming, id })
}

/**
 * What came before under the number, however it is written: numbers are given once by whoever moves money, and by each shop
 * for itself (index `payment_provider_no`). Nobody comes between, who holds the number.
 */
async function firstOf({ tx }: Change, { provider, providerNo, sender }: Incoming): Promise<First | undefined> {
  if (provider === 'OFFLINE') return undefined
  return (
    tx
      .selectFrom('payment')
      .select(['payment_no', 'provider', 'order_id', 'said_order_no', 'amount_fen'])
      // As the index has it.
      .where('provider', '<>', 'OFFLINE')
      .where(
        sql`case provider when 'PLATFORM' then 'PLATFORM ' || coalesce(sender, '') else '' end`,
        '=',
        provider === 'PLATFORM' ? `PLATFORM ${sender ?? ''}` : '',
      )
      .where(
        sql`coalesce(bank_number, provider_no)`,
        '=',
        sql`coalesce(bank_number(${providerNo}::text), ${providerNo}::text)`,
      )
      .executeTakeFirst()
  )
}
type First = {
  payment_no: string
  provider: string
  order_id: string | null
  said_order_no: string
  amount_fen: string
}

async function compareWithFirst(change: Change, first: First, told: Incoming): Promise<void> {
  const { provider, providerNo, orderNo, amountFen } = told
  const isSame = first.provider === provider && first.said_order_no === orderNo && fen(first.amount_fen) === amountFen
  if (isSame || provider === 'OFFLINE') return
  await announce(change, exceptionFound, {
    kind: 'SAME_NUMBER',
    subject: `${first.payment_no}-${orderNo}-${amountFen}`,
    orderId: first.order_id,
    provider,
    providerNo,
    saidOrderNo: orderNo,
    amountFen,
    detail: `${first.payment_no} · ${first.provider} · ${first.said_order_no} · ¥${formatYuan(fen(first.amount_fen))}`,
  })
}

/** How long money waits for the order it names: senders do not keep the order of events. */
export const WAIT_MS = 24 * 3_600_000

/** Money that named this order before it was placed, within the day it waits since we were told; in the order it came, and held. */
export async function waitingPayments({ tx, now }: Change, orderNo: string): Promise<ReceivedPayment[]> {
  const rows = await tx
    .selectFrom('payment')
    .selectAll()
    .where('said_order_no', '=', orderNo)
    .where('status', '=', 'STRAY')
    .where('stray_reason', '=', 'UNKNOWN')
    .where('told_at', '>', new Date(now.getTime() - WAIT_MS).toISOString())
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(row => ({
    id: row.id,
    provider: row.provider,
    providerNo: row.provider_no,
    orderNo,
    amountFen: fen(row.amount_fen),
    paidAt: new Date(row.received_at),
    sender: row.sender ?? undefined,
  }))
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
  if (against) {
    await store({ stray_reason: against })
    return tellStray(change, payment.id)
  }
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
    await tellStray(change, payment.id)
  }
}

export const routes: Routes = app =>
  PROVIDERS.map(name =>
    noticeRoute(app, name, {
      receive: (change, provider, { kind: _, ...paid }) => receivePayment(change, { provider, ...paid }),
      settle: settleNotice,
    }),
  )

/** A refund of another amount than was asked for, or one nobody asked this provider for, is money no record explains: somebody has to look. */
async function settleNotice(change: Change, provider: ProviderName, notice: RefundNotice): Promise<void> {
  const { refundNo, amountFen, providerNo } = notice
  const asked = await change.tx
    .selectFrom('provider_refund as r')
    .innerJoin('payment as p', 'p.id', 'r.payment_id')
    .select(['r.amount_fen', 'p.order_id as orderId'])
    .where('r.refund_no', '=', refundNo)
    .where('p.provider', '=', provider)
    .executeTakeFirst()
  const about = { subject: refundNo, provider, providerNo, amountFen } as const
  if (!asked) {
    if (notice.status === 'SUCCESS') await announce(change, exceptionFound, { ...about, kind: 'REFUND_UNKNOWN' })
    return
  }
  if (amountFen === null || fen(asked.amount_fen) === amountFen) return settleRefund(change, refundNo, notice)
  await announce(change, exceptionFound, { ...about, kind: 'REFUND_AMOUNT', orderId: asked.orderId })
}

export const deliveries = refundDeliveries

export const invariants: readonly Invariant[] = [
  ...numbersKept('P', { table: 'payment', no: 'payment_no' }),
  {
    name: 'what a payment gave back is the sum of its finished refunds',
    query: `
      select p.id, p.refunded_fen, coalesce(r.sum, 0) as refunds from payment p
      left join (select payment_id, sum(amount_fen) as sum from provider_refund where status = 'SUCCESS' group by 1) r on r.payment_id = p.id
      where p.refunded_fen <> coalesce(r.sum, 0)`,
  },
]
