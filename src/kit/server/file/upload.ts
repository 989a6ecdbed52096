import * as z from 'zod'
import { onField, type Refused, refuse } from '#kit/model/refusal.ts'
import { MAX_VOICE_SECONDS, UPLOADS, type UploadPurpose } from '#kit/model/upload.ts'
import { type Gate, requireAttempt } from '../access/gate.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import type { Tx } from '../database/database.ts'
import { readContent, safeName } from '../storage/content.ts'
import type { Written } from '../storage/file.ts'

const DAILY_UPLOADS: Gate = { kind: 'upload', limit: 1_000, windowMs: 86_400_000 }

/** What every way of sending a file is answered with. */
export const uploadAnswer = z.strictObject({ id: z.string(), name: z.string(), type: z.string(), bytes: z.int() })

export const requireUploadsLeft = (app: App, call: Call<'session'>): Promise<void> =>
  requireAttempt(app.db.query, DAILY_UPLOADS, call.actor.id, call.now)

/** Holds whole files in memory: in turn (`app.turns`). */
export function writeJudged(app: App, bytes: Buffer, purpose: UploadPurpose, sentAs: string): Promise<Written> {
  const content = readContent(bytes)
  if (content === 'too-many-pixels') throw refusedFile('file-too-many-pixels')
  if (!content || !UPLOADS[purpose].types.includes(content.type)) throw refusedFile(REFUSED[purpose])
  if (purpose === 'voice' && (content.seconds ?? 0) > MAX_VOICE_SECONDS + 1)
    throw refusedFile('recording-too-long', { seconds: MAX_VOICE_SECONDS })
  return app.files.write(content.bytes, { name: safeName(sentAs, content.type), type: content.type })
}

const REFUSED: Readonly<Record<UploadPurpose, string>> = {
  image: 'file-type-refused',
  document: 'file-type-refused',
  video: 'film-refused',
  voice: 'recording-refused',
}

const refusedFile = (code: string, params?: Parameters<typeof refuse>[1]): Refused =>
  onField('file', refuse(`kit/server/file:${code}`, params))

export async function keepUpload(
  app: App,
  tx: Tx,
  call: Call<'session'>,
  purpose: UploadPurpose,
  written: Written,
): Promise<void> {
  const { id, name, bytes } = written
  await app.files.keep(tx, written, { purpose, ownerId: call.actor.id, now: call.now })
  const diff = { id: [null, id], name: [null, name], bytes: [null, bytes] } as const
  await record(tx, call, { page: 'file', action: 'upload', diff })
}
