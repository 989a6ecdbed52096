import { sql } from 'kysely'
import type { App } from '#kit/server/app.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { said } from './comment.model.ts'
import type { CommentView, DeskWork } from './desk.model.ts'
import type { Medium } from './fields.model.ts'
import { settings } from './settings.model.ts'

type Held = {
  id: string
  no: string
  kind: DeskWork['kind']
  lesson: string
  attempt: number
  characters: string | null
  submittedAt: Date
  leasedUntil: Date
  picture: string[]
  video: string[]
  durationSeconds: number | null
  memberId: string
  name: string
  works: number
  average: number | null
  isOwnPupil: boolean
  heard: string[]
  before:
    | (Pick<NonNullable<DeskWork['before']>, 'no' | 'submittedAt' | 'score'> & {
        picture: string[]
        said: Before | null
      })
    | null
}
/** What counts of what was said of the attempt before. */
type Before = Pick<CommentView, 'words' | 'marks'>

const DAY_MS = 86_400_000
const asInstant = (at: string | Date): string => new Date(at).toISOString()

/** The works somebody holds, whole: whoever holds one sees it, wherever its pupil belongs. */
export async function deskWorksOf(app: App, medium: Medium, staffId: string, now: Date): Promise<DeskWork[]> {
  const { phraseDays } = await settingsOf(app, settings)
  const since = new Date(now.getTime() - phraseDays * DAY_MS)
  const { rows } = await sql<Held>`
    select w.id, w.no, w.kind, w.lesson, w.attempt, w.characters, w.submitted_at as "submittedAt",
      w.leased_until as "leasedUntil", w.picture, w.video, w.duration_seconds as "durationSeconds", m.id as "memberId", m.name, coalesce(m.teacher_id = ${staffId}, false) as "isOwnPupil",
      so_far.works, so_far.average,
      array(select phrase from work_comment c join work o on o.id = c.work_id, unnest(c.phrases) phrase
        where o.member_id = w.member_id and o.id <> w.id and c.status in ('HELD', 'RELEASED') and c.at > ${since}
        group by phrase order by max(c.at) desc, phrase) as heard,
      (select jsonb_build_object('no', b.no, 'submittedAt', b.submitted_at, 'score', b.score, 'picture', b.picture, 'said',
        (select jsonb_build_object('words', c.words, 'marks', c.marks) from work_comment c where c.work_id = b.id and c.status = 'RELEASED'))
       from work b where b.id = w.before_id and b.status <> 'HIDDEN') as before
    from work w join member m on m.id = w.member_id, lateral (
      select count(*)::int as works, round(avg(o.score))::int as average from (
        select score from work where member_id = w.member_id and id <> w.id order by submitted_at desc limit 100) o) so_far
    where w.status = 'LEASED' and w.medium = ${medium} and w.holder_id = ${staffId} and w.leased_until > ${now}
    order by w.leased_until, w.id`.execute(app.db.query)
  const comments = await commentsOf(
    app,
    rows.map(({ id }) => id),
  )
  const links = (ids: readonly string[]) => Promise.all(ids.map(id => app.files.link(id, now)))
  return Promise.all(
    rows.map(async ({ memberId, name, works, average, picture, video, before, submittedAt, leasedUntil, ...row }) => ({
      ...row,
      submittedAt: asInstant(submittedAt),
      leasedUntil: asInstant(leasedUntil),
      pupil: { id: memberId, name, works, average },
      pictures: await links(picture),
      video: (await links(video))[0] ?? null,
      before: before && {
        no: before.no,
        submittedAt: asInstant(before.submittedAt),
        score: before.score,
        words: before.said?.words ?? null,
        marks: before.said?.marks ?? [],
        pictures: await links(before.picture),
      },
      comments: comments.get(row.id) ?? [],
    })),
  )
}

/** What was said of these works, the newest first. */
export async function commentsOf({ db }: App, ids: readonly string[]): Promise<Map<string, CommentView[]>> {
  const found = new Map<string, CommentView[]>()
  if (ids.length === 0) return found
  const rows = await db.query
    .selectFrom('work_comment as c')
    .innerJoin('staff as s', 's.id', 'c.staff_id')
    .select([
      'c.id',
      'c.work_id as workId',
      's.name as by',
      'c.at',
      'c.status',
      'c.marks',
      'c.scores',
      'c.score',
      'c.suggested',
      'c.words',
      'c.voice',
    ])
    .where('c.work_id', 'in', [...ids])
    .orderBy('c.id', 'desc')
    .execute()
  for (const { id, workId, by, at, status, score, suggested, ...told } of rows) {
    const view = { id, by, at: asInstant(at), status, score, suggested, ...said.parse(told) }
    found.set(workId, [...(found.get(workId) ?? []), view as CommentView])
  }
  return found
}
