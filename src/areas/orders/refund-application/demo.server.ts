import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { type Order, ordersOf } from '#areas/orders/order/demo-trade.server.ts'
import type { Random } from '#demo/builders.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, owned, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import { daysBetween } from '#engines/entitlement/model.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import { dayOf } from '#kit/model/time.ts'
import { claimable, lotParts } from './calculation.server.ts'
import {
  type Asked,
  finishRefund,
  goodsAsked,
  type Happening,
  happeningsOf,
  leaveUnderWay,
  NO_GOODS,
  type Outcome,
  type Refund,
  refundsOf,
  releaseRefund,
} from './demo-course.server.ts'
import { runThroughChain } from './demo-risk.server.ts'
import { dictionaries } from './dictionaries.server.ts'
import { resource } from './model.ts'
import { askingReasons, type L2Reason, SUM_DAYS, standingReasons } from './second-approval.model.ts'
import { settings } from './settings.model.ts'
import { type Calculation, divide, type Known, suggest, takesNothing } from './suggesting.model.ts'

/** In a business of the usual size. */
const REFUNDS = 260

const chance = chanceOf('orders/refund-application')

/** Applications not older than this are still under way; older ones have come to their end. */
const WAITING_DAYS = 4
const LATEST_DAYS = 45
const LEAST_FEN = 500

const NOTES = [
  '',
  '',
  '家长电话沟通后仍坚持',
  '已挽留一次，家长希望尽快处理',
  '剩余课程较多，家长不再续学',
  '寄出的字帖未拆封',
  '与家长确认按比例退',
] as const
const DEVIATIONS = ['与家长协商一致', '老学员，经理同意多退', '家长同意保留部分课程', '补偿直播课故障'] as const

/** Applications on orders this business took payment for itself; platforms pay theirs back on their own. */
function planRefunds(world: World): void {
  const { now, scale } = world
  const random = chance(world)
  const count = Math.round(REFUNDS * scale)
  const asked = ordersOf(world).flatMap(order => {
    const owner = ownerAt(order.member, now.getTime(), now)
    return owner && order.paidAt !== null && ['APP', 'LINK', 'OFFLINE'].includes(order.source) ? [{ order, owner }] : []
  })
  const lately = asked.filter(({ order }) => now.getTime() - (order.paidAt ?? 0) < 2 * LATEST_DAYS * DAY_MS)
  const waiting = Math.round(count / 9)
  let planned = 0
  for (let tries = 0; planned < count && tries < count * 20; tries += 1) {
    const isWaiting = planned < waiting
    const picked = random.pick<(typeof asked)[number] | undefined>(isWaiting && lately.length > 0 ? lately : asked)
    if (!picked) return
    const { order, owner } = picked
    const at = askedAt(random, order, isWaiting, now)
    if (at === undefined || order.amountFen < LEAST_FEN) continue
    const outcome = isWaiting ? (WAITING[planned % WAITING.length] as Outcome) : random.weighted(ENDED)
    planned += 1
    world.agenda.at(at, then =>
      askRefund(world, { order, applicant: applicantOf(world, owner), outcome, route: routeOf(order) }, then),
    )
  }
}

/** What those under way have come to, one after the other, so that each state is there. */
const WAITING: readonly Outcome[] = [
  'SUBMITTED',
  'L1_APPROVED',
  'SUBMITTED',
  'L2_APPROVED',
  'SUBMITTED',
  'FAILED',
  'L1_APPROVED',
  'SUBMITTED',
  'PAYING',
  'ABNORMAL',
  'L2_APPROVED',
  'SUBMITTED',
]
const ENDED = [
  ['PAID', 66],
  ['REJECTED', 18],
  ['WITHDRAWN', 16],
] as const satisfies readonly (readonly [Outcome, number])[]

function askedAt(random: Random, order: Order, waiting: boolean, now: Date): number | undefined {
  const paidAt = order.paidAt ?? now.getTime()
  const decided = now.getTime() - WAITING_DAYS * DAY_MS
  const from = Math.max(paidAt, decided)
  if (waiting) return from + Math.floor((now.getTime() - from) * (0.1 + 0.8 * random.fraction()))
  const at = paidAt + HOUR_MS + Math.floor(random.fraction() ** 2 * LATEST_DAYS * DAY_MS)
  return at < decided ? at : undefined
}

/** Mostly whoever looks after the pupil; a manager of the team may ask too. */
function applicantOf(world: World, owner: Colleague): Colleague {
  const manager = world.staff.find(({ role, org }) => role === 'SALES_MANAGER_COPY' && org === owner.org)
  return manager && chance(world).chance(0.15) ? manager : owner
}

const routeOf = ({ source }: Order): Refund['row']['route'] => (source === 'OFFLINE' ? 'OFFLINE' : 'ORIGINAL')

