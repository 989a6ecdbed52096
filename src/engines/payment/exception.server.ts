import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import type { StrayReason } from './provider.server.ts'
import { giveMoneyBack } from './refund.server.ts'

export type FoundException = {
  readonly kind: 'STRAY' | 'SAME_NUMBER' | 'REFUND_TWICE' | 'REFUND_AMOUNT' | 'REFUND_UNKNOWN' | 'EVENT' | 'CALL'
  /** The number of the payment or refund, or the event's own: with the kind, one exception. */
  readonly subject: string
  readonly paymentId?: string
  readonly eventId?: string
  readonly outboxId?: string
  readonly orderId?: string | null
  readonly provider?: 'WECHAT' | 'ALIPAY' | 'PLATFORM'
  readonly providerNo?: string | null
  readonly saidOrderNo?: string
  readonly amountFen?: number | null
  readonly cause?: StrayReason
  readonly detail?: string
}

/** Money no record explains: whoever works it off writes it down, once for what it is about. */
export const exceptionFound = defineAnnouncement<FoundException>('payment-exception-found')

/** Tells of a payment that fits nothing, with why. */
export async function tellStray(change: Change, paymentId: string, detail = ''): Promise<void> {
  const payment = await change.tx
    .selectFrom('payment')
    .selectAll()
    .where('id', '=', paymentId)
    .where('status', '=', 'STRAY')
    .executeTakeFirst()
  if (!payment || payment.provider === 'OFFLINE') return
  await announce(change, exceptionFound, {
    kind: 'STRAY',
    subject: payment.payment_no,
    paymentId,
    orderId: payment.order_id,
    provider: payment.provider,
    providerNo: payment.provider_no,
    saidOrderNo: payment.said_order_no,
    amountFen: fen(payment.amount_fen),
    cause: payment.stray_reason ?? 'UNKNOWN',
    detail,
  })
}

/** A stray payment is this order's after all. */
export async function takeStray({ tx }: Change, paymentId: string, orderId: string): Promise<void> {
  const taken = await tx
    .updateTable('payment')
    .set({ status: 'RECEIVED', stray_reason: null, order_id: orderId })
    .where('id', '=', paymentId)
    .where('status', '=', 'STRAY')
    .returning('id')
    .executeTakeFirst()
  if (!taken) throw new Refused(refuse('engines/payment:no-stray'))
}

/** Sends a stray payment back the way it came. */
export async function giveStrayBack(change: Change, paymentId: string): Promise<void> {
  const payment = await change.tx
    .updateTable('payment')
    .set({ status: 'GIVING_BACK' })
    .where('id', '=', paymentId)
    .where('status', '=', 'STRAY')
    .where('provider', 'in', ['WECHAT', 'ALIPAY'])
    .returning(['payment_no', 'amount_fen'])
    .executeTakeFirst()
  if (!payment) throw new Refused(refuse('engines/payment:no-stray'))
  await giveMoneyBack(change, {
    paymentId,
    refundNo: `${payment.payment_no}-stray`,
    refundId: null,
    amountFen: fen(payment.amount_fen),
  })
}
