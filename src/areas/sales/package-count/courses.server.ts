import { sql } from 'kysely'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { run, type Tx } from '#kit/server/database/database.ts'

/** Lessons of the edition somebody follows that are finished, in the order they were; of the courses `c` that are meant. */
const finishedOf = (which: string) => `
  select t.member_id, t.package_id, t.last_at, row_number() over (partition by t.member_id, t.package_id order by t.last_at, t.id) as nth
  from lesson_taken t join course_taken c on c.member_id = t.member_id and c.package_id = t.package_id
    join course_edition e on e.id = c.edition_id
  where t.percent = 100 and e.body -> 'lessons' @> jsonb_build_array(jsonb_build_object('id', t.lesson)) and ${which}`

/**
 * Reckons from their lessons and orders how far these members, who are locked, have come in the courses they follow. What was
 * reached stays reached at the time it was: a lesson that is watched again is not finished later.
 */
export async function reckonCourses(tx: Tx, memberIds: readonly string[]): Promise<void> {
  await begin(tx, memberIds)
  await run(
    tx,
    `with finished as (${finishedOf('c.member_id = any($1::bigint[])')})
    update course_taken c set finished = n.finished, half_at = coalesce(c.half_at, n.half_at), finished_at = coalesce(c.finished_at, n.finished_at),
      version = c.version + 1
    from (
      select c.id, count(*) as finished, min(f.last_at) filter (where f.nth * 2 >= c.lessons) as half_at,
        min(f.last_at) filter (where f.nth = c.lessons) as finished_at
      from course_taken c join finished f using (member_id, package_id) group by c.id
    ) n
    where n.id = c.id and n.finished <> c.finished`,
    [memberIds],
  )
  await noteBought(tx, memberIds)
}

/** A course is begun with its first lesson, in the edition the member holds, else in the one that is published. */
const begin = (tx: Tx, memberIds: readonly string[]) =>
  sql`
    insert into course_taken (member_id, package_id, edition_id, owner_id, org_id, owner_then, lessons, begun_at)
    select m.id, t.package_id, e.id, m.owner_id, m.org_id, m.owner_id, jsonb_array_length(e.body -> 'lessons'), t.begun_at
    from (select member_id, package_id, min(begun_at) as begun_at from lesson_taken
        where package_id is not null and member_id = any(${memberIds}::bigint[]) group by 1, 2) t
      join member m on m.id = t.member_id,
      lateral (
        select e.id, e.body from course_edition e left join entitlement_lot l on l.edition_id = e.id and l.member_id = m.id
        where e.package_id = t.package_id and (l.id is not null or e.state = 'PUBLISHED')
        order by l.id desc nulls last limit 1
      ) e
    where jsonb_array_length(e.body -> 'lessons') > 0
    order by t.begun_at, m.id
    on conflict (member_id, package_id) do nothing`.execute(tx)

/** The first order of the course `n` that cost something and was paid once it was finished. */
const FIRST_ORDER = `
  select o.paid_at, o.paid_fen from sales_order o
  where o.member_id = n.member_id and o.paid_at >= n.finished_at and o.paid_fen > 0 order by o.paid_at, o.id limit 1`

/** Whether these members, who are locked, have bought something since they finished a course. */
export const noteBought = (tx: Tx, memberIds: readonly string[]) =>
  sql`
    update course_taken c set paid_at = o.paid_at, paid_fen = o.paid_fen, version = c.version + 1
    from course_taken n, lateral (${sql.raw(FIRST_ORDER)}) o
    where n.id = c.id and c.member_id = any(${memberIds}::bigint[]) and c.finished_at is not null and c.paid_at is null`.execute(
    tx,
  )

export const invariants: readonly Invariant[] = [
  {
    name: 'a course is as far as its lessons say',
    query: `
      select c.id, c.finished, n.finished as counted from course_taken c
        left join (select member_id, package_id, count(*) as finished from (${finishedOf('true')}) f group by 1, 2) n using (member_id, package_id)
      where c.finished <> coalesce(n.finished, 0)`,
  },
  {
    name: 'whoever paid after finishing a course is counted so, with the first order that was',
    query: `
      select n.id, n.paid_at, o.paid_at as first from course_taken n left join lateral (${FIRST_ORDER}) o on true
      where n.finished_at is not null and (n.paid_at, n.paid_fen) is distinct from (o.paid_at, o.paid_fen)`,
  },
]
