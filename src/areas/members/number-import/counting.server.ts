import { sql } from 'kysely'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import type { Holder } from './model.ts'

/** What is counted of the numbers of a list: those that came at least so far. */
const WAY = `count(*) filter (where reached <> 'IMPORTED') as allocated,
  count(*) filter (where reached in ('CONTACTED', 'ADDED', 'REGISTERED', 'PAID')) as contacted,
  count(*) filter (where reached in ('ADDED', 'REGISTERED', 'PAID')) as added,
  count(*) filter (where reached in ('REGISTERED', 'PAID')) as registered, count(*) filter (where reached = 'PAID') as paid`

/** How far its numbers have come is counted with the batch; several at once in one order, so that nobody meets crosswise. */
export async function countBatches(tx: Tx, batchIds: readonly string[]): Promise<void> {
  if (batchIds.length === 0) return
  await sql`select from number_batch where id = any(${batchIds}::bigint[]) order by id for update`.execute(tx)
  await run(
    tx,
    `update number_batch b set allocated = n.allocated, contacted = n.contacted, added = n.added, registered = n.registered, paid = n.paid,
       version = version + 1
     from (select batch_id, ${WAY} from number_row where batch_id = any($1::bigint[]) group by 1) n
     where b.id = n.batch_id and (b.allocated, b.contacted, b.added, b.registered, b.paid)
       is distinct from (n.allocated, n.contacted, n.added, n.registered, n.paid)`,
    [batchIds],
  )
}

const spansOf = (which: string) => `
  select lead_id, min(contacted_at) as contacted_at, min(added_at) as added_at, (array_agg(owner_id order by since desc, id desc))[1] as held_by
  from lead_owner where ${which} group by 1`

/** What the spans of these leads, which are locked, say of their numbers: who has them, or had them last, and what came of it. */
export async function tellOfSpans(tx: Tx, leadIds: readonly string[]): Promise<void> {
  const told = await run(
    tx,
    `update number_row r set held_by = s.held_by, contacted_at = s.contacted_at, added_at = s.added_at, version = r.version + 1
     from (${spansOf('lead_id in (select lead_id from number_row where lead_id = any($1::bigint[]))')}) s, number_row was
     where s.lead_id = r.lead_id and was.id = r.id
       and (r.held_by, r.contacted_at, r.added_at) is distinct from (s.held_by, s.contacted_at, s.added_at)
     returning r.batch_id::text as "batchId", r.reached <> was.reached as "isFurther"`,
    [leadIds],
  )
  await countBatches(tx, [...new Set(told.flatMap(({ batchId, isFurther }) => (isFurther ? [String(batchId)] : [])))])
}

/** In whose hands the numbers of a list are, or were last; those nobody ever had are not among them. */
export async function givenTo(db: Queries, batchId: string): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select s.id::text, s.name, count(*)::int as count from number_row r join staff s on s.id = r.held_by
    where r.batch_id = ${batchId} group by s.id, s.name order by 3 desc, s.id`.execute(db)
  return rows
}

export const invariants: readonly Invariant[] = [
  {
    name: 'a list of numbers counts the new ones, and how far they have come',
    query: `
      select b.id from number_batch b left join (select batch_id, count(*) as rows, ${WAY} from number_row group by 1) n on n.batch_id = b.id
      where (b.new_rows, b.allocated, b.contacted, b.added, b.registered, b.paid) is distinct from (coalesce(n.rows, 0),
        coalesce(n.allocated, 0), coalesce(n.contacted, 0), coalesce(n.added, 0), coalesce(n.registered, 0), coalesce(n.paid, 0))`,
  },
  {
    name: 'a number of a list is as far as the hands it was in have brought it',
    query: `
      select r.id from number_row r left join (${spansOf('true')}) s using (lead_id)
      where (r.held_by, r.contacted_at, r.added_at) is distinct from (s.held_by, s.contacted_at, s.added_at)`,
  },
  {
    name: 'a number of a list is open exactly while its lead is no more than a number',
    query: `
      select r.id, r.result, l.status from number_row r join lead l on l.id = r.lead_id
      where (r.result = 'OPEN') <> (l.ended_at is null and l.member_id is null)`,
  },
  {
    name: 'a number of a list keeps no number and no owner its lead has not, and is seen where its lead is, or where its list was brought',
    query: `
      select r.id from number_row r join lead l on l.id = r.lead_id join number_batch b on b.id = r.batch_id
      where (r.phone, r.owner_id, r.org_id) is distinct from (l.phone, l.owner_id, coalesce(l.org_id, b.org_id))`,
  },
]
