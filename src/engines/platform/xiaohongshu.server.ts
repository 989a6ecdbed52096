import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Listening, ToldEvent } from '#kit/server/live/door.ts'
import { fromMillis, readAs, readLongJson, requireFresh, requireSigned } from './told.server.ts'

export type XiaohongshuKeys = { readonly appId: string; readonly appSecret: string; readonly path: string }

/** The rule of its shop interface: hex MD5 of what is called, its parameters by name, and the secret right behind them. */
export const xiaohongshuSign = (
  called: string,
  parameters: Readonly<Record<string, string>>,
  appSecret: string,
): string => {
  const named = Object.keys(parameters)
    .sort()
    .map(name => `${name}=${parameters[name]}`)
  return createHash('md5')
    .update(`${called}?${named.join('&')}${appSecret}`)
    .digest('hex')
}

const id = z.union([z.string().min(1), z.int()]).transform(String)
const pushed = z.array(z.object({ msgTag: z.string(), data: z.unknown() })).max(100)
const order = z.object({ orderId: id, orderStatus: z.int(), updateTime: z.int() })
const afterSale = z.object({
  orderId: id,
  returnsId: id,
  returnType: z.int().optional(),
  refundFee: z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/)]).optional(),
  updateTime: z.int(),
})

const AWAITING_PAYMENT = 1
const CLOSED: readonly number[] = [8, 9]
/** What each push says of the whole order's after-sale: at work, done, refused, closed, with the platform. */
const AFTER_SALE: ReadonlyMap<string, string> = new Map([
  ['msg_after_sale_create', '2'],
  ['msg_after_sale_update', '2'],
  ['msg_after_sale_audit_pass', '2'],
  ['msg_after_sale_confirm_receive', '2'],
  ['msg_after_sale_reject_receive', '4'],
  ['msg_after_sale_audit_reject', '4'],
  ['msg_after_sale_refund_finished', '3'],
  ['msg_after_sale_closed', '5'],
  ['msg_after_sale_transfer', '6'],
])
/** Somebody still decides. */
const UNDECIDED: readonly string[] = ['2', '6']
/** Goods for goods: no money goes back. */
const EXCHANGE = 2
const REFUNDED = 'msg_after_sale_refund_finished'

/** Pushes of the shop; amounts of its after-sale are yuan there, times milliseconds. */
export const xiaohongshuDoor = ({ appId, appSecret, path }: XiaohongshuKeys): Listening<unknown> => ({
  hear({ bytes, header, now }) {
    const timestamp = header('timestamp') ?? ''
    requireSigned(header('sign'), xiaohongshuSign(path, { 'app-key': appId, timestamp }, appSecret))
    // The signature says nothing of the body: it must at least be a new one.
    requireFresh(Number(timestamp) * 1_000, now)
    const events = readAs(pushed, readLongJson(bytes.toString('utf8'))).flatMap(({ msgTag, data }) =>
      eventsOf(msgTag, typeof data === 'string' ? readLongJson(data) : data),
    )
    return { events, answer: JSON.stringify({ success: true, error_code: 0, error_msg: '' }) }
  },
})

/** Each is named by what it is about and when that changed. */
function eventsOf(tag: string, said: unknown): ToldEvent[] {
  if (tag === 'msg_fulfillment_status_change') {
    const { orderId: orderNo, orderStatus, updateTime } = readAs(order, said)
    const at = fromMillis(updateTime)
    const isClosed = CLOSED.includes(orderStatus)
    const paidAt = orderStatus === AWAITING_PAYMENT || isClosed ? undefined : at
    const data = { orderNo, at, status: String(orderStatus), paidAt, isClosed: isClosed || undefined }
    return [{ id: `${orderNo}:${orderStatus}:${updateTime}`, type: 'platform-order.told', data }]
  }
  const state = AFTER_SALE.get(tag)
  if (state === undefined) return []
  const { orderId: orderNo, returnsId, returnType, refundFee, updateTime } = readAs(afterSale, said)
  const at = fromMillis(updateTime)
  const id = `${returnsId}:${tag}:${updateTime}`
  const isRefundAsked = UNDECIDED.includes(state) && returnType !== EXCHANGE
  const told = { orderNo, at, afterSale: state, isRefundAsked }
  const events = [{ id, type: 'platform-order.told', data: told }]
  if (tag !== REFUNDED) return events
  const amountFen = refundFee === undefined ? undefined : fenOf(refundFee)
  return [...events, { id: `${id}:refunded`, type: 'voucher.refunded', data: { orderNo, at, amountFen } }]
}

/** Yuan as they write them, without a half fen that a fraction would make of it. */
export const fenOf = (yuan: number | string): number => Math.round(Number(yuan) * 100)
