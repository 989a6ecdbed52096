import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { isImage, UPLOAD_PURPOSES, UPLOADS } from '#kit/model/upload.ts'
import { type Gate, requireAttempt } from '../access/gate.ts'
import type { App } from '../app.ts'
import { record } from '../change/audit.ts'
import { FileAnswer, type Route, route } from '../http/route.ts'
import { sees } from '../list/sees.ts'
import { readContent, safeName } from '../storage/content.ts'
import { isFileId, type StoredFile, TASK_PAGE } from '../storage/file.ts'

const DAILY_UPLOADS: Gate = { kind: 'upload', limit: 1_000, windowMs: 86_400_000 }
const texts = 'kit/server/file'
/** Any text: what is not the id of a file names none, and is told no more than that. */
const fileParams = z.strictObject({ id: z.string() })
const missing = () => new Refused(refuse('file-missing'), 'not-found')

export const fileRoutes = (app: App): Route[] => [uploadRoute(app), linkRoute(app), openRoute(app)]

function uploadRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/upload',
    access: 'session',
    texts,
    query: z.strictObject({ purpose: z.enum(UPLOAD_PURPOSES) }),
    body: 'file',
    answer: z.strictObject({ id: z.string(), name: z.string(), type: z.string(), bytes: z.int() }),
    summary: 'Stores one file; it stays when a record takes it within a day.',
    async handle(call, { query }) {
      const { types, maxBytes } = UPLOADS[query.purpose]
      await requireAttempt(app.db.query, DAILY_UPLOADS, call.actor.id, call.now)
      await using sent = await call.raw.file(maxBytes)
      const written = await app.turns.take(call.actor.id, async () => {
        const content = readContent(await sent.read())
        if (content === 'too-many-pixels') throw refusedFile('file-too-many-pixels')
        if (!content || !types.includes(content.type)) throw refusedFile('file-type-refused')
        return app.files.write(content.bytes, { name: safeName(sent.name, content.type), type: content.type })
      })
      const { id, name, type, bytes } = written
      await app.db.write(async tx => {
        await app.files.keep(tx, written, { purpose: query.purpose, ownerId: call.actor.id, now: call.now })
        const diff = { id: [null, id], name: [null, name], bytes: [null, bytes] } as const
        await record(tx, call, { page: 'file', action: 'upload', diff })
      })
      return { id, name, type, bytes }
    },
  })
}

const refusedFile = (code: string): Refused => onField('file', refuse(code))

function linkRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/file/:id/link',
    access: 'session',
    texts,
    params: fileParams,
    answer: z.strictObject({ url: z.string() }),
    summary: 'A link to a file for five minutes, for whoever sees the record it belongs to.',
    async handle(call, { params }) {
      const file = isFileId(params.id) ? await app.files.find(params.id) : undefined
      if (!file || !(await mayOpen(app, file, call.actor))) throw missing()
      return { url: await app.files.link(file.id, call.now) }
    },
  })
}

async function mayOpen(app: App, file: StoredFile, actor: Actor): Promise<boolean> {
  // The result of a task has a door of its own, which asks for the right and the age.
  if (file.page === TASK_PAGE) return false
  if (file.ownerId === actor.id) return true
  const resource = app.catalogue.slices.find(slice => slice.resource?.screen.key === file.page)?.resource
  return resource != null && file.recordId !== null && sees(app, resource, file.recordId, actor)
}

function openRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/file/:id',
    access: 'public',
    texts,
    params: fileParams,
    query: z.strictObject({ expires: z.string().regex(/^\d{13}$/), signature: z.string().regex(/^[0-9a-f]{64}$/) }),
    answer: 'file',
    summary: 'The file, by a signed link; pictures are shown, everything else is saved.',
    async handle(call, { params, query }) {
      if (!isFileId(params.id)) throw missing()
      if (!(await app.files.isSigned(params.id, Number(query.expires), query.signature, call.now))) {
        throw new Refused(refuse('link-expired'), 'permission')
      }
      const file = await app.files.find(params.id)
      if (!file) throw missing()
      const content = await app.files.read(file.id)
      call.answerHeader('content-security-policy', 'sandbox')
      call.answerHeader('x-content-type-options', 'nosniff')
      call.answerHeader('content-length', String(file.bytes))
      return new FileAnswer(file.name, file.type, content, isImage(file.type))
    },
  })
}
