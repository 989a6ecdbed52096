import { discountsIn } from '#areas/sales/sales-request/demo.server.ts'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, type World } from '#demo/world.server.ts'
import { leadsIn } from '#engines/lead/demo-leads.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { addLink, LOCKED_DAYS, type ToldLink } from './demo-links.server.ts'

const chance = chanceOf('sales/link: orders')

/** Of leads that registered while their owner had a link out, so many came by it. */
const BY_LINK = 0.4

/** What was sold by links was sold by these; besides, each consultant has one out right now. */
function end(world: World): void {
  const links = [...sellingLinks(world), ...freshLinks(world)].sort((a, b) => a.at - b.at)
  leadByLinks(world, links)
  for (const link of [...links, ...discountLinks(world)].sort((a, b) => a.at - b.at)) addLink(world, link)
}

/** What was agreed to below the price, with the order that was sold so where there is one. */
function discountLinks(world: World): ToldLink[] {
  const orders = new Map(world.rows.of('sales_order').map(order => [Number(order.id), order]))
  return discountsIn(world).map(({ orderId, ...told }) => {
    const order = orders.get(Number(orderId))
    return { ...told, orders: order ? [order] : [], leads: [] }
  })
}

const begun = (seller: Colleague, at: number, product: Product): ToldLink => ({
  ...{ seller, at, productId: Number(product.id), listFen: Number(product.price_fen), orders: [], leads: [] },
  expiresOn: addDays(dayOf(new Date(at)), LOCKED_DAYS),
})
type Product = { readonly id?: number; readonly price_fen: string | number }

/** One of them that was in force then. */
const linkAt = (links: readonly ToldLink[], at: number): ToldLink | undefined =>
  links.findLast(link => link.at < at && link.expiresOn >= dayOf(new Date(at)))

/** Each order of one product that came by a link came by one its consultant had out then. */
function sellingLinks(world: World): ToldLink[] {
  const random = chance(world)
  const lines = Map.groupBy(world.rows.of('order_line'), ({ order_id }) => Number(order_id))
  const products = new Map(world.rows.of('product').map(product => [Number(product.id), product]))
  const made = new Map<string, ToldLink[]>()
  const promised = new Set(discountsIn(world).map(({ orderId }) => orderId))
  const orders = world.rows.of('sales_order').filter(({ id, source }) => source === 'LINK' && !promised.has(Number(id)))
  for (const order of orders.toSorted((a, b) => Number(a.created_at) - Number(b.created_at))) {
    const seller = world.staff.find(({ id }) => id === order.sold_by)
    const [line, more] = lines.get(Number(order.id)) ?? []
    const product = products.get(Number(line?.product_id))
    if (!seller || !product || more) continue
    const of = `${seller.id} ${product.id}`
    const known = made.get(of) ?? []
    const at = Number(order.created_at)
    const link = linkAt(known, at) ?? begun(seller, at - random.whole(1, 60) * HOUR_MS, product)
    if (!known.includes(link)) made.set(of, [...known, link])
    link.orders.push(order)
  }
  return [...made.values()].flat()
}

const FRESH_DAYS = 6

function freshLinks(world: World): ToldLink[] {
  const random = chance(world)
  const products = world.rows
    .of('product')
    .filter(({ status, price_fen }) => status === 'ON_SALE' && Number(price_fen) > 0)
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && enabled && org.startsWith('SALES_'),
  )
  if (products.length === 0) return []
  return sellers.map(seller =>
    begun(
      seller,
      world.now.getTime() - Math.floor(random.fraction() * FRESH_DAYS * DAY_MS) - HOUR_MS,
      random.pick(products),
    ),
  )
}

function leadByLinks(world: World, links: readonly ToldLink[]): void {
  const random = chance(world)
  const own = Map.groupBy(links, ({ seller }) => seller.id)
  for (const { lead } of leadsIn(world)) {
    const link =
      lead.came_by === 'REGISTRATION'
        ? linkAt(own.get(String(lead.owner_id)) ?? [], Number(lead.created_at))
        : undefined
    if (link && random.chance(BY_LINK)) link.leads.push(lead)
  }
}

/** Numbers people begin with who open a link while the business is played. */
const BEGINNERS = 20_000

/** Somebody opens the link of a consultant and begins to register. */
async function begin({ db }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const [link] = await db.read.rows(
    `select code from sales_link where status = 'ACTIVE' order by id desc limit 1 offset $1`,
    [random.whole(0, 10)],
  )
  if (!link) return undefined
  const phone = phoneAt(PHONES.app + random.whole(0, BEGINNERS))
  const said = { step: 'PROFILE', source: 'APP', channel: 'STORE', state: String(link.code) }
  return { source: 'app', type: 'registration.reached', data: { phone, ...said } }
}

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'extend', 'close'],
    SALES_MANAGER_COPY: ['export'],
    FINANCE: READ,
    AUDITOR: READ,
  },
  end,
  scenes: [[begin, 2]],
  // A price is locked for some weeks, and what was agreed to for one colleague is not another's to use.
  enters: ({ now }) => ({ discountId: null, expiresOn: addDays(dayOf(now), 7) }),
}
