import { channelOf } from '#areas/members/member/demo-joining.server.ts'
import { isPlatform } from '#areas/orders/order/demo-trade.server.ts'
import { senderOf } from '#areas/orders/order/sender.server.ts'
import { PRODUCTS } from '#areas/products/product/demo.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Row } from '#kit/server/database/database.ts'
import type { Source } from '#kit/server/live/event.ts'
import { addressOf, PHONES, phoneAt, pupil, type Random } from './builders.server.ts'

export type SimulatedEvent = { source: Source; type: string; data: Record<string, unknown> }
type World = Pick<App, 'db' | 'clock'>
type Scene = (world: World, random: Random, member: Row) => Promise<SimulatedEvent | undefined>

/** A shelf this empty sells nothing more in the app: what is promised meanwhile has to be kept. */
const LEAST_LEFT = 5
const NEWCOMERS = 300_000

/** Mostly people look, some of them buy and pay, a few spend coins, and now and then one wants the money back. */
const SCENES: readonly (readonly [Scene, number])[] = [
  [browse, 34],
  [register, 8],
  [order, 26],
  [pay, 24],
  [spendCoins, 4],
  [wantBack, 4],
]

/** What happens next out there; nothing where there is no business to play with. */
export async function nextEvent(world: World, random: Random): Promise<SimulatedEvent | undefined> {
  const [member] = await world.db.read.rows(
    `select m.id::text as id, m.phone, m.guardian_name, m.coins from member m
     where m.status = 'ACTIVE' and m.id >= $1::float8 * (select max(id) from member) order by m.id limit 1`,
    [random.fraction()],
  )
  if (!member) return undefined
  const scene = random.weighted(SCENES)
  // Who has nothing to pay, and no coins to spend, looks at something.
  return (await scene(world, random, member)) ?? browse(world, random, member)
}

async function browse(world: World, random: Random, { id }: Row): Promise<SimulatedEvent> {
  const product = await productOf(world, random)
  const name = String(product?.name ?? '年度会员')
  return {
    source: 'app',
    type: 'order.browsed',
    data: { key: `browse:${id}:${name}`.slice(0, 100), memberId: String(id), product: name },
  }
}

async function register(_world: World, random: Random): Promise<SimulatedEvent> {
  const { name, guardianName } = pupil(random)
  const source = random.pick(['DOUYIN', 'DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP', 'APP', 'SCHOOL', 'REFERRAL'])
  const phone = phoneAt(PHONES.app + random.whole(0, NEWCOMERS))
  return {
    source: 'app',
    type: 'member.registered',
    data: { phone, name, guardianName, source, channel: channelOf(random, source) },
  }
}

async function order(world: World, random: Random, member: Row): Promise<SimulatedEvent | undefined> {
  const product = await productOf(world, random)
  if (!product) return undefined
  const { phone } = member
  const isLead = PRODUCTS.some(({ code, kind }) => code === product.code && kind === 'LEAD')
  const source = isLead ? random.pick(['DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP', 'APP']) : random.pick(['APP', 'LINK'])
  const receiver = product.goods
    ? { receiver: { name: String(member.guardian_name ?? '家长'), phone: String(phone), ...addressOf(random) } }
    : {}
  const coupon = isPlatform(source) ? undefined : await couponOf(world, member, product)
  return {
    source: senderOf(source) ?? 'app',
    type: 'order.placed',
    data: { phone, productCode: product.code, source, ...receiver, ...(coupon ? { couponId: coupon } : {}) },
  }
}

/** Something that is on sale and on the shelf, the more often bought the likelier. */
async function productOf({ db }: World, random: Random): Promise<Row | undefined> {
  const offered = await db.read.rows(
    `select p.code, p.name, p.price_fen, g.goods from product p, lateral (
       select count(*) > 0 as goods, coalesce(bool_and(b.available >= $1 or p.may_wait), true) as there
       from jsonb_array_elements(p.grants) g (value) join goods_kit k on k.id = (g.value ->> 'kitId')::bigint,
         jsonb_array_elements(k.parts) part (value) join base_product b on b.id = (part.value ->> 'baseProductId')::bigint
     ) g where p.status = 'ON_SALE' and p.price_fen > 0 and g.there order by p.id`,
    [LEAST_LEFT],
  )
  if (offered.length === 0) return undefined
  return random.weighted(
    offered.map(row => [row, PRODUCTS.find(({ code }) => code === row.code)?.weight || 1] as const),
  )
}

