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
type Replaced = Pick<Line, 'baseProductId' | 'orderId' | 'orderLineId' | 'coinOrderId' | 'quantity'> & {
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
    .select(['l.order_line_id as orderLineId', 'l.coin_order_id as coinOrderId', 'l.quantity'])
    .select(eb => eb('c.status', 'in', [...OPEN]).as('isOpen'))
    // Two that replace it may have gone into one.
    .distinct()
    .where('r.resend_of', 'in', [...ids])
    .where('c.status', 'not in', ['REJECTED', 'CANCELLED'])
    .$narrowType<{ shipmentId: string; isOpen: boolean }>()
    .execute()

/**
 * How many pieces of each line have not been sent again: each is once, and what is lost anew goes out from its own parcel. What went
 * free names no line of its order: it was sent for those whose money did not go back.
 */
function leftOf(
  lines: readonly Line[],
  replaced: readonly Replaced[],
  refunded: ReadonlySet<string> = new Set(),
): (line: Line) => number {
  const left = new Map(lines.map(({ id, quantity }) => [id, quantity]))
  const inTurn = [...lines].sort((a, b) => Number(refunded.has(a.id)) - Number(refunded.has(b.id)))
  const isFor = (one: Replaced, line: Line) =>
    one.baseProductId === line.baseProductId &&
    one.orderId === line.orderId &&
    one.coinOrderId === line.coinOrderId &&
    (one.orderLineId === null || one.orderLineId === line.orderLineId)
  // Those that name their line first: the others take what is left.
  for (const one of [...replaced].sort((a, b) => Number(a.orderLineId === null) - Number(b.orderLineId === null))) {
    let gone = one.quantity
    for (const line of inTurn) {
      if (!isFor(one, line)) continue
      const taken = Math.min(left.get(line.id) ?? 0, gone)
      left.set(line.id, (left.get(line.id) ?? 0) - taken)
      gone -= taken
    }
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
  const refunded = await refundedOf(op, lines)
  const left = leftOf(lines, await replacedBy(tx, [row.id]), refunded)
  if (!takeFrom(lines, wanted, left)) throw onParts('resend-less')
  // Whose money went back gets no goods for it.
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
