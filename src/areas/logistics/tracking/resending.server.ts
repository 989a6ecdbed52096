import { sql } from 'kysely'
import { requireParts } from '#areas/logistics/base-product/stock.server.ts'
import { factsOf as refundsOf } from '#areas/logistics/shipment/fulfilment.server.ts'
import { chosenParts, type Line, linesOf, takeFrom } from '#areas/logistics/shipment/lines.server.ts'
import { makeShipment } from '#areas/logistics/shipment/making.server.ts'
import { onParts, receiverOf } from '#areas/logistics/shipment/packing.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { NamedPart } from '../parts.model.ts'
import { OPEN } from '../shipment.model.ts'
import type { Tracked, TrackedFacts } from './model.ts'

/** Pieces that went out once more for a parcel, or shall. */
type Replaced = Pick<Line, 'baseProductId' | 'orderId' | 'coinOrderId' | 'quantity'> & {
  readonly shipmentId: string
  readonly isOpen: boolean
}

/** By parcels made for these and neither rejected nor cancelled; what was merged since is in the parcel it went into. */
const replacedBy = (db: Reading, ids: readonly string[]): Promise<Replaced[]> =>
  db
    .selectFrom('shipment as r')
    .innerJoin('shipment as c', join => join.on(eb => eb('c.id', '=', eb.fn.coalesce('r.merged_into', 'r.id'))))
    .innerJoin('shipment_line as l', 'l.shipment_id', 'c.id')
    .select(['r.resend_of as shipmentId', 'l.id', 'l.base_product_id as baseProductId', 'l.order_id as orderId'])
    .select(eb => ['l.coin_order_id as coinOrderId', 'l.quantity', eb('c.status', 'in', [...OPEN]).as('isOpen')])
    // Two that replace it may have gone into one.
    .distinct()
    .where('r.resend_of', 'in', [...ids])
    .where('c.status', 'not in', ['REJECTED', 'CANCELLED'])
    .$narrowType<{ shipmentId: string; isOpen: boolean }>()
    .execute()

/** How many pieces of each line have not been sent again: each is once, and what is lost anew goes out from its own parcel. */
function leftOf(lines: readonly Line[], replaced: readonly Replaced[]): (line: Line) => number {
  const goods = (one: Pick<Line, 'baseProductId' | 'orderId' | 'coinOrderId'>) =>
    [one.baseProductId, one.orderId, one.coinOrderId].join()
  const gone = new Map<string, number>()
  for (const one of replaced) gone.set(goods(one), (gone.get(goods(one)) ?? 0) + one.quantity)
  const left = new Map<string, number>()
  for (const line of lines) {
    const taken = Math.min(line.quantity, gone.get(goods(line)) ?? 0)
    gone.set(goods(line), (gone.get(goods(line)) ?? 0) - taken)
    left.set(line.id, line.quantity - taken)
  }
  return ({ id }) => left.get(id) ?? 0
}

function howFar(lines: readonly Line[], replaced: readonly Replaced[]): 'open' | 'whole' | undefined {
  if (replaced.some(({ isOpen }) => isOpen)) return 'open'
  const left = leftOf(lines, replaced)
  return lines.every(line => left(line) === 0) ? 'whole' : undefined
}

/** What orders and the parcels made instead know of parcels that have left. */
export async function factsOf(db: Reading, rows: readonly Pick<Tracked, 'id'>[]): Promise<Map<string, TrackedFacts>> {
  const ids = rows.map(({ id }) => id)
  const facts = new Map<string, TrackedFacts>(await refundsOf(db, rows))
  const replaced = await replacedBy(db, ids)
  for (const id of new Set(replaced.map(({ shipmentId }) => shipmentId))) {
    const resent = howFar(
      await linesOf(db, id),
      replaced.filter(({ shipmentId }) => shipmentId === id),
    )
    facts.set(id, { refundOpen: false, ...facts.get(id), ...(resent && { resent }) })
  }
  return facts
}

/** The goods go out once more, after somebody else has agreed. */
export async function resend(op: Operation, row: Tracked, given: readonly NamedPart[], reason: string): Promise<void> {
  const { tx } = op
  const wanted = chosenParts(given)
  const lines = await linesOf(tx, row.id)
  if (wanted.length === 0 || !takeFrom(lines, wanted, line => line.quantity)) throw onParts('pieces-none')
  const left = leftOf(lines, await replacedBy(tx, [row.id]))
  if (!takeFrom(lines, wanted, left)) throw onParts('resend-less')
  // Whose money went back gets no goods for it.
  const refunded = await refundedOf(op, lines)
  const taken = takeFrom(lines, wanted, line => (refunded.has(line.id) ? 0 : left(line)))
  if (!taken) throw new Refused(refuse('resend-refunded'))
  await requireParts(op, wanted)
  const owner = await tx
    .selectFrom('shipment')
    .select(['owner_id', 'org_id', 'coin_order_id'])
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  // What arrived is paid for once: a second set goes free. What never arrived is paid for by what is sent instead.
  const isFree = row.status === 'SIGNED'
  await makeShipment(op, {
    source: 'RESEND',
    resendOf: row.id,
    memberId: row.memberId,
    orderId: row.orderId,
    ...(owner.coin_order_id === null ? {} : { coinOrderId: owner.coin_order_id }),
    receiver: receiverOf(row),
    goodsName: row.goodsName,
    lines: taken.map(({ line, quantity }) => ({
      ...line,
      orderLineId: isFree ? null : line.orderLineId,
      quantity,
    })),
    ownerId: owner.owner_id,
    orgId: owner.org_id,
    applicantId: op.actor.id,
    note: reason,
  })
}

/** Lines of a parcel whose money went back, in part or whole; what went free, when all of its order's did. */
async function refundedOf({ tx }: Operation, lines: readonly Line[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select l.id from shipment_line l join sales_order o on o.id = l.order_id left join order_line x on x.id = l.order_line_id
    where l.id = any(${lines.map(({ id }) => id)}::bigint[])
      and case when x.id is null then o.refund_state = 'FULL' else x.refunded_fen > 0 end`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
