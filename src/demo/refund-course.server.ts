import { shareOfCommission } from '#areas/orders/order/commission.server.ts'
import { lotParts } from '#areas/orders/refund-application/calculation.server.ts'
import { EFFECTS } from '#areas/orders/refund-application/model.ts'
import type { Business } from './business.server.ts'
import { piecesOut } from './goods-out.server.ts'
import type { Colleague } from './organisation.server.ts'
import { cancelParcels } from './parcels.server.ts'
import type { Asked, Refund } from './refunds.server.ts'
import { ownerAt, sumOf } from './trade.server.ts'

const MINUTE_MS = 60_000

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
export function happeningsOf(business: Business, asked: Case, at: number): Course {
  const { random, now } = business
  const outcome = reachable(asked)
  const steps = stepsTo(business, asked, outcome)
  // What is under way has to fit into the time until now; what has ended took its time.
  const left = now.getTime() - at
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

function stepsTo(business: Business, asked: Case, outcome: Outcome): Step[] {
  const { random } = business
  if (outcome === 'SUBMITTED') return []
  const people = peopleFor(business, asked)
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
  return outcome === 'L2_APPROVED' ? second : [...second, ...payments(business, asked, outcome, people.cashier)]
}

function payments({ random }: Business, { needsL2, route }: Case, outcome: Outcome, cashier: Colleague): Step[] {
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
function peopleFor({ staff, random, now }: Business, { applicant, order }: Case) {
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
export function releaseRefund(business: Business, { order, calculation }: Refund, at: number): void {
  for (const { lineId, amountFen } of calculation) {
    const line = order.lines.find(({ id }) => String(id) === lineId)
    if (line) line.reservedFen -= amountFen
  }
  order.openRefunds -= 1
  order.version += 1
  business.ledger.freeze(lotParts({ calculation: [...calculation] }), -1, at)
}

/** The money is back, and everything that follows from it is done. */
export function finishRefund(business: Business, refund: Refund, at: number): void {
  const { order, calculation, row } = refund
  const { rows, ledger } = business
  for (const { lineId, amountFen } of calculation) {
    const line = order.lines.find(({ id }) => String(id) === lineId)
    if (!line) continue
    line.reservedFen -= amountFen
    line.refundedFen += amountFen
  }
  order.openRefunds -= 1
  order.version += 1
  const parts = lotParts({ calculation: [...calculation] })
  ledger.takeBack(at, parts, refund.id)
  const isWhole = sumOf(order, line => line.paidFen - line.refundedFen) === 0
  const isOf = cancelled(refund, isWhole)
  if (isWhole && order.coupon) business.coupons.release(order.coupon)
  const outcomes: Record<string, Record<string, number>> = {
    ENTITLEMENT: {
      units: parts.reduce((sum, { units }) => sum + units, 0),
      debt: parts.reduce((sum, { debt }) => sum + debt, 0),
    },
    COUPON: isWhole && order.coupon ? { coupons: 1 } : {},
    GOODS: { cancelled: cancelParcels(business, order, isOf, at), out: piecesOut(order) },
    COMMISSION: { fen: reverse(business, refund, at) },
    NOTICE: {},
  }
  for (const name of EFFECTS)
    rows.refund_effect.push({
      refund_id: refund.id,
      name,
      status: 'DONE',
      outcome: (outcomes[name] ?? {}) as never,
      error: '',
      attempts: 1,
      done_at: new Date(at),
    })
  if (row.route === 'ORIGINAL' && order.payment) {
    order.payment.refunded_fen = Number(order.payment.refunded_fen) + Number(row.amount_fen)
    askProvider(business, refund, 'SUCCESS', at)
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
function reverse({ rows }: Business, refund: Refund, at: number): number {
  let reversed = 0
  for (const { lineId, paidFen } of refund.calculation) {
    const entries = rows.commission_entry.filter(entry => String(entry.order_line_id) === lineId)
    const earned = entries.find(({ cause }) => cause === 'EARNED')
    const before = entries.reduce((sum, entry) => sum - (entry.cause === 'REVERSED' ? Number(entry.amount_fen) : 0), 0)
    const line = refund.order.lines.find(({ id }) => String(id) === lineId)
    const part = earned ? shareOfCommission(Number(earned.amount_fen), line?.refundedFen ?? 0, paidFen) - before : 0
    if (!earned || part <= 0) continue
    reversed += part
    rows.commission_entry.push({
      ...earned,
      cause: 'REVERSED',
      amount_fen: -part,
      refund_id: refund.id,
      created_at: new Date(at),
    })
  }
  return reversed
}

type Asking = 'SUCCESS' | 'PROCESSING' | 'CLOSED' | 'ABNORMAL'

function askProvider({ rows }: Business, { id, order, row }: Refund, status: Asking, at: number): void {
  const isOver = status !== 'PROCESSING'
  rows.provider_refund.push({
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
  })
}

/** The provider has been asked and has not paid: it said no, it thinks it over, or somebody has to look. */
export function leaveUnderWay(business: Business): void {
  const { refunds, rows, now } = business
  const states: Partial<Record<Outcome, Asking>> = { PAYING: 'PROCESSING', FAILED: 'CLOSED', ABNORMAL: 'ABNORMAL' }
  for (const refund of refunds) {
    const status = states[refund.row.status as Outcome]
    if (!status) continue
    askProvider(business, refund, status, now.getTime() - 10 * MINUTE_MS)
    const { refund_no: refundNo } = refund.row
    if (status === 'PROCESSING')
      rows.outbox.push(outboxRow(now, 'provider-refund', refundNo, { refundNo }, `${refundNo} is under way`))
  }
  leaveEffectsOpen(business)
}

/** Two refunds of late have a step that did not go through yet. */
function leaveEffectsOpen({ refunds, rows, now }: Business): void {
  const paid = refunds.filter(({ row }) => row.status === 'PAID').slice(-2)
  for (const [index, { id, row }] of paid.entries()) {
    const effect = rows.refund_effect.find(({ refund_id, name }) => refund_id === id && name === 'NOTICE')
    if (!effect) continue
    const error = index === 0 ? 'connect ECONNREFUSED: the chat service is away' : ''
    Object.assign(effect, {
      status: index === 0 ? 'FAILED' : 'WAITING',
      error,
      attempts: index === 0 ? 7 : 0,
      done_at: null,
    })
    row.effects_open = 1
    rows.outbox.push(outboxRow(now, 'refund-effect', `${id}:NOTICE`, { refundId: String(id), name: 'NOTICE' }, error))
  }
}

const RETRY_MINUTES = 28
const outboxRow = (now: Date, kind: string, key: string, payload: object, error: string) => ({
  kind,
  key,
  payload: payload as never,
  status: 'WAITING' as const,
  attempts: 8,
  due_at: new Date(now.getTime() + RETRY_MINUTES * MINUTE_MS),
  error,
  created_at: new Date(now.getTime() - 60 * MINUTE_MS),
})
