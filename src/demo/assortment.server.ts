import type { Grant, GrantKind } from '#engines/entitlement/model.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Random } from './builders.server.ts'
import { COURSES, type CourseDesign } from './courses.server.ts'
import { GOODS, type Good, KITS } from './goods.server.ts'
import { type Ids, insertRows } from './insert-rows.server.ts'
import type { Colleague } from './organisation.server.ts'

const DAY_MS = 86_400_000
/** Everything was on offer before the first order of the two years. */
const SINCE_DAYS = 760

type Gives = {
  readonly kind: GrantKind
  readonly quantity: number
  readonly validDays: number | null
  readonly share: number
  readonly name: string
  /** Name of a course, code of a kit. */
  readonly of?: string
}

/** What a product is to the pupil's way: a cheap first course, a membership of some days, or a thing beside it. */
export type Product = {
  readonly name: string
  readonly code: string
  readonly fen: number
  readonly listFen: number
  readonly kind: 'LEAD' | 'MEMBERSHIP' | 'EXTRA'
  readonly commissionPermille: number
  readonly mayWait: boolean
  /** How often it is bought; what is not on sale never is. */
  readonly weight: number
  readonly gives: readonly Gives[]
}

const gives = (
  kind: GrantKind,
  quantity: number,
  validDays: number | null,
  share: number,
  name: string,
  of?: string,
): Gives => ({ kind, quantity, validDays, share, name, ...(of === undefined ? {} : { of }) })

const membership = (days: number, share: number) => gives('MEMBER_DAYS', days, null, share, `会员 ${days} 天`)
const lessons = (count: number, days: number, share: number) =>
  gives('LESSONS', count, days, share, `直播课 ${count} 节`)
const coins = (count: number, days: number, share: number) => gives('COINS', count, days, share, `金币 ${count} 枚`)
const course = (name: string, days: number, share: number) => gives('COURSE', 1, days, share, name, name)
const talks = (count: number, days: number, share: number) =>
  gives('APPOINTMENTS', count, days, share, `一对一指导 ${count} 次`)
const kit = (code: string, name: string, share: number) => gives('GOODS', 1, null, share, name, code)

const LEAD = { kind: 'LEAD', commissionPermille: 20, mayWait: false } as const
const MEMBERSHIP = { kind: 'MEMBERSHIP', commissionPermille: 80, mayWait: false } as const
const EXTRA = { kind: 'EXTRA', commissionPermille: 30, mayWait: false } as const

export const PRODUCTS: readonly Product[] = [
  {
    ...LEAD,
    name: '硬笔书写体验课',
    code: 'LEAD-TRIAL',
    fen: 990,
    listFen: 2_900,
    weight: 40,
    gives: [course('控笔入门体验', 30, 900), coins(20, 180, 100)],
  },
  {
    ...LEAD,
    name: '21天练字训练营',
    code: 'LEAD-CAMP-21',
    fen: 9_900,
    listFen: 19_900,
    weight: 16,
    gives: [course('21天练字训练营', 30, 650), coins(50, 180, 50), kit('KIT-CAMP', '训练营套装', 300)],
  },
  {
    ...MEMBERSHIP,
    name: '季度会员',
    code: 'MEMBER-90',
    fen: 39_900,
    listFen: 49_900,
    weight: 9,
    gives: [membership(90, 750), lessons(6, 120, 130), coins(200, 365, 20), kit('KIT-QUARTER', '季度会员套装', 100)],
  },
  {
    ...MEMBERSHIP,
    name: '半年会员',
    code: 'MEMBER-180',
    fen: 69_900,
    listFen: 89_900,
    weight: 11,
    gives: [membership(180, 740), lessons(12, 240, 140), coins(400, 365, 20), kit('KIT-HALF', '半年会员套装', 100)],
  },
  {
    ...MEMBERSHIP,
    name: '年度会员',
    code: 'MEMBER-365',
    fen: 129_900,
    listFen: 169_900,
    weight: 18,
    gives: [
      membership(365, 680),
      course('结构进阶', 365, 100),
      lessons(24, 400, 110),
      coins(800, 365, 20),
      talks(2, 365, 10),
      kit('KIT-YEAR', '年度会员套装', 80),
    ],
  },
  {
    ...MEMBERSHIP,
    name: '两年会员',
    code: 'MEMBER-730',
    fen: 219_900,
    listFen: 299_900,
    weight: 4,
    gives: [
      membership(730, 690),
      course('章法提升', 730, 90),
      lessons(48, 760, 110),
      coins(1_600, 730, 20),
      talks(4, 730, 10),
      kit('KIT-TWO-YEARS', '两年会员套装', 80),
    ],
  },
  {
    ...EXTRA,
    name: '行楷进阶课程包',
    code: 'COURSE-RUNNING',
    fen: 59_900,
    listFen: 69_900,
    weight: 5,
    gives: [course('行楷进阶', 365, 1_000)],
  },
  {
    ...EXTRA,
    name: '文房四宝礼盒',
    code: 'GOODS-GIFT-BOX',
    fen: 16_800,
    listFen: 19_800,
    weight: 4,
    gives: [kit('KIT-GIFT-BOX', '文房四宝礼盒', 1_000)],
  },
  {
    ...EXTRA,
    name: '坐姿矫正台灯',
    code: 'GOODS-LAMP',
    fen: 29_900,
    listFen: 35_900,
    mayWait: true,
    weight: 3,
    gives: [kit('KIT-LAMP', '坐姿矫正台灯', 1_000)],
  },
  {
    ...LEAD,
    name: '暑期书写特训营',
    code: 'LEAD-SUMMER',
    fen: 19_900,
    listFen: 29_900,
    weight: 0,
    gives: [course('21天练字训练营', 45, 700), kit('KIT-POSTURE', '坐姿提醒套装', 300)],
  },
]

