import { goodOf } from '#areas/logistics/base-product/demo.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { named, remembered, type World } from '#demo/world.server.ts'

type KitDesign = {
  readonly code: string
  readonly name: string
  readonly weightG: number
  readonly parts: Readonly<Record<string, number>>
}

const KITS: readonly KitDesign[] = [
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

export type Part = {
  readonly baseProductId: string
  readonly sku: string
  readonly name: string
  readonly quantity: number
}
type Kit = Omit<KitDesign, 'parts'> & { readonly id: number; readonly parts: readonly Part[] }

export function partOf(world: World, sku: string, quantity: number): Part {
  const { id, name } = goodOf(world, sku)
  return { baseProductId: String(id), sku, name, quantity }
}

const kitsOf = remembered((world): readonly Kit[] =>
  KITS.map(({ parts, ...design }) => ({
    ...design,
    id: world.ids.named('goods_kit', design.code),
    parts: Object.entries(parts).map(([sku, quantity]) => partOf(world, sku, quantity)),
  })),
)

/** The base products in these grants. */
export const partsOf = (
  world: World,
  grants: readonly { readonly kitId: string | null; readonly quantity: number }[],
  times: number,
): Part[] =>
  grants.flatMap(({ kitId, quantity }) =>
    kitId === null
      ? []
      : named(kitsOf(world), ({ id }) => String(id) === kitId, 'kit').parts.map(part => ({
          ...part,
          quantity: part.quantity * quantity * times,
        })),
  )

const end = (world: World): void =>
  world.rows.add(
    'goods_kit',
    kitsOf(world).map(({ id, code, name, weightG, parts }) => ({
      id,
      code,
      name,
      weight_g: weightG,
      parts: parts,
      created_at: world.since,
    })),
  )

export const demo: Story = { holds: { LOGISTICS: [...READ, 'create', 'update', 'delete', 'export'] }, end }
