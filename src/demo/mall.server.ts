import type { Grant } from '#engines/entitlement/model.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { named, type StockedGood } from './assortment.server.ts'
import { type Address, addressOf } from './builders.server.ts'
import { type Business, owned } from './business.server.ts'
import { MALL, type MallDesign } from './goods.server.ts'
import { insertRows, type NewRow } from './insert-rows.server.ts'
import { openParcel } from './parcels.server.ts'
import { type Member, ownerAt } from './trade.server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const REWARD_DAYS = 180
const CHEAPEST = Math.min(...MALL.map(({ coins: price }) => price))

type CoinGoods = MallDesign & { readonly id: number; readonly good: StockedGood; sold: number }
type CoinOrder = {
  readonly id: number
  readonly no: string
  readonly member: Member
  readonly goods: CoinGoods
  readonly address: Address
  readonly createdAt: number
  status: NonNullable<NewRow<'coin_order'>['status']>
  paidFen: number
  version: number
}

export type Mall = { readonly goods: readonly CoinGoods[]; readonly orders: CoinOrder[] }

/** What pupils do with what they hold: they come to lessons, earn coins by checking in, and spend them. */
export function planLearning(business: Business, members: readonly Member[]): Mall {
  const { random, ids, assortment, now } = business
  const goods = MALL.map(
    (design): CoinGoods => ({
      ...design,
      id: ids.next('coin_goods'),
      good: named(assortment.goods, ({ sku }) => sku === design.sku, design.sku),
      sold: 0,
    }),
  )
  const mall: Mall = { goods, orders: [] }
  for (const member of members) {
    if (member.firstMembershipAt === Number.POSITIVE_INFINITY || !random.chance(0.6)) continue
    const until = Math.min(member.membershipUntil, now.getTime())
    for (let at = member.firstMembershipAt + 3 * DAY_MS; at < until; at += random.whole(18, 48) * DAY_MS)
      business.agenda.at(evening(random.whole(0, 180), at), then => learn(business, mall, member, then))
  }
  // Something is always on its way through the desks.
  for (const hours of [1, 3, 22, 28, 34, 40, 46, 52])
    business.agenda.at(now.getTime() - hours * HOUR_MS, at => {
      const rich = members.filter(({ id }) => business.ledger.freeOf(id, 'COINS', at) >= CHEAPEST)
      if (rich.length > 0) buy(business, mall, random.pick(rich), at)
    })
  return mall
}

/** After homework, so many minutes past seven in Shanghai. */
const evening = (minutes: number, at: number): number => at - (at % DAY_MS) + 11 * HOUR_MS + minutes * MINUTE_MS

function learn(business: Business, mall: Mall, member: Member, at: number): void {
  const { random, ledger } = business
  ledger.spend(at, member.id, 'LESSONS', 1, { note: '直播课到课' })
  if (random.chance(0.06)) ledger.spend(at, member.id, 'APPOINTMENTS', 1, { note: '一对一指导' })
  if (random.chance(0.35)) {
    const quantity = 10 * random.whole(2, 12)
    ledger.give(at, {
      memberId: member.id,
      source: 'REWARD',
      grants: [coins(quantity)],
      times: 1,
      note: '连续打卡奖励',
    })
  }
  if (random.chance(0.2)) buy(business, mall, member, at)
}

const coins = (quantity: number): Grant => ({
  kind: 'COINS',
  quantity,
  validDays: REWARD_DAYS,
  sharePermille: 1_000,
  packageId: null,
  kitId: null,
  name: '打卡金币',
})

/** The dearest thing the coins suffice for, within what one person may have. */
function buy(business: Business, mall: Mall, member: Member, at: number): void {
  const { random, ledger, ids, numbers, agenda, rows } = business
  const free = ledger.freeOf(member.id, 'COINS', at)
  const wanted = mall.goods.filter(
    goods =>
      goods.coins <= free &&
      goods.sold < goods.quota &&
      mall.orders.filter(order => order.member === member && order.goods === goods && order.status !== 'CANCELLED')
        .length < goods.perPerson,
  )
  const goods = wanted.at(-1)
  if (!goods) return
  const order: CoinOrder = {
    id: ids.next('coin_order'),
    no: numbers.next('C', at),
    member,
    goods,
    address: addressOf(random),
    createdAt: at,
    status: 'WAITING',
    paidFen: goods.cashFen,
    version: 1,
  }
  mall.orders.push(order)
  goods.sold += 1
  ledger.spend(at, member.id, 'COINS', goods.coins, { note: order.no, coinOrderId: order.id })
  if (goods.cashFen > 0)
    rows.payment.push({
      id: ids.next('payment'),
      payment_no: numbers.next('P', at),
      provider: 'WECHAT',
      provider_no: `WE${order.no}`,
      order_id: null,
      coin_order_id: order.id,
      amount_fen: goods.cashFen,
      refunded_fen: 0,
      status: 'RECEIVED',
      stray_reason: null,
      said_order_no: order.no,
      received_at: new Date(at),
      told_at: new Date(at),
    })
  agenda.at(at + random.whole(4, 48) * HOUR_MS, then => decide(business, order, then))
}

