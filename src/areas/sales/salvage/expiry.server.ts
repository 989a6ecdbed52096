import { sql } from 'kysely'
import { lockLeads, returnLeads } from '#engines/lead/owning.server.ts'
import { send } from '#engines/message/server.ts'
import type { Change } from '#kit/server/app.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { expiring } from './expiring.model.ts'

const AT_ONCE = 500

type Held = { id: string; ownerId: string; poolId: string; warnDays: number; isSilent: boolean }

/**
 * Leads that go back to the pool they came from: nobody spoke with them, or nothing came of it, for so many days; both, where the pool
 * says so; of some levels after other days than of the rest. What a pool spares by its level stays. They go to the pool it names for that, while that is open, else to itself. Where a
 * lead was in no pool, or that is closed, a pool of whoever holds it decides.
 *
 * None goes before its owner was told so many days ahead as the pool says, however late it is seen to be due: a warning is of this
 * due time where it was given ahead of it, and not before the last word that moved it.
 */
const held = ({ tx, now }: Change, which: 'DUE' | 'UNWARNED', among: readonly string[] | null = null) =>
  sql<Held>`
    select l.id, l.owner_id as "ownerId", coalesce(p.goes_to, p.id) as "poolId", p.warn_days as "warnDays",
      coalesce(silent.at <= ${now}, false) as "isSilent"
    from lead l
    join lateral (
      select p.*, (select r.id from lead_pool r where r.id = p.returns_to_id and r.is_open) as goes_to
      from lead_pool p
      where p.is_open and (p.id = l.last_pool_id
        or exists (select from lead_pool_member m where m.pool_id = p.id and m.staff_id = l.owner_id))
      order by p.id is distinct from l.last_pool_id,
        coalesce(p.no_contact_days, p.no_contact_days_a, p.no_contact_days_b, p.no_contact_days_c, p.no_contact_days_d, p.no_deal_days) is null,
        p.id limit 1) p on true,
    lateral (select coalesce(case l.level when 'A' then p.no_contact_days_a when 'B' then p.no_contact_days_b
      when 'C' then p.no_contact_days_c when 'D' then p.no_contact_days_d end, p.no_contact_days) as days) patience,
    lateral (select greatest(l.owner_since, l.last_contact_at) + make_interval(days => patience.days) as at) silent,
    lateral (select l.owner_since + make_interval(days => p.no_deal_days) as at) stuck,
    lateral (select case when p.needs_both then greatest(silent.at, stuck.at) else least(silent.at, stuck.at) end as at) due,
    lateral (select coalesce(l.warned_at >= greatest(due.at - make_interval(days => p.warn_days),
      case when due.at = stuck.at then l.owner_since else greatest(l.owner_since, l.last_contact_at) end), false) as told) warning
    where l.ended_at is null and l.owner_id is not null and (${among}::bigint[] is null or l.id = any(${among})) and not (coalesce(l.level, '') = any(p.spared_levels))
      and case when ${which === 'DUE'}
        then due.at <= ${now} and (p.warn_days = 0 or (warning.told and l.warned_at + make_interval(days => p.warn_days) <= ${now}))
        else p.warn_days > 0 and due.at <= ${now}::timestamptz + make_interval(days => p.warn_days) and not warning.told end
    order by l.owner_since, l.id limit ${AT_ONCE}`.execute(tx)

/** What is due goes back; what soon is, is told to whoever has it, once. */
export const expiry = defineJob({
  name: 'return-leads',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work(change) {
    const due = await lockedDue(change)
    for (const [poolId, leads] of Object.entries(Object.groupBy(due, ({ poolId }) => poolId)))
      for (const [isSilent, of] of [true, false].map(
        silent => [silent, (leads ?? []).filter(lead => lead.isSilent === silent)] as const,
      )) {
        const reason = isSilent ? 'NO_CONTACT' : 'NO_DEAL'
        await returnLeads(
          change,
          of.map(({ id }) => id),
          { left: 'EXPIRED', reason, poolId },
        )
      }
    return due.length + (await warn(change))
  },
})

/** Whoever has just got one, or spoken with its person, keeps it: what was due is asked once more when nobody moves it any longer. */
async function lockedDue(change: Change): Promise<readonly Held[]> {
  const seen = (await held(change, 'DUE')).rows.map(({ id }) => id)
  if (seen.length === 0) return []
  await lockLeads(change, seen)
  return (await held(change, 'DUE', seen)).rows
}

async function warn(change: Change): Promise<number> {
  const { rows: soon } = await held(change, 'UNWARNED')
  for (const [staffId, leads = []] of Object.entries(Object.groupBy(soon, ({ ownerId }) => ownerId))) {
    await send(change, expiring, {
      to: { staffId, address: null },
      values: { count: leads.length, days: Math.max(1, ...leads.map(({ warnDays }) => warnDays)) },
      about: `leads-expiring:${staffId}:${change.now.getTime()}`,
    })
  }
  await sql`update lead set warned_at = ${change.now} where id = any(${soon.map(({ id }) => id)}::bigint[])`.execute(
    change.tx,
  )
  return soon.length
}
