import { sendParts } from '#areas/logistics/base-product/stock.server.ts'
import type { InputsOf } from '#kit/model/workflow.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Rules } from '#kit/server/change/rules.ts'
import type { ShipmentFacts } from '../shipment.model.ts'
import { factsOf, lockOrdersOf, tellAbout } from './fulfilment.server.ts'
import { keepValues, linesOf, unlock } from './lines.server.ts'
import { type Shipment, workflow } from './model.ts'
import { split } from './packing.server.ts'

export const rules: Rules<Shipment, ShipmentFacts, InputsOf<typeof workflow>> = {
  workflow,
  facts: factsOf,
  // The orders before the parcel: whether money is asked back must not change while it leaves.
  lock: (op, id) => lockOrdersOf(op.tx, [id]),
  effects: {
    send: (op, row, { carrier, trackingNo }) => send(op, row, carrier, trackingNo),
    split: (op, row, { parts }) => split(op, row, parts),
  },
  after: (op, row) => tellAbout(op, row.id),
  constraints: { shipment_tracking: { code: 'tracking-taken', field: 'trackingNo' } },
}

/** The goods leave the shelf with the parcel, or the parcel does not leave. */
async function send(op: Operation, row: Shipment, carrier: string, trackingNo: string): Promise<Partial<Shipment>> {
  await sendParts(op, row.id, await linesOf(op.tx, row.id))
  await keepValues(op.tx, row.id)
  await unlock(op.tx, [row.id])
  const now = op.now.toISOString()
  return { carrier, trackingNo, sentAt: now, trackingStatus: 'SHIPPED', lastEventAt: now }
}
