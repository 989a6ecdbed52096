import { sql } from 'kysely'
import { resource as orderResource } from '#areas/orders/order/model.ts'
import { resource as refundResource } from '#areas/orders/refund-application/model.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { diffOf } from '#kit/server/audit.ts'
import { DEMO_PASSWORD } from '#kit/server/auth/demo-account.ts'
import { hashPassword } from '#kit/server/auth/hash.ts'
import { run, type Tx } from '#kit/server/database.ts'
import { type Random, randomFrom } from './builders.server.ts'
import { seedDictionaries } from './dictionaries.server.ts'
import { idOf, idsBy, insertRows } from './insert-rows.server.ts'
import { ADD_EXAMINATIONS, ADD_LINES, ADD_REFUND_LINES } from './lines.server.ts'
import { type Colleague, seedOrganisation } from './organisation.server.ts'
import { makeNotices, makeRefunds, type Notice, type Refund } from './refunds.server.ts'
import { closedByHand, type Member, makeTrade, type Order, ownerAt } from './trade.server.ts'

const ORDERS = 3_000
const MEMBERS_PER_ORDER = 0.4
const REFUNDS_PER_ORDER = 260 / 3_000
const NOTICES_PER_ORDER = 40 / 3_000
const DAY_MS = 86_400_000
/** Of instances that start together one seeds. The same number as in kit/server/auth/admin.ts: both make the first people. */
const LOCK = 7_283_403

/**
 * Fills an empty console with a business: departments, staff, dictionaries, two years of orders and refunds. Does
 * nothing, and answers false, where people or members are already. The same `now` gives the same business. Made for
 * thousands of orders; millions come from seedOrders.
 */
export async function seedDemo(
  app: Pick<App, 'db' | 'env'>,
  { orders = ORDERS, now }: { orders?: number; now: Date },
): Promise<boolean> {
  const { ADMIN_USERNAME: admin, ADMIN_PASSWORD: adminPassword } = app.env
  // One hash serves all demo accounts: forty would take seconds. A password chosen for the administrator is respected.
  const demoHash = await hashPassword(DEMO_PASSWORD)
  const adminHash = adminPassword === undefined ? demoHash : await hashPassword(adminPassword)
  return app.db.write(async tx => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    if (await isThere(tx, admin)) return false
    const random = randomFrom(20_211_115)
    const staff = await seedOrganisation(tx, random, now, { admin, adminHash, demoHash })
    await seedDictionaries(tx, new Date(now.getTime() - 740 * DAY_MS))
    await seedTrade(tx, random, staff, orders, now)
    await sql`analyze org, staff, member, sales_order, refund_application, refund_notice, operation_log, kept_count`.execute(
      tx,
    )
    return true
  })
}

async function isThere(tx: Tx, admin: string): Promise<boolean> {
  const somebody = await tx.selectFrom('staff').select('id').where('account', '<>', admin).limit(1).executeTakeFirst()
  return (
    somebody !== undefined || (await tx.selectFrom('member').select('id').limit(1).executeTakeFirst()) !== undefined
  )
}