export const productOf = (random: Random, kind: Product['kind']): Product =>
  random.weighted(PRODUCTS.filter(product => product.kind === kind).map(product => [product, product.weight] as const))

export type Part = {
  readonly baseProductId: string
  readonly sku: string
  readonly name: string
  readonly quantity: number
}
export type Kit = { readonly id: number; readonly code: string; readonly name: string; readonly parts: readonly Part[] }
export type StockedGood = Good & { readonly id: number }
export type Offer = Product & { readonly id: number; readonly grants: readonly Grant[]; sold: number }
type Course = CourseDesign & {
  readonly id: number
  readonly editions: readonly { readonly id: number; readonly at: number }[]
}

export type Assortment = {
  readonly since: Date
  readonly publisher: Colleague
  readonly goods: readonly StockedGood[]
  readonly kits: readonly Kit[]
  readonly courses: readonly Course[]
  readonly offers: readonly Offer[]
}

/** Everything that is sold and given, under its ids. */
export function makeAssortment(ids: Ids, staff: readonly Colleague[], now: Date): Assortment {
  const goods = GOODS.map(one => ({ ...one, id: ids.next('base_product') }))
  const kits = KITS.map(({ parts, ...design }): Kit & typeof design => ({
    ...design,
    id: ids.next('goods_kit'),
    parts: Object.entries(parts).map(([sku, quantity]) => {
      const { id, name } = named(goods, one => one.sku === sku, sku)
      return { baseProductId: String(id), sku, name, quantity }
    }),
  }))
  const courses = COURSES.map(design => ({
    ...design,
    id: ids.next('course_package'),
    editions: design.publishedDaysAgo.map(days => ({
      id: ids.next('course_edition'),
      at: now.getTime() - days * DAY_MS,
    })),
  }))
  const grantOf = ({ kind, quantity, validDays, share, name, of }: Gives): Grant => ({
    kind,
    quantity,
    validDays,
    sharePermille: share,
    packageId: kind === 'COURSE' ? String(named(courses, one => one.name === of, name).id) : null,
    kitId: kind === 'GOODS' ? String(named(kits, one => one.code === of, name).id) : null,
    name,
  })
  return {
    since: new Date(now.getTime() - SINCE_DAYS * DAY_MS),
    publisher: named(staff, ({ role }) => role === 'OPERATIONS_MANAGER', 'operations manager'),
    goods,
    kits,
    courses,
    offers: PRODUCTS.map(product => ({
      ...product,
      id: ids.next('product'),
      grants: product.gives.map(grantOf),
      sold: 0,
    })),
  }
}

export function named<T>(from: readonly T[], is: (one: T) => boolean, name: string): T {
  const found = from.find(is)
  if (!found) throw new Error(`the demo business has no ${name}`)
  return found
}

export const offerOf = ({ offers }: Assortment, { code }: Pick<Product, 'code'>): Offer =>
  named(offers, offer => offer.code === code, code)

/** The edition that was the newest then: a pupil keeps it. */
export function editionAt({ courses }: Assortment, packageId: string, at: number): number {
  const { editions } = named(courses, ({ id }) => String(id) === packageId, packageId)
  return (editions.findLast(edition => edition.at <= at) ?? named(editions, () => true, 'edition')).id
}

export async function storeAssortment(tx: Tx, { since, publisher, kits, courses, offers }: Assortment): Promise<void> {
  await insertRows(
    tx,
    'goods_kit',
    kits.map(({ id, code, name, parts }) => ({
      id,
      code,
      name,
      weight_g: named(KITS, design => design.code === code, code).weightG,
      parts: parts as never,
      created_at: since,
    })),
  )
  await insertRows(
    tx,
    'course_package',
    courses.map(({ id, name, stage, days, lessons: taught, editions, changed }) => ({
      id,
      name,
      stage,
      days,
      lessons: (changed ?? taught) as never,
      edition: editions.length,
      status: editions.length === 0 ? ('DRAFT' as const) : changed ? ('CHANGED' as const) : ('PUBLISHED' as const),
      created_at: since,
      // The table counts the lessons itself.
    })) as never[],
  )
  await insertRows(
    tx,
    'course_edition',
    courses.flatMap(({ id: package_id, lessons: taught, editions }) =>
      editions.map(({ id, at }, index) => ({
        id,
        package_id,
        edition: index + 1,
        lessons: taught as never,
        published_by: publisher.id,
        published_at: new Date(at),
      })),
    ),
  )
  await insertRows(
    tx,
    'product',
    offers.map(({ id, code, name, fen, listFen, grants, commissionPermille, mayWait, weight, sold }, index) => ({
      id,
      code,
      name,
      price_fen: fen,
      list_fen: listFen,
      grants: grants as never,
      commission_permille: commissionPermille,
      may_wait: mayWait,
      status: weight > 0 ? ('ON_SALE' as const) : ('OFF_SALE' as const),
      sold,
      sort: 10 * (index + 1),
      created_at: since,
    })),
  )
}
