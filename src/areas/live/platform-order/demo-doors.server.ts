import { PUSHED_TO } from '#areas/live/xhs-order/door.server.ts'
import { settings } from '#areas/live/xhs-order/settings.model.ts'
import type { Random } from '#demo/builders.server.ts'
import { digits, type Outside, type Scene } from '#demo/scene.server.ts'
import { channelsKeys, douyinKeys, xiaohongshuKeys } from '#engines/platform/keys.server.ts'
import { type Brought, fromChannels, fromDouyin, fromXiaohongshu } from '#engines/platform/knocking.server.ts'
import { keyIn } from '#kit/model/setting.ts'

/** What happened is of the last hour: some of it is brought late. */
const LATEST_S = 3_600
const AGAIN = 0.3

/** As platforms bring what happened one after the other: in any order, and three of ten once more. */
function asBrought(random: Random, told: readonly Brought[]): Brought[] {
  const all = [...told, ...told.filter(() => random.chance(AGAIN))]
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = random.whole(0, last)
    ;[all[last], all[other]] = [all[other] as Brought, all[last] as Brought]
  }
  return all
}

/** Seconds, each a while after the one before, none of them to come. */
function timesOf({ clock }: Outside, random: Random): () => number {
  let at = Math.floor(clock.now().getTime() / 1_000) - LATEST_S
  return () => {
    at += random.whole(60, LATEST_S / 6)
    return at
  }
}

const PRICES = [900, 1_990, 2_990] as const

/** Bought; verified, perhaps taken back and verified again; perhaps the money is wanted back, or back already. */
const douyinTells: Scene = async (outside, random) => {
  const keys = douyinKeys(outside)
  if (!keys) return undefined
  const next = timesOf(outside, random)
  const [order, of] = [`10${digits(random, 17)}`, { certificate_id: `72${digits(random, 17)}`, account_id: '71' }]
  const fen = random.pick(PRICES)
  const paid = next()
  const bought = { order_id: order, pay_amount: fen, original_amount: fen, create_time: paid - 5, pay_time: paid }
  const told = [
    fromDouyin(keys, {
      event: 'life_trade_order_notify',
      id: `P${order}`,
      content: { action: 'pay_success', msg_time: paid + 2, order: bought },
    }),
  ]
  const ofVoucher = (action: string) => {
    const content = { action, msg_time: next(), certificate: { ...of, order_id: order } }
    told.push(fromDouyin(keys, { event: 'life_trade_certificate_notify', id: `${action}${order}`, content }))
  }
  if (random.chance(0.6)) ofVoucher('verify')
  if (random.chance(0.2)) ['verify_cancel', 'verify'].forEach(ofVoucher)
  if (random.chance(0.2)) {
    const content = { ...of, order_id: order, refund_amount: fen, refund_time: next() }
    told.push(fromDouyin(keys, { event: 'life_hermes_akte_after_sale_audit', id: `A${order}`, content }))
  }
  if (random.chance(0.2)) ofVoucher('refund_success')
  return { type: 'douyin.webhook', brought: asBrought(random, told) }
}

/** Ordered and paid; then delivered, cancelled, or given back. */
const channelsTells: Scene = async (outside, random) => {
  const keys = channelsKeys(outside)
  if (!keys) return undefined
  const [next, now] = [timesOf(outside, random), outside.clock.now()]
  const order = `37${digits(random, 17)}`
  const tell = (event: string, more: (at: number) => object): Brought => {
    const at = next()
    const message = { ToUserName: 'gh_demo', FromUserName: `o${order}`, CreateTime: at, MsgType: 'event', Event: event }
    return fromChannels(keys, { ...message, ...more(at) }, now)
  }
  const info = (more: object = {}) => ({ order_info: { order_id: order, ...more } })
  const back = (status: string) =>
    tell('channels_ec_aftersale_update', () => ({
      finder_shop_aftersale_status_update: { status, after_sale_order_id: `2${order}`, order_id: order },
    }))
  const told = [
    tell('channels_ec_order_new', () => info()),
    tell('channels_ec_order_pay', at => info({ pay_time: at })),
    tell('channels_ec_order_deliver', () => info({ finish_delivery: 1 })),
    ...(random.chance(0.3)
      ? [back('MERCHANT_PROCESSING'), back(random.pick(['MERCHANT_REFUND_SUCCESS', 'USER_CANCELD']))]
      : [tell('channels_ec_order_confirm', () => info({ confirm_type: 1 }))]),
  ]
  return { type: 'wechat-shop.messages', brought: asBrought(random, told) }
}

/** Nothing while its door is shut. */
const xiaohongshuTells: Scene = async (outside, random) => {
  const keys = xiaohongshuKeys(outside)
  const key = keyIn(settings.group, 'push')
  const [set] = await outside.db.read.rows('select value from business_setting where key = $1', [key])
  if (!keys || set?.value !== 1) return undefined
  const [next, now] = [timesOf(outside, random), outside.clock.now()]
  const orderId = `P${digits(random, 18)}`
  const push = (msgTag: string, more: object): Brought =>
    fromXiaohongshu(
      { ...keys, path: PUSHED_TO },
      [{ msgTag, data: { orderId, updateTime: next() * 1_000, ...more } }],
      now,
    )
  const status = (code: number) => push('msg_fulfillment_status_change', { orderStatus: code, packageStatus: code })
  const returned = { returnsId: `R${digits(random, 16)}`, returnType: 5, requestFrom: 1, refundFee: 19.9 }
  const told = [
    ...[1, 4, 7].map(status),
    ...(random.chance(0.3)
      ? ['msg_after_sale_create', random.pick(['msg_after_sale_refund_finished', 'msg_after_sale_closed'])].map(tag =>
          push(tag, returned),
        )
      : []),
  ]
  return { type: 'xiaohongshu.push', brought: asBrought(random, told) }
}

/** What platforms tell at their own doors, under their own signatures. */
export const atDoors: readonly (readonly [Scene, weight: number])[] = [
  [douyinTells, 2],
  [channelsTells, 2],
  [xiaohongshuTells, 2],
]
