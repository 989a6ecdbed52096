import { randomInt } from 'node:crypto'
import { placeOf } from '#areas/members/member/handing-over.server.ts'
import { findProduct } from '#areas/products/product/server.ts'
import { fen } from '#kit/model/money.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Row, Tx } from '#kit/server/database/database.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { newCode } from './code.model.ts'
import type { Link } from './model.ts'
import { type Discount, dayFault, discountFault, lastDayOf, type Standing } from './price.model.ts'
import { settings } from './settings.model.ts'

export type Wanted = Pick<Link, 'productId' | 'discountId' | 'expiresOn'> & { readonly forId: string | null }

/** What is stored of a new link: nobody enters a price, it is that of the day, or the one that was agreed to. */
export async function madeOf(op: Operation, wanted: Wanted): Promise<Row> {
  const { productId, discountId, expiresOn, forId } = wanted
  const owner = await placeOf(op.tx, forId ?? op.actor.id, 'forId')
  const product = await findProduct(op.tx, { id: productId })
  if (!product || product.priceFen === 0) throw onField('productId', refuse('product-free'))
  const today = dayOf(op.now)
  const discount = discountId === null ? null : await heldDiscount(op.tx, discountId)
  const fault = discount && discountFault(discount, { ownerId: owner.id, productId, today })
  if (fault) throw onField('discountId', fault)
  if (discount && discount.priceFen >= product.priceFen) throw onField('discountId', refuse('discount-no-gain'))
  const { mostDays } = await settingsOf(op.app, settings, op.tx)
  requireDay(expiresOn, { today, discountUntil: discount?.usableUntil ?? null, lastDay: lastDayOf(today, mostDays) })
  return {
    ...{ code: newCode(randomInt), status: 'ACTIVE', ownerId: owner.id, orgId: owner.orgId },
    ...{ productId, discountId, expiresOn, listFen: product.priceFen },
    priceFen: discount?.priceFen ?? product.priceFen,
  }
}

/** Refuses a last day a link cannot have. */
export function requireDay(expiresOn: string, standing: Omit<Standing, 'onSale'>): void {
  const fault = dayFault(expiresOn, standing)
  if (fault) throw onField('expiresOn', fault)
}

/** As it was agreed to; nobody changes it until the link stands. */
async function heldDiscount(tx: Tx, id: string): Promise<Discount & { readonly priceFen: number }> {
  const row = await tx
    .selectFrom('sales_request')
    .select(['kind', 'status', 'owner_id', 'product_id', 'usable_until', 'price_fen'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
  return {
    ...{ kind: row.kind, status: row.status, ownerId: row.owner_id, productId: row.product_id },
    ...{ usableUntil: row.usable_until, priceFen: fen(row.price_fen ?? 0) },
  }
}

/** What products, discounts and settings know of links, by id. */
export async function standingsOf(
  app: App,
  db: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  if (ids.length === 0) return new Map()
  const { mostDays } = await settingsOf(app, settings, db)
  const today = dayOf(app.clock.now())
  const rows = await db
    .selectFrom('sales_link as l')
    .innerJoin('product as p', 'p.id', 'l.product_id')
    .leftJoin('sales_request as r', 'r.id', 'l.discount_id')
    .select(['l.id', 'l.created_at as madeAt', 'p.status', 'r.usable_until as discountUntil'])
    .where('l.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, madeAt, status, discountUntil }) => [
      id,
      { today, onSale: status === 'ON_SALE', discountUntil, lastDay: lastDayOf(dayOf(new Date(madeAt)), mostDays) },
    ]),
  )
}
