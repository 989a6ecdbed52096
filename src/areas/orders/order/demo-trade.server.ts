import { type Member, membersOf, ownerAt, prolong } from '#areas/members/member/demo-joining.server.ts'
import { couponFor, type HeldCoupon } from '#areas/products/coupon/demo.server.ts'
import { type Offer, offerOf, type Product, productOf } from '#areas/products/product/demo.server.ts'
import { type Address, addressOf, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { rhythmUntil } from '#demo/rhythm.server.ts'
import { chanceOf, DAY_MS, defineWord, HOUR_MS, MINUTE_MS, remembered, type World } from '#demo/world.server.ts'
import { shareOut } from './model.ts'

/** In a business of the usual size. */
const ORDERS = 3_000
/** Nobody pays later than this: then the order closes by itself. */
export const UNPAID_HOURS = 2
const EXAMINE_DAYS = 3
/** Orders of the last two hours, so that something is always waiting for payment. */
const JUST_NOW = 8

const chance = chanceOf('orders/order: trade')

/** Shops of other platforms: they sell the first course, and pay refunds back themselves. */
const PLATFORMS = ['DOUYIN', 'WECHAT_SHOP', 'XIAOHONGSHU'] as const
const ORDER_SOURCES = [...PLATFORMS, 'APP', 'LINK', 'OFFLINE', 'SCHOOL', 'REDEMPTION'] as const
type OrderSource = (typeof ORDER_SOURCES)[number]

export const isPlatform = (source: string): source is (typeof PLATFORMS)[number] =>
  (PLATFORMS as readonly string[]).includes(source)

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
  /** What it would have cost without the discount its consultant had been granted before, and sold by. */
  promisedFrom: number | null
  orderNo: string
  /** Money taken by hand: its number, and who looked at it. */
  examination: { readonly id: number; readonly by: Colleague | null } | undefined
  offlineNo: string | undefined
  payment: NewRow<'payment'> | undefined
  /** How far its goods have come, as those who send them say. */
  fulfilment: NonNullable<NewRow<'sales_order'>['fulfil_state']>
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

/** Told when it happens, to whoever has something to do then. */
export const orderPlaced = defineWord<Order>()
export const orderPaid = defineWord<Order>()
export const orderClosed = defineWord<Order>()
/** What was given with it is taken back, and what was not sent stays here. */
export const orderUndone = defineWord<Order>()

/** What members order, in order of time. What follows from it happens later, on the agenda. */
export const ordersOf = remembered((world): readonly Order[] => {
  const random = chance(world)
  const { now, scale } = world
  const count = Math.round(ORDERS * scale)
  const rhythm = rhythmUntil(now)
  const first = membersOf(world).flatMap(member => (member.buysAt === null ? [] : [{ at: member.buysAt, member }]))
  // Whoever buys again has bought before.
  const opened = Math.min(...first.map(({ at }) => at))
  const later = (): number => {
    for (;;) {
      const at = rhythm.at(random.fraction())
      if (at > opened || opened === Number.POSITIVE_INFINITY) return at
    }
  }
  const recent = Math.min(JUST_NOW, count)
  const wishes: readonly { readonly at: number; readonly member?: Member }[] = [
    ...first,
    ...Array.from({ length: Math.max(0, count - recent - first.length) }, () => ({ at: later() })),
    ...Array.from({ length: recent }, () => ({ at: now.getTime() - random.whole(4, 110) * MINUTE_MS })),
  ].sort((a, b) => a.at - b.at)
  const buyers: Member[] = []
  const lastAt = new Map<Member, number>()
  const orders = wishes.flatMap(({ at, member: newcomer }) => {
    const member = newcomer ?? findBuyer(random, buyers, lastAt, at)
    if (!member) return []
    if (newcomer) buyers.push(newcomer)
    lastAt.set(member, at)
    return [newOrder(world, member, newcomer !== undefined, at)]
  })
  const asked = orders.findLast(mayBeExamined)
  // The new price of a late one is still being examined, and nobody can pay meanwhile.
  if (asked) Object.assign(asked, { payState: 'EXAMINING', paidAt: null, closedAt: null, agreedFrom: asked.amountFen })
  return orders
})

/** Those that are no sale: they come of something else a member holds. */
export const otherOrdersOf = remembered((): Order[] => [])

const mayBeExamined = ({ source, lines, coupon, soldBy, payState, promisedFrom }: Order): boolean =>
  source === 'LINK' &&
  lines.length === 1 &&
  coupon === undefined &&
  soldBy !== null &&
  payState !== 'UNPAID' &&
  promisedFrom === null

/** A small discount on a dear product, as a team's leader grants it alone to a consultant who is still here. */
const isPromise = (seller: Colleague | null, listFen: number, offFen: number): boolean =>
  offFen === 3_000 && listFen >= 30_000 && seller?.role === 'SALES' && seller.enabled

/** Somebody who bought before, rather lately; nothing when nobody has had time to want more. */
function findBuyer(
  random: Random,
  buyers: readonly Member[],
  lastAt: ReadonlyMap<Member, number>,
  at: number,
): Member | undefined {
  for (let tries = 0; tries < 8; tries += 1) {
    const member = buyers[Math.floor(buyers.length * random.fraction() ** 0.6)]
    if (member && at - (lastAt.get(member) ?? 0) > 2 * DAY_MS) return member
  }
  return buyers.find(buyer => (lastAt.get(buyer) ?? 0) < at)
}

function newOrder(world: World, member: Member, first: boolean, at: number): Order {
  const { now } = world
  const random = chance(world)
  const owner = ownerAt(member, at, now)
  const product = productOf(random, kindFor(random, member, first, at))
  const source = sourceFor(random, product, member, now.getTime() - at < EXAMINE_DAYS * DAY_MS)
  const paid = payment(random, source, at, now)
  // Some take a thing along with the membership.
  const products =
    product.kind === 'MEMBERSHIP' && random.chance(0.06) ? [product, productOf(random, 'EXTRA')] : [product]
  const isOwnShop = source === 'LINK' || source === 'APP'
  const coupon =
    isOwnShop && products.length === 1 && random.chance(0.35) ? couponFor(world, member, product, at) : undefined
  const isAgreed =
    source === 'LINK' && products.length === 1 && product.kind === 'MEMBERSHIP' && !coupon && owner !== null
  const agreed = isAgreed && paid.payState === 'PAID' && random.chance(0.03) ? random.pick([3_000, 5_000, 8_000]) : 0
  const isPromised = isPromise(owner, product.fen, agreed)
  const lines = linesOf(world, products, (coupon?.fen ?? 0) + agreed)
  const days = product.gives.find(({ kind }) => kind === 'MEMBER_DAYS')?.quantity ?? 0
  if (days > 0 && paid.paidAt !== null) prolong(member, paid.paidAt, days)
  return {
    ...paid,
    ...NEW_ORDER,
    member,
    lines,
    source,
    coupon,
    amountFen: sumOf({ lines }, line => line.amountFen),
    createdAt: at,
    address: products.some(({ gives }) => hasGoods(gives)) ? addressOf(random) : null,
    soldBy: owner,
    agreedFrom: agreed > 0 && !isPromised ? product.fen : null,
    promisedFrom: isPromised ? product.fen : null,
  }
}

/** What nobody knows of an order when it comes. */
export const NEW_ORDER = {
  id: 0,
  orderNo: '',
  examination: undefined,
  offlineNo: undefined,
  payment: undefined,
  fulfilment: 'NOT_NEEDED',
  promisedFrom: null,
  openRefunds: 0,
  note: '',
  version: 1,
} as const satisfies Partial<Order>

/** What nobody knows of a line. */
export const NEW_LINE = { id: 0, paidFen: 0, reservedFen: 0, refundedFen: 0 } as const satisfies Partial<Line>

function linesOf(world: World, products: readonly Product[], discountFen: number): Line[] {
  const prices = products.map(({ fen }) => fen)
  const shares = shareOut(prices.reduce((sum, fen) => sum + fen, 0) - discountFen, prices)
  return products.map((product, index) => ({
    ...NEW_LINE,
    offer: offerOf(world, product),
    quantity: 1,
    listFen: product.listFen,
    amountFen: shares[index] ?? 0,
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
