import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Listening, ToldEvent } from '#kit/server/live/door.ts'
import { fromSeconds, readAs, readLongJson, requireSigned, unreadable } from './told.server.ts'

type DouyinKeys = { readonly clientKey: string; readonly clientSecret: string }

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
})
const challenge = z.object({ challenge: z.union([z.int(), z.string()]) })
const trade = z.object({
  action: z.string(),
  order_id: id,
  pay_amount: z.int().min(0).optional(),
  pay_time: seconds.optional(),
})
const certificate = z.object({
  action: z.enum(['verify', 'verify_cancel', 'refund_success']),
  order_id: id,
  certificate_id: id.optional(),
  verify_id: id.optional(),
})

/** Webhooks of Douyin's local services. Amounts are fen there too, times are seconds. */
export const douyinDoor = ({ clientKey, clientSecret }: DouyinKeys): Listening<unknown> => ({
  hear({ bytes, header }) {
    requireSigned(header('x-douyin-signature'), douyinSignature(clientSecret, bytes))
    const told = readLongJson(bytes.toString('utf8'))
    const { event, client_key: from, content, msg_id: own } = readAs(envelope, told)
    const said = typeof content === 'string' ? readLongJson(content) : content
    if (event === 'verify_webhook') return { events: [], answer: JSON.stringify(readAs(challenge, said)) }
    // Another app of the same people: no concern of ours.
    if (from !== undefined && from !== clientKey) return { events: [], answer: '' }
    const id = header('msg-id') ?? own
    if (id === undefined) throw unreadable()
    return { events: eventsOf(id, event, said), answer: '' }
  },
})

function eventsOf(key: string, event: string, said: unknown): ToldEvent[] {
  if (event === 'life_trade_order_notify') {
    const { action, order_id: orderNo, pay_amount: amountFen, pay_time: paid } = readAs(trade, said)
    if (action !== 'pay_success') return []
    const at = paid === undefined ? undefined : fromSeconds(paid)
    return [{ id: key, type: 'platform-order.told', data: { orderNo, at, paidAt: at, amountFen } }]
  }
  if (event !== 'life_trade_certificate_notify') return []
  // It tells no time: what it tells is of when it comes.
  const { action, order_id: orderNo, certificate_id: certificateId, verify_id: verifyId } = readAs(certificate, said)
  if (action === 'refund_success') return [{ id: key, type: 'voucher.refunded', data: { orderNo } }]
  const data = { orderNo, certificateId, verifyId }
  return [{ id: key, type: 'voucher.verified', data: { ...data, isCancelled: action === 'verify_cancel' } }]
}
