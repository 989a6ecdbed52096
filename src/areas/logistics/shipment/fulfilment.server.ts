import { sql } from 'kysely'
import { setCoinOrderProgress } from '#areas/orders/coin-order/server.ts'
import { setFulfilment } from '#areas/orders/order/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { ShipmentFacts } from '../shipment.model.ts'
import { linesOf } from './lines.server.ts'

/** Locks the orders whose goods parcels carry; they come before the parcels. */
export async function lockOrdersOf(tx: Tx, shipmentIds: readonly string[]): Promise<void> {
  const carried = (column: 'order_id' | 'coin_order_id') =>
    sql`select ${sql.ref(column)} from shipment_line where shipment_id = any(${shipmentIds}::bigint[])`
  await sql`select id from sales_order where id in (${carried('order_id')}) order by id for update`.execute(tx)
  await sql`select id from coin_order where id in (${carried('coin_order_id')}) order by id for update`.execute(tx)
}

/**
 * Whether money is asked back on an order whose goods a parcel carries. It was paid back already? Then nothing leaves before
 * it is settled what becomes of the goods.
 */
export async function factsOf(
  db: Reading,
  rows: readonly { readonly id: string }[],
): Promise<Map<string, ShipmentFacts>> {
  const asked = await db
    .selectFrom('shipment_line as s')
    .innerJoin('sales_order as o', 'o.id', 's.order_id')
    .select('s.shipment_id')
    .where(
      's.shipment_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where(isOpen)
    .execute()
  return new Map(asked.map(row => [row.shipment_id, { refundOpen: true }]))
}

/** Of a sales_order o. */
const isOpen = sql<boolean>`(o.reserved_fen > 0 or exists (
  select from refund_application r join refund_effect e on e.refund_id = r.id
  where r.order_id = o.id and r.status = 'PAID' and e.name = 'GOODS' and e.status <> 'DONE'))`

/** Refuses while it is open what becomes of an order's goods. The order is locked. */
export async function requireSettled({ tx }: Change, orderId: string): Promise<void> {
  const open = await tx
    .selectFrom('sales_order as o')
    .select('o.id')
    .where('o.id', '=', orderId)
    .where(isOpen)
    .executeTakeFirst()
  if (open) throw new Refused(refuse('logistics:refund-open'))
}

/**
 * Of a shipment s that was not let go: its goods are still to be sent, for they can be asked for anew from their order. Those of
 * a resend cannot, their parcel is sent again; what was made again is counted by the new one.
 */
export const STANDS = `(s.status <> 'REJECTED' or s.source in ('ORDER', 'REDEMPTION')
  and not exists (select from shipment r where r.resend_of = s.id))`

/** Of a line l of a shipment s: parcels were made instead, and neither rejected nor cancelled. */
const RESENT = `exists (select from shipment r where r.resend_of = s.id and r.status not in ('REJECTED', 'CANCELLED'))`

/** Fewer pieces went out again than are missing; what was merged since is in the parcel it went into. */
const RESENT_IN_PART = `(
  select sum(x.quantity - x.returned) from shipment_line x
  where x.shipment_id = s.id and (x.order_id, x.base_product_id) = (l.order_id, l.base_product_id)
    and x.order_line_id is not distinct from l.order_line_id
) > (
  select coalesce(sum(x.quantity), 0) from shipment_line x join shipment c on c.id = x.shipment_id
  where c.id in (select coalesce(r.merged_into, r.id) from shipment r where r.resend_of = s.id)
    and c.status not in ('REJECTED', 'CANCELLED') and (x.order_id, x.base_product_id) = (l.order_id, l.base_product_id)
    and x.order_line_id is not distinct from l.order_line_id)`

/** Its money went back, and it is settled what becomes of the goods: nothing more is sent for it. */
const PAID_BACK = `exists (
  select from refund_application a join refund_effect e on e.refund_id = a.id and e.name = 'GOODS' and e.status = 'DONE'
    join refund_line x on x.refund_id = a.id
  where a.order_id = l.order_id and a.status = 'PAID' and x.order_line_id = coalesce(l.order_line_id, x.order_line_id))`

/**
 * How far the goods of orders have come, by their parcels. What was cancelled does not count. A parcel that was not let go
 * counts as one that has yet to leave, until it is made again; a returned one that was sent again is counted by the new one, and
 * so is a lost one once nothing of it is missing any more.
 */
export const FULFILMENT = `
  select l.order_id as id, case
    when count(s.id) = 0 then 'NOT_NEEDED'
    when count(s.sent_at) = 0 then 'WAITING'
    when count(s.sent_at) < count(s.id) then 'PARTIAL'
    when bool_and(s.status in ('SIGNED', 'RETURNED')) then 'DONE'
    else 'SENT' end as state, coalesce(bool_or(s.status = 'REJECTED'), false) as is_rejected
  from shipment_line l left join shipment s on s.id = l.shipment_id and s.status <> 'CANCELLED'
    and ${STANDS} and not (s.status in ('LOST', 'RETURNED') and ${RESENT}
      and (s.status = 'RETURNED' or ${PAID_BACK} or not ${RESENT_IN_PART}))
  where l.order_id is not null`

/** Tells orders how far their goods have come. */
export async function tellOrders(change: Change, orderIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; state: Parameters<typeof setFulfilment>[2]; is_rejected: boolean }>`
    ${sql.raw(FULFILMENT)} and l.order_id = any(${orderIds}::bigint[]) group by l.order_id`.execute(change.tx)
  for (const { id, state, is_rejected: isRejected } of rows) await setFulfilment(change, id, state, isRejected)
}

/** Tells everybody whose goods a parcel carries. */
export async function tellAbout(change: Change, shipmentId: string): Promise<void> {
  const lines = await linesOf(change.tx, shipmentId)
  await tellOrders(change, [...new Set(lines.flatMap(({ orderId }) => orderId ?? []))])
  for (const id of new Set(lines.flatMap(({ coinOrderId }) => coinOrderId ?? []))) await tellCoinOrder(change, id)
}

/** A coin order is one piece: it is sent when that is, and done when that arrived. */
async function tellCoinOrder(change: Change, coinOrderId: string): Promise<void> {
  const { rows } = await sql<{ status: string }>`
    select s.status from shipment s where s.sent_at is not null
      and s.id in (select shipment_id from shipment_line where coin_order_id = ${coinOrderId})`.execute(change.tx)
  if (rows.some(({ status }) => status === 'SIGNED')) await setCoinOrderProgress(change, coinOrderId, 'DONE')
  else if (rows.length > 0) await setCoinOrderProgress(change, coinOrderId, 'SENT')
}