async function seedTrade(
  tx: Tx,
  random: Random,
  staff: readonly Colleague[],
  orderCount: number,
  now: Date,
): Promise<void> {
  const trade = makeTrade(
    random,
    staff,
    { orders: orderCount, members: Math.round(orderCount * MEMBERS_PER_ORDER) },
    now,
  )
  const numbers = new Map<string, number>()
  for (const order of trade.orders) order.orderNo = numbered(numbers, '', 10, order.createdAt)
  const refunds = makeRefunds(random, trade, staff, Math.round(orderCount * REFUNDS_PER_ORDER), now)
  for (const refund of refunds) refund.refundNo = numbered(numbers, 'R', 5, refund.createdAt)
  const notices = makeNotices(random, trade, staff, Math.round(orderCount * NOTICES_PER_ORDER), now)
  const touched = touchOrders(random, trade.orders, staff, now)

  const members = idsBy(
    await insertRows(
      tx,
      'member',
      trade.members.map(member => memberRow(member, now)),
      ['id', 'phone'],
    ),
    'phone',
  )
  const orders = idsBy(
    await insertRows(
      tx,
      'sales_order',
      trade.orders.map(order => orderRow(order, members, now)),
      ['id', 'order_no'],
    ),
    'order_no',
  )
  const stored = idsBy(
    await insertRows(
      tx,
      'refund_application',
      refunds.map(refund => refundRow(refund, members, orders)),
      ['id', 'refund_no'],
    ),
    'refund_no',
  )
  for (const statement of [ADD_LINES, ADD_REFUND_LINES, ADD_EXAMINATIONS]) await run(tx, statement, [])
  await insertRows(
    tx,
    'refund_notice',
    notices.map(notice => noticeRow(notice, members)),
  )
  const log = [
    ...touched.map(entry => logged(random, { ...entry, recordId: idOf(orders, entry.orderNo) })),
    ...refunds.flatMap(refund => refundLog(random, refund, orders, stored)),
  ]
  await insertRows(
    tx,
    'operation_log',
    log.sort((a, b) => a.at.getTime() - b.at.getTime()),
  )
  await insertRows(
    tx,
    'number_sequence',
    [...numbers].map(([key, last]) => ({ kind: key.slice(10), day: key.slice(0, 10), last })),
  )
}

/** The next number of that day and kind, in the shape of engines/sequence; the counters are stored at the end. */
function numbered(numbers: Map<string, number>, kind: string, digits: number, at: number): string {
  const day = dayOf(new Date(at))
  const last = (numbers.get(day + kind) ?? 0) + 1
  numbers.set(day + kind, last)
  return `${kind}${day.replaceAll('-', '')}${String(last).padStart(digits, '0')}`
}

const CLOSINGS = ['家长改拍其他套餐', '重复下单', '价格有误，重新下单'] as const
const NOTES = [
  '家长要求周末送达',
  '赠送字帖一本',
  '二胎家庭，推荐过同事',
  '发票抬头已登记',
  '等孩子期末后开课',
] as const

type Touch = {
  orderNo: string
  at: number
  actor: Colleague
  page: string
  action: string
  diff: object
  reason?: string
}

/** What people did to orders by hand: a manager closed one, a consultant noted something. */
function touchOrders(random: Random, orders: readonly Order[], staff: readonly Colleague[], now: Date): Touch[] {
  const page = orderResource.screen.key
  return orders.flatMap((order): Touch[] => {
    const { soldBy, orderNo } = order
    const manager = staff.find(({ role, org }) => role === 'SALES_MANAGER_COPY' && org === soldBy?.org)
    if (manager && order.closedAt !== null && closedByHand(order)) {
      order.version += 1
      const diff = diffOf(orderResource as never, { payState: 'UNPAID' }, { payState: 'CLOSED' })
      return [
        { orderNo, at: order.closedAt, actor: manager, page, action: 'close', diff, reason: random.pick(CLOSINGS) },
      ]
    }
    if (soldBy === null || order.paidAt === null || !random.chance(0.04)) return []
    order.note = random.pick(NOTES)
    const noted = order.paidAt + Math.floor(Math.min(DAY_MS, now.getTime() - order.paidAt) * random.fraction())
    order.version += 1
    const diff = diffOf(orderResource as never, { note: '' }, { note: order.note })
    return [{ orderNo, at: noted, actor: soldBy, page, action: 'update', diff }]
  })
}

function refundLog(
  random: Random,
  refund: Refund,
  orders: ReadonlyMap<string, string>,
  ids: ReadonlyMap<string, string>,
) {
  const page = refundResource.screen.key
  const recordId = idOf(ids, refund.refundNo)
  const { amountFen, reason, note } = refund
  const asked = diffOf(
    refundResource as never,
    {},
    { orderId: idOf(orders, refund.order.orderNo), amountFen, reason, note },
  )
  return [
    logged(random, { at: refund.createdAt, actor: refund.applicant, page, action: 'create', recordId, diff: asked }),
    ...refund.happenings.map(({ at, actor, action, status: [before, after], reason: why }) =>
      logged(random, {
        at,
        actor,
        page,
        action,
        recordId,
        diff: diffOf(refundResource as never, { status: before }, { status: after }),
        reason: why,
      }),
    ),
  ]
}

