import type { Random } from '#demo/builders.server.ts'
import type { Motif } from '#demo/picture.server.ts'
import { READ } from '#demo/roles.server.ts'
import { LEAST_LEFT, type Outside } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { named, remembered, type World } from '#demo/world.server.ts'
import type { Grant, GrantKind } from '#engines/entitlement/model.ts'
import type { Row } from '#kit/server/database/database.ts'

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

export type Offer = Product & { readonly id: number; readonly grants: readonly Grant[]; sold: number }

/** Everything that is sold, under its id. */
export const offersOf = remembered(({ ids }): readonly Offer[] => {
  const grantOf = ({ kind, quantity, validDays, share, name, of = name }: Gives): Grant => ({
    kind,
    quantity,
    validDays,
    sharePermille: share,
    packageId: kind === 'COURSE' ? String(ids.named('course_package', of)) : null,
    kitId: kind === 'GOODS' ? String(ids.named('goods_kit', of)) : null,
    name,
  })
  return PRODUCTS.map(product => ({
    ...product,
    id: ids.next('product'),
    grants: product.gives.map(grantOf),
    sold: 0,
  }))
})

export const offerOf = (world: World, { code }: Pick<Product, 'code'>): Offer =>
  named(offersOf(world), offer => offer.code === code, code)

/** Something that is on sale and on the shelf, the more often bought the likelier. */
export async function onSale({ db }: Outside, random: Random): Promise<Row | undefined> {
  const offered = await db.read.rows(
    `select p.code, p.name, p.price_fen, g.goods from product p, lateral (
       select count(*) > 0 as goods, coalesce(bool_and(b.available >= $1 or p.may_wait), true) as there
       from jsonb_array_elements(p.grants) g (value) join goods_kit k on k.id = (g.value ->> 'kitId')::bigint,
         jsonb_array_elements(k.parts) part (value) join base_product b on b.id = (part.value ->> 'baseProductId')::bigint
     ) g where p.status = 'ON_SALE' and p.price_fen > 0 and g.there order by p.id`,
    [LEAST_LEFT],
  )
  if (offered.length === 0) return undefined
  return random.weighted(
    offered.map(row => [row, PRODUCTS.find(({ code }) => code === row.code)?.weight || 1] as const),
  )
}

/** What stands on the picture, by how the code begins; the newest has none yet. */
const MOTIFS: readonly (readonly [string, Motif])[] = [
  ['LEAD-TRIAL', 'writing'],
  ['LEAD-CAMP', 'person'],
  ['MEMBER', 'book'],
  ['COURSE', 'pen'],
  ['GOODS-GIFT', 'gift'],
  ['GOODS-LAMP', 'lamp'],
]

const end = (world: World): void =>
  world.rows.add(
    'product',
    offersOf(world).map(
      ({ id, code, name, fen, listFen, grants, commissionPermille, mayWait, weight, sold }, index) => ({
        id,
        code,
        name,
        price_fen: fen,
        list_fen: listFen,
        grants: grants,
        commission_permille: commissionPermille,
        may_wait: mayWait,
        status: weight > 0 ? 'ON_SALE' : 'OFF_SALE',
        sold,
        sort: 10 * (index + 1),
        created_at: world.since,
      }),
    ),
  )

/** What anything sold may give. */
export const MEMBER_MONTH: Grant = {
  kind: 'MEMBER_DAYS',
  quantity: 30,
  sharePermille: 1_000,
  validDays: null,
  packageId: null,
  kitId: null,
  name: '会员天数',
}

export const demo: Story = {
  holds: {
    SALES: READ,
    OPERATIONS: [...READ, 'create', 'update', 'delete', 'export', 'putOnSale', 'takeOffSale', 'copy'],
  },
  end,
  pictured: {
    table: 'product',
    async read(tx) {
      const rows = await tx.selectFrom('product').select(['id', 'code']).orderBy('id').execute()
      return rows.flatMap(({ id, code }) =>
        MOTIFS.filter(([start]) => code.startsWith(start))
          .slice(0, 1)
          .map(([, motif]) => ({ id, motif })),
      )
    },
  },
  enters: () => ({ grants: [MEMBER_MONTH] }),
}
