import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Listening, ToldEvent } from '#kit/server/live/door.ts'
import { openSigned, type SealKeys, type SealQuery } from './sealed.server.ts'
import { fromSeconds, readAs, readLongJson } from './told.server.ts'
import { readXml } from './xml.server.ts'

const id = z.union([z.string().min(1), z.int()]).transform(String)
const envelope = z.object({ Encrypt: z.string() })
/** In XML everything is text. */
const whole = z.union([z.int(), z.string().regex(/^\d{1,12}$/)]).transform(Number)
const told = z.object({
  FromUserName: z.string().default(''),
  CreateTime: whole,
  Event: z.string(),
  order_info: z
    .object({
      order_id: id,
      pay_time: whole.optional(),
      cancel_type: whole.optional(),
      finish_delivery: whole.optional(),
    })
    .optional(),
  finder_shop_aftersale_status_update: z
    .object({ status: z.string().min(1).max(60), after_sale_order_id: id, order_id: id })
    .optional(),
})
type Message = z.infer<typeof told>

/** The shop's console offers both forms; what they say has the same names. */
const readMessage = (text: string): unknown => (text.trimStart().startsWith('<') ? readXml(text) : readLongJson(text))

/** Messages of the shop in WeChat Channels, sealed. */
export const channelsDoor = (keys: SealKeys): Listening<SealQuery> => ({
  hear({ query, bytes }) {
    const { Encrypt: message } = readAs(envelope, readMessage(bytes.toString('utf8')))
    const said = openSigned(keys, query, message)
    return { events: eventsOf(readAs(told, readMessage(said))), answer: 'success' }
  },
  greet: ({ query }) => openSigned(keys, query, query.echostr ?? ''),
})

/** The money is back. */
const REFUNDED = new Set(['MERCHANT_REFUND_SUCCESS', 'MERCHANT_RETURN_SUCCESS'])
/** Nobody wants it back any more, or nobody gets it. */
const ENDED = new Set(['USER_CANCELD', 'MERCHANT_REJECT_REFUND', 'MERCHANT_REJECT_RETURN', 'RETURN_CLOSED'])
/** All of it went through after-sale. */
const ALL_RETURNED = 3

/** Messages have no id of their own: what happened when to what is one. */
function eventsOf(message: Message): ToldEvent[] {
  const { FromUserName: from, CreateTime: created, Event: event, order_info: order } = message
  const at = fromSeconds(created)
  const named = (...parts: readonly (string | number)[]) =>
    createHash('sha256')
      .update(JSON.stringify([from, created, event, ...parts]))
      .digest('hex')
  const back = message.finder_shop_aftersale_status_update
  if (event === 'channels_ec_aftersale_update' && back) {
    const { order_id: orderNo, status: afterSale } = back
    const id = named(orderNo, back.after_sale_order_id, afterSale)
    const isRefundAsked = !REFUNDED.has(afterSale) && !ENDED.has(afterSale)
    const said = { id, type: 'platform-order.told', data: { orderNo, at, afterSale, isRefundAsked } }
    return REFUNDED.has(afterSale)
      ? [said, { id: `${id}:refunded`, type: 'voucher.refunded', data: { orderNo, at } }]
      : [said]
  }
  const status = order && statusOf(event, order)
  if (!order || status === undefined) return []
  const paidAt = order.pay_time === undefined ? undefined : fromSeconds(order.pay_time)
  const isClosed = event === 'channels_ec_order_cancel' ? true : undefined
  const data = { orderNo: order.order_id, at, status, paidAt, isClosed }
  return [{ id: named(order.order_id, status), type: 'platform-order.told', data }]
}

/** The number the shop shows for what the event says; nothing where the event is no concern of ours. */
function statusOf(event: string, order: NonNullable<Message['order_info']>): string | undefined {
  const statuses: Readonly<Record<string, string>> = {
    channels_ec_order_new: '10',
    channels_ec_order_pay: '20',
    channels_ec_order_wait_shipping: '20',
    channels_ec_order_deliver: order.finish_delivery === 0 ? '21' : '30',
    channels_ec_order_confirm: '100',
    channels_ec_order_cancel: order.cancel_type === ALL_RETURNED ? '200' : '250',
  }
  return statuses[event]
}
