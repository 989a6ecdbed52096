import { createHash } from 'node:crypto'
import { scopeOf } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { App } from '#kit/server/app.ts'
import { record } from '#kit/server/change/audit.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { idParams, type Route, route } from '#kit/server/http/route.ts'
import { binder, peopleSql } from '#kit/server/list/scope.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { RESOURCES } from './resources.model.ts'
import { type SecondLooks, secondLooks, shareBody, type TeacherLooks, whyNotSet } from './second-look.model.ts'
import { settings } from './settings.model.ts'

const { screen } = RESOURCES.PICTURE
const path = `/${screen.name}/second-looks`
const DAYS = 30
const DAY_MS = 86_400_000

/** Spread evenly over all works, and the same however often it is asked: whoever is looked at more keeps what was chosen before. */
export const isSampled = (workId: string, percent: number): boolean =>
  createHash('sha256').update(`second look ${workId}`).digest().readUInt32BE() % 100 < percent

/** How many of this teacher's comments are looked at again, in per cent. */
export async function shareOf(tx: Tx, teacherId: string | null, usual: number): Promise<number> {
  const own = await tx.selectFrom('review_share').select('percent').where('staff_id', '=', teacherId).executeTakeFirst()
  return own?.percent ?? usual
}

type Asking = { readonly db: Queries } & Pick<Operation, 'actor' | 'now'>

/** Overturned comments by author, and of how many somebody has said it anew: among works looked at again, which the index finds. */
const overturnedSql = (since: string) => `
  select c.staff_id, count(*)::int as overturned, count(*) filter (where work.commenter_id <> c.staff_id)::int as mended
  from work join work_comment c on c.work_id = work.id and c.status = 'OVERTURNED'
  where work.review in ('DUE', 'PASSED', 'OVERTURNED') and c.at > ${since} group by c.staff_id`

/**
 * Those who comment at either desk, as far as whoever asks reaches them here. What was overturned stays its author's,
 * and whoever said it anew has passed no second look by that.
 */
async function teachersReached({ db, actor, now }: Asking): Promise<TeacherLooks[]> {
  const { bind, values } = binder()
  const since = bind(new Date(now.getTime() - DAYS * DAY_MS))
  const commenters = Object.values(RESOURCES).map(
    one => `t.id in (${holdersSql({ page: one.screen.key, action: 'take' }, bind)})`,
  )
  const rows = await run(
    db,
    `select t.id, t.name, o.name as department, r.percent as share,
       w.commented + coalesce(l.mended, 0) as commented, w.due, w.passed, coalesce(l.overturned, 0) as overturned
     from staff t join org o on o.id = t.org_id left join review_share r on r.staff_id = t.id
       left join (${overturnedSql(since)}) l on l.staff_id = t.id,
     lateral (
       select count(*)::int as commented, count(*) filter (where review = 'DUE')::int as due,
         count(*) filter (where review = 'PASSED' and not exists (
           select from work_comment c where c.work_id = work.id and c.status = 'OVERTURNED'))::int as passed
       from work where commenter_id = t.id and commented_at > ${since}
     ) w
     where t.status = 'ENABLED' and (${commenters.join(' or ')})
       and ${peopleSql(scopeOf(actor, screen.key), bind) || 'true'}
     order by t.name, t.id`,
    values,
  )
  return rows.map(row => ({ ...row, id: String(row.id) }) as TeacherLooks)
}

async function looksFor(app: App, asking: Asking): Promise<SecondLooks> {
  const { sampled } = await settingsOf(app, settings, asking.db)
  return { usual: sampled, days: DAYS, teachers: await teachersReached(asking) }
}

/** From the next comment on; compared with what it was when somebody decided. */
async function setShare(
  op: Operation,
  teacherId: string,
  { share, before }: { share: number | null; before: number | null },
): Promise<void> {
  const { tx, actor, now, call } = op
  const refusal = whyNotSet(teacherId, actor)
  if (refusal) throw new Refused(refusal)
  await tx.selectFrom('staff').select('id').where('id', '=', teacherId).forNoKeyUpdate().execute()
  const teacher = (await teachersReached({ ...op, db: tx })).find(({ id }) => id === teacherId)
  if (!teacher) throw new Refused(refuse('kit:record-missing'), 'not-found')
  if (teacher.share !== before) throw new Refused(refuse('kit:changed-meanwhile'), 'conflict')
  if (share === before) return
  await tx.deleteFrom('review_share').where('staff_id', '=', teacherId).execute()
  if (share !== null)
    await tx
      .insertInto('review_share')
      .values({ staff_id: teacherId, percent: share, set_by: actor.id, set_at: now })
      .execute()
  const entry = {
    page: screen.key,
    action: 'setShare',
    reason: teacher.name,
    diff: { share: [before, share] as const },
  }
  await record(tx, call, entry)
}

/** Whoever looks at comments a second time sees of whom how many; how many is for whoever may set it. */
export const secondLookRoutes = (app: App): Route[] => [
  route({
    method: 'GET',
    path,
    texts: screen.name,
    access: { page: screen.key, action: 'passReview' },
    answer: secondLooks,
    summary: 'Whose comments are looked at a second time, how many of them, and what came of it.',
    handle: ({ actor, now }) => looksFor(app, { db: app.db.query, actor, now }),
  }),
  route({
    method: 'PUT',
    path: `${path}/:id`,
    texts: screen.name,
    access: { page: screen.key, action: 'setShare' },
    params: idParams,
    body: shareBody,
    answer: secondLooks,
    summary: 'How many of the comments of a teacher are looked at a second time; null is as for everybody.',
    async handle(call, { params: { id }, body }) {
      await operate(app, call, op => setShare(op, id, body))
      return looksFor(app, { db: app.db.query, actor: call.actor, now: call.now })
    },
  }),
]
