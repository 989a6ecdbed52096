import * as z from 'zod'
import type { Clock } from '#kit/model/time.ts'
import { AskAgain } from '#kit/server/change/outbox.ts'
import { asJson, ask, dropToken, tokenOf } from './calling.server.ts'
import type { OrderDoor, ShopOrder } from './port.server.ts'
import { fromSeconds, timeAt } from './told.server.ts'

export type ChannelsShop = {
  readonly url: string
  readonly appId: string
  readonly secret: string
  readonly clock: Clock
}

const id = z.union([z.string().min(1), z.int()]).transform(String)
const text = z.string().default('')
const said = z.object({ errcode: z.int().default(0), errmsg: text })
const token = said.extend({ access_token: z.string().min(1), expires_in: z.int().min(1) })
const order = z.object({
  order_id: id,
  status: z.int(),
  update_time: z.int(),
  unionid: text,
  order_detail: z.object({
    product_infos: z
      .array(z.object({ title: text, sku_id: id.optional(), out_sku_id: text, out_product_id: text, sku_code: text }))
      .default([]),
    price_info: z.object({ order_price: z.int().min(0) }).optional(),
    pay_info: z.object({ pay_time: z.int().optional() }).optional(),
    delivery_info: z.object({ address_info: z.object({ virtual_order_tel_number: text }).optional() }).optional(),
    ext_info: z.object({ live_id: text }).optional(),
    commission_infos: z.array(z.object({ type: z.int().optional(), nickname: text })).default([]),
  }),
  aftersale_detail: z.object({ on_aftersale_order_cnt: z.int().default(0) }).optional(),
})

/** Also the one whose cause sources tell differently: all three are shown as cancelled. */
const CLOSED: readonly number[] = [190, 200, 250]
const AUTHOR = 0
const STALE_TOKEN: readonly number[] = [40_001, 40_014, 42_001]
/** Its servers were busy, or it was asked too often. */
const LATER: readonly number[] = [-1, 45_009]

/** Orders of the shop in WeChat Channels: its messages name an order and little more. */
export function channelsOrders(shop: ChannelsShop): OrderDoor {
  const name = JSON.stringify([shop.url, shop.appId])
  return {
    async orderOf(orderNo) {
      const url = new URL('/channels/ec/order/get', shop.url)
      url.searchParams.set('access_token', await tokenOf(name, shop.clock.now().getTime(), () => newToken(shop)))
      const answer = await ask(url, asJson({ order_id: orderNo }))
      const { errcode, errmsg } = said.parse(answer)
      if (STALE_TOKEN.includes(errcode)) dropToken(name)
      if (STALE_TOKEN.includes(errcode) || LATER.includes(errcode)) throw new AskAgain(`${errcode}: ${errmsg}`)
      if (errcode !== 0) throw new Error(`${errcode}: ${errmsg}`)
      return orderIn(z.object({ order }).parse(answer).order)
    },
  }
}

/** Amounts are fen there too, times are seconds. */
function orderIn({ order_detail: detail, ...told }: z.infer<typeof order>): ShopOrder {
  const [first] = detail.product_infos
  const paidAt = detail.pay_info?.pay_time
  return {
    orderNo: told.order_id,
    at: fromSeconds(told.update_time),
    status: String(told.status),
    isClosed: CLOSED.includes(told.status) || undefined,
    isRefundAsked: told.aftersale_detail && told.aftersale_detail.on_aftersale_order_cnt > 0,
    paidAt: paidAt === undefined ? undefined : timeAt(paidAt * 1_000),
    product: first?.title.slice(0, 100) || undefined,
    skuId: first?.sku_id,
    productCode: first?.out_sku_id || first?.out_product_id || first?.sku_code || undefined,
    amountFen: detail.price_info?.order_price,
    // Of what is delivered to a door the shop gives a number that only forwards, or a masked one.
    ...lentTo(detail.delivery_info?.address_info?.virtual_order_tel_number),
    unionid: told.unionid || undefined,
    room: detail.ext_info?.live_id.slice(0, 100) || undefined,
    author: detail.commission_infos.find(({ type }) => type === AUTHOR)?.nickname.slice(0, 100) || undefined,
  }
}

const lentTo = (number: string | undefined) => (number ? { buyerMobile: number, isVirtual: true } : {})

/** The kind of token that leaves those of others good. */
async function newToken({ url, appId, secret }: ChannelsShop) {
  const asked = { grant_type: 'client_credential', appid: appId, secret, force_refresh: false }
  const given = token.safeParse(await ask(new URL('/cgi-bin/stable_token', url), asJson(asked)))
  if (!given.success) throw new AskAgain('WeChat gave no token')
  return { text: given.data.access_token, seconds: given.data.expires_in }
}
