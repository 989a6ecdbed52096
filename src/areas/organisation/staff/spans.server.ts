import { sql } from 'kysely'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { HeldPosition, Span } from './model.ts'

/** The department each of these people belonged to on a day, by their ids; nothing of who was not here. */
export async function departmentsOn(
  db: Queries,
  day: string,
  staffIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ staffId: string; orgId: string }>`
    select staff_id as "staffId", org_id as "orgId" from staff_department
    where staff_id = any(${staffIds}::bigint[]) and since <= ${day} and (until is null or until > ${day})`.execute(db)
  return new Map(rows.map(({ staffId, orgId }) => [staffId, orgId]))
}

/** Who belonged to one of these departments on a day. */
export async function peopleOn(db: Queries, day: string, orgIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select staff_id as id from staff_department
    where org_id = any(${orgIds}::bigint[]) and since <= ${day} and (until is null or until > ${day})
    order by staff_id`.execute(db)
  return rows.map(({ id }) => id)
}

export const positionsOf = (db: Queries, staffId: string): Promise<HeldPosition[]> =>
  db
    .selectFrom('staff_position')
    .select(['position_id as positionId', 'is_primary as isPrimary'])
    .where('staff_id', '=', staffId)
    .where('until', 'is', null)
    .orderBy('is_primary', 'desc')
    .orderBy('id')
    .execute()

/**
 * From today on somebody holds these positions, and no others. The person's row is locked. What began today was never so; what
 * lasted until yesterday is kept.
 */
export async function keepPositions(tx: Tx, staffId: string, held: readonly HeldPosition[], now: Date): Promise<void> {
  const today = dayOf(now)
  const wanted = JSON.stringify(held)
  const isWanted = sql`exists (
    select from jsonb_to_recordset(${wanted}::jsonb) as w ("positionId" bigint, "isPrimary" boolean)
    where w."positionId" = p.position_id and w."isPrimary" = p.is_primary)`
  const own = sql`p.staff_id = ${staffId}`
  await sql`delete from staff_position p where ${own} and p.since >= ${today} and not (p.until is null and ${isWanted})`.execute(
    tx,
  )
  await sql`
    update staff_position p set until = ${today}
    where ${own} and p.since < ${today} and (p.until > ${today} or p.until is null and not ${isWanted})`.execute(tx)
  await sql`
    insert into staff_position (staff_id, position_id, is_primary, since)
    select ${staffId}, w."positionId", w."isPrimary", ${today}
    from jsonb_to_recordset(${wanted}::jsonb) as w ("positionId" bigint, "isPrimary" boolean)
    where not exists (
      select from staff_position p where ${own} and p.until is null and p.position_id = w."positionId" and p.is_primary = w."isPrimary")`.execute(
    tx,
  )
}

/** The last day somebody works is still one on which the positions were held; the database does the same for the department. */
export const endPositions = (tx: Tx, staffId: string, lastDay: string) =>
  tx
    .updateTable('staff_position')
    .set({ until: addDays(lastDay, 1) })
    .where('staff_id', '=', staffId)
    .where('until', 'is', null)
    .execute()

/** Where somebody has been and as what, the latest first. */
export async function spansOf(db: Queries, staffId: string): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select 'd' || d.id as id, 'DEPARTMENT' as kind, o.name, false as "isPrimary", d.since::text, d.until::text
    from staff_department d join org o on o.id = d.org_id where d.staff_id = ${staffId}
    union all
    select 'p' || p.id, 'POSITION', j.name, p.is_primary, p.since::text, p.until::text
    from staff_position p join job_position j on j.id = p.position_id where p.staff_id = ${staffId}
    order by since desc, kind, "isPrimary" desc limit ${MOST_SHOWN}`.execute(db)
  return rows
}
const MOST_SHOWN = 200

export const invariants: readonly Invariant[] = [
  {
    name: 'whoever works here stands in the department the open span names, and who has left in none',
    query: `
      select s.id, s.org_id, d.org_id as span from staff s left join staff_department d on d.staff_id = s.id and d.until is null
      where case when s.employment = 'LEFT' then d.id is not null else d.org_id is distinct from s.org_id end`,
  },
  {
    name: 'whoever holds positions has exactly one primary one, which the list shows',
    query: `
      select s.id, s.position_id, held.first from staff s left join (
        select staff_id, count(*) filter (where is_primary) as firsts, max(position_id) filter (where is_primary) as first
        from staff_position where until is null group by 1) held on held.staff_id = s.id
      where held.firsts <> 1 or s.position_id is distinct from held.first or (s.employment = 'LEFT' and held.staff_id is not null)`,
  },
]
