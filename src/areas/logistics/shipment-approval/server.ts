import { releaseParts, requireParts } from '#areas/logistics/base-product/stock.server.ts'
import { factsOf, lockOrdersOf, tellAbout } from '#areas/logistics/shipment/fulfilment.server.ts'
import { heldBy, linesOf, lockAgain, unlock } from '#areas/logistics/shipment/lines.server.ts'
import { orderOf } from '#areas/logistics/shipment/making.server.ts'
import { addressed } from '#areas/logistics/shipment/recalling.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  facts: factsOf,
  lock: (op, id) => lockOrdersOf(op.tx, [id]),
  effects: {
    approve: async op => ({ decidedBy: op.actor.id }),
    async reject(op, { id }) {
      const lines = await linesOf(op.tx, id)
      await releaseParts(op, heldBy(lines))
      await unlock(op.tx, [id])
      return { decidedBy: op.actor.id, waitsForStock: false }
    },
  },
  undo: {
    async reject(op, { id, orderId }, { waitsForStock = false }) {
      await requireNotReplaced(op, id)
      if (!waitsForStock) await holdAgain(op, id)
      // Where the goods go may have been changed while nothing was to be sent.
      return orderId === null ? {} : addressed((await orderOf(op, orderId)).receiver)
    },
  },
  after: (op, row) => tellAbout(op, row.id),
})

/**
 * Goods that were asked for once more, or paid back, are not sent twice. Of parcels made one for another only the newest stands
 * again, so that never two of them do.
 */
async function requireNotReplaced({ tx }: Operation, id: string): Promise<void> {
  const again = await tx
    .selectFrom('shipment as other')
    .innerJoin('shipment as own', join => join.on('own.id', '=', id))
    .select('other.id')
    .where('other.id', '<>', id)
    .where(eb =>
      eb.or([
        eb('other.resend_of', '=', id),
        // Beside it, for the same parcel that did not arrive.
        eb.and([
          eb('other.resend_of', '=', eb.ref('own.resend_of')),
          eb('other.status', 'not in', ['REJECTED', 'CANCELLED']),
        ]),
      ]),
    )
    .executeTakeFirst()
  if (again) throw new Refused(refuse('made-again'))
  const refunded = await tx
    .selectFrom('shipment_line as l')
    .innerJoin('sales_order as o', 'o.id', 'l.order_id')
    .select('o.id')
    .where('l.shipment_id', '=', id)
    .where('o.refund_state', '<>', 'NONE')
    .executeTakeFirst()
  if (refunded) throw new Refused(refuse('refunded-since'))
}

async function holdAgain(op: Operation, id: string): Promise<void> {
  await requireParts(op, await linesOf(op.tx, id))
  await lockAgain(op.tx, id)
}
