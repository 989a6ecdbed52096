import { type RawBuilder, sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { HIT_READS } from './model.ts'

/**
 * What came of each plan: notes of that day, those of them that are hits, and people who left a number that day with a note of this
 * account and colleague and came by no ad. What was published without a plan is counted too. Says how many lines are other than before.
 */
export async function countPublishing(
  { tx, now }: Pick<Change, 'tx' | 'now'>,
  which: RawBuilder<unknown> = sql`true`,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with published as (
      select (published_at at time zone 'Asia/Shanghai')::date as day, account, operator_id, count(*)::int as published,
        count(*) filter (where reads >= ${HIT_READS})::int as hits
      from note where operator_id is not null group by 1, 2, 3),
    organic as (
      select (f.submitted_at at time zone 'Asia/Shanghai')::date as day, n.account, n.operator_id, count(distinct f.lead_id)::int as leads
      from lead_form f join note n on n.id = f.note_id
      where f.campaign is null and f.lead_id is not null and n.operator_id is not null group by 1, 2, 3),
    added as (
      insert into publish_line (day, account, operator_id, published, hits, created_at)
      select day, account, operator_id, published, hits, ${now} from published
      on conflict (day, account, operator_id) do nothing returning id),
    counted as (
      select l.id, coalesce(p.published, 0) as published, coalesce(p.hits, 0) as hits, coalesce(n.leads, 0) as leads
      from publish_line l left join published p using (day, account, operator_id) left join organic n using (day, account, operator_id)
      where ${which}),
    changed as (
      update publish_line l set published = c.published, hits = c.hits, leads = c.leads
      from counted c where c.id = l.id and (l.published, l.hits, l.leads) is distinct from (c.published, c.hits, c.leads)
      returning l.id)
    select id from added union select id from changed`.execute(tx)
  return rows.length
}
