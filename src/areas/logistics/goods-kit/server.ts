import { sql } from 'kysely'
import type { Part } from '#areas/logistics/base-product/stock.server.ts'
import { resource as orders } from '#areas/orders/order/model.ts'
import { kitHeld } from '#areas/products/product/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { holdersOf } from '#kit/server/list/holders.ts'
import { serveEditions } from '#kit/server/serve/serve-editions.ts'
import { MAX_PIECES, type NamedPart } from '../parts.model.ts'
import { type GoodsKit, resource, workflow } from './model.ts'

/** A line of a parcel keeps the edition it was packed by. */
const PACKED = { table: 'shipment_line', edition: 'kit_edition_id', holder: 'order_id' }

export const { routes, invariants } = serveEditions(resource, workflow, {
  complete: async (op, body) => ({ ...body, parts: await named(op.tx, body.parts) }),
  uses: ({ db }, asked) => holdersOf(db, orders, { name: 'uses.orders', rows: PACKED }, asked),
  async kept(db, kits) {
    const { rows } = await sql<{ id: string; name: string }>`
      select k.id, p.name from unnest(${kits.map(({ id }) => id)}::bigint[]) k (id) cross join lateral (
        select name from product
        where grants @> jsonb_build_array(jsonb_build_object('kitId', k.id::text)) order by id limit 1) p`.execute(db)
    return new Map(rows.map(({ id, name }) => [id, refuse('in-product', { name })]))
  },
  detail: async (app, { id }) => ({ usedBy: await usersOf(app.db.query, id) }),
  constraints: {
    goods_kit_code: { code: 'kit:taken', field: 'code' },
    shipment_line_kit_edition_id_fkey: { code: 'kit-packed' },
  },
})

/** Parts as the shelf calls them; each of them is there, once, and at least one piece of it. */
async function named(tx: Tx, given: readonly NamedPart[]): Promise<NamedPart[]> {
  const ids = given.map(({ baseProductId }) => baseProductId)
  const wrong =
    given.length === 0
      ? 'parts-missing'
      : new Set(ids).size < ids.length
        ? 'parts-twice'
        : given.some(({ quantity }) => quantity < 1)
          ? 'parts-none'
          : undefined
  // Held until the kit stands: a part that is deleted meanwhile would leave a hole in it.
  const known = wrong
    ? []
    : await tx.selectFrom('base_product').select(['id', 'sku', 'name']).where('id', 'in', ids).forShare().execute()
  const parts = given.flatMap(({ baseProductId, quantity }) => {
    const found = known.find(({ id }) => id === baseProductId)
    return found ? [{ baseProductId, sku: found.sku, name: found.name, quantity }] : []
  })
  if (!wrong && parts.length === given.length) return parts
  const refusal = refuse(wrong ?? 'parts-unknown')
  throw onField('parts', refusal)
}

/** Products that give this kit. */
async function usersOf(db: Tx | App['db']['query'], kitId: string): Promise<GoodsKit['usedBy']> {
  const { rows } = await sql<GoodsKit['usedBy'][number]>`
    select id, name, code, status = 'ON_SALE' as "onSale" from product
    where grants @> ${JSON.stringify([{ kitId }])}::jsonb order by id limit 100`.execute(db)
  return rows
}

/** Held until the product stands: a kit that is being deleted meanwhile is gone, or stays. One without an edition holds nothing yet. */
const holdKit = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx
    .selectFrom('goods_kit')
    .select('id')
    .where('id', '=', id)
    .where('edition', '>', 0)
    .forShare()
    .executeTakeFirst()) !== undefined

export const answers = [answer(kitHeld, (_app, { tx, kitId }) => holdKit(tx, kitId))]

type Packed = { readonly name: string; readonly editionId: string; readonly parts: Part[] }

/** What a kit consists of as it is published, so many times over, and by which edition. */
export async function partsOfKit(tx: Tx, kitId: string, times: number): Promise<Packed> {
  const kit = await tx
    .selectFrom('goods_kit as k')
    .innerJoin('goods_kit_edition as e', join => join.onRef('e.kit_id', '=', 'k.id').on('e.state', '=', 'PUBLISHED'))
    .select(['k.name', 'k.parts', 'e.id as editionId'])
    .where('k.id', '=', kitId)
    .executeTakeFirst()
  if (!kit) throw new Refused(refuse('logistics/goods-kit:kit-missing'))
  const parts = (kit.parts as NamedPart[]).map(({ baseProductId, quantity }) => ({
    baseProductId,
    quantity: quantity * times,
  }))
  if (parts.some(({ quantity }) => quantity > MAX_PIECES))
    throw new Refused(refuse('logistics/goods-kit:kit-too-many', { name: kit.name, max: MAX_PIECES }))
  return { name: kit.name, editionId: kit.editionId, parts }
}

/** Kits carry the names of their parts; they follow when a part is called something else. */
export const renameInKits = (tx: Tx, id: string, name: string) =>
  sql`
    update goods_kit set version = version + 1, parts = (
      select jsonb_agg(case when p ->> 'baseProductId' = ${id} then p || jsonb_build_object('name', ${name}::text) else p end order by n)
      from jsonb_array_elements(parts) with ordinality e(p, n))
    where parts @> ${JSON.stringify([{ baseProductId: id }])}::jsonb`.execute(tx)
