import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Listening, ToldEvent } from '#kit/server/live/door.ts'
import { fromMillis, readAs, readLongJson, requireFresh, requireSigned } from './told.server.ts'

type XiaohongshuKeys = { readonly appId: string; readonly appSecret: string; readonly path: string }

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
  status: z.int(),
  refundStatus: z.int().optional(),
  refundAmountYuan: z.union([z.number(), z.string()]).optional(),
  updateTime: z.int(),
})

const AWAITING_PAYMENT = 1
const CLOSED: readonly number[] = [8, 9]
const REFUNDED = 2
/** The whole order's state of after-sale, by that of one case: at work, done, refused, closed, taken back. */
const AFTER_SALE: Readonly<Record<number, string>> = { 4: '3', 5: '7', 6: '5', 9: '4', 9001: '4', 14: '6' }
const AT_WORK = '2'

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
  if (tag !== 'msg_after_sale_create' && tag !== 'msg_after_sale_transfer') return []
  const { orderId: orderNo, returnsId, status, refundStatus, refundAmountYuan, updateTime } = readAs(afterSale, said)
  const at = fromMillis(updateTime)
  const id = `${returnsId}:${status}:${refundStatus ?? ''}:${updateTime}`
  const state = AFTER_SALE[status] ?? AT_WORK
  const told = { orderNo, at, afterSale: state, isRefundAsked: state === AT_WORK && refundStatus !== REFUNDED }
  const events = [{ id, type: 'platform-order.told', data: told }]
  if (refundStatus !== REFUNDED) return events
  const amountFen = refundAmountYuan === undefined ? undefined : fenOf(refundAmountYuan)
  return [...events, { id: `${id}:refunded`, type: 'voucher.refunded', data: { orderNo, at, amountFen } }]
}

/** Yuan as they write them, without a half fen that a fraction would make of it. */
export const fenOf = (yuan: number | string): number => Math.round(Number(yuan) * 100)
