import {
  type OrderSource,
  PHONES,
  PLATFORMS,
  type Product,
  phoneAt,
  pinyinOf,
  productOf,
  pupil,
  type Random,
} from './builders.server.ts'
import type { Colleague } from './organisation.server.ts'
import { rhythmUntil } from './rhythm.server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Nobody pays later than this: then the order closes by itself. */
const UNPAID_HOURS = 2
const EXAMINE_DAYS = 3
/** The consultant who left did so this long ago. */
const LEFT_DAYS = 120
/** A pupil whose first year is done is looked after by the renewal consultants. */
const FIRST_YEAR_DAYS = 365
/** Orders of the last two hours, so that something is always waiting for payment. */
const JUST_NOW = 8

export type Member = {
  readonly name: string
  readonly namePinyin: string
  readonly guardianName: string
  readonly source: string
  readonly createdAt: number
  phone: string
  /** First the consultant it was allocated to; null while nobody has it. */
  consultant: Colleague | null
  replacement: Colleague | null
  /** Takes over after the first year; null where the consultant keeps the pupil. */
  renewal: Colleague | null
  firstMembershipAt: number
  membershipUntil: number
  lastOrderAt: number
}

export type Order = {
  readonly member: Member
  readonly product: Product
  readonly source: OrderSource
  readonly createdAt: number
  readonly amountFen: number
  readonly payState: 'UNPAID' | 'EXAMINING' | 'PAID' | 'CLOSED'
  readonly fulfilState: 'NOT_NEEDED' | 'WAITING' | 'PARTIAL' | 'SENT' | 'DONE'
  readonly paidAt: number | null
  readonly closedAt: number | null
  readonly soldBy: Colleague | null
  orderNo: string
  paidFen: number
  reservedFen: number
  refundedFen: number
  note: string
  version: number
}

export type Trade = { readonly members: Member[]; readonly orders: Order[] }

/** Pupils and what they bought, in order of time. */
export function makeTrade(
  random: Random,
  staff: readonly Colleague[],
  size: { members: number; orders: number },
  now: Date,
): Trade {
  const rhythm = rhythmUntil(now)
  const recent = Math.min(JUST_NOW, size.orders)
  const times = [
    ...Array.from({ length: size.orders - recent }, () => rhythm.at(random.fraction())),
    ...Array.from({ length: recent }, () => now.getTime() - random.whole(4, 110) * MINUTE_MS),
  ].sort((a, b) => a - b)
  const people = staffOf(staff)
  const buyers = Math.min(size.orders, Math.round(size.members * 0.87))
  const members: Member[] = []
  const orders: Order[] = []
  for (const [index, at] of times.entries()) {
    const newcomers = (buyers - members.length) / (times.length - index)
    const known = random.chance(newcomers) ? undefined : findBuyer(random, members, at)
    const member = known ?? newMember(random, people, at, now)
    if (!known) members.push(member)
    orders.push(newOrder(random, member, known === undefined, at, now))
  }
  while (members.length < size.members) members.push(newMember(random, people, rhythm.at(random.fraction()), now))
  members.sort((a, b) => a.createdAt - b.createdAt)
  for (const [index, member] of members.entries()) member.phone = phoneAt(PHONES.member + index)
  return { members, orders }
}

type People = { consultants: Colleague[]; renewals: Colleague[] }

function staffOf(staff: readonly Colleague[]): People {
  const sellers = staff.filter(({ role }) => role === 'SALES')
  return {
    consultants: sellers.filter(({ org }) => org.startsWith('SALES_')),
    renewals: sellers.filter(({ org }) => org.startsWith('AFTERSALES_')),
  }
}

function newMember(random: Random, { consultants, renewals }: People, firstOrderAt: number, now: Date): Member {
  const createdAt =
    firstOrderAt - (random.chance(0.7) ? random.whole(2, 90) * MINUTE_MS : random.whole(2, 72) * HOUR_MS)
  const left = now.getTime() - LEFT_DAYS * DAY_MS
  const free = consultants.filter(({ enabled }) => enabled || createdAt < left)
  const unallocated = now.getTime() - createdAt < 5 * DAY_MS && random.chance(0.25)
  const consultant = unallocated ? null : random.pick(free)
  const replacement =
    consultant && !consultant.enabled
      ? random.pick(consultants.filter(({ org, enabled }) => enabled && org === consultant.org))
      : null
  const { name, guardianName } = pupil(random)
  return {
    name,
    namePinyin: pinyinOf(name),
    guardianName,
    source: random.weighted([
      ['DOUYIN', 40],
      ['XIAOHONGSHU', 16],
      ['WECHAT_SHOP', 14],
      ['APP', 14],
      ['SCHOOL', 8],
      ['REFERRAL', 8],
    ]),
    createdAt,
    phone: '',
    consultant,
    replacement,
    renewal: random.chance(0.4) ? random.pick(renewals) : null,
    firstMembershipAt: Number.POSITIVE_INFINITY,
    membershipUntil: 0,
    lastOrderAt: firstOrderAt,
  }
}

/** Who looked after the member at a time; asked for now, this is the owner. */
export function ownerAt(member: Member, at: number, now: Date): Colleague | null {
  if (member.renewal && at >= member.firstMembershipAt + FIRST_YEAR_DAYS * DAY_MS) return member.renewal
  return member.replacement && at >= now.getTime() - LEFT_DAYS * DAY_MS ? member.replacement : member.consultant
}

