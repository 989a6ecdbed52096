import { ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { ordersOf, productNameOf } from '#areas/orders/order/demo-trade.server.ts'
import { onSale, PRODUCTS } from '#areas/products/product/demo.server.ts'
import type { Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, owned, type World } from '#demo/world.server.ts'
import type { Row } from '#kit/server/database/database.ts'

const chance = chanceOf('orders/browse-record')

/** Looked and left: this week's wait for a call, older ones were called, left alone, or ended in an order. */
function browsings(world: World): NewRow<'browse_record'>[] {
  const { now } = world
  const random = chance(world)
  const seen = new Set<string>()
  const rows = ordersOf(world).flatMap((order): NewRow<'browse_record'>[] => {
    const { member } = order
    const isLate = now.getTime() - order.createdAt < 30 * DAY_MS
    if (!random.chance(isLate ? 0.4 : 0.04)) return []
    const ordered = random.chance(0.4)
    const product = ordered
      ? productNameOf(order)
      : random.pick(PRODUCTS.filter(({ kind, weight }) => kind !== 'LEAD' && weight > 0)).name
    if (seen.has(`${member.id} ${product}`)) return []
    seen.add(`${member.id} ${product}`)
    const first = Math.max(member.createdAt, order.createdAt - random.whole(1, 40) * HOUR_MS)
    const at = ordered
      ? first
      : Math.min(now.getTime(), Math.max(first, now.getTime() - random.whole(1, 20 * 24) * HOUR_MS))
    const isOpen = now.getTime() - at < 7 * DAY_MS
    return [
      {
        key: `browse:${member.id}:${product}`.slice(0, 100),
        member_id: member.id,
        product_name: product,
        times: random.whole(1, 5),
        last_seen_at: new Date(at),
        status: ordered ? 'ORDERED' : isOpen && random.chance(0.6) ? 'OPEN' : random.pick(['CONTACTED', 'DISMISSED']),
        ...owned(ownerAt(member, now.getTime(), now)),
        created_at: new Date(Math.min(first, at)),
        version: ordered ? 2 : 1,
      },
    ]
  })
  return byTime(rows, ({ created_at }) => created_at)
}

async function browse(outside: Outside, random: Random, { id }: Row): Promise<SimulatedEvent> {
  const product = await onSale(outside, random)
  const name = String(product?.name ?? '年度会员')
  return {
    source: 'app',
    type: 'order.browsed',
    data: { key: `browse:${id}:${name}`.slice(0, 100), memberId: String(id), product: name },
  }
}

export const demo: Story = {
  holds: { SALES: [...READ, 'contacted', 'dismiss', 'reveal'], SALES_MANAGER_COPY: ['export'] },
  end: world => world.rows.add('browse_record', browsings(world)),
  scenes: [[browse, 34]],
}
