import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { UPLOAD_PURPOSES, UPLOADS, type UploadPurpose } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import type { Tx } from '../database/database.ts'
import { uploadAnswer, writeJudged } from '../file/upload.ts'
import { type Route, route } from '../http/route.ts'
import { SOURCES, type Source } from './event.ts'
import { requireSignature } from './signed.ts'

/**
 * The signed door for pictures and papers: an event names them by the ids this answers. What is signed is the digest of the
 * file, so that nobody unknown can make us take a single byte of it.
 */
export const sentFileRoute = (app: App): Route =>
  route({
    method: 'POST',
    path: '/open/v1/:source/files',
    texts: 'kit/server/live',
    // Public by design: the signature takes the place of a session.
    access: 'public',
    params: z.strictObject({ source: z.enum(SOURCES) }),
    query: z.strictObject({ purpose: z.enum(UPLOAD_PURPOSES) }),
    body: 'file',
    answer: uploadAnswer,
    summary:
      'Takes a file of the app or a platform, signed by its digest; it stays when an event names it within a week.',
    async handle(call, { params: { source }, query: { purpose } }) {
      const digest = call.header('x-inkstone-digest') ?? ''
      requireSignature(app, call, source, digest)
      await using sent = await call.raw.file(UPLOADS[purpose].maxBytes)
      if (sent.sha256 !== digest) throw new Refused(refuse('digest-wrong'), 'validation')
      const written = await app.turns.take(source, async () => writeJudged(app, await sent.read(), purpose, sent.name))
      await app.files.keep(app.db.query, written, { purpose, source, now: call.now })
      const { id, name, type, bytes } = written
      return { id, name, type, bytes }
    },
  })

/** Binds what a source has sent to the record its event made; whoever sees the record then sees them. */
export async function attachSent(
  tx: Tx,
  source: Source,
  ids: readonly string[],
  page: string,
  recordId: string,
  purpose: UploadPurpose = 'image',
): Promise<void> {
  if (ids.length === 0) return
  const bound = await tx
    .updateTable('file')
    .set({ page, record_id: recordId })
    .where('id', 'in', [...ids])
    .where('source', '=', source)
    .where('purpose', '=', purpose)
    .where('record_id', 'is', null)
    .returning('id')
    .execute()
  if (bound.length < new Set(ids).size) throw new Refused(refuse('kit/server/file:file-unknown'), 'validation')
}