/** Somebody who bought before, rather lately; nothing when nobody has had time to want more. */
function findBuyer(random: Random, members: readonly Member[], at: number): Member | undefined {
  for (let tries = 0; tries < 8; tries += 1) {
    const member = members[Math.floor(members.length * random.fraction() ** 0.6)]
    if (member && at - member.lastOrderAt > 2 * DAY_MS) return member
  }
  return members.find(({ lastOrderAt }) => lastOrderAt < at)
}

function newOrder(random: Random, member: Member, first: boolean, at: number, now: Date): Order {
  const product = productOf(random, kindFor(random, member, first, at))
  const source = sourceFor(random, product, member, now.getTime() - at < EXAMINE_DAYS * DAY_MS)
  const paid = payment(random, source, at, now)
  const discount = product.kind === 'MEMBERSHIP' && random.chance(0.3) ? random.pick([2_000, 5_000, 10_000]) : 0
  const amountFen = product.fen - discount
  member.lastOrderAt = at
  if (product.kind === 'MEMBERSHIP' && paid.paidAt !== null) {
    member.firstMembershipAt = Math.min(member.firstMembershipAt, paid.paidAt)
    member.membershipUntil = Math.max(member.membershipUntil, paid.paidAt) + product.days * DAY_MS
  }
  return {
    ...paid,
    member,
    product,
    source,
    amountFen,
    createdAt: at,
    paidFen: paid.payState === 'PAID' ? amountFen : 0,
    fulfilState: fulfilment(random, product, paid.paidAt, now),
    soldBy: ownerAt(member, at, now),
    orderNo: '',
    reservedFen: 0,
    refundedFen: 0,
    note: '',
    version: 1,
  }
}

function kindFor(random: Random, member: Member, first: boolean, at: number): Product['kind'] {
  if (first)
    return random.weighted([
      ['LEAD', 78],
      ['MEMBERSHIP', 20],
      ['EXTRA', 2],
    ])
  if (member.membershipUntil === 0)
    return random.weighted([
      ['MEMBERSHIP', 72],
      ['EXTRA', 16],
      ['LEAD', 12],
    ])
  return member.membershipUntil > at
    ? random.weighted([
        ['EXTRA', 75],
        ['MEMBERSHIP', 25],
      ])
    : random.weighted([
        ['MEMBERSHIP', 85],
        ['EXTRA', 15],
      ])
}

const isPlatform = (source: string): source is (typeof PLATFORMS)[number] =>
  (PLATFORMS as readonly string[]).includes(source)

function sourceFor(random: Random, product: Product, member: Member, lately: boolean): OrderSource {
  if (product.kind === 'EXTRA')
    return random.weighted([
      ['APP', 75],
      ['LINK', 25],
    ])
  if (product.kind === 'MEMBERSHIP')
    return random.weighted([
      ['LINK', 62],
      ['APP', 28],
      ['OFFLINE', lately ? 40 : 10],
    ])
  return isPlatform(member.source) ? member.source : member.source === 'SCHOOL' ? 'SCHOOL' : 'APP'
}

type Payment = Pick<Order, 'payState' | 'paidAt' | 'closedAt'>

function payment(random: Random, source: OrderSource, at: number, now: Date): Payment {
  const age = now.getTime() - at
  const paid = (afterMs: number): Payment => ({
    payState: 'PAID',
    paidAt: at + Math.min(afterMs, Math.floor(age / 2)),
    closedAt: null,
  })
  // A platform tells of an order when it is paid.
  if (isPlatform(source)) return paid(random.whole(1, 5) * MINUTE_MS)
  if (source === 'OFFLINE') {
    if (age < EXAMINE_DAYS * DAY_MS) return { payState: 'EXAMINING', paidAt: null, closedAt: null }
    return paid(random.whole(2, 40) * HOUR_MS)
  }
  if (age < UNPAID_HOURS * HOUR_MS && random.chance(0.6)) return { payState: 'UNPAID', paidAt: null, closedAt: null }
  if (age < UNPAID_HOURS * HOUR_MS || random.chance(0.84)) return paid(random.whole(1, 45) * MINUTE_MS)
  return {
    payState: 'CLOSED',
    paidAt: null,
    closedAt: at + (random.chance(0.2) ? random.whole(10, 110) * MINUTE_MS : UNPAID_HOURS * HOUR_MS),
  }
}

/** Whether a person closed it; the rest closed by themselves. */
export const closedByHand = (order: Order): boolean =>
  order.closedAt !== null && order.closedAt < order.createdAt + UNPAID_HOURS * HOUR_MS

function fulfilment(random: Random, product: Product, paidAt: number | null, now: Date): Order['fulfilState'] {
  if (!product.goods || paidAt === null) return 'NOT_NEEDED'
  const days = (now.getTime() - paidAt) / DAY_MS
  if (days < 2) return random.chance(0.8) ? 'WAITING' : 'SENT'
  if (days < 5)
    return random.weighted([
      ['SENT', 60],
      ['PARTIAL', 30],
      ['WAITING', 10],
    ])
  return days < 10 ? 'SENT' : 'DONE'
}
