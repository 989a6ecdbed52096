import { holdParts } from '#engines/stock/server.ts'
import type { DeclaredJob } from '#kit/server/job.ts'
import { writeChange } from '#kit/server/step.ts'
import { OPEN } from '../shipment.model.ts'
import { linesOf } from './lines.server.ts'
import { resource } from './model.ts'

const LOOK_MS = 5_000
const AT_ONCE = 200

/** Goods that came in go to those who wait for them, the oldest first: nobody younger takes what an older one needs. */
export const serveWaiting: DeclaredJob = {
  name: 'serve-waiting-shipments',
  ms: LOOK_MS,
  async work(change) {
    const { tx } = change
    const waiting = await tx
      .selectFrom('shipment')
      .select('id')
      .where('waits_for_stock', '=', true)
      .where('status', 'in', [...OPEN])
      .orderBy('id')
      .limit(AT_ONCE)
      .forUpdate()
      .execute()
    const spokenFor = new Set<string>()
    for (const { id } of waiting) {
      const lines = await linesOf(tx, id)
      const isBehind = lines.some(({ baseProductId }) => spokenFor.has(baseProductId))
      if (isBehind || !(await holdParts(change, lines))) {
        for (const { baseProductId } of lines) spokenFor.add(baseProductId)
        continue
      }
      await tx
        .updateTable('shipment_line')
        .set(eb => ({ locked: eb.ref('quantity') }))
        .where('shipment_id', '=', id)
        .execute()
      await writeChange(change, resource, { id, waitsForStock: true }, { waitsForStock: false }, 'served')
    }
  },
}
