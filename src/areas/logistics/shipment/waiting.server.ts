import { sql } from 'kysely'
import { holdParts } from '#areas/logistics/base-product/stock.server.ts'
import type { Change } from '#kit/server/app.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { OPEN } from '../shipment.model.ts'
import { linesOf } from './lines.server.ts'
import { resource } from './model.ts'

const AT_ONCE = 200

/** Goods that came in go to those who wait for them, the oldest first: nobody younger takes what an older one needs. */
export const serveWaiting = defineJob({
  name: 'serve-waiting-shipments',
  cron: '*/10 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { tx } = change
    let isOvertaken = false
    return each(await lockServable(change), async id => {
      // Somebody bought meanwhile: who comes first is counted anew next time.
      isOvertaken ||= !(await holdParts(change, await linesOf(tx, id)))
      if (isOvertaken) return false
      await tx
        .updateTable('shipment_line')
        .set(eb => ({ locked: eb.ref('quantity') }))
        .where('shipment_id', '=', id)
        .execute()
      return writeChange(change, resource, { id, waitsForStock: true }, { waitsForStock: false }, 'served')
    })
  },
})

/** Parcels for which enough is there beside all that older ones wait for. Who waits for what never comes is in nobody's way. */
async function lockServable({ tx }: Change): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from shipment s where s.waits_for_stock and s.status = any(${[...OPEN]}) and s.id in (
      select shipment_id from (
        select l.shipment_id, p.available, sum(l.quantity) over (partition by p.id order by l.shipment_id) as needed
        from shipment w join shipment_line l on l.shipment_id = w.id join base_product p on p.id = l.base_product_id
        where w.waits_for_stock and w.status = any(${[...OPEN]})
      ) queued group by shipment_id having bool_and(needed <= available)
    ) order by s.id limit ${AT_ONCE} for update of s`.execute(tx)
  return rows.map(({ id }) => id)
}