/** A coupon of the member's own that fits, if there is one. */
async function couponOf({ db, clock }: World, { id }: Row, { price_fen: price }: Row): Promise<string | undefined> {
  const [held] = await db.read.rows(
    `select id::text as id from member_coupon where member_id = $1 and status = 'UNUSED' and $2 between valid_from and valid_to
       and rule -> 'productIds' = '[]' and (rule ->> 'thresholdFen')::bigint <= $3 order by id limit 1`,
    [id, dayOf(clock.now()), price],
  )
  return held && String(held.id)
}

/** Most pay what they owe, once and in time; some do not, and their money fits nothing. */
async function pay({ db, clock }: World, random: Random): Promise<SimulatedEvent | undefined> {
  const luck = random.fraction()
  const state = luck < 0.04 ? 'PAID' : luck < 0.08 ? 'CLOSED' : 'UNPAID'
  const [owed] = await db.read.rows(
    `select o.order_no, o.amount_fen, o.source from sales_order o
     where o.pay_state = $1 and o.amount_fen > 0 and o.source not in ('OFFLINE', 'REDEMPTION') order by o.id desc limit 1 offset $2`,
    [state, random.whole(0, 3)],
  )
  if (!owed) return undefined
  const provider = isPlatform(String(owed.source)) ? 'PLATFORM' : random.chance(0.3) ? 'ALIPAY' : 'WECHAT'
  const wrong = state === 'UNPAID' && random.chance(0.03) ? 100 : 0
  return {
    source: senderOf(String(owed.source)) ?? 'app',
    type: 'order.paid',
    data: {
      orderNo: owed.order_no,
      provider,
      providerNo: `${provider.slice(0, 2)}${digits(random, 24)}`,
      amountFen: Number(owed.amount_fen) + wrong,
      paidAt: clock.now().toISOString(),
    },
  }
}

async function spendCoins({ db }: World, random: Random): Promise<SimulatedEvent | undefined> {
  const [wish] = await db.read.rows(
    `select m.id::text as member_id, m.phone, m.guardian_name, g.id::text as goods_id, g.cash_fen
     from member m join coin_goods g on g.coins <= m.coins join base_product b on b.id = g.base_product_id
     where m.status = 'ACTIVE' and g.status = 'ON' and g.sold < g.quota and b.available >= $1
       and (select count(*) from coin_order o where o.member_id = m.id and o.coin_goods_id = g.id and o.status <> 'CANCELLED') < g.per_person
     order by m.coins desc, g.coins desc limit 1 offset $2`,
    [LEAST_LEFT, random.whole(0, 30)],
  )
  if (!wish) return undefined
  const cash = Number(wish.cash_fen)
  const payment = { provider: 'WECHAT', providerNo: `WE${digits(random, 24)}`, amountFen: cash }
  return {
    source: 'app',
    type: 'coin-order.placed',
    data: {
      memberId: wish.member_id,
      coinGoodsId: wish.goods_id,
      receiver: { name: String(wish.guardian_name ?? '家长'), phone: String(wish.phone), ...addressOf(random) },
      ...(cash > 0 ? { payment } : {}),
    },
  }
}

/** The platform has paid somebody back: a pupil of ours, or every third time somebody who never registered. */
async function wantBack({ db, clock }: World, random: Random, { phone }: Row): Promise<SimulatedEvent> {
  const [sold] = await db.read.rows(
    `select o.order_no, m.phone from sales_order o join member m on m.id = o.member_id
     where o.source = 'DOUYIN' and o.pay_state = 'PAID' and o.refund_state = 'NONE' order by o.id desc limit 1 offset $1`,
    [random.whole(0, 40)],
  )
  const orderNo = sold?.order_no ?? `${dayOf(clock.now()).replaceAll('-', '')}${digits(random, 10)}`
  const known = String(sold?.phone ?? phone)
  return random.chance(0.67)
    ? { source: 'douyin', type: 'voucher.refunded', data: { orderNo, leadMobile: known, mobilePhone: known } }
    : {
        source: 'douyin',
        type: 'voucher.refunded',
        data: { orderNo: `69${digits(random, 16)}`, leadMobile: `199${digits(random, 8)}` },
      }
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.whole(0, 9)).join('')
