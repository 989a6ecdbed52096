import { sql } from 'kysely'
import { renameInKits } from '#areas/logistics/goods-kit/server.ts'
import { piecesFree } from '#areas/products/coin-goods/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { bookRoutes } from './book.server.ts'
import {
  agreeToCheck,
  askForCheck,
  checkInvariants,
  checkJobs,
  openChecks,
  rejectCheck,
  reopenCheck,
  withdrawCheck,
} from './check.server.ts'
import { type BaseProduct, MAX_ON_HAND, resource, workflow } from './model.ts'
import { moveStock, stockInvariants } from './stock.server.ts'

const served = serve(resource, {
  workflow,
  facts: openChecks,
  async store(op, input, before, write) {
    if (before && before.name !== input.name) await renameInKits(op.tx, before.id, input.name)
    const { openingStock, ...fields } = input as BaseProduct & { openingStock?: number }
    const id = await write(fields)
    if (openingStock) await moveStock(op, { baseProductId: id, cause: 'IN', quantity: openingStock })
    return id
  },
  async kept(db, products) {
    const { rows } = await sql<{ id: string; name: string }>`
      select p.id, k.name from unnest(${products.map(({ id }) => id)}::bigint[]) p (id) cross join lateral (
        select name from goods_kit
        where parts @> jsonb_build_array(jsonb_build_object('baseProductId', p.id::text)) limit 1) k`.execute(db)
    return new Map(rows.map(({ id, name }) => [id, refuse('in-kit', { name })]))
  },
  effects: {
    async stockIn(op, row, { quantity, note }) {
      if (row.onHand + quantity <= MAX_ON_HAND) return move(op, row, 'IN', quantity, note)
      const refusal = refuse('kit:field-too-big', { max: MAX_ON_HAND - row.onHand })
      throw onField('quantity', refusal)
    },
    async stockOut(op, row, { quantity, note }) {
      if (quantity <= row.onHand - row.locked) return move(op, row, 'OUT', -quantity, note)
      const refusal = refuse('logistics/base-product:short')
      throw onField('quantity', refusal)
    },
    check: askForCheck,
    async approveCheck(op, row, shown) {
      const { difference, note } = await agreeToCheck(op, row, shown)
      if (difference !== 0) return move(op, row, 'CHECK', difference, note)
    },
    rejectCheck,
    withdrawCheck,
  },
  undo: { rejectCheck: reopenCheck, withdrawCheck: reopenCheck },
  constraints: {
    base_product_sku: { code: 'kit:taken', field: 'sku' },
    stock_check_open: { code: 'check-open' },
    stock_movement_base_product_id_fkey: { code: 'moved-before' },
    stock_check_base_product_id_fkey: { code: 'moved-before' },
    coin_goods_base_product_id_fkey: { code: 'in-mall' },
  },
})

export const routes: Routes = app => [...served(app), ...bookRoutes(app)]

async function move(
  op: Operation,
  row: BaseProduct,
  cause: 'IN' | 'OUT' | 'CHECK',
  quantity: number,
  note: string,
): Promise<Partial<BaseProduct>> {
  await moveStock(op, { baseProductId: row.id, cause, quantity, note })
  return { onHand: row.onHand + quantity }
}

async function freeOf(db: Reading, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('base_product')
    .select(['id', 'available'])
    .where('id', 'in', ['0', ...ids])
    .execute()
  return new Map(rows.map(({ id, available }) => [id, available ?? 0]))
}

export const answers = [answer(piecesFree, (_app, { db, baseProductIds }) => freeOf(db, baseProductIds))]

export const jobs = checkJobs
export const invariants = [...stockInvariants, ...checkInvariants]
