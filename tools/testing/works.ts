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
