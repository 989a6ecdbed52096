import { openApp } from '#engines/app/server.ts'
import type { App, Change } from '#kit/server/app.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import type { Mark } from './comment.model.ts'

const KIND = 'work-told'
type Payload = { readonly workId: string; readonly state: 'RELEASED' | 'RETURNED' | 'HIDDEN' }

/** The pupil reads in the app what became of the work. What is said is read when it is told, and stands in no queue. */
export async function tellApp(change: Change, workId: string, state: Payload['state']): Promise<void> {
  const payload: Payload = { workId, state }
  await deliver(change, { kind: KIND, key: `${workId}:${state}:${change.now.getTime()}`, payload })
}

export const tellDelivery = defineDelivery<Payload, void>({
  kind: KIND,
  async call(app, payload, key) {
    const work = await wanted(app, payload)
    if (work) await openApp(app).tellWork(work, key)
  },
  async settle() {},
})

/** Nothing where it has become something else meanwhile: that is told by itself. */
async function wanted(app: App, { workId, state }: Payload) {
  const row = await app.db.query
    .selectFrom('work as w')
    .leftJoin('work_comment as c', join => join.onRef('c.work_id', '=', 'w.id').on('c.status', '=', 'RELEASED'))
    .select([
      'w.member_id as memberId',
      'w.opus_id as opusId',
      'w.score',
      'w.returned_for as reason',
      'c.words',
      'c.marks',
      'c.voice',
    ])
    .where('w.id', '=', workId)
    .where('w.status', '=', state)
    .executeTakeFirst()
  if (!row) return undefined
  const { memberId, opusId, score, reason, words, marks, voice } = row
  if (state === 'HIDDEN') return { memberId, opusId, state }
  if (state === 'RETURNED') return { memberId, opusId, state, reason }
  const [spoken] = voice ?? []
  return {
    memberId,
    opusId,
    state,
    score,
    words,
    marks: (marks ?? []) as readonly Mark[],
    voice: spoken === undefined ? null : await app.files.link(spoken, app.clock.now()),
  }
}
