import type { FastifyRequest } from 'fastify'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { formatInstant } from '#kit/model/time.ts'
import { type Gate, spend } from '../access/gate.ts'
import type { App } from '../app.ts'
import type { SentFile } from '../call.ts'
import { tooLarge } from './body.ts'

const KILOBYTE = 1_024

/** Writes the file of a call aside as it comes: many at once cost disk, which is counted for each person, and not memory. */
export async function receiveFile(app: App, request: FastifyRequest, maxBytes: number, now: Date): Promise<SentFile> {
  await requireQuota(app, request, maxBytes, now)
  const part = await request.file({ limits: { fileSize: maxBytes } })
  if (!part) throw new Refused(refuse('kit:file-missing'), 'validation')
  const kept = await app.files.receive(part.file)
  if (!part.file.truncated) return { name: part.filename, type: part.mimetype, ...kept }
  await kept[Symbol.asyncDispose]()
  throw tooLarge(maxBytes)
}

/** What is sent counts, whether it is kept or not. Who does not say how much it is may be sending the most there can be. */
async function requireQuota(app: App, request: FastifyRequest, maxBytes: number, now: Date): Promise<void> {
  const personId = request.session?.actor.id
  // Who signs what is sent speaks for thousands of pupils.
  if (personId === undefined) return
  const declared = Number(request.headers['content-length'] ?? maxBytes)
  const daily: Gate = { kind: 'upload-kb', limit: app.env.UPLOAD_MB_PER_DAY * KILOBYTE, windowMs: 86_400_000 }
  const short = await spend(app.db.query, daily, personId, Math.ceil(declared / KILOBYTE), now)
  if (!short) return
  const refusal = refuse('kit/server/file:quota', {
    left: Math.floor(short.left / KILOBYTE),
    max: app.env.UPLOAD_MB_PER_DAY,
    at: formatInstant(short.until).slice(0, 16),
  })
  const retrySeconds = Math.ceil((short.until.getTime() - now.getTime()) / 1_000)
  throw new Refused(refusal, 'too-many', { fields: { file: refusal }, retrySeconds })
}
