import { triaged } from '#areas/members/work/triage.server.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import type { TestInstance } from './instance.ts'
import { sendEvent, sendFile } from './live.ts'
import { png } from './pictures.ts'

let works = 0

/** A work of this member as the app hands it in; gives its id. */
export async function handIn(instance: TestInstance, memberId: string): Promise<string> {
  works += 1
  const { data: sent } = await sendFile(instance, 'app', png())
  const data = { memberId, opusId: `t-${works}`, kind: 'HOMEWORK', lesson: '横画', pictures: [sent.id] }
  await sendEvent(instance, 'app', { type: 'opus.submitted', data })
  await instance.inbox.sweep()
  const found = instance.app.db.query.selectFrom('work').select('id').where('opus_id', '=', data.opusId)
  return (await found.executeTakeFirstOrThrow()).id
}

/** Its chain decides about it, as after it was handed in. */
export async function triage({ app, outbox }: TestInstance, workId: string): Promise<void> {
  await app.db.write(tx => triaged(ownChange(app, tx, app.clock.now(), 'test'), workId))
  await outbox.run()
}

type Judged = { memberId: string; commenterId: string; medium?: 'PICTURE' | 'VIDEO'; kind?: 'HOMEWORK' | 'POSTURE' }

/** A work that was commented on and told to the pupil, so that it can be marked; gives its id. */
export async function judgedWork(
  { app }: TestInstance,
  { memberId, commenterId, medium, kind }: Judged,
): Promise<string> {
  works += 1
  const now = app.clock.now()
  const { query } = app.db
  // The numbers below were given out.
  const given = query.insertInto('number_sequence').values({ kind: 'W', day: '2026-03-01', last: 99_999 })
  await given.onConflict(conflict => conflict.doNothing()).execute()
  const no = `W20260301${String(works).padStart(5, '0')}`
  const { id } = await query
    .insertInto('work')
    .values({
      ...{ no, opus_id: no, member_id: memberId, lesson: '横画', attempt: 1, status: 'RELEASED', score: 96 },
      ...{ kind: kind ?? 'HOMEWORK', medium: medium ?? 'PICTURE' },
      ...{ commenter_id: commenterId, commented_at: now, submitted_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const comment = { work_id: id, staff_id: commenterId, at: now, status: 'RELEASED', score: 96 } as const
  await query
    .insertInto('work_comment')
    .values({ ...comment, marks: '[]', scores: '{}', words: '好' })
    .execute()
  return id
}
