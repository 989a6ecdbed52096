import { sql } from 'kysely'
import { leadCorrected } from '#engines/lead/known.server.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Lead } from './model.ts'

/** How likely its person looks to buy is judged otherwise than before, by whoever has the lead. */
export async function noteLevel({ tx, now }: Change, lead: Lead, level: Lead['level']): Promise<void> {
  if (level === null || level === lead.level || lead.ownerId === null) return
  await sql`update lead_judgement set is_last = false, version = version + 1 where lead_id = ${lead.id} and is_last`.execute(
    tx,
  )
  await sql`
    insert into lead_judgement (lead_id, owner_id, org_id, was, level, source, channel, judged_at, days_old)
    select id, owner_id, org_id, ${lead.level ?? 'NONE'}, ${level}, source, channel, ${now},
      greatest(0, (${now}::timestamptz at time zone 'Asia/Shanghai')::date - (created_at at time zone 'Asia/Shanghai')::date)
    from lead where id = ${lead.id}`.execute(tx)
}

/** It was a mistake, made at that time: what was judged before is the last word again. */
export async function forgetLevel(tx: Tx, leadId: string, then: Date): Promise<void> {
  await sql`delete from lead_judgement where lead_id = ${leadId} and is_last and judged_at = ${then}`.execute(tx)
  await sql`
    update lead_judgement set is_last = true, version = version + 1
    where id = (select max(id) from lead_judgement where lead_id = ${leadId})`.execute(tx)
}

/** Where a lead came from is known better: what was judged of it is counted there. */
export const followCorrected = listen(leadCorrected, async ({ tx }, { leadIds }) => {
  await sql`
    update lead_judgement j set source = l.source, channel = l.channel, version = j.version + 1
    from lead l where l.id = j.lead_id and l.id = any(${leadIds}::bigint[])`.execute(tx)
})

export const levelInvariants: readonly Invariant[] = [
  {
    name: 'a lead has the level it was last judged to have',
    query: `
      select l.id from lead l left join lead_judgement j on j.lead_id = l.id and j.is_last
      where l.level is distinct from j.level`,
  },
  {
    name: 'what was judged of a lead counts where the lead came from',
    query: `
      select j.id from lead_judgement j join lead l on l.id = j.lead_id
      where (j.source, j.channel) is distinct from (l.source, l.channel)`,
  },
  {
    name: 'each judgement of a lead begins with what the one before said',
    query: `
      select id from (select id, was, coalesce(lag(level) over (partition by lead_id order by id), 'NONE') as said from lead_judgement) j
      where was <> said`,
  },
]
