import { Readable } from 'node:stream'
import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { PART_BYTES, UPLOAD_PURPOSES, UPLOADS, type UploadPurpose } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import type { Call, SentFile } from '../call.ts'
import type { Tx } from '../database/database.ts'
import { tooLarge } from '../http/body.ts'
import { type Route, route } from '../http/route.ts'
import { isFileId, type StoredFile, type Written } from '../storage/file.ts'
import { keepUpload, requireUploadsLeft, uploadAnswer, writeJudged } from './upload.ts'

const texts = 'kit/server/file'
/** Any text: what is not the id of an upload names none, and is told no more than that. */
const uploadParams = z.strictObject({ id: z.string() })
const progress = z.strictObject({ id: z.string(), received: z.int() })
const PART = { name: 'part', type: 'application/octet-stream' }

/** A large file in parts, which goes on where it broke off; once whole, it is judged and kept as any upload is. */
export const uploadPartRoutes = (app: App): Route[] => [
  beginRoute(app),
  progressRoute(app),
  partRoute(app),
  completeRoute(app),
]

function beginRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/upload/begin',
    access: 'session',
    texts,
    body: z.strictObject({
      purpose: z.enum(UPLOAD_PURPOSES),
      name: z.string().min(1).max(255),
      bytes: z.int().positive(),
    }),
    answer: progress,
    summary: `Begins an upload in parts of ${PART_BYTES} bytes; it has a day to be completed.`,
    async handle(call, { body: { purpose, name, bytes } }) {
      const { maxBytes } = UPLOADS[purpose]
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      await requireUploadsLeft(app, call)
      const row = { purpose, name, bytes, owner_id: call.actor.id, created_at: call.now }
      const { id } = await app.db.query.insertInto('upload').values(row).returning('id').executeTakeFirstOrThrow()
      return { id, received: 0 }
    },
  })
}

function progressRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/upload/:id',
    access: 'session',
    texts,
    params: uploadParams,
    answer: progress,
    summary: 'How much of an own upload has come.',
    async handle(call, { params }) {
      const { upload, parts } = await readOwn(app.db.query, params.id, call)
      return { id: upload.id, received: receivedOf(upload, parts) }
    },
  })
}

function partRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/upload/:id/part',
    access: 'session',
    texts,
    params: uploadParams,
    query: z.strictObject({
      at: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    }),
    body: 'file',
    answer: progress,
    summary: 'The next part of an own upload; one that is here already is answered as such.',
    async handle(call, { params, query: { at } }) {
      const { id, bytes } = await requireOwn(app.db.query, params.id, call)
      await using sent = await call.raw.file(PART_BYTES)
      // Smaller ones would cost a row and an object each.
      if (sent.bytes === 0 || sent.bytes !== Math.min(PART_BYTES, bytes - at))
        throw new Refused(refuse('part-misfit'), 'validation')
      const { upload, parts } = await readOwn(app.db.query, id, call)
      const before = receivedOf(upload, parts)
      const received = at === before ? await takePart(app, call, id, at, sent) : before
      if (at > received) throw new Refused(refuse('part-gap'), 'conflict', { detail: { id, received } })
      return { id, received }
    },
  })
}

/** How much is here afterwards: what another call brought meanwhile is not kept twice. */
async function takePart(app: App, call: Call<'session'>, id: string, at: number, sent: SentFile): Promise<number> {
  const stored = await app.files.take(sent, PART)
  const taken = await app.db.write(async tx => {
    const upload = await requireOwn(tx, id, call, 'locked')
    const received = receivedOf(upload, await partsOf(tx, id))
    if (at !== received) return { received, isNew: false }
    const part = { upload_id: id, at, bytes: sent.bytes, stored_id: stored.id }
    await tx.insertInto('upload_part').values(part).execute()
    return { received: received + sent.bytes, isNew: true }
  })
  if (!taken.isNew) await app.files.discard(stored.id)
  return taken.received
}

function completeRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/upload/:id/complete',
    access: 'session',
    texts,
    params: uploadParams,
    answer: uploadAnswer,
    summary: 'Makes a file of an own upload whose parts are all here; asked again, the same answer.',
    async handle(call, { params }) {
      const made = await app.turns.take(call.actor.id, () => makeWhole(app, call, params.id))
      const { id, name, type, bytes } = typeof made === 'string' ? await requireFile(app, made) : made
      return { id, name, type, bytes }
    },
  })
}

/** The file of these parts, or the id of the one that somebody else made of them first: on another instance, a moment ago. */
async function makeWhole(app: App, call: Call<'session'>, uploadId: string): Promise<Written | string> {
  const { upload, parts } = await readOwn(app.db.query, uploadId, call)
  if (upload.file_id !== null) return upload.file_id
  if (receivedOf(upload, parts) < upload.bytes) throw new Refused(refuse('parts-missing'))
  const purpose = upload.purpose as UploadPurpose
  let written: Written
  try {
    await using whole = await app.files.receive(Readable.from(contentOf(app, parts)))
    written = await writeJudged(app, await whole.read(), purpose, upload.name)
  } catch (error) {
    const { file_id: theirs } = await requireOwn(app.db.query, uploadId, call)
    if (theirs !== null) return theirs
    // What its content is will not change: nothing of it stays.
    if (error instanceof Refused && error.kind === 'validation') await forget(app, uploadId, parts)
    throw error
  }
  const winner = await app.db.write(async tx => {
    const { file_id: theirs } = await requireOwn(tx, uploadId, call, 'locked')
    if (theirs !== null) return theirs
    await keepUpload(app, tx, call, purpose, written)
    await tx.updateTable('upload').set({ file_id: written.id }).where('id', '=', uploadId).execute()
    await tx.deleteFrom('upload_part').where('upload_id', '=', uploadId).execute()
    return written
  })
  if (typeof winner === 'string') await app.files.discard(written.id)
  else for (const { stored_id: id } of parts) await app.files.discard(id)
  return winner
}

async function* contentOf(app: App, parts: Parts): AsyncIterable<Buffer> {
  for (const { stored_id: id } of parts) yield* await app.files.read(id)
}

type Where = Tx | App['db']['query']

const missing = () => new Refused(refuse('upload-missing'), 'not-found')

async function requireOwn(where: Where, id: string, { actor }: Call<'session'>, lock?: 'locked') {
  if (!isFileId(id)) throw missing()
  const query = where
    .selectFrom('upload')
    .select(['id', 'purpose', 'name', 'bytes', 'file_id'])
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
  const own = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!own) throw missing()
  return own
}

/** Its parts first: whoever ends an upload forgets them and names its file at once. */
async function readOwn(where: Where, id: string, call: Call<'session'>) {
  if (!isFileId(id)) throw missing()
  const parts = await partsOf(where, id)
  return { parts, upload: await requireOwn(where, id, call) }
}

const partsOf = (where: Where, id: string) =>
  where
    .selectFrom('upload_part')
    .select(['at', 'bytes', 'stored_id'])
    .where('upload_id', '=', id)
    .orderBy('at')
    .execute()
type Parts = Awaited<ReturnType<typeof partsOf>>

/** All of it, once it is a file. */
const receivedOf = (upload: { bytes: number; file_id: string | null }, parts: Parts): number =>
  upload.file_id === null ? parts.reduce((sum, { bytes }) => sum + bytes, 0) : upload.bytes

async function forget(app: App, id: string, parts: Parts): Promise<void> {
  await app.db.query.deleteFrom('upload').where('id', '=', id).execute()
  for (const { stored_id: part } of parts) await app.files.discard(part)
}

async function requireFile(app: App, id: string): Promise<StoredFile> {
  const file = await app.files.find(id)
  if (!file) throw missing()
  return file
}
