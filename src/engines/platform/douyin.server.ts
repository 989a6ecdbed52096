import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Listening, ToldEvent } from '#kit/server/live/door.ts'
import { fromSeconds, readAs, readLongJson, requireSigned, timeAt, unreadable } from './told.server.ts'

export type DouyinKeys = { readonly clientKey: string; readonly clientSecret: string }

/** `X-Douyin-Signature`: hex SHA-1 of the secret and, right behind it, the bytes that travel. */
export const douyinSignature = (clientSecret: string, body: Buffer): string =>
  createHash('sha1').update(clientSecret).update(body).digest('hex')

const id = z.union([z.string().min(1), z.int()]).transform(String)
const seconds = z.union([z.int(), z.string().regex(/^\d{10}$/)]).transform(Number)

const envelope = z.object({
  event: z.string(),
  client_key: z.string().optional(),
  content: z.unknown().optional(),
  msg_id: id.optional(),
  log_id: z.string().max(100).optional().catch(undefined),
})
const challenge = z.object({ challenge: z.union([z.int(), z.string()]) })
const trade = z.object({
  action: z.string(),
  msg_time: seconds,
  order: z.object({ order_id: id, pay_amount: z.int().min(0).optional(), pay_time: seconds.optional() }),
})
const certificate = z.object({
  action: z.enum(['verify', 'verify_cancel', 'refund_success']),
  msg_time: seconds,
  certificate: z.object({ order_id: id, certificate_id: id.optional() }),
})
const wanted = z.object({ order_id: id, refund_time: seconds.optional().catch(undefined) })

/** Webhooks of Douyin's local services. Amounts are fen there too, times are seconds. */
export const douyinDoor = ({ clientKey, clientSecret }: DouyinKeys): Listening<unknown> => ({
  hear({ bytes, header }) {
    requireSigned(header('x-douyin-signature'), douyinSignature(clientSecret, bytes))
    const told = readLongJson(bytes.toString('utf8'))
    const { event, client_key: from, content, msg_id: own, log_id: trace } = readAs(envelope, told)
    const said = typeof content === 'string' ? readLongJson(content) : content
    if (event === 'verify_webhook') return { events: [], answer: JSON.stringify(readAs(challenge, said)) }
    // Another app of the same people: no concern of ours.
    if (from !== undefined && from !== clientKey) return { events: [], answer: '' }
    const id = header('msg-id') ?? own
    if (id === undefined) throw unreadable()
    const heard = Object.hasOwn(HEARD, event) ? HEARD[event]?.(said) : undefined
    if (!heard) return { events: [], answer: '' }
    const { key, ...rest } = heard
    return { events: [{ id: key === undefined ? id : `${id}:${key}`, ...rest }], answer: '', trace }
  },
})

/**
 * `key` is when it was told: the platform gives one id to all that happens alike to one certificate, so that a second verification,
 * after the first was taken back, comes under the id of the first.
 */
type Heard = Pick<ToldEvent, 'type' | 'data'> & { readonly key?: number | undefined }

/** Somebody wants the money of what was used back; the name stands in the documents with either letter. */
const refundWanted = (said: unknown): Heard => {
  const { order_id: orderNo, refund_time: at } = readAs(wanted, said)
  const asked = at === undefined ? undefined : timeAt(at * 1_000)
  return { key: at, type: 'platform-order.told', data: { orderNo, at: asked, isRefundAsked: true } }
}

const HEARD: Readonly<Record<string, (said: unknown) => Heard | undefined>> = {
  life_trade_order_notify(said) {
    const { action, msg_time: at, order } = readAs(trade, said)
    if (action !== 'pay_success') return undefined
    const paidAt = fromSeconds(order.pay_time ?? at)
    const data = { orderNo: order.order_id, at: paidAt, paidAt, amountFen: order.pay_amount }
    return { type: 'platform-order.told', data }
  },
  life_trade_certificate_notify(said) {
    const { action, msg_time: told, certificate: of } = readAs(certificate, said)
    const [at, orderNo] = [fromSeconds(told), of.order_id]
    if (action === 'refund_success') return { key: told, type: 'voucher.refunded', data: { orderNo, at } }
    const data = { orderNo, at, certificateId: of.certificate_id, isCancelled: action === 'verify_cancel' }
    return { key: told, type: 'voucher.verified', data }
  },
  life_hermes_akte_after_sale_audit: refundWanted,
  life_hermes_axte_after_sale_audit: refundWanted,
}
