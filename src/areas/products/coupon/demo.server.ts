import { type Offer, offerOf, type Product } from '#areas/products/product/demo.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, defineWord, HOUR_MS, remembered, type World } from '#demo/world.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Row } from '#kit/server/database/database.ts'
import { type Bought, discountOf, type Rule, ruleOf, validOn } from './rule.model.ts'

/** Handed out by colleagues, in a business of the usual size. */
const ISSUED = 200

const chance = chanceOf('products/coupon')

/** Whoever may hold coupons; numbered when all are known. */
export type Holder = { readonly id: number; readonly name: string; readonly createdAt: number }

/** Who there is to hold coupons. */
export const holdersAsked = defineWord<undefined, readonly Holder[]>()

type Design = {
  readonly name: string
  readonly kind: 'CASH' | 'DISCOUNT'
  readonly amountFen: number
  readonly permille: number | null
  readonly thresholdFen: number
  /** Codes of the products it is for; none: all. */
  readonly products: readonly string[]
  /** For so many days after it was taken, or between two days counted from today. */
  readonly days: number | readonly [from: number, to: number]
  readonly total: number
  readonly perPerson: number
  readonly stopped?: boolean
}

const DESIGNS: readonly Design[] = [
  {
    name: '新学员立减 20 元',
    kind: 'CASH',
    amountFen: 2_000,
    permille: null,
    thresholdFen: 30_000,
    products: [],
    days: 30,
    total: 5_000,
    perPerson: 1,
  },
  {
    name: '续费立减 50 元',
    kind: 'CASH',
    amountFen: 5_000,
    permille: null,
    thresholdFen: 60_000,
    products: [],
    days: 60,
    total: 3_000,
    perPerson: 3,
  },
  {
    name: '长期会员立减 100 元',
    kind: 'CASH',
    amountFen: 10_000,
    permille: null,
    thresholdFen: 100_000,
    products: ['MEMBER-365', 'MEMBER-730'],
    days: [-300, 60],
    total: 800,
    perPerson: 2,
  },
  {
    name: '会员 88 折',
    kind: 'DISCOUNT',
    amountFen: 15_000,
    permille: 880,
    thresholdFen: 30_000,
    products: [],
    days: 7,
    total: 600,
    perPerson: 1,
  },
  {
    name: '去年双十一 9 折',
    kind: 'DISCOUNT',
    amountFen: 20_000,
    permille: 900,
    thresholdFen: 50_000,
    products: [],
    days: [-380, -360],
    total: 400,
    perPerson: 1,
    stopped: true,
  },
]

type Coupon = Design & { readonly id: number; readonly rule: Rule; taken: number; used: number }

export type HeldCoupon = {
  readonly id: number
  readonly coupon: Coupon
  readonly member: Holder
  readonly takenAt: number
  readonly from: string
  readonly to: string
  readonly issuedBy: Colleague | null
  /** What it takes off the order it is used for. */
  readonly fen: number
  usedAt: number | null
  orderId: number | null
  recalled: boolean
}

/** Who holds which coupon; within their numbers. */
type CouponBook = {
  readonly coupons: readonly Coupon[]
  readonly held: HeldCoupon[]
  readonly counts: Map<string, number>
}

const bookOf = remembered((world): CouponBook => {
  const coupons = DESIGNS.map(
    (design): Coupon => ({
      ...design,
      id: world.ids.next('coupon'),
      // A day, a price or a number of the design is already checked: there is nobody here to be refused.
      rule: ruleOf({
        ...design,
        productIds: design.products.map(code => String(offerOf(world, { code }).id)),
      } as unknown as Rule),
      taken: 0,
      used: 0,
    }),
  )
  return { coupons, held: [], counts: new Map() }
})

const keyOf = (coupon: Coupon, member: Holder) => `${coupon.id} ${member.createdAt} ${member.name}`

const isLeft = ({ counts }: CouponBook, coupon: Coupon, member: Holder) =>
  coupon.taken < coupon.total && (counts.get(keyOf(coupon, member)) ?? 0) < coupon.perPerson

type Taken = Pick<HeldCoupon, 'coupon' | 'member' | 'takenAt' | 'fen' | 'issuedBy'>

function take(world: World, taken: Taken): HeldCoupon {
  const { counts, held } = bookOf(world)
  const { coupon, member, takenAt } = taken
  const one: HeldCoupon = {
    ...taken,
    ...daysOf(coupon, takenAt, dayOf(world.now)),
    id: world.ids.next('member_coupon'),
    usedAt: null,
    orderId: null,
    recalled: false,
  }
  coupon.taken += 1
  counts.set(keyOf(coupon, member), (counts.get(keyOf(coupon, member)) ?? 0) + 1)
  held.push(one)
  return one
}

