import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { isImage, isShown, UPLOAD_PURPOSES, UPLOADS } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { ask } from '../change/question.ts'
import { FileAnswer, type Part, type Route, route } from '../http/route.ts'
import { sees } from '../list/sees.ts'
import { isFileId, type StoredFile, TASK_PAGE } from '../storage/file.ts'
import { smallOf } from '../storage/small.ts'
import { type Shown, shownWith } from './shown-with.ts'
import { keepUpload, requireUploadsLeft, uploadAnswer, writeJudged } from './upload.ts'
import { uploadPartRoutes } from './upload-parts.ts'

const texts = 'kit/server/file'
/** Any text: what is not the id of a file names none, and is told no more than that. */
const fileParams = z.strictObject({ id: z.string() })
/** As many as a page of a list has rows. */
const MAX_LINKS = 100
/** As lists show pictures; without it, as they are. */
const size = z.literal('small').optional()
const missing = () => new Refused(refuse('file-missing'), 'not-found')

export const fileRoutes = (app: App): Route[] => [
  uploadRoute(app),
  ...uploadPartRoutes(app),
  linkRoute(app),
  linksRoute(app),
  openRoute(app),
]

function uploadRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/upload',
    access: 'session',
    texts,
    query: z.strictObject({ purpose: z.enum(UPLOAD_PURPOSES) }),
    body: 'file',
    answer: uploadAnswer,
    summary: 'Stores one file; it stays when a record takes it within a day.',
    async handle(call, { query: { purpose } }) {
      await requireUploadsLeft(app, call)
      await using sent = await call.raw.file(UPLOADS[purpose].maxBytes)
      const written = await app.turns.take(call.actor.id, async () =>
        writeJudged(app, await sent.read(), purpose, sent.name),
      )
      await app.db.write(tx => keepUpload(app, tx, call, purpose, written))
      const { id, name, type, bytes } = written
      return { id, name, type, bytes }
    },
  })
}

function linkRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/file/:id/link',
    reads: true,
    access: 'session',
    texts,
    params: fileParams,
    body: z.strictObject({ size }),
    answer: z.strictObject({ url: z.string(), small: z.string().optional() }),
    summary:
      'A link to a file for five minutes, for whoever sees the record it belongs to, and to a picture as lists show it.',
    async handle(call, { params, body }) {
      const file = isFileId(params.id) ? await app.files.find(params.id) : undefined
      if (!file || !(await mayOpen(app, file, call.actor))) throw missing()
      const url = await app.files.link(file.id, call.now)
      if (body.size === undefined || !isImage(file.type)) return { url }
      return { url, small: await app.files.link(await smallFor(app, call, file), call.now) }
    },
  })
}

/** The pictures of one page of a list, in one call: what the caller may not see, or is gone, is left out. */
function linksRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/file/links',
    reads: true,
    access: 'session',
    texts,
    body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_LINKS), size }),
    answer: z.record(z.string(), z.string()),
    summary:
      'Links to pictures for five minutes, by id, as they are or as lists show them, as far as the caller sees the records they belong to.',
    async handle(call, { body }) {
      const links: Record<string, string> = {}
      // One after the other: a page of pictures takes no more connections than anything else one person asks.
      for (const id of new Set(body.ids)) {
        const file = await app.files.find(id)
        if (!file || !isImage(file.type) || !(await mayOpen(app, file, call.actor))) continue
        links[id] = await app.files.link(body.size === 'small' ? await smallFor(app, call, file) : id, call.now)
      }
      return links
    },
  })
}

const smallFor = (app: App, { actor, now }: Call<'session'>, file: StoredFile): Promise<string> =>
  smallOf({ db: app.db, files: app.files, inTurn: work => app.turns.take(actor.id, work) }, file, now)

async function mayOpen(app: App, file: StoredFile, actor: Actor): Promise<boolean> {
  // The result of a task has a door of its own, which asks for the right and the age.
  if (file.page === TASK_PAGE) return false
  if (file.ownerId === actor.id) return true
  const { page, recordId } = file
  if (page === null || recordId === null) return false
  if (await seesRecord(app, { page, recordId }, actor)) return true
  for (const other of await ask(app, shownWith, file)) if (await seesRecord(app, other, actor)) return true
  return false
}

async function seesRecord(app: App, { page, recordId }: Shown, actor: Actor): Promise<boolean> {
  const resource = app.catalogue.slices.find(slice => slice.resource?.screen.key === page)?.resource
  return resource != null && sees(app, resource, recordId, actor)
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
    summary: 'The file or a part of it, by a signed link; pictures and films are shown, everything else is saved.',
    async handle(call, { params, query }) {
      if (!isFileId(params.id)) throw missing()
      if (!(await app.files.isSigned(params.id, Number(query.expires), query.signature, call.now))) {
        throw new Refused(refuse('link-expired'), 'permission')
      }
      const file = await app.files.find(params.id)
      if (!file) throw missing()
      const part = partAsked(call.header('range'), file.bytes)
      const content = await app.files.read(file.id, part)
      call.answerHeader('accept-ranges', 'bytes')
      call.answerHeader('content-security-policy', 'sandbox')
      call.answerHeader('x-content-type-options', 'nosniff')
      call.answerHeader('content-length', String(part ? part.last - part.first + 1 : file.bytes))
      return new FileAnswer(file.name, file.type, content, isShown(file.type), part)
    },
  })
}

/** The one part of a file a player asks for when somebody seeks; what we cannot read is answered with the whole (RFC 9110). */
export function partAsked(range: string | undefined, of: number): Part | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,12})-(\d{0,12})$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, of - Number(to)) : Number(from)
  const last = from === '' || to === '' ? of - 1 : Math.min(Number(to), of - 1)
  return first > last ? undefined : { first, last, of }
}
