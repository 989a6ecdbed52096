import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { FIRST_FORMS } from '../first-forms.server.ts'

/** What has come of each note: people whose first form or message named it, and what they did since. Says of how many notes that is other than before. */
export async function countNotes({ tx }: Pick<Change, 'tx'>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with first as (${sql.raw(FIRST_FORMS)}),
    counted as (
      select n.id, count(f.lead_id)::int as leads, count(f.lead_id) filter (where f.is_added)::int as added,
        coalesce(sum(f.orders), 0)::int as orders, coalesce(sum(f.gmv_fen), 0)::bigint as gmv_fen
      from note n left join first f on f.note_id = n.id group by n.id),
    changed as (
      update note n set leads = c.leads, added = c.added, orders = c.orders, gmv_fen = c.gmv_fen
      from counted c where c.id = n.id
        and (n.leads, n.added, n.orders, n.gmv_fen) is distinct from (c.leads, c.added, c.orders, c.gmv_fen)
      returning n.id)
    select id from changed`.execute(tx)
  return rows.length
}
