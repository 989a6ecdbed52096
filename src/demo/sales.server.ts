import { resource as examinationResource, flagsOf } from '#areas/orders/examination/model.ts'
import { resource as orderResource } from '#areas/orders/order/model.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { named } from './assortment.server.ts'
import { isPlatform } from './builders.server.ts'
import { type Business, instant, owned } from './business.server.ts'
import { insertRows } from './insert-rows.server.ts'
import type { Colleague } from './organisation.server.ts'
import { fulfilmentOf, sendGoods } from './parcels.server.ts'
import { closedByHand, type Order, ownerAt, ownersOf, productNameOf, sumOf, UNPAID_HOURS } from './trade.server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const CLOSINGS = ['家长改拍其他套餐', '重复下单', '价格有误，重新下单'] as const
const NOTES = [
  '家长要求周末送达',
  '赠送字帖一本',
  '二胎家庭，推荐过同事',
  '发票抬头已登记',
  '等孩子期末后开课',
] as const
const AGREEMENTS = ['老学员转介绍，按约定优惠', '兄弟姐妹同报', '活动价延期一天'] as const
const PAY_CHANNELS = ['BANK', 'WECHAT', 'ALIPAY', 'CASH'] as const

/** Puts the life of every order on the agenda: placed, examined, paid or closed, and what follows from it. */
export function planSales(business: Business, orders: readonly Order[]): void {
  for (const order of orders) {
    business.agenda.at(order.createdAt, at => place(business, order, at))
    if (order.paidAt !== null) business.agenda.at(order.paidAt, at => pay(business, order, at))
    if (order.closedAt !== null) business.agenda.at(order.closedAt, at => close(business, order, at))
  }
}

function place(business: Business, order: Order, at: number): void {
  numberOrder(business, order, at)
  if (order.coupon) business.coupons.bind(order.coupon, order.id, at)
  if (order.source === 'OFFLINE') takeByHand(business, order, at)
  else if (order.agreedFrom !== null) agreePrice(business, order, at)
}

/** Orders, and their lines, are numbered as they come. */
export function numberOrder({ ids, numbers }: Business, order: Order, at: number): void {
  order.id = ids.next('sales_order')
  order.orderNo = numbers.next('', at)
  for (const line of order.lines) line.id = ids.next('order_line')
}

/** Money taken in the shop: a second person looks at it. */
function takeByHand(business: Business, order: Order, at: number): void {
  const { random, staff } = business
  const applicant = order.soldBy ?? named(staff, ({ role }) => role === 'SALES_MANAGER_COPY', 'sales manager')
  const payChannel = random.pick(PAY_CHANNELS)
  const transactionNo = `${random.whole(10, 99)}${String(order.id).padStart(8, '0')}${random.whole(1_000, 9_999)}`
  const decided = order.paidAt ?? order.closedAt
  const examiner = decided === null ? null : examinerOf(business, applicant)
  order.examination = { id: business.ids.next('order_examination'), by: examiner }
  business.rows.order_examination.push({
    ...examined(business, order, order.examination.id, at),
    kind: 'OFFLINE',
    amount_fen: order.amountFen,
    before_fen: order.amountFen,
    flags: flagged(order, order.amountFen, order.amountFen),
    pay_channel: payChannel,
    transaction_no: transactionNo,
    status: order.paidAt !== null ? 'APPROVED' : order.closedAt !== null ? 'REJECTED' : 'WAITING',
    applicant_id: applicant.id,
    decided_by: examiner?.id ?? null,
    decided_at: instant(decided),
    version: decided === null ? 1 : 2,
  })
  order.offlineNo = transactionNo
  business.log.write({
    at,
    actor: applicant,
    resource: orderResource,
    action: 'create',
    recordId: order.id,
    after: { payState: 'EXAMINING', amountFen: order.amountFen, orderNo: order.orderNo },
  })
}

/** Another price than the product's: examined while the member waits, unless it is still open. */
function agreePrice(business: Business, order: Order, at: number): void {
  const { random } = business
  const isOpen = order.payState === 'EXAMINING'
  const applicant = order.soldBy as Colleague
  const examiner = isOpen ? null : examinerOf(business, applicant)
  const decidedAt = isOpen ? null : at + Math.floor(((order.paidAt ?? order.closedAt ?? at) - at) / 2)
  const asked = isOpen ? order.amountFen - random.pick([2_000, 5_000]) : order.amountFen
  business.rows.order_examination.push({
    ...examined(business, order, business.ids.next('order_examination'), at),
    kind: 'PRICE',
    amount_fen: asked,
    before_fen: order.agreedFrom ?? order.amountFen,
    flags: flagged(order, asked, order.agreedFrom ?? order.amountFen),
    pay_channel: null,
    transaction_no: null,
    note: random.pick(AGREEMENTS),
    status: isOpen ? 'WAITING' : 'APPROVED',
    applicant_id: applicant.id,
    decided_by: examiner?.id ?? null,
    decided_at: decidedAt === null ? null : new Date(decidedAt),
    version: isOpen ? 1 : 2,
  })
  order.version += isOpen ? 1 : 2
  business.log.write({
    at,
    actor: applicant,
    resource: orderResource,
    action: 'changePrice',
    recordId: order.id,
    before: { payState: 'UNPAID' },
    after: { payState: 'EXAMINING' },
    reason: random.pick(AGREEMENTS),
  })
  if (decidedAt === null) return
  business.log.write({
    at: decidedAt,
    actor: examiner,
    resource: orderResource,
    action: 'examine',
    recordId: order.id,
    before: { payState: 'EXAMINING' },
    after: { payState: 'UNPAID' },
  })
}

