import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { chanceOf, DAY_MS, type World } from '#demo/world.server.ts'
import { type DemoLead, touchLead } from '#engines/lead/demo-leads.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { newCode } from './code.model.ts'
import { resource } from './model.ts'

const chance = chanceOf('sales/link')

type Order = NewRow<'sales_order'>
/** A link as its consultant made it, and what came by it. */
export type ToldLink = {
  readonly seller: Colleague
  readonly at: number
  readonly productId: number
  readonly listFen: number
  readonly discount?: { readonly id: number; readonly priceFen: number }
  readonly expiresOn: string
  readonly orders: Order[]
  readonly leads: DemoLead[]
}

/** For so long consultants promise a price. */
export const LOCKED_DAYS = 30
/** So many of those that were over by then had been closed before. */
const CLOSED_EARLY = 0.06

/** Adds a link with what has become of it by now, and tells everything that came by it. */
export function addLink(world: World, told: ToldLink): void {
  const { seller, at, productId, listFen, discount, expiresOn, orders, leads } = told
  const id = world.ids.next('sales_link')
  const random = chance(world)
  const code = newCode(most => random.whole(0, most - 1))
  const owner = keeperOf(world, seller)
  const paid = orders.filter(({ pay_state }) => pay_state === 'PAID')
  const status = endOf(world, told, id)
  world.rows.add('sales_link', [
    {
      ...{ id, code, status, owner_id: owner.id, org_id: owner.orgId },
      ...{ product_id: productId, list_fen: listFen, price_fen: discount?.priceFen ?? listFen },
      ...{
        discount_id: discount?.id ?? null,
        used_order_id: status === 'USED' ? Number(orders[0]?.id) : null,
        expires_on: expiresOn,
        visits: visit(world, told, id),
      },
      ...{ leads: leads.length, orders: paid.length, short_orders: 0 },
      amount_fen: paid.reduce((sum, { paid_fen }) => sum + Number(paid_fen), 0),
      ...{ created_at: new Date(at), version: status === 'ACTIVE' ? 1 : 2 },
    },
  ])
  for (const lead of leads) {
    Object.assign(lead, { link_id: id, product_id: productId })
    came(world, lead, { key: `link:${code}`, about: code, product_id: productId })
  }
  for (const order of orders) place(world, id, order, discount ? 'DISCOUNTED' : 'LOCKED')
}

/** The link stands on the way of whoever came by it. */
function came(
  world: World,
  lead: DemoLead,
  by: { readonly key: string; readonly about: string; readonly product_id: number },
): void {
  const { source, channel, consent, created_at: at } = lead
  touchLead(world, lead, Number(at), { ...by, came_by: 'LINK', source, channel, consent })
}

function place(world: World, linkId: number, order: Order, outcome: 'LOCKED' | 'DISCOUNTED'): void {
  order.link_id = linkId
  const { amount_fen, paid_fen = 0, created_at } = order
  world.rows.add('sales_link_order', [
    {
      ...{ link_id: linkId, order_id: Number(order.id), outcome, amount_fen: Number(amount_fen) },
      ...{ told_fen: null, paid_fen: Number(paid_fen), at: created_at as Date },
    },
  ])
}

/** What was a leaver's is a colleague's of the same team now. */
function keeperOf(world: World, seller: Colleague): Colleague {
  if (seller.enabled) return seller
  return world.staff.find(({ org, role, enabled }) => enabled && role === 'SALES' && org === seller.org) ?? seller
}

const timesOf = ({ orders, leads }: ToldLink): number[] =>
  [...orders, ...leads].map(({ created_at }) => Number(created_at))

/** In force, its discount used, over by itself, or closed after the last that came of it; as its history tells. */
function endOf(world: World, told: ToldLink, recordId: number): 'ACTIVE' | 'USED' | 'EXPIRED' | 'CLOSED' {
  const { seller: actor, at, expiresOn, productId, discount, orders } = told
  const line = { resource, recordId }
  world.log.write({ ...line, at, actor, action: 'create', after: { productId: String(productId), expiresOn } })
  const [sold] = orders
  if (discount && sold) {
    const [before, after] = [
      { status: 'ACTIVE', usedOrderId: null },
      { status: 'USED', usedOrderId: String(sold.id) },
    ]
    world.log.write({ ...line, at: Number(sold.created_at), actor: null, action: 'use', before, after })
    return 'USED'
  }
  if (expiresOn >= dayOf(world.now)) return 'ACTIVE'
  const over = Date.parse(`${addDays(expiresOn, 1)}T00:04:00+08:00`)
  const closed = Math.max(at, ...timesOf(told)) + DAY_MS
  const isClosed = actor.enabled && closed < over && chance(world).chance(CLOSED_EARLY)
  const status = isClosed ? 'CLOSED' : 'EXPIRED'
  world.log.write({
    ...{ ...line, at: isClosed ? closed : over, actor: isClosed ? actor : null, action: isClosed ? 'close' : 'expire' },
    ...{ before: { status: 'ACTIVE' }, after: { status } },
  })
  return status
}

/** Who opened it, day by day: most in the first days, and whoever came of it on the day that happened. Says how many. */
function visit(world: World, told: ToldLink, linkId: number): number {
  const random = chance(world)
  const [first, last] = [dayOf(new Date(told.at)), [told.expiresOn, dayOf(world.now)].sort()[0] ?? '']
  const days = new Map<string, number>()
  for (const at of timesOf(told)) count(days, dayOf(new Date(at)), 1)
  for (let nth = random.whole(1, 4); nth > 0; nth -= 1) {
    const day = addDays(first, Math.floor(random.fraction() ** 2 * LOCKED_DAYS))
    if (day <= last) count(days, day, random.whole(1, 6))
  }
  const rows = [...days].map(([day, visits]) => ({ link_id: linkId, day, visits }))
  world.rows.add(
    'sales_link_day',
    rows.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
  )
  return rows.reduce((sum, { visits }) => sum + visits, 0)
}

const count = (days: Map<string, number>, day: string, more: number) => days.set(day, (days.get(day) ?? 0) + more)
