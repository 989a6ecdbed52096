import { type AppAnswer, openApp } from '#engines/app/server.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { resource, type UploadFailure } from './model.ts'

const KIND = 'upload-retry'
type Payload = { readonly failureId: string }

/** The app is asked to send it once more; what comes of it is told by the app, then or later. */
export async function askAppToRetry(op: Operation, { id, retries }: UploadFailure) {
  const payload: Payload = { failureId: id }
  await deliver(op, { kind: KIND, key: `${id}:${retries + 1}`, payload })
  return { retries: retries + 1 }
}

/** What the row becomes by the app's answer; asked and no more, it waits for the app's own event. */
const BECOMES = { UPLOADED: 'SOLVED', UNREACHABLE: 'NEW', ASKED: null } as const

export const retryDelivery = defineDelivery<Payload, AppAnswer>({
  kind: KIND,
  async call(app, { failureId }, key) {
    const failure = await wanted(app, failureId)
    return failure ? openApp(app).retryUpload(failure, key) : 'ASKED'
  },
  async settle(change, { failureId }, answer) {
    const row = await change.tx
      .selectFrom('upload_failure')
      .select(['id', 'status'])
      .where('id', '=', failureId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const status = BECOMES[answer]
    // Whoever has gone on with it meanwhile knows better than an answer to an older question.
    if (row.status !== 'RETRYING' || status === null) return
    await writeChange(change, resource, row, { status }, answer === 'UPLOADED' ? 'arrive' : 'unreached')
  },
})

const wanted = ({ db }: App, id: string) =>
  db.query
    .selectFrom('upload_failure')
    .select(['member_id as memberId', 'opus_id as opusId'])
    .where('id', '=', id)
    .where('status', '=', 'RETRYING')
    .executeTakeFirst()
