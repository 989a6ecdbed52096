import { shareOut } from '#areas/orders/order/model.ts'
import type { Spelling } from '#kit/server/text/pinyin.ts'
import { type Assortment, type Offer, offerOf, type Product, productOf } from './assortment.server.ts'
import {
  type Address,
  addressOf,
  channelOf,
  isPlatform,
  type OrderSource,
  PHONES,
  phoneAt,
  pupil,
  type Random,
  spellingOf,
} from './builders.server.ts'
import type { CouponBook, HeldCoupon } from './coupons.server.ts'
import type { Ids, NewRow } from './insert-rows.server.ts'
import type { Colleague } from './organisation.server.ts'
import type { Parcel } from './parcels.server.ts'
import { rhythmUntil } from './rhythm.server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** Nobody pays later than this: then the order closes by itself. */
export const UNPAID_HOURS = 2
const EXAMINE_DAYS = 3
/** The consultant who left did so this long ago. */
const LEFT_DAYS = 120
/** A pupil whose first year is done is looked after by the renewal consultants. */
const FIRST_YEAR_DAYS = 365
/** Orders of the last two hours, so that something is always waiting for payment. */
const JUST_NOW = 8

export type Member = {
  /** Given when all members are known, oldest first. */
  id: number
  readonly name: string
  readonly spelling: Spelling
  readonly guardianName: string
  readonly source: string
  readonly channel: string
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
  readonly parcels: Parcel[]
}

/** What a line sold: a product of ours, or what a code gives. */
export type Sold = Pick<Offer, 'name' | 'grants' | 'commissionPermille' | 'mayWait' | 'sold'> & {
  readonly id: number | null
}

export type Line = {
  /** Given when it is ordered, as the order's own. */
  id: number
  readonly offer: Sold
  readonly quantity: number
  readonly listFen: number
  readonly amountFen: number
  paidFen: number
  reservedFen: number
  refundedFen: number
}

export type Order = {
  id: number
  readonly member: Member
  readonly lines: readonly Line[]
  readonly source: OrderSource
  readonly createdAt: number
  readonly amountFen: number
  /** What it comes to by now; on the way there it waits. */
  payState: 'UNPAID' | 'EXAMINING' | 'PAID' | 'CLOSED'
  paidAt: number | null
  closedAt: number | null
  readonly soldBy: Colleague | null
  readonly coupon: HeldCoupon | undefined
  /** Where goods are to be sent. */
  readonly address: Address | null
  /** The price before somebody agreed on another one. */
  agreedFrom: number | null
  orderNo: string
  /** Money taken by hand: its number, and who looked at it. */
  examination: { readonly id: number; readonly by: Colleague | null } | undefined
  offlineNo: string | undefined
  payment: NewRow<'payment'> | undefined
  readonly parcels: Parcel[]
  /** Applications that hold its parcels back. */
  openRefunds: number
  note: string
  version: number
}

export const sumOf = ({ lines }: Pick<Order, 'lines'>, of: (line: Line) => number): number =>
  lines.reduce((sum, line) => sum + of(line), 0)
export const productNameOf = ({ lines }: Pick<Order, 'lines'>): string =>
  lines.map(({ offer }) => offer.name).join(' + ')
export const hasGoods = (given: readonly { readonly kind: string }[]): boolean =>
  given.some(({ kind }) => kind === 'GOODS')

export type Trade = { readonly members: Member[]; readonly orders: Order[] }
export type Shop = {
  readonly random: Random
  readonly staff: readonly Colleague[]
  readonly assortment: Assortment
  readonly coupons: CouponBook
  readonly ids: Ids
  readonly now: Date
}

/** Pupils and what they ordered, in order of time. What follows from it happens later, on the agenda. */
export function makeTrade(shop: Shop, size: { members: number; orders: number }): Trade {
  const { random, now, ids } = shop
  const rhythm = rhythmUntil(now)
  const recent = Math.min(JUST_NOW, size.orders)
  const times = [
    ...Array.from({ length: size.orders - recent }, () => rhythm.at(random.fraction())),
    ...Array.from({ length: recent }, () => now.getTime() - random.whole(4, 110) * MINUTE_MS),
  ].sort((a, b) => a - b)
  const people = staffOf(shop.staff)
  const buyers = Math.min(size.orders, Math.round(size.members * 0.87))
  const members: Member[] = []
  const orders: Order[] = []
  for (const [index, at] of times.entries()) {
    const newcomers = (buyers - members.length) / (times.length - index)
    const known = random.chance(newcomers) ? undefined : findBuyer(random, members, at)
    const member = known ?? newMember(random, people, at, now)
    if (!known) members.push(member)
    orders.push(newOrder(shop, member, known === undefined, at))
  }
  const asked = orders.findLast(mayBeExamined)
  // The new price of a late one is still being examined, and nobody can pay meanwhile.
  if (asked) Object.assign(asked, { payState: 'EXAMINING', paidAt: null, closedAt: null, agreedFrom: asked.amountFen })
  while (members.length < size.members) members.push(newMember(random, people, rhythm.at(random.fraction()), now))
  members.sort((a, b) => a.createdAt - b.createdAt)
  for (const [index, member] of members.entries()) {
    member.id = ids.next('member')
    member.phone = phoneAt(PHONES.member + index)
  }
  return { members, orders }
}

