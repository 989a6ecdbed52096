import { sql } from 'kysely'
import type { Colleague } from '#demo/organisation.server.ts'
import { chanceOf, DAY_MS, type World } from '#demo/world.server.ts'
import { leadsIn } from '#engines/lead/demo-leads.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database/database.ts'

const chance = chanceOf('sales/salvage/pools')
const [UNCLAIMED_HOURS, UNANSWERED_HOURS, VIEWS_KEPT_DAYS] = [72, 48, 90]
/** So long there has been a pool for what nobody called in time. */
const SLEEPERS_DAYS = 180
/** Of what is free, so much somebody has looked at today. */
const LOOKED_AT = 0.02

/** Whoever claimed a lead had looked at it before; some looked at others today and took none of them. */
export function lookAround(world: World, sellers: readonly Colleague[]): void {
  const random = chance(world)
  const since = world.now.getTime() - VIEWS_KEPT_DAYS * DAY_MS
  const claimed = world.rows
    .of('lead_owner')
    .filter(({ got, since: at }) => got === 'CLAIMED' && Number(at) > since)
    .map(({ owner_id, lead_id, since: at }) => view(owner_id, new Date(Number(at)), lead_id))
  const free = leadsIn(world).filter(({ lead, span }) => !span && !lead.ended_at)
  const seen = sellers.flatMap(({ id }) =>
    free.filter(() => random.chance(LOOKED_AT)).map(({ lead }) => view(id, world.now, lead.id ?? 0)),
  )
  const views = new Map([...claimed, ...seen].map(one => [Object.values(one).join(' '), one]))
  world.rows.add('lead_view', [...views.values()])
}

const view = (staffId: string | number, at: Date, leadId: string | number) => ({
  staff_id: Number(staffId),
  day: dayOf(at),
  lead_id: Number(leadId),
})

/** What nobody called in time waits in a pool of its own; managers have been told of what nobody took or answered by now. */
export async function sortPools(tx: Tx, { now }: World): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into lead_pool (name, claims_a_day, views_a_day, cool_down_days, unclaimed_hours, created_at)
    values ('沉睡线索池', 10, 50, 30, 720, ${new Date(now.getTime() - SLEEPERS_DAYS * DAY_MS)}) returning id`.execute(
    tx,
  )
  const id = rows[0]?.id ?? null
  await sql`
    insert into lead_pool_member (pool_id, staff_id, is_admin)
    select ${id}::bigint, m.staff_id, m.is_admin from lead_pool_member m join lead_pool p on p.id = m.pool_id where p.is_default`.execute(
    tx,
  )
  await sql`
    update lead_pool set unclaimed_hours = ${UNCLAIMED_HOURS}, unanswered_hours = ${UNANSWERED_HOURS}, returns_to_id = ${id}
    where is_default`.execute(tx)
  await sql`update lead set pool_id = ${id} where pool_id is not null and return_reason = 'NO_CONTACT'`.execute(tx)
  await sql`
    update lead l set escalated_at = l.pooled_at + make_interval(hours => p.unclaimed_hours)
    from lead_pool p where p.id = l.pool_id and l.pooled_at <= ${now}::timestamptz - make_interval(hours => p.unclaimed_hours)`.execute(
    tx,
  )
  await sql`
    update lead set escalated_at = ${now}
    where status = 'ASSIGNED' and worked_by(owner_id, owner_since, ${now}) >= make_interval(hours => ${UNANSWERED_HOURS})`.execute(
    tx,
  )
}
