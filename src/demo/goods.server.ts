/** What lies on the shelf, and the kits it is sent in. Worth is what a part costs a member who does not send it back. */
export type Good = {
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

export const GOODS: readonly Good[] = [
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

export type KitDesign = {
  readonly code: string
  readonly name: string
  readonly weightG: number
  readonly parts: Readonly<Record<string, number>>
}

export const KITS: readonly KitDesign[] = [
  { code: 'KIT-CAMP', name: '训练营套装', weightG: 320, parts: { 'CB-CONTROL': 1, GRIP: 1 } },
  { code: 'KIT-QUARTER', name: '季度会员套装', weightG: 480, parts: { 'CB-STROKE': 1, 'PAPER-TIAN': 2 } },
  {
    code: 'KIT-HALF',
    name: '半年会员套装',
    weightG: 760,
    parts: { 'CB-STROKE': 1, 'CB-STRUCTURE': 1, 'PAPER-TIAN': 3 },
  },
  {
    code: 'KIT-YEAR',
    name: '年度会员套装',
    weightG: 820,
    parts: { 'CB-STRUCTURE': 1, 'CB-LAYOUT': 1, 'PEN-FOUNTAIN': 1 },
  },
  {
    code: 'KIT-TWO-YEARS',
    name: '两年会员套装',
    weightG: 1_450,
    parts: { 'CB-STRUCTURE': 1, 'CB-LAYOUT': 1, 'CB-RUNNING': 1, 'PEN-FOUNTAIN': 1, BAG: 1 },
  },
  {
    code: 'KIT-GIFT-BOX',
    name: '文房四宝礼盒',
    weightG: 2_300,
    parts: { 'BRUSH-SET': 1, 'INK-BOTTLE': 1, INKSTONE: 1, 'PAPER-XUAN': 1 },
  },
  { code: 'KIT-LAMP', name: '坐姿矫正台灯', weightG: 1_900, parts: { LAMP: 1 } },
  { code: 'KIT-POSTURE', name: '坐姿提醒套装', weightG: 350, parts: { POSTURE: 1, STICKER: 2 } },
]

export type MallDesign = {
  readonly sku: string
  readonly name: string
  readonly coins: number
  readonly cashFen: number
  readonly quota: number
  readonly perPerson: number
  readonly status: 'ON' | 'OFF'
}

/** What coins are spent on. */
export const MALL: readonly MallDesign[] = [
  { sku: 'STICKER', name: '奖励贴纸', coins: 60, cashFen: 0, quota: 2_000, perPerson: 20, status: 'ON' },
  { sku: 'PEN-GEL', name: '中性笔三支装', coins: 180, cashFen: 0, quota: 800, perPerson: 5, status: 'ON' },
  { sku: 'CB-DAILY', name: '每日一练练习册', coins: 220, cashFen: 0, quota: 500, perPerson: 3, status: 'ON' },
  { sku: 'STAND', name: '字帖阅读架', coins: 500, cashFen: 0, quota: 200, perPerson: 1, status: 'ON' },
  { sku: 'PEN-FOUNTAIN', name: '学生钢笔', coins: 600, cashFen: 990, quota: 300, perPerson: 2, status: 'ON' },
  { sku: 'POSTURE', name: '坐姿提醒器', coins: 900, cashFen: 1_990, quota: 120, perPerson: 1, status: 'ON' },
  { sku: 'MEDAL', name: '毕业奖章（限量）', coins: 300, cashFen: 0, quota: 30, perPerson: 1, status: 'OFF' },
]