/** A coupon this member may use for the product now, if there is one. It was taken a while before. */
export function couponFor(world: World, member: Holder, product: Product, at: number): HeldCoupon | undefined {
  const book = bookOf(world)
  const random = chance(world)
  const offer = offerOf(world, product)
  const takenAt = Math.max(member.createdAt, at - random.whole(1, 40) * HOUR_MS)
  const day = dayOf(new Date(at))
  const fitting = book.coupons.flatMap(coupon => {
    const fen = discountOf(coupon.rule, bought(offer))
    const { from, to } = daysOf(coupon, takenAt, dayOf(world.now))
    return typeof fen === 'number' && from <= day && day <= to && isLeft(book, coupon, member) ? [{ coupon, fen }] : []
  })
  return fitting.length === 0 ? undefined : take(world, { ...random.pick(fitting), member, takenAt, issuedBy: null })
}

/** The order it was used for has this id. */
export function bindCoupon(one: HeldCoupon, orderId: number, at: number): void {
  one.orderId = orderId
  one.usedAt = at
  one.coupon.used += 1
}

/** The order came to nothing, or all of it was given back. */
export function releaseCoupon(one: HeldCoupon): void {
  one.orderId = null
  one.usedAt = null
  one.coupon.used -= 1
}

/** Colleagues hand some out that nobody has used yet, and take some back. */
function issue(world: World): void {
  const { staff, now, scale } = world
  const book = bookOf(world)
  const random = chance(world)
  const members = holdersAsked.tell(world, now.getTime(), undefined).flat()
  const issuers = staff.filter(({ role }) => role === 'OPERATIONS')
  for (let tries = 0; tries < ISSUED * scale && members.length > 0; tries += 1) {
    const member = random.pick(members)
    const coupon = random.pick(book.coupons.filter(({ stopped }) => !stopped))
    const takenAt = Math.max(member.createdAt, now.getTime() - random.whole(1, 90 * 24) * HOUR_MS)
    if (!isLeft(book, coupon, member)) continue
    const one = take(world, { coupon, member, takenAt, fen: 0, issuedBy: random.pick(issuers) })
    one.recalled = random.chance(0.06)
    if (one.recalled) coupon.taken -= 1
  }
}

function end(world: World): void {
  issue(world)
  const { coupons, held } = bookOf(world)
  const today = dayOf(world.now)
  world.rows.add(
    'coupon',
    coupons.map(coupon => couponRow(coupon, today, world.since)),
  )
  world.rows.add(
    'member_coupon',
    held.map(one => heldRow(one, today)),
  )
}

const bought = (offer: Offer): Bought[] => [{ productId: String(offer.id), amountFen: offer.fen }]

const fixed = ({ days }: Design, today: string) =>
  typeof days === 'number'
    ? { validFrom: null, validTo: null, validDays: days }
    : { validFrom: addDays(today, days[0]), validTo: addDays(today, days[1]), validDays: null }

const daysOf = (design: Design, takenAt: number, today: string) =>
  validOn(fixed(design, today) as Parameters<typeof validOn>[0], dayOf(new Date(takenAt)))

function couponRow(coupon: Coupon, today: string, since: Date) {
  const { validFrom, validTo, validDays } = fixed(coupon, today)
  return {
    id: coupon.id,
    name: coupon.name,
    kind: coupon.kind,
    amount_fen: coupon.amountFen,
    permille: coupon.permille,
    threshold_fen: coupon.thresholdFen,
    scope: coupon.rule.productIds.length > 0 ? ('PRODUCTS' as const) : ('ALL' as const),
    product_ids: coupon.rule.productIds,
    validity: validDays === null ? ('FIXED' as const) : ('AFTER_TAKING' as const),
    valid_from: validFrom,
    valid_to: validTo,
    valid_days: validDays,
    total: coupon.total,
    taken: coupon.taken,
    used: coupon.used,
    per_person: coupon.perPerson,
    status: coupon.stopped ? ('STOPPED' as const) : ('ACTIVE' as const),
    created_at: since,
  }
}

function heldRow(one: HeldCoupon, today: string) {
  const unused = one.to < today ? ('EXPIRED' as const) : ('UNUSED' as const)
  return {
    id: one.id,
    coupon_id: one.coupon.id,
    member_id: one.member.id,
    rule: one.coupon.rule,
    status: one.recalled ? ('RECALLED' as const) : one.orderId === null ? unused : ('USED' as const),
    order_id: one.orderId,
    issued_by: one.issuedBy?.id ?? null,
    taken_at: new Date(one.takenAt),
    valid_from: one.from,
    valid_to: one.to,
    used_at: one.usedAt === null ? null : new Date(one.usedAt),
  }
}

/** A coupon of the member's own that fits, if there is one. */
export async function heldCoupon(
  { db, clock }: Outside,
  { id }: Row,
  { price_fen: price }: Row,
): Promise<string | undefined> {
  const [held] = await db.read.rows(
    `select id::text as id from member_coupon where member_id = $1 and status = 'UNUSED' and $2 between valid_from and valid_to
       and rule -> 'productIds' = '[]' and (rule ->> 'thresholdFen')::bigint <= $3 order by id limit 1`,
    [id, dayOf(clock.now()), price],
  )
  return held && String(held.id)
}

export const demo: Story = {
  holds: {
    SALES: READ,
    OPERATIONS: [...READ, 'create', 'update', 'delete', 'export', 'issue', 'recall', 'stop', 'resume'],
  },
  end,
}
