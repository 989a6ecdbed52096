import { sql } from 'kysely'
import type { Random } from '#demo/builders.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import type { World } from '#demo/world.server.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Row, Tx } from '#kit/server/database/database.ts'
import { reckonCourses } from './courses.server.ts'

/**
 * Who got a course follows it from the next evening on, a lesson on its day: some never begin, some stop early or half way, and what
 * was begun last is watched in part. How far each goes hangs on nothing but the number of what was given.
 */
const followLessons = (tx: Tx, now: Date) =>
  sql<{ id: string }>`
    with given as (
      select distinct on (l.member_id, e.package_id) l.member_id, e.package_id, e.body -> 'lessons' as lessons, l.id * 7919 % 100 as roll,
        (l.created_at at time zone 'Asia/Shanghai')::date as day, l.id % 150 as minutes
      from entitlement_lot l join course_edition e on e.id = l.edition_id where l.kind = 'COURSE' order by l.member_id, e.package_id, l.id
    ), meant as (
      select g.*, case when roll < 14 then 0 when roll < 40 then 1 + jsonb_array_length(lessons) * (roll - 10) / 100
        when roll < 62 then jsonb_array_length(lessons) * roll / 100 else jsonb_array_length(lessons) end as goes
      from given g
    ), watched as (
      select m.*, lesson.value as lesson, lesson.nth,
        (m.day + (lesson.value ->> 'day')::int + time '19:00' + m.minutes * interval '1 minute') at time zone 'Asia/Shanghai' as at
      from meant m, jsonb_array_elements(m.lessons) with ordinality lesson (value, nth) where lesson.nth <= m.goes + 1 and m.goes > 0
    )
    insert into lesson_taken (member_id, lesson, title, kind, percent, status, begun_at, last_at, package_id)
    select member_id, lesson ->> 'id', lesson ->> 'title', 'RECORDED', case when nth <= goes then 100 else 20 + roll % 60 end,
      case when nth <= goes then 'FREE' else 'BEGUN' end, at, at + interval '18 minutes', package_id
    from watched where at + interval '18 minutes' <= ${now} order by at, member_id, nth
    on conflict (member_id, lesson) do nothing returning member_id as id`.execute(tx)

async function follow(tx: Tx, { now }: World): Promise<void> {
  const { rows } = await followLessons(tx, now)
  await reckonCourses(tx, [...new Set(rows.map(({ id }) => id))])
  // Members change hands: whoever had gone to somebody else by now was another's then.
  await sql`
    update course_taken c set owner_then = (select h.from_id from member_owner_history h
      where h.member_id = c.member_id and h.created_at > c.begun_at order by h.id limit 1)
    where exists (select from member_owner_history h where h.member_id = c.member_id and h.created_at > c.begun_at)`.execute(
    tx,
  )
}

/** The lesson somebody has not finished yet in a course that is theirs to follow. */
const NEXT_LESSON = `
  select e.package_id, lesson.value ->> 'id' as lesson, lesson.value ->> 'title' as title
  from entitlement_lot l join course_edition e on e.id = l.edition_id, jsonb_array_elements(e.body -> 'lessons') with ordinality lesson (value, nth)
  where l.member_id = $1 and l.kind = 'COURSE' and l.remaining > 0 and (l.expires_on is null or l.expires_on >= $2::date)
    and not exists (select from lesson_taken t where t.member_id = l.member_id and t.lesson = lesson.value ->> 'id' and t.percent = 100)
  order by l.id desc, lesson.nth limit 1`

async function study({ db, clock }: Outside, random: Random, { id }: Row): Promise<SimulatedEvent | undefined> {
  const [next] = await db.read.rows(NEXT_LESSON, [id, dayOf(clock.now())])
  if (!next) return undefined
  const { package_id: coursePackage, lesson, title } = next
  const percent = random.chance(0.8) ? 100 : random.whole(20, 90)
  const data = { memberId: String(id), coursePackage: String(coursePackage), lesson, title, percent }
  return { source: 'app', type: 'lesson.progressed', data }
}

export const demo: Story = {
  holds: { SALES: READ, SALES_MANAGER_COPY: ['export'], OPERATIONS: [...READ, 'export'], AUDITOR: READ },
  stored: follow,
  scenes: [[study, 8]],
}
