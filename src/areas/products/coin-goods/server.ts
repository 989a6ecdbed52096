import { sql } from 'kysely'
import * as z from 'zod'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { leftOf, resource, workflow } from './model.ts'

const served = serve(resource, {
  workflow,
  async detail(app, row) {
    const { available } = await app.db.query
      .selectFrom('base_product')
      .select('available')
      .where('id', '=', row.baseProductId)
      .executeTakeFirstOrThrow()
    return { left: leftOf(row, available) }
  },
  constraints: { coin_goods_within_quota: { code: 'quota-below-sold', field: 'quota' } },
})

export const routes: Routes = app => [
  ...served(app),
  route({
    method: 'GET',
    path: `/${resource.screen.name}/left`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'list' },
    query: z.strictObject({
      ids: z.string().regex(/^[1-9]\d{0,17}(,[1-9]\d{0,17}){0,99}$/),
    }),
    answer: z.record(z.string(), z.int()),
    summary: 'How many of these can still be had for coins, by id: what the shelf has counts too.',
    async handle(_call, { query }) {
      const rows = await app.db.query
        .selectFrom('coin_goods as g')
        .innerJoin('base_product as b', 'b.id', 'g.base_product_id')
        .select(['g.id', 'g.quota', 'g.sold', 'b.available'])
        .where('g.id', 'in', query.ids.split(','))
        .execute()
      return Object.fromEntries(rows.map(row => [row.id, leftOf(row, row.available)]))
    },
  }),
]

export type OfferedGoods = {
  readonly id: string
  readonly name: string
  readonly baseProductId: string
  readonly coins: number
  readonly cashFen: number
  readonly perPerson: number
}

/** Takes one piece out of the quota. The row stays locked: nobody takes the last one twice. */
export async function takePiece(tx: Tx, id: string): Promise<OfferedGoods> {
  const goods = await tx
    .selectFrom('coin_goods as g')
    .innerJoin('base_product as b', 'b.id', 'g.base_product_id')
    .select(['g.id', 'g.name', 'g.base_product_id', 'g.coins', 'g.cash_fen', 'g.per_person', 'g.quota', 'g.sold'])
    .select(['g.status', 'b.available'])
    .where('g.id', '=', id)
    .forNoKeyUpdate('g')
    .executeTakeFirst()
  if (goods?.status !== 'ON') throw new Refused(refuse('products/coin-goods:goods-off'))
  if (leftOf(goods, goods.available) === 0) throw new Refused(refuse('products/coin-goods:sold-out'))
  await countPiece(tx, id, 1)
  return {
    id: goods.id,
    name: goods.name,
    baseProductId: goods.base_product_id,
    coins: goods.coins,
    cashFen: fen(goods.cash_fen),
    perPerson: goods.per_person,
  }
}

/** An order that will not be sent gives its piece back to the quota. */
export const giveBackPiece = (tx: Tx, id: string) => countPiece(tx, id, -1)

const countPiece = (tx: Tx, id: string, by: 1 | -1) =>
  sql`update coin_goods set sold = sold + ${by} where id = ${id}`.execute(tx)

export const invariants: readonly Invariant[] = [
  {
    name: 'what the coin mall has sold is the number of its orders that stand',
    query: `
      select g.id, g.sold, count(o.id) as orders from coin_goods g
      left join coin_order o on o.coin_goods_id = g.id and o.status <> 'CANCELLED'
      group by g.id having g.sold <> count(o.id)`,
  },
]
