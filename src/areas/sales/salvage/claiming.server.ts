import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { aboutToLock, type Tx } from '#kit/server/database/database.ts'
import type { Claimer, Claiming, ClaimRules } from './claiming.model.ts'
import type { Lead } from './model.ts'

/** One person's claims wait for each other: a cap counts what was claimed before. */
export const lockClaims = ({ tx }: Operation, staffId: string | null) =>
  sql`select pg_advisory_xact_lock(hashtextextended('lead-claim ' || ${staffId}::text, 0))`.execute(tx)

/**
 * Who could see a lead in its pool a moment ago is told that somebody has it, and not who; nobody else learns of it. Asked under
 * the lead's lock: of many who claim at once, all but one find it so.
 */
export async function refuseTaken({ tx, actor }: Operation, id: string): Promise<void> {
  aboutToLock(tx, 'lead', id)
  const lead = await tx
    .selectFrom('lead')
    .select(['owner_id', 'last_pool_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!lead || lead.owner_id === null || lead.owner_id === actor.id || lead.last_pool_id === null) return
  const mine = await tx
    .selectFrom('lead_pool_member')
    .select('pool_id')
    .where('pool_id', '=', lead.last_pool_id)
    .where('staff_id', '=', actor.id)
    .executeTakeFirst()
  if (mine) throw new Refused(refuse('taken-by-another'))
}

/** Whether a lead somebody holds counts against what its pool, p, lets people hold. */
const counts = (lead: 'l' | 'h') =>
  sql.raw(
    `not (p.spares_trial and ${lead}.member_id is not null) and not (coalesce(${lead}.level, '') = any(p.uncounted_levels))`,
  )

/**
 * What somebody claimed in the place of a lead that was given up has filled it: with both, that person would hold more than the pool
 * lets people claim up to. Asked while the lead has ended still, and the owner's claims wait.
 */
export async function refuseBeyond({ tx }: Operation, leadId: string): Promise<void> {
  const { rows } = await sql<{ max: number }>`
    select p.capacity as max from lead l join lead_owner o on o.owner_id = l.owner_id and o.got = 'CLAIMED' and o.since >= l.ended_at
      join lead c on c.id = o.lead_id join lead_pool p on p.id = coalesce(c.pool_id, c.last_pool_id)
    where l.id = ${leadId} and ${counts('l')} and p.capacity <= (
      select count(*) from lead h where h.owner_id = l.owner_id and h.ended_at is null and ${counts('h')})
    order by 1 limit 1`.execute(tx)
  const [pool] = rows
  if (pool) throw new Refused(refuse('holds-enough', { max: pool.max }))
}

/** What the pools of these leads let whom claim, as of now. */
export async function claimingOf(
  db: Reading,
  rows: readonly Lead[],
  now: Date,
): Promise<ReadonlyMap<string, Claiming>> {
  const pools = await poolsOf(db, [...new Set(rows.flatMap(({ poolId }) => poolId ?? []))], now)
  const nowMs = now.getTime()
  return new Map(rows.map(({ id, poolId }) => [id, { nowMs, pool: (poolId && pools.get(poolId)) || null }]))
}

type Told = Omit<ClaimRules, 'members'> & {
  id: string
  members: (Claimer & { id: string })[]
}

async function poolsOf(db: Reading, ids: readonly string[], now: Date): Promise<ReadonlyMap<string, ClaimRules>> {
  if (ids.length === 0) return new Map()
  const today = startOfDay(dayOf(now))
  // Claims are counted as they happened: what was claimed and given back has been claimed.
  const { rows } = await sql<Told>`
    select p.id, p.name, p.is_open as "isOpen", p.claims_a_day as "claimsADay", p.capacity, p.cool_down_days as "coolDownDays",
      p.embargo_hours as "embargoHours", coalesce((
        select jsonb_agg(jsonb_build_object('id', m.staff_id::text, 'isAdmin', m.is_admin,
          'claimed', (select count(*) from lead_owner o where o.owner_id = m.staff_id and o.got = 'CLAIMED' and o.since >= ${today}),
          'extra', (select coalesce(sum(x.extra), 0) from lead_pool_extra x
            where x.staff_id = m.staff_id and x.pool_id = p.id and x.day = ${dayOf(now)}),
          'held', (select count(*) from lead l where l.owner_id = m.staff_id and l.ended_at is null
            and ${counts('l')})))
        from lead_pool_member m where m.pool_id = p.id), '[]') as members
    from lead_pool p where p.id = any(${ids}::bigint[])`.execute(db as Tx)
  return new Map(
    rows.map(({ id, members, ...rules }) => [id, { ...rules, members: new Map(members.map(one => [one.id, one])) }]),
  )
}
