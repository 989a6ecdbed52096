import { releaseParts } from '#areas/logistics/base-product/stock.server.ts'
import { factsOf, lockOrdersOf, tellAbout } from '#areas/logistics/shipment/fulfilment.server.ts'
import { heldBy, linesOf, unlock } from '#areas/logistics/shipment/lines.server.ts'
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
  after: (op, row) => tellAbout(op, row.id),
})
