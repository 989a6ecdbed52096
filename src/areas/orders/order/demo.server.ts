import { sql } from 'kysely'
import { credit } from '#areas/members/member/credit.server.ts'
import { ownerAt, ownersOf } from '#areas/members/member/demo-joining.server.ts'
import { settings } from '#areas/members/registration/settings.model.ts'
import { bindCoupon, releaseCoupon } from '#areas/products/coupon/demo.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, instant, owned, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import { dealLead } from '#engines/lead/demo-leads.server.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { FOLLOWING } from './demo-bulk-following.server.ts'
import { order as orderNow, pay as payNow } from './demo-scenes.server.ts'
import {
  closedByHand,
  isPlatform,
  type Order,
  orderClosed,
  orderPaid,
  orderPlaced,
  ordersOf,
  otherOrdersOf,
  productNameOf,
  sumOf,
  UNPAID_HOURS,
} from './demo-trade.server.ts'
import { resource } from './model.ts'

const chance = chanceOf('orders/order')

const CLOSINGS = ['家长改拍其他套餐', '重复下单', '价格有误，重新下单'] as const
const NOTES = [
  '家长要求周末送达',
  '赠送字帖一本',
  '二胎家庭，推荐过同事',
  '发票抬头已登记',
  '等孩子期末后开课',
] as const

/** Puts the life of every order on the agenda: placed, paid or closed, and what follows from it. */
function plan(world: World): void {
  for (const order of ordersOf(world)) {
    world.agenda.at(order.createdAt, at => place(world, order, at))
    if (order.paidAt !== null) world.agenda.at(order.paidAt, at => pay(world, order, at))
    if (order.closedAt !== null) world.agenda.at(order.closedAt, at => close(world, order, at))
  }
}

function place(world: World, order: Order, at: number): void {
  numberOrder(world, order, at)
  if (order.coupon) bindCoupon(order.coupon, order.id, at)
  orderPlaced.tell(world, at, order)
}

/** Orders, and their lines, are numbered as they come. */
export function numberOrder({ ids, numbers }: World, order: Order, at: number): void {
  order.id = ids.next('sales_order')
  order.orderNo = numbers.next('', at)
  for (const line of order.lines) line.id = ids.next('order_line')
}

/** The money is there: what was bought is given, what was earned is booked, what is to be sent waits for it. */
function pay(world: World, order: Order, at: number): void {
  const { ids, numbers, rows } = world
  const random = chance(world)
  for (const line of order.lines) line.paidFen = line.amountFen
  order.version += order.source === 'OFFLINE' ? 2 : 1
  const byAlipay = random.chance(0.27)
  const provider = isPlatform(order.source)
    ? 'PLATFORM'
    : order.source === 'OFFLINE'
      ? 'OFFLINE'
      : byAlipay
        ? 'ALIPAY'
        : 'WECHAT'
  order.payment = {
    id: ids.next('payment'),
    payment_no: numbers.next('P', at),
    provider,
    provider_no: order.offlineNo ?? `${provider.slice(0, 2)}${order.orderNo}${random.whole(1_000, 9_999)}`,
    order_id: order.id,
    coin_order_id: null,
    amount_fen: order.amountFen,
    refunded_fen: 0,
    status: 'RECEIVED',
    stray_reason: null,
    said_order_no: order.orderNo,
    received_at: new Date(at),
    told_at: new Date(at),
  }
  rows.add('payment', [order.payment])
  for (const { id, offer, quantity, paidFen } of order.lines) {
    offer.sold += quantity
    const commission = Math.floor((paidFen * offer.commissionPermille) / 1_000)
    if (order.soldBy && commission > 0)
      rows.add('commission_entry', [
        {
          order_line_id: id,
          staff_id: order.soldBy.id,
          cause: 'EARNED',
          amount_fen: commission,
          refund_id: null,
          created_at: new Date(at),
        },
      ])
    const given = { memberId: order.member.id, grants: offer.grants, times: quantity, lineId: id }
    ledgerOf(world).give(at, { ...given, source: 'ORDER' })
  }
  logMove(world, order, at, 'pay', 'PAID')
  orderPaid.tell(world, at, order)
  if (order.soldBy && random.chance(0.04)) note(world, order, order.soldBy, at)
}

function note(world: World, order: Order, actor: Colleague, at: number): void {
  const { now } = world
  const random = chance(world)
  order.note = random.pick(NOTES)
  order.version += 1
  world.log.write({
    at: at + Math.floor(Math.min(DAY_MS, now.getTime() - at) * random.fraction()),
    actor,
    resource,
    action: 'update',
    recordId: order.id,
    before: { note: '' },
    after: { note: order.note },
  })
}

function close(world: World, order: Order, at: number): void {
  if (order.coupon) releaseCoupon(order.coupon)
  order.version += 1
  logMove(world, order, at, 'close', 'CLOSED')
  orderClosed.tell(world, at, order)
}