function logged(
  random: Random,
  entry: {
    at: number
    actor: Colleague
    page: string
    action: string
    recordId: string
    diff: object
    reason?: string | undefined
  },
) {
  return {
    at: new Date(entry.at),
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    address: `10.8.${random.whole(1, 4)}.${random.whole(2, 250)}`,
    request_id: `demo-${random.whole(0, 2 ** 31).toString(36)}`,
    page: entry.page,
    action: entry.action,
    record_id: entry.recordId,
    diff: entry.diff as never,
    reason: entry.reason ?? null,
    code: 0,
    duration_ms: random.whole(6, 60),
  }
}

const instant = (at: number | null): Date | null => (at === null ? null : new Date(at))
const owned = (owner: Colleague | null) => ({ owner_id: owner?.id ?? null, org_id: owner?.orgId ?? null })

function memberRow(member: Member, now: Date) {
  const level: 'MEMBER' | 'EXPIRED' | 'TRIAL' =
    member.membershipUntil > now.getTime() ? 'MEMBER' : member.membershipUntil > 0 ? 'EXPIRED' : 'TRIAL'
  return {
    name: member.name,
    name_pinyin: member.namePinyin,
    phone: member.phone,
    guardian_name: member.guardianName,
    level,
    source: member.source,
    ...owned(ownerAt(member, now.getTime(), now)),
    created_at: new Date(member.createdAt),
  }
}

function orderRow(order: Order, members: ReadonlyMap<string, string>, now: Date) {
  const { paidFen, refundedFen } = order
  const refundState: 'NONE' | 'FULL' | 'PARTIAL' =
    refundedFen === 0 ? 'NONE' : refundedFen === paidFen ? 'FULL' : 'PARTIAL'
  return {
    order_no: order.orderNo,
    member_id: idOf(members, order.member.phone),
    product_name: order.product.name,
    list_fen: order.amountFen,
    amount_fen: order.amountFen,
    paid_fen: paidFen,
    reserved_fen: order.reservedFen,
    refunded_fen: refundedFen,
    pay_state: order.payState,
    fulfil_state: order.fulfilState,
    refund_state: refundState,
    source: order.source,
    note: order.note,
    sold_by: order.soldBy?.id ?? null,
    ...owned(ownerAt(order.member, now.getTime(), now)),
    created_at: new Date(order.createdAt),
    paid_at: instant(order.paidAt),
    closed_at: instant(order.closedAt),
    version: order.version,
  }
}

function refundRow(refund: Refund, members: ReadonlyMap<string, string>, orders: ReadonlyMap<string, string>) {
  return {
    refund_no: refund.refundNo,
    order_id: idOf(orders, refund.order.orderNo),
    member_id: idOf(members, refund.order.member.phone),
    amount_fen: refund.amountFen,
    reason: refund.reason,
    note: refund.note,
    status: refund.status,
    applicant_id: refund.applicant.id,
    ...owned(refund.owner),
    created_at: new Date(refund.createdAt),
    version: 1 + refund.happenings.length,
  }
}

function noticeRow(notice: Notice, members: ReadonlyMap<string, string>) {
  return {
    source: notice.source,
    order_no: notice.orderNo,
    lead_phone: notice.leadPhone,
    phone: notice.member?.phone ?? null,
    member_id: notice.member ? idOf(members, notice.member.phone) : null,
    ...owned(notice.owner),
    status: notice.processed ? ('READ' as const) : ('UNREAD' as const),
    created_at: new Date(notice.createdAt),
    processed_at: instant(notice.processed?.at ?? null),
    processed_by: notice.processed?.by.id ?? null,
  }
}