const mayBeExamined = ({ source, lines, coupon, soldBy, payState }: Order): boolean =>
  source === 'LINK' && lines.length === 1 && coupon === undefined && soldBy !== null && payState !== 'UNPAID'

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
  const source = random.weighted([
    ['DOUYIN', 40],
    ['XIAOHONGSHU', 16],
    ['WECHAT_SHOP', 14],
    ['APP', 14],
    ['SCHOOL', 8],
    ['REFERRAL', 8],
  ])
  return {
    id: 0,
    name,
    spelling: spellingOf(name),
    guardianName,
    source,
    channel: channelOf(random, source),
    createdAt,
    phone: '',
    consultant,
    replacement,
    renewal: random.chance(0.4) ? random.pick(renewals) : null,
    firstMembershipAt: Number.POSITIVE_INFINITY,
    membershipUntil: 0,
    lastOrderAt: firstOrderAt,
    parcels: [],
  }
}

/** Everybody who looked after the member, with the time they began. */
export function ownersOf(member: Member, now: Date): { readonly at: number; readonly owner: Colleague }[] {
  const { consultant, replacement, renewal, createdAt, firstMembershipAt } = member
  if (!consultant) return []
  const renewedAt = firstMembershipAt + FIRST_YEAR_DAYS * DAY_MS
  const leftAt = now.getTime() - LEFT_DAYS * DAY_MS
  return [
    { at: createdAt, owner: consultant },
    // Whoever has gone to the renewal consultants by then does not come back.
    ...(replacement && !(renewal && renewedAt <= leftAt) ? [{ at: leftAt, owner: replacement }] : []),
    ...(renewal && renewedAt <= now.getTime() ? [{ at: renewedAt, owner: renewal }] : []),
  ]
}

/** Who looked after the member at a time; asked for now, this is the owner. */
export const ownerAt = (member: Member, at: number, now: Date): Colleague | null =>
  ownersOf(member, now).findLast(since => since.at <= at)?.owner ?? null

/** Somebody who bought before, rather lately; nothing when nobody has had time to want more. */
function findBuyer(random: Random, members: readonly Member[], at: number): Member | undefined {
  for (let tries = 0; tries < 8; tries += 1) {
    const member = members[Math.floor(members.length * random.fraction() ** 0.6)]
    if (member && at - member.lastOrderAt > 2 * DAY_MS) return member
  }
  return members.find(({ lastOrderAt }) => lastOrderAt < at)
}

function newOrder(shop: Shop, member: Member, first: boolean, at: number): Order {
  const { random, now } = shop
  const owner = ownerAt(member, at, now)
  const product = productOf(random, kindFor(random, member, first, at))
  const source = sourceFor(random, product, member, now.getTime() - at < EXAMINE_DAYS * DAY_MS)
  const paid = payment(random, source, at, now)
  // Some take a thing along with the membership.
  const products =
    product.kind === 'MEMBERSHIP' && random.chance(0.06) ? [product, productOf(random, 'EXTRA')] : [product]
  const isOwnShop = source === 'LINK' || source === 'APP'
  const coupon =
    isOwnShop && products.length === 1 && random.chance(0.35)
      ? shop.coupons.use(random, member, product, at)
      : undefined
  const isAgreed =
    source === 'LINK' && products.length === 1 && product.kind === 'MEMBERSHIP' && !coupon && owner !== null
  const agreed = isAgreed && paid.payState === 'PAID' && random.chance(0.03) ? random.pick([3_000, 5_000, 8_000]) : 0
  const lines = linesOf(shop, products, (coupon?.fen ?? 0) + agreed)
  member.lastOrderAt = at
  const days = product.gives.find(({ kind }) => kind === 'MEMBER_DAYS')?.quantity ?? 0
  if (days > 0 && paid.paidAt !== null) {
    member.firstMembershipAt = Math.min(member.firstMembershipAt, paid.paidAt)
    member.membershipUntil = Math.max(member.membershipUntil, paid.paidAt) + days * DAY_MS
  }
  return {
    ...paid,
    id: 0,
    member,
    lines,
    source,
    coupon,
    amountFen: sumOf({ lines }, line => line.amountFen),
    createdAt: at,
    address: products.some(({ gives }) => hasGoods(gives)) ? addressOf(random) : null,
    soldBy: owner,
    agreedFrom: agreed > 0 ? product.fen : null,
    orderNo: '',
    examination: undefined,
    offlineNo: undefined,
    payment: undefined,
    parcels: [],
    openRefunds: 0,
    note: '',
    version: 1,
  }
}

function linesOf({ assortment }: Shop, products: readonly Product[], discountFen: number): Line[] {
  const prices = products.map(({ fen }) => fen)
  const shares = shareOut(prices.reduce((sum, fen) => sum + fen, 0) - discountFen, prices)
  return products.map((product, index) => ({
    id: 0,
    offer: offerOf(assortment, product),
    quantity: 1,
    listFen: product.listFen,
    amountFen: shares[index] ?? 0,
    paidFen: 0,
    reservedFen: 0,
    refundedFen: 0,
  }))
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
    // Now and then the money is not there, and the examiner says so.
    if (random.chance(0.06)) return { payState: 'CLOSED', paidAt: null, closedAt: at + random.whole(2, 40) * HOUR_MS }
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
  order.closedAt !== null && order.source !== 'OFFLINE' && order.closedAt < order.createdAt + UNPAID_HOURS * HOUR_MS