/** Somebody asks: money is set aside and rights are frozen by the same rules as in the console. */
export function askRefund(world: World, asked: Asked, at: number): void {
  const { order, route, applicant } = asked
  const { ids, numbers, now } = world
  const random = chance(world)
  const known = knownOf(world, order, at)
  const offered = suggest(known, NOBODY_CHOSE)
  const amountFen = Math.min(asked.paidBackFen ?? amountOf(random, offered), offered.leftFen)
  if (amountFen < LEAST_FEN) return
  const divided = divide(known, amountFen, NOBODY_CHOSE)
  if (!divided) return
  const { calculation, lines } = divided
  const { suggestedFen } = calculation
  const daysSincePaid = Math.max(0, daysBetween(known.paidOn, known.askedOn))
  const payee = route === 'OFFLINE' ? payeeOf(random, order) : null
  const l2Reasons: L2Reason[] = [
    ...standingReasons({ sumFen: amountFen + lately(world, order, at), daysSincePaid }, known.terms),
    ...askingReasons({ amountFen, suggestedFen, payee: payee?.payee ?? null, takesNothing: takesNothing(lines) }),
  ]
  const needsL2 = l2Reasons.length > 0
  const course = happeningsOf(world, { ...asked, needsL2, amountFen }, at)
  const id = ids.next('refund_application')
  const by = (...actions: string[]) => course.happenings.findLast(({ action }) => actions.includes(action))
  const paid = course.outcome === 'PAID' ? course.happenings.at(-1) : undefined
  const row: Refund['row'] = {
    id,
    refund_no: numbers.next('R', at),
    order_id: order.id,
    member_id: order.member.id,
    amount_fen: amountFen,
    suggested_fen: suggestedFen,
    calculation: lines,
    terms: known.terms,
    deviation: amountFen === suggestedFen ? '' : deviationOf(random, route),
    reason: random.pick(Object.keys(dictionaries.REFUND_REASON.entries)),
    note: random.pick(NOTES),
    status: course.outcome,
    needs_l2: needsL2,
    l2_reasons: l2Reasons,
    hold: 'NONE',
    hold_reason: '',
    released_by: null,
    route,
    provider: route === 'ORIGINAL' ? movedBy(order) : null,
    ...(payee ?? NOBODY),
    applicant_id: applicant.id,
    l1_by: by('approve')?.actor?.id ?? null,
    l2_by: by('approveL2')?.actor?.id ?? null,
    paid_by: by('pay', 'retry', 'recordPaid')?.actor?.id ?? null,
    paid_at: paid ? new Date(paid.at) : null,
    transaction_no: paid && route !== 'ORIGINAL' ? `T${order.orderNo}${String(id).padStart(6, '0')}` : null,
    failure: course.failure,
    effects_open: 0,
    ended_at: ['PAID', 'REJECTED', 'WITHDRAWN'].includes(course.outcome)
      ? new Date(course.happenings.at(-1)?.at ?? at)
      : null,
    pay_failed: by('fail') !== undefined,
    order_paid_at: new Date(order.paidAt ?? at),
    days_since_paid: daysSincePaid,
    sold_by: order.soldBy?.id ?? null,
    sold_org_id: owned(order.soldBy).org_id,
    channel: order.member.channel,
    products: [...new Set(lines.map(({ name }) => name))],
    ...owned(ownerAt(order.member, now.getTime(), now)),
    created_at: new Date(at),
    state_since: new Date(course.happenings.at(-1)?.at ?? at),
    version: 1 + course.happenings.length,
  }
  const refund: Refund = { id, order, calculation: lines, row }
  refundsOf(world).push(refund)
  open(world, refund, at)
  logCourse(world, refund, applicant, course.happenings, at)
  settle(world, refund, course.outcome, course.happenings.at(-1)?.at ?? at)
}

/** Sets the money aside and holds what would be taken back. */
function open(world: World, { order, calculation, row }: Refund, at: number): void {
  for (const { lineId, amountFen } of calculation) {
    world.rows.add('refund_line', [{ refund_id: row.id as number, order_line_id: lineId, amount_fen: amountFen }])
    const line = order.lines.find(({ id }) => String(id) === lineId)
    if (line) line.reservedFen += amountFen
  }
  order.openRefunds += 1
  order.version += 1
  ledgerOf(world).freeze(lotParts({ calculation: [...calculation] }), 1, at)
}

function settle(world: World, refund: Refund, outcome: Outcome, at: number): void {
  if (outcome === 'PAID') world.agenda.at(at, then => finishRefund(world, refund, then))
  else if (outcome === 'REJECTED' || outcome === 'WITHDRAWN')
    world.agenda.at(at, then => releaseRefund(world, refund, then))
}

/** Who gives back what goes the way it came: whoever moved the money. */
const movedBy = ({ payment }: Order) =>
  payment?.provider === 'WECHAT' || payment?.provider === 'ALIPAY' ? payment.provider : null

