import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'

/** So many of a base product. */
export type Part = { readonly baseProductId: string; readonly quantity: number }

/** Stock is locked last of all, and its rows always in the order of their ids: two shipments never wait for each other. */
const inOrder = (parts: readonly Part[]): Part[] => {
  const sums = new Map<string, number>()
  for (const { baseProductId, quantity } of parts) sums.set(baseProductId, (sums.get(baseProductId) ?? 0) + quantity)
  return [...sums]
    .map(([baseProductId, quantity]) => ({ baseProductId, quantity }))
    .sort((a, b) => Number(BigInt(a.baseProductId) - BigInt(b.baseProductId)))
}

/** Promises parts to a shipment, all of them or none; says whether there was enough. */
export async function holdParts({ tx }: Change, parts: readonly Part[]): Promise<boolean> {
  const wanted = inOrder(parts)
  const ids = wanted.map(({ baseProductId }) => baseProductId)
  const there = await tx
    .selectFrom('base_product')
    .select(['id', 'available'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  const free = new Map(there.map(({ id, available }) => [id, available ?? 0]))
  if (wanted.some(({ baseProductId, quantity }) => (free.get(baseProductId) ?? 0) < quantity)) return false
  for (const { baseProductId, quantity } of wanted) {
    const { numAffectedRows } = await sql`
      update base_product set locked = locked + ${quantity} where id = ${baseProductId} and available >= ${quantity}`.execute(
      tx,
    )
    if (numAffectedRows !== 1n) throw new Error('stock changed under its lock')
  }
  return true
}

/** As `holdParts`, for what must not wait. */
export async function requireParts(change: Change, parts: readonly Part[]): Promise<void> {
  if (!(await holdParts(change, parts))) throw new Refused(refuse('logistics/base-product:short'))
}

/** Gives promised parts free again. */
export async function releaseParts({ tx }: Change, parts: readonly Part[]): Promise<void> {
  for (const { baseProductId, quantity } of inOrder(parts))
    await sql`update base_product set locked = locked - ${quantity} where id = ${baseProductId}`.execute(tx)
}

/** Promised parts leave the shelf with a shipment. */
export async function sendParts(change: Change, shipmentId: string, parts: readonly Part[]): Promise<void> {
  for (const { baseProductId, quantity } of inOrder(parts))
    await moveStock(change, { baseProductId, cause: 'SENT', quantity: -quantity, released: quantity, shipmentId })
}

/** Parts of a shipment come back to the shelf. */
export async function receiveParts(change: Change, shipmentId: string, parts: readonly Part[]): Promise<void> {
  for (const { baseProductId, quantity } of inOrder(parts))
    await moveStock(change, { baseProductId, cause: 'RETURNED', quantity, shipmentId })
}

type Movement = {
  readonly baseProductId: string
  readonly cause: 'IN' | 'OUT' | 'SENT' | 'RETURNED' | 'CHECK'
  readonly quantity: number
  /** Promised before, and no longer. */
  readonly released?: number
  readonly note?: string
  readonly shipmentId?: string
}

/** One movement of the book, with what lies there after it. More than lies there does not leave. */
export async function moveStock({ tx, now, call }: Change, movement: Movement): Promise<void> {
  const { baseProductId, cause, quantity, released = 0, note = '', shipmentId = null } = movement
  const { rows } = await sql<{ id: string }>`
    with moved as (
      update base_product set on_hand = on_hand + ${quantity}, locked = locked - ${released}, version = version + 1
      where id = ${baseProductId} and on_hand + ${quantity} >= 0 returning on_hand
    )
    insert into stock_movement (base_product_id, cause, quantity, balance_after, note, shipment_id, staff_id, created_at)
    select ${baseProductId}, ${cause}, ${quantity}, on_hand, ${note}, ${shipmentId}, ${call.actor?.id ?? null}, ${now} from moved
    returning id`.execute(tx)
  if (rows.length === 0) throw new Refused(refuse('logistics/base-product:short'))
}

export const stockInvariants: readonly Invariant[] = [
  {
    name: 'what lies on the shelf is the sum of its movements',
    query: `
      select p.id, p.on_hand, coalesce(m.sum, 0) as book from base_product p
      left join (select base_product_id, sum(quantity) as sum from stock_movement group by 1) m on m.base_product_id = p.id
      where p.on_hand <> coalesce(m.sum, 0) or p.on_hand < 0`,
  },
  {
    name: 'what is promised is what open shipments hold',
    query: `
      select p.id, p.locked, coalesce(l.sum, 0) as held from base_product p left join (
        select l.base_product_id, sum(l.locked) as sum from shipment_line l join shipment s on s.id = l.shipment_id
        where s.status in ('TO_APPROVE', 'WAITING', 'HELD') group by 1
      ) l on l.base_product_id = p.id
      where p.locked <> coalesce(l.sum, 0)`,
  },
  {
    name: 'a closed shipment holds nothing',
    query: `
      select l.id from shipment_line l join shipment s on s.id = l.shipment_id
      where l.locked > 0 and s.status not in ('TO_APPROVE', 'WAITING', 'HELD')`,
  },
]
