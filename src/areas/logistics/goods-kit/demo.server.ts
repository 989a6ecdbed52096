import { goodOf } from '#areas/logistics/base-product/demo.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Offered, Story } from '#demo/story.server.ts'
import { colleague, named, remembered, type World } from '#demo/world.server.ts'

type KitDesign = {
  readonly code: string
  readonly name: string
  readonly weightG: number
  readonly parts: Readonly<Record<string, number>>
  /** What it held at first, where that was changed, and what somebody works at. */
  readonly before?: Readonly<Record<string, number>>
  readonly draft?: Readonly<Record<string, number>>
}

const KITS: readonly KitDesign[] = [
  { code: 'KIT-CAMP', name: '训练营套装', weightG: 320, parts: { 'CB-CONTROL': 1, GRIP: 1 } },
  {
    code: 'KIT-QUARTER',
    name: '季度会员套装',
    weightG: 480,
    parts: { 'CB-STROKE': 1, 'PAPER-TIAN': 2 },
    before: { 'CB-STROKE': 1, 'PAPER-TIAN': 1, GRIP: 1 },
  },
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
  {
    code: 'KIT-POSTURE',
    name: '坐姿提醒套装',
    weightG: 350,
    parts: { POSTURE: 1, STICKER: 2 },
    draft: { STICKER: 4, POSTURE: 1, GRIP: 1 },
  },
]

export type Part = {
  readonly baseProductId: string
  readonly sku: string
  readonly name: string
  readonly quantity: number
  /** The edition of the kit it is packed by. */
  readonly kitEditionId?: number
}
type Kit = Omit<KitDesign, 'parts'> & {
  readonly id: number
  readonly parts: readonly Part[]
  /** The id of what is published. */
  readonly editionId: number
}

export function partOf(world: World, sku: string, quantity: number): Part {
  const { id, name } = goodOf(world, sku)
  return { baseProductId: String(id), sku, name, quantity }
}

const partsIn = (world: World, parts: KitDesign['parts']): Part[] =>
  Object.entries(parts).map(([sku, quantity]) => partOf(world, sku, quantity))

const kitsOf = remembered((world): readonly Kit[] =>
  KITS.map(({ parts, ...design }) => ({
    ...design,
    id: world.ids.named('goods_kit', design.code),
    editionId: world.ids.next('goods_kit_edition'),
    parts: partsIn(world, parts),
  })),
)

/** The base products in these grants. */
export const partsOf = (
  world: World,
  grants: readonly { readonly kitId: string | null; readonly quantity: number }[],
  times: number,
): Part[] =>
  grants.flatMap(({ kitId, quantity }) => {
    if (kitId === null) return []
    const { parts, editionId } = named(kitsOf(world), ({ id }) => String(id) === kitId, 'kit')
    return parts.map(part => ({ ...part, kitEditionId: editionId, quantity: part.quantity * quantity * times }))
  })

function end(world: World): void {
  const kits = kitsOf(world)
  world.rows.add(
    'goods_kit',
    kits.map(({ id, code, name, weightG, parts, before, draft }) => ({
      id,
      code,
      name,
      weight_g: weightG,
      parts,
      edition: before ? 2 : 1,
      status: draft ? 'CHANGED' : 'PUBLISHED',
      created_at: world.since,
    })),
  )
  world.rows.add(
    'goods_kit_edition',
    kits.flatMap(kit => editionsOf(world, kit)),
  )
}

/** All that was sold was packed by what is published now: what was changed was changed before anybody bought it. */
function editionsOf(world: World, { id, editionId, name, weightG, parts, before, draft }: Kit) {
  const [keeper, manager] = [colleague(world, 'LOGISTICS'), colleague(world, 'WAREHOUSE_MANAGER')]
  const drafted = { kit_id: id, restores: null, drafted_by: keeper.id, drafted_at: world.since }
  const published = { ...drafted, published_by: manager.id, published_at: world.since }
  const open = { edition: null, published_by: null, published_at: null }
  const body = (held: readonly Part[]) => ({ name, weightG, parts: held })
  const ids = world.ids
  return [
    ...(before
      ? [
          {
            ...published,
            id: ids.next('goods_kit_edition'),
            state: 'SUPERSEDED' as const,
            base: 0,
            edition: 1,
            body: body(partsIn(world, before)),
          },
        ]
      : []),
    {
      ...published,
      id: editionId,
      state: 'PUBLISHED' as const,
      base: before ? 1 : 0,
      edition: before ? 2 : 1,
      body: body(parts),
    },
    ...(draft
      ? [
          {
            ...drafted,
            ...open,
            id: ids.next('goods_kit_edition'),
            state: 'DRAFT' as const,
            base: before ? 2 : 1,
            body: body(partsIn(world, draft)),
          },
        ]
      : []),
  ]
}

/** One piece of anything, as forms name what kits and parcels hold. */
export const onePart = ({ ids }: Offered) => ({
  parts: [{ baseProductId: ids.get('base-product'), sku: '', name: '', quantity: 1 }],
})

export const demo: Story = {
  holds: {
    LOGISTICS: [...READ, 'create', 'update', 'delete', 'export', 'drafts', 'discard'],
    WAREHOUSE_MANAGER: ['publish', 'restore'],
    AUDITOR: [...READ, 'drafts'],
  },
  end,
  enters: onePart,
}
