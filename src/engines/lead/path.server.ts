import { sql } from 'kysely'
import type { Database } from '#kit/server/database/database.ts'
import type { PathStep } from './path.model.ts'

const MAX_SHOWN = 200

/** A step, and the name of the touch where it is one. */
type ToldStep = { readonly step: PathStep; readonly key: string | null }

/** How somebody who is a member now came to us: what the number came by, and in whose hands it was meanwhile; oldest first. */
export async function pathOf(db: Database['query'], memberId: string): Promise<ToldStep[]> {
  const { rows } = await sql<Omit<PathStep, 'marks'> & { key: string | null }>`
    with touched as (
      select distinct on (key) key, id, came_by, source, channel, consent, about, first_at, sum(times) over (partition by key)::int as times
      from lead_touch where member_id = ${memberId} order by key, first_at, source, channel
    )
    select * from (
      select 'touch-' || t.id as id, t.key, t.first_at as at,
        case when row_number() over (order by t.first_at, t.id) = 1 then 'CAME' else 'AGAIN' end as kind,
        t.came_by as "cameBy", t.source, t.channel, t.consent, t.about, t.times, null as owner, null as got, null as by, null::int as fen
      from touched t
      union all
      select 'owner-' || o.id, null, o.since, 'OWNED', null, null, null, null, null, 1, s.name, o.got, b.name, null
      from lead_owner o join staff s on s.id = o.owner_id left join staff b on b.id = o.by_id
      where o.lead_id in (select id from lead where member_id = ${memberId})
    ) step order by at, kind, id limit ${MAX_SHOWN}`.execute(db)
  return rows.map(({ key, ...step }) => ({ key, step: { ...step, marks: [] } }))
}
