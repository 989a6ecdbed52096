import { type RawBuilder, sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { FIRST_FORMS } from '../first-forms.server.ts'

/**
 * What people did since who came by a plan's forms of that day: added, registered, paid, and how much. Each counts once, by the first
 * form that made or found the lead. Says of how many lines that is other than before.
 */
export async function countAdLines(
  { tx }: Pick<Change, 'tx'>,
  which: RawBuilder<unknown> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with first as (${sql.raw(FIRST_FORMS)}),
    counted as (
      select a.id, count(f.lead_id)::int as leads, count(f.lead_id) filter (where f.is_added)::int as added,
        count(f.lead_id) filter (where f.is_registered)::int as registered, count(f.lead_id) filter (where f.orders > 0)::int as paid,
        coalesce(sum(f.gmv_fen), 0)::bigint as gmv_fen
      from ad_line a left join first f on f.campaign = a.plan and f.day = a.day and coalesce(f.account, a.account) = a.account
      where ${which} group by a.id),
    changed as (
      update ad_line a set leads = n.leads, added = n.added, registered = n.registered, paid = n.paid, gmv_fen = n.gmv_fen
      from counted n where n.id = a.id
        and (a.leads, a.added, a.registered, a.paid, a.gmv_fen) is distinct from (n.leads, n.added, n.registered, n.paid, n.gmv_fen)
      returning a.id)
    select id from changed`.execute(tx)
  return rows.length
}
