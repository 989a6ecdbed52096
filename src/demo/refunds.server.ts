import { PHONES, phoneAt, type Random } from './builders.server.ts'
import { valuesOf } from './dictionaries.server.ts'
import type { Colleague } from './organisation.server.ts'
import { type Member, type Order, ownerAt, type Trade } from './trade.server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Applications not older than this wait for a decision; older ones have one. */
const WAITING_DAYS = 3
const LATEST_DAYS = 45
const UNREAD_DAYS = 6

/** One line of a record's timeline. */
export type Happening = {
  readonly at: number
  readonly actor: Colleague
  readonly action: string
  readonly status: readonly [before: string, after: string]
  readonly reason?: string
}

export type Refund = {
  readonly order: Order
  readonly amountFen: number
  readonly reason: string
  readonly note: string
  readonly status: 'SUBMITTED' | 'L1_APPROVED' | 'REJECTED' | 'WITHDRAWN'
  readonly applicant: Colleague
  readonly owner: Colleague
  readonly createdAt: number
  readonly happenings: readonly Happening[]
  refundNo: string
}

const NOTES = [
  '',
  '',
  '家长电话沟通后仍坚持',
  '已挽留一次，家长希望尽快处理',
  '剩余课程较多，家长不再续学',
  '寄出的字帖未拆封',
  '与家长确认按比例退',
] as const
const REJECTIONS = [
  '已补偿两周会员，家长同意继续学习',
  '请先补充沟通记录',
  '金额与约定不符，请重新提交',
  '商品已拆封，不在退款范围内',
] as const
const WITHDRAWALS = ['家长改变主意', '金额填写错误，重新提交', '已换课程'] as const

type Case = { order: Order; owner: Colleague; createdAt: number; waiting: boolean }

/** Applications on orders this business took payment for itself; platforms pay theirs back on their own. */
export function makeRefunds(
  random: Random,
  { orders }: Trade,
  staff: readonly Colleague[],
  count: number,
  now: Date,
): Refund[] {
  const asked = orders.flatMap(order => {
    const owner = ownerAt(order.member, now.getTime(), now)
    return owner && order.paidAt !== null && ['APP', 'LINK', 'OFFLINE'].includes(order.source) ? [{ order, owner }] : []
  })
  const lately = asked.filter(({ order }) => now.getTime() - (order.paidAt ?? 0) < 2 * LATEST_DAYS * DAY_MS)
  const waiting = Math.round(count / 10)
  const refunds: Refund[] = []
  for (let tries = 0; refunds.length < count && tries < count * 20; tries += 1) {
    const isWaiting = refunds.length < waiting
    const picked = random.pick<(typeof asked)[number] | undefined>(isWaiting && lately.length > 0 ? lately : asked)
    if (!picked) return []
    const { order, owner } = picked
    const createdAt = askedAt(random, order, isWaiting, now)
    const left = order.paidFen - order.reservedFen
    if (createdAt !== undefined && left >= 1_000 && order.version < 4) {
      refunds.push(ask(random, staff, { order, owner, createdAt, waiting: isWaiting }, left))
    }
  }
  return refunds.sort((a, b) => a.createdAt - b.createdAt)
}

function askedAt(random: Random, order: Order, waiting: boolean, now: Date): number | undefined {
  const paidAt = order.paidAt ?? now.getTime()
  const decided = now.getTime() - WAITING_DAYS * DAY_MS
  if (waiting)
    return (
      Math.max(paidAt, decided) +
      Math.floor((now.getTime() - Math.max(paidAt, decided)) * (0.1 + 0.85 * random.fraction()))
    )
  const at = paidAt + HOUR_MS + Math.floor(random.fraction() ** 2 * LATEST_DAYS * DAY_MS)
  return at < decided ? at : undefined
}

function ask(
  random: Random,
  staff: readonly Colleague[],
  { order, owner, createdAt, waiting }: Case,
  left: number,
): Refund {
  const team = staff.filter(({ role, org }) => decides(role) && (org === owner.org || above(owner.org) === org))
  // Only sales managers may also ask; whoever asks has the order in scope.
  const manager = team.find(({ role, org }) => role === 'SALES_MANAGER_COPY' && org === owner.org)
  const applicant = manager && random.chance(0.15) ? manager : owner
  const part = Math.floor((left * random.whole(2, 9)) / 1_000) * 100
  const amountFen = random.chance(0.55) || part === 0 ? left : part
  const status = waiting
    ? 'SUBMITTED'
    : random.weighted([
        ['L1_APPROVED', 55],
        ['REJECTED', 25],
        ['WITHDRAWN', 20],
      ] as const)
  const open = status === 'SUBMITTED' || status === 'L1_APPROVED'
  order.reservedFen += open ? amountFen : 0
  // Setting money aside and giving it free are changes of the order.
  order.version += open ? 1 : 2
  return {
    order,
    owner,
    amountFen,
    status,
    applicant,
    createdAt,
    reason: random.pick(valuesOf('REFUND_REASON')),
    note: random.pick(NOTES),
    happenings: decisions(
      random,
      { status, applicant, createdAt },
      team.filter(({ id }) => id !== applicant.id),
    ),
    refundNo: '',
  }
}

