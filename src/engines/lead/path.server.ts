import { sql } from 'kysely'
import type { Database } from '#kit/server/database/database.ts'
import type { PathStep } from './path.model.ts'

const MAX_SHOWN = 200

/** How somebody who is a member now came to us: what the number came by, and in whose hands it was meanwhile; oldest first. */
export async function pathOf(db: Database['query'], memberId: string): Promise<PathStep[]> {
  const { rows } = await sql<PathStep>`
    with own as (select id from lead where member_id = ${memberId})
    select * from (
      select 'touch-' || t.id as id, t.first_at as at,
        case when t.id = min(t.id) over (partition by t.lead_id) then 'CAME' else 'AGAIN' end as kind,
        t.came_by as "cameBy", t.source, t.channel, t.consent, t.times, null as owner, null as got, null as by
      from lead_touch t where t.lead_id in (select id from own)
      union all
      select 'owner-' || o.id, o.since, 'OWNED', null, null, null, null, 1, s.name, o.got, b.name
      from lead_owner o join staff s on s.id = o.owner_id left join staff b on b.id = o.by_id
      where o.lead_id in (select id from own)
    ) step order by at, kind, id limit ${MAX_SHOWN}`.execute(db)
  return rows
}
