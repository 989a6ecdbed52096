import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { DAY_MS, named, remembered, type World } from '#demo/world.server.ts'
import { openShelf, type Shelf } from './demo-shelf.server.ts'

/** What lies on the shelf. Worth is what a part costs a member who does not send it back. */
type Good = {
  readonly sku: string
  readonly name: string
  readonly unit: string
  readonly costFen: number
  readonly valueFen: number
  /** How many come with one delivery of the supplier. */
  readonly delivery: number
}

const good = (sku: string, name: string, unit: string, costFen: number, valueFen: number, delivery: number): Good => ({
  sku,
  name,
  unit,
  costFen,
  valueFen,
  delivery,
})

const GOODS: readonly Good[] = [
  good('CB-CONTROL', '控笔训练字帖', '册', 420, 1_500, 200),
  good('CB-STROKE', '笔画字帖', '册', 480, 1_800, 150),
  good('CB-STRUCTURE', '结构字帖', '册', 520, 1_900, 200),
  good('CB-LAYOUT', '章法字帖', '册', 560, 2_200, 150),
  good('CB-RUNNING', '行楷字帖', '册', 580, 2_400, 60),
  good('CB-DAILY', '每日一练练习册', '册', 300, 1_000, 120),
  good('PAPER-TIAN', '田字格练习纸（50 张）', '包', 210, 700, 300),
  good('PAPER-MI', '米字格练习纸（50 张）', '包', 210, 700, 120),
  good('PAPER-XUAN', '宣纸（100 张）', '刀', 900, 2_500, 60),
  good('PEN-GEL', '中性笔（3 支）', '套', 260, 900, 150),
  good('PEN-FOUNTAIN', '学生钢笔', '支', 1_300, 3_900, 150),
  good('INK-CARTRIDGE', '墨囊（10 支）', '盒', 240, 800, 150),
  good('INK-BOTTLE', '墨汁（250 ml）', '瓶', 500, 1_500, 60),
  good('BRUSH-SET', '毛笔（3 支）', '套', 1_600, 4_000, 60),
  good('INKSTONE', '小砚台', '方', 2_200, 5_000, 60),
  good('GRIP', '握笔器', '个', 180, 900, 200),
  good('POSTURE', '坐姿提醒器', '个', 2_600, 6_800, 40),
  good('LAMP', '护眼台灯', '台', 11_800, 26_000, 30),
  good('BAG', '书画袋', '个', 700, 2_000, 60),
  good('STICKER', '奖励贴纸', '张', 60, 300, 300),
  good('MEDAL', '毕业奖章', '枚', 350, 1_200, 100),
  good('STAND', '字帖阅读架', '个', 1_100, 3_200, 60),
]

type StockedGood = Good & { readonly id: number }

const goodsOf = remembered(({ ids }): readonly StockedGood[] =>
  GOODS.map(one => ({ ...one, id: ids.named('base_product', one.sku) })),
)

export const goodOf = (world: World, sku: string): StockedGood => named(goodsOf(world), good => good.sku === sku, sku)

export const shelfOf: (world: World) => Shelf = remembered(world => openShelf(world, goodsOf(world)))

export const demo: Story = {
  holds: {
    LOGISTICS: [...READ, 'create', 'update', 'export', 'stockIn', 'stockOut', 'check', 'withdrawCheck'],
    WAREHOUSE_MANAGER: ['delete', 'approveCheck', 'rejectCheck'],
  },
  plan(world) {
    const { agenda, now } = world
    const shelf = shelfOf(world)
    // The supplier of lamps cannot deliver: what is sold now waits.
    agenda.at(now.getTime() - 25 * DAY_MS, at => shelf.count(at, 'LAMP'))
    agenda.at(now.getTime() - 9 * DAY_MS, at => shelf.runLow(at, 'POSTURE', '线下活动领用'))
  },
  end: world => shelfOf(world).store(),
}