const decides = (role: string): boolean => role === 'SALES_MANAGER_COPY' || role === 'AFTERSALES_MANAGER'
const above = (org: string): string => (org.startsWith('SALES_') ? 'SALES_CENTRE' : 'AFTERSALES')

/** Four eyes: deciders are others than the applicant, and of two decisions the second is another person's. */
function decisions(
  random: Random,
  refund: Pick<Refund, 'status' | 'applicant' | 'createdAt'>,
  deciders: readonly Colleague[],
): Happening[] {
  const { status, applicant, createdAt } = refund
  if (status === 'SUBMITTED') return []
  const first = createdAt + random.whole(30, 1_800) * MINUTE_MS
  const decider = random.pick(deciders)
  const approval: Happening = { at: first, actor: decider, action: 'approve', status: ['SUBMITTED', 'L1_APPROVED'] }
  if (status === 'L1_APPROVED') return [approval]
  const others = deciders.filter(({ id }) => id !== decider.id)
  const late = random.chance(0.15) && others.length > 0
  const before = late ? 'L1_APPROVED' : 'SUBMITTED'
  const at = late ? first + random.whole(30, 1_200) * MINUTE_MS : first
  const end: Happening =
    status === 'REJECTED'
      ? {
          at,
          actor: late ? random.pick(others) : decider,
          action: 'reject',
          status: [before, 'REJECTED'],
          reason: random.pick(REJECTIONS),
        }
      : { at, actor: applicant, action: 'withdraw', status: [before, 'WITHDRAWN'], reason: random.pick(WITHDRAWALS) }
  return late ? [approval, end] : [end]
}

export type Notice = {
  readonly source: string
  readonly orderNo: string
  readonly leadPhone: string
  readonly member: Member | null
  readonly owner: Colleague | null
  readonly createdAt: number
  readonly processed: { readonly at: number; readonly by: Colleague } | null
}

/** Refunds the platforms told of: the money is back already, somebody has to look after the pupil. */
export function makeNotices(
  random: Random,
  { orders }: Trade,
  staff: readonly Colleague[],
  count: number,
  now: Date,
): Notice[] {
  const unread = Math.round(count / 4)
  const sold = orders.filter(order => order.source in SHOPS && order.paidAt !== null)
  const notices: Notice[] = []
  for (let tries = 0; notices.length < count && tries < count * 20; tries += 1) {
    const isUnread = notices.length < unread
    const from = isUnread ? Math.floor(sold.length * 0.94) : 0
    const order = sold[from + Math.floor((sold.length - from) * random.fraction())]
    if (!order || order.refundedFen > 0) continue
    const createdAt = toldAt(random, order.paidAt ?? 0, isUnread, now)
    if (createdAt === undefined) continue
    notices.push(
      random.chance(0.3)
        ? stranger(random, staff, order, createdAt, isUnread, notices.length)
        : refunded(random, order, createdAt, isUnread, now),
    )
  }
  return notices.sort((a, b) => a.createdAt - b.createdAt)
}

/** What nobody has processed yet is of this week; what is older has been. */
function toldAt(random: Random, paidAt: number, unread: boolean, now: Date): number | undefined {
  if (unread) {
    const from = Math.max(paidAt, now.getTime() - UNREAD_DAYS * DAY_MS)
    return from + Math.floor((now.getTime() - from) * random.fraction())
  }
  const at = paidAt + random.whole(1, 240) * HOUR_MS
  return at < now.getTime() - 2 * DAY_MS ? at : undefined
}

/** Order source → the name the platform's events come under. */
const SHOPS: Readonly<Record<string, string>> = {
  DOUYIN: 'douyin',
  WECHAT_SHOP: 'wechat-shop',
  XIAOHONGSHU: 'xiaohongshu',
}

function refunded(random: Random, order: Order, createdAt: number, unread: boolean, now: Date): Notice {
  const part = order.product.goods && random.chance(0.4) ? 0.5 : 1
  order.refundedFen = Math.floor(order.paidFen * part)
  order.version += 1
  const owner = ownerAt(order.member, now.getTime(), now)
  const processed = unread || !owner ? null : { at: processedAt(random, createdAt), by: owner }
  return {
    source: SHOPS[order.source] ?? '',
    orderNo: order.orderNo,
    leadPhone: order.member.phone,
    member: order.member,
    owner,
    createdAt,
    processed,
  }
}

/** Bought and gave back before registering: a number that is no pupil's, allocated to a consultant all the same. */
function stranger(
  random: Random,
  staff: readonly Colleague[],
  like: Order,
  createdAt: number,
  unread: boolean,
  index: number,
): Notice {
  const owner = random.pick(
    staff.filter(({ role, enabled, org }) => role === 'SALES' && enabled && org.startsWith('SALES_')),
  )
  const orderNo = `69${String(random.whole(0, 99_999_999)).padStart(8, '0')}${String(index).padStart(9, '0')}`
  const processed = unread ? null : { at: processedAt(random, createdAt), by: owner }
  return {
    source: SHOPS[like.source] ?? '',
    orderNo,
    leadPhone: phoneAt(PHONES.lead + index),
    member: null,
    owner,
    createdAt,
    processed,
  }
}

const processedAt = (random: Random, createdAt: number): number => createdAt + random.whole(10, 2_000) * MINUTE_MS
