import type { Motif } from '#demo/picture.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { remembered, type World } from '#demo/world.server.ts'

type MallDesign = {
  readonly sku: string
  readonly name: string
  readonly coins: number
  readonly cashFen: number
  readonly quota: number
  readonly perPerson: number
  readonly status: 'ON' | 'OFF'
  readonly motif: Motif
}

/** What coins are spent on. */
const MALL: readonly MallDesign[] = [
  {
    sku: 'STICKER',
    name: '奖励贴纸',
    coins: 60,
    cashFen: 0,
    quota: 2_000,
    perPerson: 20,
    status: 'ON',
    motif: 'writing',
  },
  {
    sku: 'PEN-GEL',
    name: '中性笔三支装',
    coins: 180,
    cashFen: 0,
    quota: 800,
    perPerson: 5,
    status: 'ON',
    motif: 'pen',
  },
  {
    sku: 'CB-DAILY',
    name: '每日一练练习册',
    coins: 220,
    cashFen: 0,
    quota: 500,
    perPerson: 3,
    status: 'ON',
    motif: 'book',
  },
  { sku: 'STAND', name: '字帖阅读架', coins: 500, cashFen: 0, quota: 200, perPerson: 1, status: 'ON', motif: 'book' },
  {
    sku: 'PEN-FOUNTAIN',
    name: '学生钢笔',
    coins: 600,
    cashFen: 990,
    quota: 300,
    perPerson: 2,
    status: 'ON',
    motif: 'pen',
  },
  {
    sku: 'POSTURE',
    name: '坐姿提醒器',
    coins: 900,
    cashFen: 1_990,
    quota: 120,
    perPerson: 1,
    status: 'ON',
    motif: 'lamp',
  },
  {
    sku: 'MEDAL',
    name: '毕业奖章（限量）',
    coins: 300,
    cashFen: 0,
    quota: 30,
    perPerson: 1,
    status: 'OFF',
    motif: 'medal',
  },
]

export type CoinGoods = MallDesign & { readonly id: number; sold: number }

export const coinGoodsOf = remembered(({ ids }): readonly CoinGoods[] =>
  MALL.map(design => ({ ...design, id: ids.next('coin_goods'), sold: 0 })),
)

const end = (world: World): void =>
  world.rows.add(
    'coin_goods',
    coinGoodsOf(world).map(({ id, sku, name, coins, cashFen, quota, sold, perPerson, status }, index) => ({
      id,
      base_product_id: world.ids.named('base_product', sku),
      name,
      coins,
      cash_fen: cashFen,
      quota,
      sold,
      per_person: perPerson,
      status,
      sort: 10 * (index + 1),
      created_at: world.since,
    })),
  )

export const demo: Story = {
  holds: { SALES: READ, OPERATIONS: [...READ, 'create', 'update', 'export', 'putOn', 'takeOff'] },
  end,
  pictured: {
    table: 'coin_goods',
    async read(tx) {
      const rows = await tx.selectFrom('coin_goods').select(['id', 'name']).execute()
      return rows.flatMap(({ id, name }) =>
        MALL.filter(design => design.name === name).map(({ motif }) => ({ id, motif })),
      )
    },
  },
}