function decide(business: Business, order: CoinOrder, at: number): void {
  const { random, ledger } = business
  order.version += 1
  // Given back whole, while nothing of it was paid in money.
  if (order.goods.cashFen === 0 && random.chance(0.06)) {
    order.status = 'CANCELLED'
    order.goods.sold -= 1
    ledger.giveBack(at, order.id)
    return
  }
  order.status = 'APPROVED'
  const { id, sku, name } = order.goods.good
  openParcel(business, at, {
    source: 'COIN_ORDER',
    member: order.member,
    address: order.address,
    goodsName: order.goods.name,
    parts: [{ baseProductId: String(id), sku, name, quantity: 1 }],
    coinOrderId: order.id,
    applicant: named(business.staff, ({ role }) => role === 'LOGISTICS', 'send desk'),
    told: {
      sent() {
        order.status = 'SENT'
        order.version += 1
      },
      signed() {
        order.status = 'DONE'
        order.version += 1
      },
    },
  })
}

const THANKS = ['生日礼物', '转介绍感谢', '作品入选展览', '补偿直播课故障'] as const

/** Consultants give some days, some coins, or a thing from the shelf: each with a reason, within their allowance. */
export function planGifts(business: Business, members: readonly Member[], count: number): void {
  const { random, agenda, now } = business
  for (let nth = 0; nth < count && members.length > 0; nth += 1) {
    const member = random.pick(members)
    const at = member.createdAt + Math.floor((now.getTime() - member.createdAt) * (0.1 + 0.88 * random.fraction()))
    agenda.at(at, then => give(business, member, nth, then))
  }
}

function give(business: Business, member: Member, nth: number, at: number): void {
  const { random, ledger, now, assortment } = business
  const giver = ownerAt(member, at, now)
  if (!giver) return
  const reason = random.pick(THANKS)
  if (nth % 3 === 0) {
    const { id, sku, name } = named(assortment.goods, good => good.sku === 'STICKER', 'sticker')
    const parts = [{ baseProductId: String(id), sku, name, quantity: random.whole(1, 3) }]
    openParcel(business, at, {
      source: 'GIFT',
      member,
      address: addressOf(random),
      goodsName: name,
      parts,
      applicant: giver,
    })
    return
  }
  const days = nth % 3 === 1
  const quantity = days ? random.whole(3, 7) : 10 * random.whole(1, 5)
  const grant = {
    ...coins(quantity),
    kind: days ? ('MEMBER_DAYS' as const) : ('COINS' as const),
    validDays: null,
    name: '赠送',
  }
  ledger.give(at, { memberId: member.id, source: 'GIFT', grants: [grant], times: 1, note: reason, staffId: giver.id })
}

export async function storeMall(tx: Tx, { now, assortment }: Business, { goods, orders }: Mall): Promise<void> {
  await insertRows(
    tx,
    'coin_goods',
    goods.map(({ id, good, name, coins: price, cashFen, quota, sold, perPerson, status }, index) => ({
      id,
      base_product_id: good.id,
      name,
      coins: price,
      cash_fen: cashFen,
      quota,
      sold,
      per_person: perPerson,
      status,
      sort: 10 * (index + 1),
      created_at: assortment.since,
    })),
  )
  await insertRows(
    tx,
    'coin_order',
    orders.map(order => ({
      id: order.id,
      order_no: order.no,
      member_id: order.member.id,
      coin_goods_id: order.goods.id,
      goods_name: order.goods.name,
      coins: order.goods.coins,
      cash_fen: order.goods.cashFen,
      paid_fen: order.paidFen,
      status: order.status,
      receiver_name: order.member.guardianName,
      receiver_phone: order.member.phone,
      receiver_province: order.address.province,
      receiver_address: order.address.address,
      ...owned(ownerAt(order.member, now.getTime(), now)),
      created_at: new Date(order.createdAt),
      version: order.version,
    })),
  )
}
