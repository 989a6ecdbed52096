import { sql } from 'kysely'
import { type Part, releaseParts } from '#areas/logistics/base-product/stock.server.ts'
import type { Receiver } from '#areas/orders/order/placing.server.ts'
import type { Change } from '#kit/server/app.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Row } from '#kit/server/database/database.ts'
import { OPEN } from '../shipment.model.ts'
import { tellOrders } from './fulfilment.server.ts'
import { heldBy, type Line, linesOf, named, unlock } from './lines.server.ts'
import { resource, type Shipment } from './model.ts'

/** Whose goods: an order's, of all or some of its lines, or a coin order's. */
type Whose =
  | { readonly orderId: string; readonly isOf?: (orderLineId: string | null) => boolean }
  | { readonly coinOrderId: string }
type OpenShipment = Row & { id: string; printedAt: string | null }

/** Parcels with these goods that have not left, in these states, locked. What they belong to is locked before. */
async function lockUnsent(
  { tx }: Change,
  whose: Whose,
  states: readonly Shipment['status'][],
): Promise<OpenShipment[]> {
  const [column, id] = 'orderId' in whose ? ['order_id', whose.orderId] : ['coin_order_id', whose.coinOrderId]
  const { rows } = await sql<OpenShipment>`
    select s.id, s.status, s.printed_at as "printedAt", s.parts, s.reprint, s.waits_for_stock as "waitsForStock",
      s.receiver_name as "receiverName", s.receiver_phone as "receiverPhone", s.province, s.receiver_address as "receiverAddress"
    from shipment s where s.status = any(${states})
      and s.id in (select shipment_id from shipment_line where ${sql.ref(column)} = ${id})
    order by s.id for update`.execute(tx)
  return rows
}

const belongs = (line: Line, whose: Whose): boolean =>
  'orderId' in whose
    ? line.orderId === whose.orderId && (whose.isOf?.(line.orderLineId) ?? true)
    : line.coinOrderId === whose.coinOrderId

/** What has not left will not leave: parcels are cancelled, or lose what they carried for it. Answers how many. */
export async function recallGoods(change: Change, whose: Whose, action: string): Promise<number> {
  const { tx } = change
  const free: Part[] = []
  let recalled = 0
  // What was not let go must not be asked for again either.
  for (const shipment of await lockUnsent(change, whose, [...OPEN, 'REJECTED'])) {
    const lines = await linesOf(tx, shipment.id)
    const [ours, rest] = [lines.filter(line => belongs(line, whose)), lines.filter(line => !belongs(line, whose))]
    if (ours.length === 0) continue
    recalled += 1
    free.push(...heldBy(ours))
    if (rest.length === 0) {
      await unlock(tx, [shipment.id])
      await writeChange(change, resource, shipment, { status: 'CANCELLED', waitsForStock: false }, action)
      continue
    }
    await tx
      .deleteFrom('shipment_line')
      .where(
        'id',
        'in',
        ours.map(({ id }) => id),
      )
      .execute()
    const changed = { parts: await named(tx, rest), reprint: shipment.printedAt !== null }
    await writeChange(change, resource, shipment, changed, action)
  }
  await releaseParts(change, free)
  // An order all of whose goods went out of other orders' parcels has none left to send.
  if ('orderId' in whose && recalled > 0) await tellOrders(change, [whose.orderId])
  return recalled
}

/** Pieces of an order that have left and not come back. */
export async function piecesOut({ tx }: Change, orderId: string): Promise<number> {
  const { rows } = await sql<{ pieces: number }>`
    select coalesce(sum(x.quantity - x.returned), 0)::int as pieces
    from shipment_line x join shipment s on s.id = x.shipment_id
    where x.order_id = ${orderId} and s.status in ('SENT', 'SIGNED', 'RETURNED')`.execute(tx)
  return rows[0]?.pieces ?? 0
}

/** Where a parcel goes, as it says so itself; nothing while nobody has said. */
export const addressed = (receiver: Receiver | undefined) =>
  receiver && {
    receiverName: receiver.name,
    receiverPhone: receiver.phone,
    province: receiver.province,
    receiverAddress: receiver.address,
  }

/** The parcel goes elsewhere; a label that has been printed must be printed again. */
export async function redirect(change: Change, orderId: string, receiver: Receiver): Promise<void> {
  for (const shipment of await lockUnsent(change, { orderId }, OPEN)) {
    const changed = { ...addressed(receiver), reprint: shipment.printedAt !== null }
    await writeChange(change, resource, shipment, changed, 'redirect')
  }
}