const deviationOf = (random: Random, route: Refund['row']['route']): string =>
  route === 'PLATFORM' ? '平台已退款，按平台金额登记' : random.pick(DEVIATIONS)

/** Mostly what the rules suggest; sometimes what was agreed on. */
function amountOf(random: Random, { suggestedFen, leftFen }: Calculation): number {
  if (suggestedFen >= LEAST_FEN && random.chance(0.8)) return suggestedFen
  if (suggestedFen < LEAST_FEN) return Math.floor((leftFen * random.whole(2, 4)) / 1_000) * 100
  const agreed = Math.floor((suggestedFen * random.whole(6, 12)) / 1_000) * 100
  return agreed > 0 ? agreed : suggestedFen
}

/** Nobody has changed them in the two years. */
const TERMS = defaultsOf(settings)
const NOBODY_CHOSE = new Map<string, never>()

/** The same answer as `known` of the refund slice, from the books as they stand. */
function knownOf(world: World, order: Order, at: number): Known {
  const claims = refundsOf(world)
    .filter(({ order: of, row }) => of === order && stands(row, at))
    .flatMap(({ calculation }) => lotParts({ calculation: [...calculation] }))
  const lines = order.lines.map(line => ({
    lineId: String(line.id),
    name: line.offer.name,
    paidFen: line.paidFen,
    takenFen: line.reservedFen + line.refundedFen,
    lots: claimable(ledgerOf(world).usage(order.member.id, [line.id], at), line.offer.grants, claims),
    ...(goodsAsked.tell(world, at, { order, lineId: line.id })[0] ?? NO_GOODS),
  }))
  const [paidOn, askedOn] = [dayOf(new Date(order.paidAt ?? at)), dayOf(new Date(at))]
  return { lines, paidOn, askedOn, terms: TERMS }
}

/** What the member got back or asked for of late. */
const lately = (world: World, { member }: Order, at: number): number =>
  refundsOf(world)
    .filter(({ order, row }) => order.member === member && stands(row, at))
    .filter(({ row }) => !(row.paid_at instanceof Date) || at - row.paid_at.getTime() < SUM_DAYS * DAY_MS)
    .reduce((sum, { row }) => sum + Number(row.amount_fen), 0)

/** The money goes back the way it came. */
const NOBODY = { payee: null, payee_name: null, payee_account: null }

/** Mostly whoever paid; now and then a grandparent. */
function payeeOf(random: Random, { member }: Order) {
  const isPayer = random.chance(0.85)
  return {
    payee: isPayer ? ('PAYER' as const) : ('OTHER' as const),
    payee_name: isPayer ? member.guardianName : `${member.guardianName.slice(0, 1)}先生`,
    payee_account: `6222${String(random.whole(0, 999_999_999)).padStart(9, '0')}${String(random.whole(0, 999_999)).padStart(6, '0')}`,
  }
}

/** Paid, or still open at this moment. */
const stands = ({ status, ended_at: ended }: Refund['row'], at: number): boolean =>
  status === 'PAID' || !(ended instanceof Date) || ended.getTime() > at

function logCourse(
  { log }: World,
  { id, row }: Refund,
  applicant: Colleague,
  happenings: readonly Happening[],
  at: number,
): void {
  log.write({
    at,
    actor: applicant,
    resource,
    action: 'create',
    recordId: id,
    after: {
      orderId: String(row.order_id),
      amountFen: row.amount_fen,
      reason: row.reason,
      route: row.route,
      note: row.note,
    },
  })
  for (const { at: when, actor, action, status, reason } of happenings)
    log.write({
      at: when,
      actor,
      resource,
      action,
      recordId: id,
      before: { status: status[0] },
      after: { status: status[1] },
      reason,
    })
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'withdraw'],
    SALES_MANAGER_COPY: ['export', 'approve', 'reject'],
    AFTERSALES_MANAGER: [...READ, 'approve', 'reject', 'release'],
    FINANCE: [...READ, 'export', 'approveL2', 'reject', 'release'],
    // A transfer needs the whole account.
    FINANCE_CASHIER: [...READ, 'reveal', 'pay', 'retry', 'recordPaid', 'repeatEffects'],
    AUDITOR: READ,
  },
  plan: planRefunds,
  end(world) {
    leaveUnderWay(world)
    runThroughChain(world)
    world.rows.add(
      'refund_application',
      refundsOf(world).map(({ row }) => row),
    )
  },
  proved: {
    table: 'refund_application',
    read: (tx, newest) =>
      tx
        .selectFrom('refund_application')
        .select(['id', 'amount_fen as fen', 'transaction_no as no', 'paid_by as staff_id', 'created_at as at'])
        .where('transaction_no', 'is not', null)
        .orderBy('id', 'desc')
        .limit(newest)
        .execute(),
  },
  // By the way it was paid, which needs nobody to transfer it to.
  enters: () => ({ payee: null, payeeName: null, payeeAccount: null }),
}
