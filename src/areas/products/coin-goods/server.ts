import { sql } from 'kysely'
import * as z from 'zod'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Database, Tx } from '#kit/server/database/database.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { leftOf, resource, workflow } from './model.ts'

/** How many pieces of these goods are free to be promised, by id: whoever keeps the shelf knows. */
export const piecesFree = defineQuestion<
  { db: Tx | Database['query']; baseProductIds: readonly string[] },
  ReadonlyMap<string, number>
>('coin-goods-pieces-free')

const served = serve(resource, {
  workflow,
  async detail(app, row) {
    const free = await ask(app, piecesFree, { db: app.db.query, baseProductIds: [row.baseProductId] })
    return { left: leftOf(row, free.get(row.baseProductId) ?? 0) }
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
        .selectFrom('coin_goods')
        .select(['id', 'quota', 'sold', 'base_product_id'])
        .where('id', 'in', query.ids.split(','))
        .execute()
      const baseProductIds = rows.map(row => row.base_product_id)
      const free = await ask(app, piecesFree, { db: app.db.query, baseProductIds })
      return Object.fromEntries(rows.map(row => [row.id, leftOf(row, free.get(row.base_product_id) ?? 0)]))
    },
  }),
]

type OfferedGoods = {
  readonly id: string
  readonly name: string
  readonly baseProductId: string
  readonly coins: number
  readonly cashFen: number
  readonly perPerson: number
}

/** Takes one piece out of the quota. The row stays locked: nobody takes the last one twice. */
export async function takePiece({ app, tx }: Change, id: string): Promise<OfferedGoods> {
  const goods = await tx
    .selectFrom('coin_goods')
    .select(['id', 'name', 'base_product_id', 'coins', 'cash_fen', 'per_person', 'quota', 'sold', 'status'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (goods?.status !== 'ON') throw new Refused(refuse('products/coin-goods:goods-off'))
  const free = await ask(app, piecesFree, { db: tx, baseProductIds: [goods.base_product_id] })
  if (leftOf(goods, free.get(goods.base_product_id) ?? 0) === 0)
    throw new Refused(refuse('products/coin-goods:sold-out'))
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
