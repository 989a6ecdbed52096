import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { lessonTaken } from '#areas/members/member/demo-learning.server.ts'
import { type CoinGoods, coinGoodsOf } from '#areas/products/coin-goods/demo.server.ts'
import { type Address, addressOf, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import { digits, LEAST_LEFT, type Outside, type SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, defineWord, HOUR_MS, owned, remembered, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'

const chance = chanceOf('orders/coin-order')

export type CoinOrder = {
  readonly id: number
  readonly no: string
  readonly member: Member
  readonly goods: CoinGoods
  readonly address: Address
  readonly createdAt: number
  status: NonNullable<NewRow<'coin_order'>['status']>
  version: number
}

/** Somebody let it go: it has to be sent. */
export const coinOrderApproved = defineWord<CoinOrder>()

const coinOrdersOf = remembered((): CoinOrder[] => [])

/** Pupils spend their coins after a lesson. */
function plan(world: World): void {
  lessonTaken.hear(world, (at, { member }) => {
    if (chance(world).chance(0.2)) buy(world, member, at)
  })
  const cheapest = Math.min(...coinGoodsOf(world).map(({ coins }) => coins))
  // Something is always on its way through the desks.
  for (const hours of [1, 3, 22, 28, 34, 40, 46, 52])
    world.agenda.at(world.now.getTime() - hours * HOUR_MS, at => {
      const rich = membersOf(world).filter(({ id }) => ledgerOf(world).freeOf(id, 'COINS', at) >= cheapest)
      if (rich.length > 0) buy(world, chance(world).pick(rich), at)
    })
}

/** The dearest thing the coins suffice for, within what one person may have. */
function buy(world: World, member: Member, at: number): void {
  const { ids, numbers, agenda, rows } = world
  const random = chance(world)
  const ledger = ledgerOf(world)
  const orders = coinOrdersOf(world)
  const free = ledger.freeOf(member.id, 'COINS', at)
  const wanted = coinGoodsOf(world).filter(
    goods =>
      goods.coins <= free &&
      goods.sold < goods.quota &&
      orders.filter(order => order.member === member && order.goods === goods && order.status !== 'CANCELLED').length <
        goods.perPerson,
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
    version: 1,
  }
  orders.push(order)
  goods.sold += 1
  ledger.spend(at, member.id, 'COINS', goods.coins, { note: order.no, coinOrderId: order.id })
  if (goods.cashFen > 0)
    rows.add('payment', [
      {
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
      },
    ])
  agenda.at(at + random.whole(4, 48) * HOUR_MS, then => decide(world, order, then))
}

function decide(world: World, order: CoinOrder, at: number): void {
  order.version += 1
  // Given back whole, while nothing of it was paid in money.
  if (order.goods.cashFen === 0 && chance(world).chance(0.06)) {
    order.status = 'CANCELLED'
    order.goods.sold -= 1
    ledgerOf(world).giveBack(at, order.id)
    return
  }
  order.status = 'APPROVED'
  coinOrderApproved.tell(world, at, order)
}

/** It has left, or it has arrived. */
export function moveCoinOrder(order: CoinOrder, status: 'SENT' | 'DONE'): void {
  order.status = status
  order.version += 1
}

function end(world: World): void {
  world.rows.add(
    'coin_order',
    coinOrdersOf(world).map(order => ({
      id: order.id,
      order_no: order.no,
      member_id: order.member.id,
      coin_goods_id: order.goods.id,
      goods_name: order.goods.name,
      coins: order.goods.coins,
      cash_fen: order.goods.cashFen,
      paid_fen: order.goods.cashFen,
      status: order.status,
      receiver_name: order.member.guardianName,
      receiver_phone: order.member.phone,
      receiver_province: order.address.province,
      receiver_address: order.address.address,
      ...owned(ownerAt(order.member, world.now.getTime(), world.now)),
      created_at: new Date(order.createdAt),
      version: order.version,
    })),
  )
}

async function spendCoins({ db }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
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

export const demo: Story = {
  holds: { LOGISTICS: [...READ, 'export', 'reveal', 'approve', 'cancel', 'repeatCashBack'], AUDITOR: READ },
  plan,
  end,
  scenes: [[spendCoins, 4]],
}
