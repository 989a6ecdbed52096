import { type Grant, whyNotGrants } from '#engines/entitlement/model.ts'
import { fen } from '#kit/model/money.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Database, Tx } from '#kit/server/database/database.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { type Product, resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  async store(op, input, before, write) {
    requireGrants(input.grants)
    requirePriceBelowList(input)
    await requireTargets(op, input.grants)
    return write(before ? input : { ...input, status: 'OFF_SALE' })
  },
  effects: {
    copy: (op, product, { newName, newCode }) => copyProduct(op, product, newName, newCode),
  },
  constraints: {
    product_code: { code: 'kit:taken', field: 'code' },
    order_line_product_id_fkey: { code: 'product-sold' },
  },
})

/** What is given must be worth the whole price, and name what it gives. */
export function requireGrants(grants: readonly Grant[]): void {
  const refusal = grants.length === 0 ? refuse('products/product:grants-missing') : whyNotGrants(grants)
  if (!refusal) return
  throw onField('grants', refusal)
}

function requirePriceBelowList({ priceFen, listFen }: Pick<Product, 'priceFen' | 'listFen'>): void {
  if (priceFen <= listFen) return
  const refusal = refuse('price-above-list')
  throw onField('priceFen', refusal)
}

/** Whether a kit of goods is there; it then stays until the change stands. Whoever packs it knows. */
export const kitHeld = defineQuestion<{ tx: Tx; kitId: string }, boolean>('product-kit-held')

/** A course that is not published has nothing to learn from, and a kit that is gone cannot be sent. */
export async function requireTargets({ app, tx }: Pick<Change, 'app' | 'tx'>, grants: readonly Grant[]): Promise<void> {
  for (const { packageId, kitId, name } of grants) {
    const there =
      packageId !== null
        ? await tx
            .selectFrom('course_package')
            .select('id')
            .where('id', '=', packageId)
            .where('edition', '>', 0)
            // Whoever deletes the course meanwhile waits, and then finds the product. An edition published meanwhile takes
            // nothing away: the row that is held is the course, not the edition it supersedes.
            .forShare()
            .executeTakeFirst()
        : kitId !== null
          ? await ask(app, kitHeld, { tx, kitId })
          : true
    if (there) continue
    const refusal = refuse('products/product:grant-target', { name })
    throw onField('grants', refusal)
  }
}

async function copyProduct(op: Operation, product: Product, name: string, code: string): Promise<void> {
  const made = await op.tx
    .insertInto('product')
    .values({
      name,
      code,
      price_fen: product.priceFen,
      list_fen: product.listFen,
      grants: JSON.stringify(product.grants),
      commission_permille: product.commissionPermille,
      may_wait: product.mayWait,
      sort: product.sort,
      note: product.note,
      created_at: op.now,
    })
    // The form of this step asks for the code under another name than the record has it.
    .onConflict(conflict => conflict.column('code').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Refused(refuse('kit:taken'), 'validation', { fields: { newCode: refuse('kit:taken') } })
  await record(op.tx, op.call, { page: resource.screen.key, action: 'create', recordId: made.id })
}

/** What an order needs to know of a product, as it is on sale right now. */
export type OfferedProduct = {
  id: string
  name: string
  priceFen: number
  listFen: number
  grants: Grant[]
  commissionPermille: number
  mayWait: boolean
  onSale: boolean
}

type By = { id: string } | { code: string }

const product = (db: Tx | Database['query'], by: By) =>
  db
    .selectFrom('product')
    .select(['id', 'name', 'price_fen', 'list_fen', 'grants', 'commission_permille', 'may_wait', 'status'])
    .where(eb => ('id' in by ? eb('id', '=', by.id) : eb('code', '=', by.code)))

type Found = Awaited<ReturnType<ReturnType<typeof product>['executeTakeFirst']>>

const asOffered = (row: Found): OfferedProduct | undefined =>
  row && {
    id: row.id,
    name: row.name,
    priceFen: fen(row.price_fen),
    listFen: fen(row.list_fen),
    grants: row.grants as Grant[],
    commissionPermille: row.commission_permille,
    mayWait: row.may_wait,
    onSale: row.status === 'ON_SALE',
  }

/** A product by its id or code. The row is held until the order stands: its price and grants are what was bought. */
export const findProduct = async (tx: Tx, by: By): Promise<OfferedProduct | undefined> =>
  asOffered(await product(tx, by).forShare().executeTakeFirst())

/** Which of ours has this code, where one has; whatever becomes of it later, it was meant. */
export async function productCalled(tx: Tx, code: string): Promise<string | null> {
  const found = await tx.selectFrom('product').select('id').where('code', '=', code).executeTakeFirst()
  return found?.id ?? null
}

/** A product as it stands, for whoever only looks at what it would cost. */
export const lookAtProduct = async (db: Database['query'], id: string): Promise<OfferedProduct | undefined> =>
  asOffered(await product(db, { id }).executeTakeFirst())

/** Sales are counted when they are paid. */
export const countSold = (tx: Tx, productId: string, quantity: number) =>
  tx
    .updateTable('product')
    .set(eb => ({ sold: eb('sold', '+', quantity) }))
    .where('id', '=', productId)
    .execute()

export const invariants: readonly Invariant[] = [
  {
    name: 'the parts of a product are worth all of it',
    query: `
      select id, grants from product
      where (select sum((g ->> 'sharePermille')::int) from jsonb_array_elements(grants) g) is distinct from 1000`,
  },
]