const examined = ({ now }: Business, order: Order, id: number, at: number) => ({
  id,
  order_id: order.id,
  member_id: order.member.id,
  list_fen: sumOf(order, line => line.listFen),
  note: '',
  ...owned(ownerAt(order.member, now.getTime(), now)),
  created_at: new Date(at),
})

const flagged = (order: Order, amountFen: number, beforeFen: number): string[] =>
  flagsOf({
    amountFen,
    beforeFen,
    listFen: sumOf(order, line => line.listFen),
    isOffSale: false,
    isProofSeen: false,
    isOwnerChanged: false,
    isShared: false,
  })

/** The applicant's manager, or finance where the applicant leads. */
const examinerOf = ({ staff, random }: Business, applicant: Colleague): Colleague =>
  random.pick(
    staff.filter(
      ({ id, role, org }) =>
        id !== applicant.id && (role === 'FINANCE' || (role === 'SALES_MANAGER_COPY' && org === applicant.org)),
    ),
  )

/** The money is there: what was bought is given, what was earned is booked, what is to be sent waits for it. */
function pay(business: Business, order: Order, at: number): void {
  const { ids, ledger, numbers, rows, random } = business
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
  rows.payment.push(order.payment)
  for (const { id, offer, quantity, paidFen } of order.lines) {
    offer.sold += quantity
    const commission = Math.floor((paidFen * offer.commissionPermille) / 1_000)
    if (order.soldBy && commission > 0)
      rows.commission_entry.push({
        order_line_id: id,
        staff_id: order.soldBy.id,
        cause: 'EARNED',
        amount_fen: commission,
        refund_id: null,
        created_at: new Date(at),
      })
    ledger.give(at, { memberId: order.member.id, source: 'ORDER', grants: offer.grants, times: quantity, lineId: id })
  }
  logMove(business, order, at, 'pay', 'PAID')
  sendGoods(business, order, at)
  if (order.soldBy && random.chance(0.04)) note(business, order, order.soldBy, at)
}

function note(business: Business, order: Order, actor: Colleague, at: number): void {
  const { random, now } = business
  order.note = random.pick(NOTES)
  order.version += 1
  business.log.write({
    at: at + Math.floor(Math.min(DAY_MS, now.getTime() - at) * random.fraction()),
    actor,
    resource: orderResource,
    action: 'update',
    recordId: order.id,
    before: { note: '' },
    after: { note: order.note },
  })
}

function close(business: Business, order: Order, at: number): void {
  if (order.coupon) business.coupons.release(order.coupon)
  order.version += 1
  logMove(business, order, at, 'close', 'CLOSED')
}

/** Paying and closing stand in the timeline: done by the examiner, by a manager, or by themselves. */
function logMove(business: Business, order: Order, at: number, action: string, payState: string): void {
  const { staff, random } = business
  const manager = staff.find(({ role, org }) => role === 'SALES_MANAGER_COPY' && org === order.soldBy?.org)
  const byHand = action === 'close' && closedByHand(order) && manager !== undefined
  business.log.write({
    at,
    actor: byHand ? manager : (order.examination?.by ?? null),
    resource: orderResource,
    action,
    recordId: order.id,
    before: { payState: order.source === 'OFFLINE' ? 'EXAMINING' : 'UNPAID' },
    after: { payState },
    reason: byHand ? random.pick(CLOSINGS) : undefined,
  })
  if (order.examination)
    business.log.write({
      at,
      actor: order.examination.by,
      resource: examinationResource,
      action: payState === 'PAID' ? 'approve' : 'reject',
      recordId: order.examination.id,
      before: { status: 'WAITING' },
      after: { status: payState === 'PAID' ? 'APPROVED' : 'REJECTED' },
      ...(payState === 'PAID' ? {} : { reason: '账上没有这笔款' }),
    })
}

export async function storeOrders(tx: Tx, { now }: Business, orders: readonly Order[]): Promise<void> {
  await insertRows(
    tx,
    'sales_order',
    orders.map(order => orderRow(order, now)),
  )
  await insertRows(
    tx,
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
        grants: line.offer.grants as never,
        commission_permille: line.offer.commissionPermille,
        may_wait: line.offer.mayWait,
      })),
    ),
  )
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
    reserved_fen: sumOf(order, line => line.reservedFen),
    refunded_fen: refundedFen,
    pay_state: order.payState,
    fulfil_state: fulfilmentOf(order),
    refund_state:
      refundedFen === 0 ? ('NONE' as const) : refundedFen === paidFen ? ('FULL' as const) : ('PARTIAL' as const),
    source: order.source,
    channel: member.channel,
    note: order.note,
    sold_by: order.soldBy?.id ?? null,
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