/** Paying and closing stand in the timeline: done by the examiner, by a manager, or by themselves. */
function logMove(world: World, order: Order, at: number, action: string, payState: string): void {
  const manager = world.staff.find(({ role, org }) => role === 'SALES_MANAGER_COPY' && org === order.soldBy?.org)
  const byHand = action === 'close' && closedByHand(order) && manager !== undefined
  world.log.write({
    at,
    actor: byHand ? manager : (order.examination?.by ?? null),
    resource,
    action,
    recordId: order.id,
    before: { payState: order.source === 'OFFLINE' ? 'EXAMINING' : 'UNPAID' },
    after: { payState },
    reason: byHand ? chance(world).pick(CLOSINGS) : undefined,
  })
}

/** Who has paid belongs to the channel the rule says, from what stands. */
async function creditPayers(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update member m set first_paid_at = o.at, credit_days = ${defaultsOf(settings).lookBackDays}, credited_source = m.source, credited_channel = m.channel
    from (select member_id, min(paid_at) as at from sales_order where paid_fen > 0 group by 1) o
    where o.member_id = m.id returning m.id`.execute(tx)
  await credit(
    { tx },
    rows.map(({ id }) => id),
  )
}

function end(world: World): void {
  const orders = [...ordersOf(world), ...otherOrdersOf(world)]
  for (const { member, paidAt, amountFen } of orders)
    if (paidAt !== null && amountFen > 0) dealLead(world, member.id, paidAt, amountFen)
  world.rows.add(
    'sales_order',
    orders.map(order => orderRow(order, world.now)),
  )
  world.rows.add(
    'order_line',
    orders.flatMap(order =>
      order.lines.map(line => ({
        id: line.id,
        order_id: order.id,
        product_id: line.offer.id,
        product_name: line.offer.name,
        quantity: line.quantity,
        list_fen: line.listFen,
        amount_fen: line.amountFen,
        paid_fen: line.paidFen,
        reserved_fen: line.reservedFen,
        refunded_fen: line.refundedFen,
        grants: line.offer.grants,
        commission_permille: line.offer.commissionPermille,
        may_wait: line.offer.mayWait,
      })),
    ),
  )
}

function paidByProduct({ lines }: Order): Record<string, number> {
  const paid: Record<string, number> = {}
  for (const { offer, paidFen } of lines) if (paidFen > 0) paid[offer.name] = (paid[offer.name] ?? 0) + paidFen
  return paid
}

function orderRow(order: Order, now: Date) {
  const { member, address } = order
  const listFen = sumOf(order, line => line.listFen)
  const paidFen = sumOf(order, line => line.paidFen)
  const refundedFen = sumOf(order, line => line.refundedFen)
  return {
    id: order.id,
    order_no: order.orderNo,
    member_id: member.id,
    product_name: productNameOf(order),
    list_fen: listFen,
    discount_fen: listFen - order.amountFen,
    amount_fen: order.amountFen,
    paid_fen: paidFen,
    paid_by_product: paidByProduct(order),
    reserved_fen: sumOf(order, line => line.reservedFen),
    refunded_fen: refundedFen,
    pay_state: order.payState,
    fulfil_state: order.fulfilment,
    refund_state:
      refundedFen === 0 ? ('NONE' as const) : refundedFen === paidFen ? ('FULL' as const) : ('PARTIAL' as const),
    source: order.source,
    channel: member.channel,
    note: order.note,
    // Links say so, which are made later.
    link_id: null,
    sold_by: order.soldBy?.id ?? null,
    sold_org_id: owned(order.soldBy).org_id,
    ...owned(ownerAt(member, now.getTime(), now)),
    // The first owner is no change of owners.
    owner_changed: ownersOf(member, now)
      .slice(1)
      .some(({ at }) => at <= order.createdAt && order.createdAt - at < DAY_MS),
    receiver_name: address ? member.guardianName : null,
    receiver_phone: address ? member.phone : null,
    receiver_province: address?.province ?? null,
    receiver_address: address?.address ?? null,
    closes_at: order.payState === 'UNPAID' ? new Date(order.createdAt + UNPAID_HOURS * HOUR_MS) : null,
    created_at: new Date(order.createdAt),
    paid_at: instant(order.paidAt),
    closed_at: instant(order.closedAt),
    version: order.version,
  }
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'update', 'changePrice', 'changeAddress', 'sendAgain', 'reveal'],
    SALES_MANAGER_COPY: ['export', 'close'],
    FINANCE: [...READ, 'export'],
    FINANCE_CASHIER: READ,
    AUDITOR: READ,
  },
  plan,
  end,
  stored: creditPayers,
  scenes: [
    [orderNow, 26],
    [payNow, 24],
  ],
  bulk: {
    tables: [
      'member',
      'sales_order',
      'order_line',
      'payment',
      'commission_entry',
      'entitlement_lot',
      'entitlement_entry',
    ],
    counted: [
      'product',
      'number_sequence',
      'kept_count',
      'order_by_seller_move',
      'order_by_channel_move',
      'order_by_product_move',
    ],
    statements: FOLLOWING,
  },
  enters: ({ ids }) => ({ products: [{ productId: ids.get('product'), quantity: 1 }] }),
}
