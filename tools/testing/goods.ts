import { sql } from 'kysely'
import { moveStock } from '../../src/areas/logistics/base-product/stock.server.ts'
import { ownChange } from '../../src/kit/server/change/operation.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { type Bought, enrol, grantOf, offer, order, pay, RECEIVER } from './commerce.ts'

let counter = 0
const next = (): number => (counter += 1)

/** A base product with so many on the shelf. */
export const shelve = (instance: Instance, onHand: number): Promise<string> =>
  instance.app.db.write(async tx => {
    const { id } = await tx
      .insertInto('base_product')
      .values({ sku: `T-${next()}`, name: `字帖 ${next()}`, unit: '本', cost_fen: 500, value_fen: 1_500 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const change = ownChange(instance.app, tx, instance.app.clock.now(), 'test')
    if (onHand > 0) await moveStock(change, { baseProductId: id, cause: 'IN', quantity: onHand })
    return id
  })

export async function makeKit(
  instance: Instance,
  parts: readonly { readonly id: string; readonly quantity: number }[],
): Promise<string> {
  const { query } = instance.app.db
  const lines = []
  for (const { id, quantity } of parts) {
    const named = await query
      .selectFrom('base_product')
      .select(['sku', 'name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    lines.push({ baseProductId: id, quantity, ...named })
  }
  const { id } = await query
    .insertInto('goods_kit')
    .values({
      code: `K-${next()}`,
      name: `礼盒 ${next()}`,
      weight_g: 300,
      parts: JSON.stringify(lines),
      edition: 1,
      status: 'PUBLISHED',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into goods_kit_edition (kit_id, edition, state, base, body, drafted_by, drafted_at, published_by, published_at)
    select k.id, 1, 'PUBLISHED', 0, jsonb_build_object('name', k.name, 'weightG', k.weight_g, 'parts', k.parts), s.id, now(), s.id, now()
    from goods_kit k, (select min(id) as id from staff) s where k.id = ${id}`.execute(query)
  return id
}

export type Sale = {
  readonly kitId: string
  readonly quantity?: number
  readonly mayWait?: boolean
  readonly memberId?: string
  readonly hasAddress?: boolean
}

/** An unpaid order of a product that gives one kit. */
export async function orderKit(instance: Instance, given: Sale): Promise<Bought> {
  const { kitId, quantity = 1, mayWait = false, hasAddress = true } = given
  const memberId = given.memberId ?? (await enrol(instance))
  const product = await offer(instance, [grantOf('GOODS', 1, 1_000, { kitId })], { priceFen: 10_000, mayWait })
  return order(instance, memberId, product, { quantity, ...(hasAddress ? { receiver: RECEIVER } : {}) })
}

/** Ordered and paid, with the parcel made for it. */
export async function sell(instance: Instance, given: Sale): Promise<Bought & { readonly parcelId: string }> {
  const bought = await orderKit(instance, given)
  await pay(instance, bought)
  const [parcelId = ''] = await parcelsOf(instance, bought.orderId)
  return { ...bought, parcelId }
}

export const parcelsOf = async ({ app }: Instance, orderId: string): Promise<string[]> => {
  const rows = await app.db.query
    .selectFrom('shipment')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** On hand, locked. */
export async function stockOf({ app }: Instance, id: string): Promise<[onHand: number, locked: number]> {
  const row = await app.db.query
    .selectFrom('base_product')
    .select(['on_hand', 'locked'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return [row.on_hand, row.locked]
}
