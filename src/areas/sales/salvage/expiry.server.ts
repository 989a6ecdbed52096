import { sql } from 'kysely'
import { lockLeads, returnLeads } from '#engines/lead/owning.server.ts'
import { send } from '#engines/message/server.ts'
import type { Change } from '#kit/server/app.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { expiring } from './expiring.model.ts'

const AT_ONCE = 500

type Held = { id: string; ownerId: string; poolId: string; warnDays: number; isSilent: boolean; isDue: boolean }

/**
 * Leads that go back to the pool they came from, or to another one of whoever holds them, now or soon: nobody spoke with them, or
 * nothing came of it, for so many days; both, where the pool says so. What a pool spares by its level stays. They go to the pool it
 * names for that, while that is open, else to itself.
 */
const held = ({ tx, now }: Change, warned: boolean, among: readonly string[] | null = null) =>
  sql<Held>`
    select l.id, l.owner_id as "ownerId", coalesce(p.goes_to, p.id) as "poolId", p.warn_days as "warnDays",
      coalesce(silent.at <= ${now}, false) as "isSilent",
      case when p.needs_both then silent.at <= ${now} and stuck.at <= ${now} else least(silent.at, stuck.at) <= ${now} end as "isDue"
    from lead l
    join lateral (
      select p.*, (select r.id from lead_pool r where r.id = p.returns_to_id and r.is_open) as goes_to
      from lead_pool_member m join lead_pool p on p.id = m.pool_id
      where m.staff_id = l.owner_id and p.is_open and (p.no_contact_days is not null or p.no_deal_days is not null)
      order by p.id is distinct from l.last_pool_id, p.id limit 1) p on true,
    lateral (select greatest(l.owner_since, l.last_contact_at) + make_interval(days => p.no_contact_days) as at) silent,
    lateral (select l.owner_since + make_interval(days => p.no_deal_days) as at) stuck,
    lateral (select case when p.needs_both then greatest(silent.at, stuck.at) else least(silent.at, stuck.at) end as at) due
    where l.ended_at is null and l.owner_id is not null and (${among}::bigint[] is null or l.id = any(${among})) and not (coalesce(l.level, '') = any(p.spared_levels))
      and due.at <= ${now}::timestamptz + make_interval(days => case when ${warned} then 0 else p.warn_days end)
      and (${warned} or (l.warned_at is null or l.warned_at < greatest(l.owner_since, l.last_contact_at)))
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
  const seen = (await held(change, true)).rows.filter(({ isDue }) => isDue).map(({ id }) => id)
  if (seen.length === 0) return []
  await lockLeads(change, seen)
  return (await held(change, true, seen)).rows.filter(({ isDue }) => isDue)
}

async function warn(change: Change): Promise<number> {
  const soon = (await held(change, false)).rows.filter(({ isDue }) => !isDue)
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
