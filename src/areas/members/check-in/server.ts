import * as z from 'zod'
import { followOwner, followTeacher, seenByOwner, seenByTeacher } from '#areas/members/member/handing-over.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { rewardedAsSaid } from '#engines/entitlement/reward.server.ts'
import { send, ships } from '#engines/message/server.ts'
import { ID } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { addDays, dayOf, isDay } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Routes, route } from '#kit/server/http/route.ts'
import { openList } from '#kit/server/list/list.ts'
import { readListQuery } from '#kit/server/list/list-query.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { arriving } from './arriving.server.ts'
import { recount, rewardFor } from './counting.server.ts'
import { lapsedTold } from './lapsed-told.model.ts'
import { lessons } from './lessons.server.ts'
import { type CheckIn, type CheckInFacts, calendarDay, daysSince, resource, workflow } from './model.ts'

const served = (app: App) =>
  serve(resource, {
    workflow,
    // Facts are of today: a pupil lapses by the calendar, without anybody doing anything.
    facts: async (_db, rows) => factsOf(rows, dayOf(app.clock.now())),
    async lock(op, id) {
      const found = await op.tx.selectFrom('check_in').select('member_id').where('id', '=', id).executeTakeFirst()
      if (found) await lockMember(op.tx, found.member_id)
    },
    effects: { approve: countMadeUp, tellTeacher },
    constraints: { check_in_once: { code: 'day-taken' } },
  })(app)

function factsOf(rows: readonly Pick<CheckIn, 'id' | 'quietSince'>[], today: string): Map<string, CheckInFacts> {
  return new Map(
    rows.map(({ id, quietSince }) => [id, { lapsedDays: quietSince === null ? null : daysSince(quietSince, today) }]),
  )
}

/** The day counts, and so may what comes after it: a filled gap makes two rows of days one. */
async function countMadeUp(op: Operation, { id, memberId, plan, day }: CheckIn): Promise<Partial<CheckIn>> {
  // Counted by what stands, so it has to stand first; the step itself then stores the state once more.
  await op.tx.updateTable('check_in').set({ status: 'DONE', day_no: 1, streak: 1 }).where('id', '=', id).execute()
  const rows = await recount(op, { memberId, plan })
  await rewardFor(op, { id, memberId, day }, rows)
  return op.tx
    .selectFrom('check_in')
    .select(['day_no as dayNo', 'streak', 'quiet_since as quietSince', 'reward_coins as rewardCoins'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** The teacher hears it once of each lapse, in the console. */
async function tellTeacher(op: Operation, { id, memberId, teacherId, day }: CheckIn): Promise<Partial<CheckIn>> {
  const { name } = await op.tx.selectFrom('member').select('name').where('id', '=', memberId).executeTakeFirstOrThrow()
  await send(op, lapsedTold, {
    to: { staffId: String(teacherId), address: null },
    values: { pupil: name, days: daysSince(day, dayOf(op.now)), day },
    // Another teacher has not heard of it yet.
    about: `lapsed:${id}:${teacherId}`,
    wordsOf: memberId,
  })
  return { toldAt: op.now.toISOString() }
}

/** Three months at a glance, of every plan: more are asked for by the quarter. */
const MAX_CALENDAR_DAYS = 100
const MAX_SHOWN = 1_000

const asked = z.strictObject({
  memberId: z.string().regex(ID),
  from: z.string().refine(day => isDay(day)),
  to: z.string().refine(day => isDay(day)),
})

const calendarRoute = (app: App) => {
  const list = openList(resource, app.catalogue, app.db, app.counts)
  return route({
    method: 'GET',
    path: `/${resource.screen.name}/calendar`,
    texts: resource.screen.name,
    access: { page: resource.screen.key, action: 'list' },
    query: asked,
    answer: z.array(calendarDay),
    summary: "The days a member checked in on, of every plan, within three months; of members in the caller's sight.",
    async handle({ actor }, { query: { memberId, from, to } }) {
      if (addDays(from, MAX_CALENDAR_DAYS) < to) throw new Refused(refuse('too-many-days'), 'parameter')
      const search = { memberId, dayBegin: from, dayEnd: to, status: ['DONE', 'REQUESTED'] }
      const { text, values, read } = list.all(readListQuery(resource, search), actor)
      const rows = (await app.db.read.rows(`${text} limit ${MAX_SHOWN}`, values)).map(read) as unknown as CheckIn[]
      return rows.map(({ day, plan, streak, isMakeUp, status }) => ({ day, plan, streak, isMakeUp, status }))
    },
  })
}

export const routes: Routes = app => [calendarRoute(app), ...served(app)]
export const events = [...arriving, ...lessons]
export const listeners = [
  followOwner('check_in'),
  followTeacher('check_in'),
  ships(lapsedTold),
  forgets({ table: 'check_in', becomes: { reason: 'null' } }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a lesson that counts was spent',
    query: `
      select t.member_id, t.n, e.n as spent from (
        select member_id, count(*) as n from lesson_taken where status = 'COUNTED' group by 1
      ) t left join (
        select member_id, -sum(delta) as n from entitlement_entry where kind = 'LESSONS' and cause = 'SPENT' group by 1
      ) e using (member_id)
      where t.n > coalesce(e.n, 0)`,
  },
  seenByOwner('check_in'),
  seenByTeacher('check_in'),
  {
    name: 'every check-in counts as what the days before it make of it, and the last of a plan says so',
    query: `
      with runs as (
        select id, member_id, plan, day, day_no, streak, quiet_since,
          row_number() over of_plan as nth, day - row_number() over of_plan::int as run,
          lead(day) over of_plan as later
        from check_in where status = 'DONE' window of_plan as (partition by member_id, plan order by day)
      ), counts as (
        select *, row_number() over (partition by member_id, plan, run order by day) as in_a_row from runs
      )
      select id, day, day_no, streak from counts
      where day_no <> nth or streak <> in_a_row or quiet_since is distinct from case when later is null then day end`,
  },
  rewardedAsSaid('check-in', { table: 'check_in', coins: 'reward_coins' }),
]
