import { sql } from 'kysely'
import { receiveParts } from '#areas/logistics/base-product/stock.server.ts'
import { lockOrdersOf, tellAbout } from '#areas/logistics/shipment/fulfilment.server.ts'
import { chosenParts, linesOf, markReturned, takeFrom } from '#areas/logistics/shipment/lines.server.ts'
import { onParts } from '#areas/logistics/shipment/packing.server.ts'
import { parcelMoved } from '#engines/carrier/server.ts'
import { ships } from '#engines/message/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { serve } from '#kit/server/serve/serve.ts'
import type { NamedPart } from '../parts.model.ts'
import { askNow, followParcels, storeTrack, trackDelivery } from './following.server.ts'
import { resource, type Tracked, workflow } from './model.ts'
import { parcelSent } from './parcel-sent.model.ts'
import { factsOf, resend } from './resending.server.ts'

export const routes = serve(resource, {
  workflow,
  facts: factsOf,
  lock: (op, id) => lockOrdersOf(op.tx, [id]),
  effects: {
    refresh: (op, row) => askNow(op, row.id),
    receiveBack: (op, row, { parts }) => receiveBack(op, row, parts),
    resend: (op, row, { parts, reason }) => resend(op, row, parts, reason ?? ''),
  },
  undo: { markLost: (op, row, _before, at) => requireUnpaid(op, row.id, at) },
  after: (op, row) => tellAbout(op, row.id),
  detail: async (app, { id }) => ({ events: await eventsOf(app, id), returns: await returnsOf(app, id) }),
})

/** Goods come back to the shelf. When all of them are back, so is the parcel. */
async function receiveBack(op: Operation, row: Tracked, given: readonly NamedPart[]): Promise<Partial<Tracked>> {
  const wanted = chosenParts(given)
  const lines = await linesOf(op.tx, row.id)
  const taken = wanted.length > 0 && takeFrom(lines, wanted, line => line.quantity - line.returned)
  if (!taken) throw onParts('pieces-none')
  await markReturned(op.tx, taken)
  await receiveParts(op, row.id, wanted)
  const isAll = (await linesOf(op.tx, row.id)).every(({ quantity, returned }) => quantity === returned)
  return isAll ? { status: 'RETURNED', trackingStatus: 'RETURNED' } : {}
}

/** Money that went back since then was reckoned without these goods: had they been on their way, it would have been less. */
async function requireUnpaid({ tx }: Operation, id: string, since: Date): Promise<void> {
  const { rows } = await sql`
    select from shipment_line l join refund_line x on x.order_line_id = l.order_line_id
    join refund_application r on r.id = x.refund_id and r.status = 'PAID' and r.paid_at >= ${since}
    where l.shipment_id = ${id} limit 1`.execute(tx)
  if (rows.length > 0) throw new Refused(refuse('lost-refunded'))
}

const eventsOf = async ({ db }: App, id: string): Promise<Tracked['events']> =>
  db.query
    .selectFrom('tracking_event')
    .select(['at', 'status', 'content'])
    .where('shipment_id', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()

async function returnsOf({ db }: App, id: string): Promise<Tracked['returns']> {
  const { rows } = await sql<Tracked['returns'][number]>`
    select p.id as "baseProductId", p.name, sum(l.quantity)::int as quantity, sum(l.returned)::int as returned
    from shipment_line l join base_product p on p.id = l.base_product_id where l.shipment_id = ${id}
    group by p.id having sum(l.returned) > 0 order by p.id`.execute(db.query)
  return rows
}

export const listeners = [
  ships(parcelSent),
  listen(parcelMoved, async (change, { carrier, trackingNo, events }) => {
    const found = await change.tx
      .selectFrom('shipment')
      .select('id')
      .where('tracking_no', '=', trackingNo)
      .where('carrier', '=', carrier)
      .executeTakeFirst()
    // Followed once and deleted since, or a number of somebody else's: nothing of ours.
    if (found) await storeTrack(change, found.id, events)
  }),
]
export const jobs = [followParcels]
export const deliveries = [trackDelivery]
