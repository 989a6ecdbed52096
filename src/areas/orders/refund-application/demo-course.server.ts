import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { shareOfCommission } from '#areas/orders/order/commission.server.ts'
import { type Order, sumOf } from '#areas/orders/order/demo-trade.server.ts'
import { releaseCoupon } from '#areas/products/coupon/demo.server.ts'
import type { Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { chanceOf, defineWord, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'
import type { CalculatedLine } from './calculation.model.ts'
import { lotParts } from './calculation.server.ts'
import { EFFECTS } from './effects.model.ts'

const chance = chanceOf('orders/refund-application: course')

export type Refund = {
  readonly id: number
  readonly order: Order
  readonly calculation: readonly CalculatedLine[]
  readonly row: NewRow<'refund_application'>
}

/** In order of time. */
export const refundsOf = remembered((): Refund[] => [])

export type Asked = {
  readonly order: Order
  readonly applicant: Colleague
  readonly outcome: Outcome
  readonly route: Refund['row']['route']
  /** What the platform has given back already; else the rules suggest. */
  readonly paidBackFen?: number
}

/** What of a line is out, and what has not left, at list value. */
export type Goods = { readonly sentFen: number; readonly unsentFen: number; readonly unsentPieces: number }
export const NO_GOODS: Goods = { sentFen: 0, unsentFen: 0, unsentPieces: 0 }
export const goodsAsked = defineWord<{ readonly order: Order; readonly lineId: number }, Goods>()

/** The money is back: unsent goods of these lines stay here. Answered with the parcels this touched, and the pieces that are out. */
export const refundPaid = defineWord<
  { readonly order: Order; readonly isOf: (lineId: number | null) => boolean },
  { readonly cancelled: number; readonly out: number }
>()

export type Outcome = NonNullable<Refund['row']['status']>

/** One line of a refund's timeline; nobody: the provider told it. */
export type Happening = {
  readonly at: number
  readonly actor: Colleague | null
  readonly action: string
  readonly status: readonly [before: string, after: string]
  readonly reason?: string
}
type Course = { readonly outcome: Outcome; readonly happenings: readonly Happening[]; readonly failure: string }

const REJECTIONS = [
  '已补偿两周会员，家长同意继续学习',
  '请先补充沟通记录',
  '金额与约定不符，请重新提交',
  '商品已拆封，不在退款范围内',
] as const
const WITHDRAWALS = ['家长改变主意', '金额填写错误，重新提交', '已换课程'] as const
const CLOSED = 'NOT_ENOUGH: 商户可用余额不足'
const ABNORMAL = 'USER_ACCOUNT_ABNORMAL: 用户账户异常'

type Step = Omit<Happening, 'at'>
type Case = Asked & { readonly needsL2: boolean; readonly amountFen: number }

/** What became of an application: asking, approving and paying are the work of four different people. */
export function happeningsOf(world: World, asked: Case, at: number): Course {
  const random = chance(world)
  const outcome = reachable(asked)
  const steps = stepsTo(world, asked, outcome)
  // What is under way has to fit into the time until now; what has ended took its time.
  const left = world.now.getTime() - at
  const isOpen = !['PAID', 'REJECTED', 'WITHDRAWN'].includes(outcome)
  let when = at
  const happenings = steps.map((step, index): Happening => {
    when = isOpen
      ? at + Math.floor((left * (index + 1)) / (steps.length + 1))
      : when + Math.min(random.whole(20, 700) * MINUTE_MS, Math.floor(left / (steps.length + 1)))
    return { ...step, at: when }
  })
  const failed = happenings.findLast(({ action }) => action === 'fail')
  const failure = !failed || outcome === 'PAID' ? '' : outcome === 'ABNORMAL' ? ABNORMAL : CLOSED
  return { outcome, happenings, failure }
}

/** Not every amount needs finance, and what goes back by hand cannot fail at a provider. */
function reachable({ outcome, needsL2, route }: Case): Outcome {
  const approved = needsL2 ? 'L2_APPROVED' : 'L1_APPROVED'
  if (outcome === 'L2_APPROVED') return approved
  if (route !== 'ORIGINAL' && ['PAYING', 'FAILED', 'ABNORMAL'].includes(outcome)) return approved
  return outcome
}

function stepsTo(world: World, asked: Case, outcome: Outcome): Step[] {
  const random = chance(world)
  if (outcome === 'SUBMITTED') return []
  const people = peopleFor(world, asked)
  const first: Step = { actor: people.manager, action: 'approve', status: ['SUBMITTED', 'L1_APPROVED'] }
  if (outcome === 'REJECTED' || outcome === 'WITHDRAWN') {
    const late = random.chance(0.2) && people.other !== undefined
    const before = late ? 'L1_APPROVED' : 'SUBMITTED'
    const end: Step =
      outcome === 'REJECTED'
        ? {
            actor: late ? (people.other ?? null) : people.manager,
            action: 'reject',
            status: [before, 'REJECTED'],
            reason: random.pick(REJECTIONS),
          }
        : {
            actor: asked.applicant,
            action: 'withdraw',
            status: [before, 'WITHDRAWN'],
            reason: random.pick(WITHDRAWALS),
          }
    return late ? [first, end] : [end]
  }
  if (outcome === 'L1_APPROVED') return [first]
  const second: Step[] = asked.needsL2
    ? [first, { actor: people.finance, action: 'approveL2', status: ['L1_APPROVED', 'L2_APPROVED'] }]
    : [first]
  return outcome === 'L2_APPROVED' ? second : [...second, ...payments(random, asked, outcome, people.cashier)]
}

function payments(random: Random, { needsL2, route }: Case, outcome: Outcome, cashier: Colleague): Step[] {
  const approved = needsL2 ? 'L2_APPROVED' : 'L1_APPROVED'
  if (route !== 'ORIGINAL') return [{ actor: cashier, action: 'recordPaid', status: [approved, 'PAID'] }]
  const pay: Step = { actor: cashier, action: 'pay', status: [approved, 'PAYING'] }
  const paid: Step = { actor: null, action: 'paid', status: ['PAYING', 'PAID'] }
  const fail = (into: string): Step => ({ actor: null, action: 'fail', status: ['PAYING', into] })
  if (outcome === 'PAYING') return [pay]
  if (outcome === 'FAILED' || outcome === 'ABNORMAL') return [pay, fail(outcome)]
  const retry: Step = { actor: cashier, action: 'retry', status: ['FAILED', 'PAYING'] }
  return random.chance(0.05) ? [pay, fail('FAILED'), retry, paid] : [pay, paid]
}

/** Managers of the department or above it decide first; finance second; a cashier pays. */
function peopleFor(world: World, { applicant, order }: Case) {
  const { staff, now } = world
  const random = chance(world)
  const owner = ownerAt(order.member, now.getTime(), now)?.org ?? applicant.org
  const deciders = staff.filter(
    ({ id, role, org }) =>
      id !== applicant.id &&
      (role === 'SALES_MANAGER_COPY' || role === 'AFTERSALES_MANAGER') &&
      (org === owner || above(owner) === org),
  )
  const manager = random.pick(deciders)
  return {
    manager,
    other: deciders.find(({ id }) => id !== manager.id),
    finance: random.pick(staff.filter(({ role }) => role === 'FINANCE')),
    cashier: random.pick(staff.filter(({ role }) => role === 'FINANCE_CASHIER')),
  }
}

const above = (org: string): string => (org.startsWith('SALES_') ? 'SALES_CENTRE' : 'AFTERSALES')

/** It will not be paid: money and rights are free again. */
export function releaseRefund(world: World, { order, calculation }: Refund, at: number): void {
  for (const { lineId, amountFen } of calculation) {
    const line = order.lines.find(({ id }) => String(id) === lineId)
    if (line) line.reservedFen -= amountFen
  }
  order.openRefunds -= 1
  order.version += 1
  ledgerOf(world).freeze(lotParts({ calculation: [...calculation] }), -1, at)
}

/** The money is back, and everything that follows from it is done. */
export function finishRefund(world: World, refund: Refund, at: number): void {
  const { order, calculation, row } = refund
  for (const { lineId, amountFen } of calculation) {
    const line = order.lines.find(({ id }) => String(id) === lineId)
    if (!line) continue
    line.reservedFen -= amountFen
    line.refundedFen += amountFen
  }
  order.openRefunds -= 1
  order.version += 1
  const parts = lotParts({ calculation: [...calculation] })
  ledgerOf(world).takeBack(at, parts, refund.id)
  const isWhole = sumOf(order, line => line.paidFen - line.refundedFen) === 0
  const isOf = cancelled(refund, isWhole)
  if (isWhole && order.coupon) releaseCoupon(order.coupon)
  const outcomes: Record<string, Record<string, number>> = {
    ENTITLEMENT: {
      units: parts.reduce((sum, { units }) => sum + units, 0),
      debt: parts.reduce((sum, { debt }) => sum + debt, 0),
    },
    COUPON: isWhole && order.coupon ? { coupons: 1 } : {},
    GOODS: refundPaid.tell(world, at, { order, isOf })[0] ?? {},
    COMMISSION: { fen: reverse(world, refund, at) },
    NOTICE: {},
  }
  world.rows.add(
    'refund_effect',
    EFFECTS.map(name => ({
      refund_id: refund.id,
      name,
      status: 'DONE',
      outcome: outcomes[name] ?? {},
      error: '',
      attempts: 1,
      done_at: new Date(at),
    })),
  )
  if (row.route === 'ORIGINAL' && order.payment) {
    order.payment.refunded_fen = Number(order.payment.refunded_fen) + Number(row.amount_fen)
    askProvider(world, refund, 'SUCCESS', at)
  }
}

/** Which lines' unsent goods stay here: those the refund says, and with the last of the money all it does not send. */
const cancelled =
  ({ calculation }: Refund, isWhole: boolean) =>
  (lineId: number | null): boolean => {
    const said = calculation.find(line => line.lineId === String(lineId))?.unsent
    return isWhole ? said !== 'SEND' : said === 'CANCEL'
  }

/** The earner gives back in proportion, all refunds together rounded down. */
function reverse({ rows }: World, refund: Refund, at: number): number {
  let reversed = 0
  for (const { lineId, paidFen } of refund.calculation) {
    const entries = rows.of('commission_entry').filter(entry => String(entry.order_line_id) === lineId)
    const earned = entries.find(({ cause }) => cause === 'EARNED')
    const before = entries.reduce((sum, entry) => sum - (entry.cause === 'REVERSED' ? Number(entry.amount_fen) : 0), 0)
    const line = refund.order.lines.find(({ id }) => String(id) === lineId)
    const part = earned ? shareOfCommission(Number(earned.amount_fen), line?.refundedFen ?? 0, paidFen) - before : 0
    if (!earned || part <= 0) continue
    reversed += part
    rows.add('commission_entry', [
      { ...earned, cause: 'REVERSED', amount_fen: -part, refund_id: refund.id, created_at: new Date(at) },
    ])
  }
  return reversed
}

type Asking = 'SUCCESS' | 'PROCESSING' | 'CLOSED' | 'ABNORMAL'

function askProvider({ rows }: World, { id, order, row }: Refund, status: Asking, at: number): void {
  const isOver = status !== 'PROCESSING'
  const asked: NewRow<'provider_refund'> = {
    refund_no: row.refund_no,
    payment_id: order.payment?.id as number,
    refund_id: id,
    amount_fen: row.amount_fen,
    status,
    provider_no: status === 'SUCCESS' ? `SIM${row.refund_no}` : null,
    tries: status === 'SUCCESS' && row.pay_failed ? 2 : 1,
    error: row.failure ?? '',
    created_at: new Date(at - 2 * MINUTE_MS),
    finished_at: isOver ? new Date(at) : null,
  }
  rows.add('provider_refund', [asked])
}

/** The provider has been asked and has not paid: it said no, it thinks it over, or somebody has to look. */
export function leaveUnderWay(world: World): void {
  const { rows, now } = world
  const states: Partial<Record<Outcome, Asking>> = { PAYING: 'PROCESSING', FAILED: 'CLOSED', ABNORMAL: 'ABNORMAL' }
  for (const refund of refundsOf(world)) {
    const status = states[refund.row.status as Outcome]
    if (!status) continue
    askProvider(world, refund, status, now.getTime() - 10 * MINUTE_MS)
    const { refund_no: refundNo } = refund.row
    if (status === 'PROCESSING')
      rows.add('outbox', [outboxRow(now, 'provider-refund', refundNo, { refundNo }, `${refundNo} is under way`)])
  }
  leaveEffectsOpen(world)
}

/** Two refunds of late have a step that did not go through yet. */
function leaveEffectsOpen(world: World): void {
  const { rows, now } = world
  const paid = refundsOf(world)
    .filter(({ row }) => row.status === 'PAID')
    .slice(-2)
  for (const [index, { id, row }] of paid.entries()) {
    const effect = rows.of('refund_effect').find(({ refund_id, name }) => refund_id === id && name === 'NOTICE')
    if (!effect) continue
    const error = index === 0 ? 'connect ECONNREFUSED: the chat service is away' : ''
    Object.assign(effect, {
      status: index === 0 ? 'FAILED' : 'WAITING',
      error,
      attempts: index === 0 ? 7 : 0,
      done_at: null,
    })
    row.effects_open = 1
    rows.add('outbox', [
      outboxRow(now, 'refund-effect', `${id}:NOTICE`, { refundId: String(id), name: 'NOTICE' }, error),
    ])
  }
}

const RETRY_MINUTES = 28
const outboxRow = (now: Date, kind: string, key: string, payload: object, error: string) => ({
  kind,
  key,
  payload: payload,
  status: 'WAITING' as const,
  attempts: 8,
  due_at: new Date(now.getTime() + RETRY_MINUTES * MINUTE_MS),
  error,
  created_at: new Date(now.getTime() - 60 * MINUTE_MS),
})
