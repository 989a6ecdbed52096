import { sql } from 'kysely'
import { moveStock } from '../../src/areas/logistics/base-product/stock.server.ts'
import type { Grant } from '../../src/engines/entitlement/model.ts'
import { giveGrants } from '../../src/engines/entitlement/server.ts'
import { ownChange } from '../../src/kit/server/change/operation.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { grantOf } from './commerce.ts'

let counter = 0
const next = (): number => (counter += 1)

export type GoodsOptions = {
  coins?: number
  cashFen?: number
  quota?: number
  perPerson?: number
  onHand?: number
  status?: 'ON' | 'OFF'
}

/** Goods on offer for coins, with so many of them on the shelf. */
export const coinGoods = (instance: Instance, options: GoodsOptions = {}): Promise<string> =>
  instance.app.db.write(async tx => {
    const { rows } = await sql<{ id: string }>`
      insert into base_product (sku, name, unit, cost_fen, value_fen) values (${`COIN-${next()}`}, '毛笔', '支', 500, 900)
      returning id`.execute(tx)
    const baseProductId = rows[0]?.id ?? ''
    const change = ownChange(instance.app, tx, instance.app.clock.now(), 'test')
    const { onHand = 1_000 } = options
    if (onHand > 0) await moveStock(change, { baseProductId, cause: 'IN', quantity: onHand })
    const { id } = await tx
      .insertInto('coin_goods')
      .values({
        base_product_id: baseProductId,
        name: '毛笔',
        coins: options.coins ?? 30,
        cash_fen: options.cashFen ?? 0,
        quota: options.quota ?? 1_000,
        per_person: options.perPerson ?? 1_000,
        status: options.status ?? 'ON',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })

/** Coins for a member, in a lot of their own. */
export const giveCoins = (instance: Instance, memberId: string, quantity: number, more: Partial<Grant> = {}) =>
  instance.app.db.write(tx =>
    giveGrants(ownChange(instance.app, tx, instance.app.clock.now(), 'test'), {
      memberId,
      source: 'REWARD',
      grants: [grantOf('COINS', quantity, 1_000, more)],
      times: 1,
    }),
  )
