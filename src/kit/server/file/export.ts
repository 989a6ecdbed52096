import { pipeline, type Readable, Transform } from 'node:stream'
import { sql } from 'kysely'
import * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { EXPORT_TASK_ROWS } from '#kit/model/contract.ts'
import type { Language } from '#kit/model/language.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import type { Errand } from '../change/operation.ts'
import { readAsked } from '../change/to-do.ts'
import { openRows, type Rows } from '../database/cursor.ts'
import type { Row, Tx } from '../database/database.ts'
import { FileAnswer, type Route, route } from '../http/route.ts'
import { type ListEngine, openList } from '../list/list.ts'
import type { ListQuery } from '../list/list-query.ts'
import type { ReadRow } from '../list/select.ts'
import type { Runner } from '../work/task.ts'
import { exportTitle, sheetOf, watermarkOf, workbookOf } from './sheet.ts'

/** How many exports one instance makes at once; each holds a connection and a part of a core. */
export const EXPORTS_AT_ONCE = 2
/** A reader that takes nothing for this long is gone, whatever its connection says. */
const STALLED_MS = 60_000

type ExportCall = Call<{ page: string; action: string }>
/** What a task needs to make the same export later, with the rights its person has then. */
type ExportRequest = Errand & Pick<Call, 'search'> & { readonly screen: string }
type Wanted = {
  resource: Resource
  query: ListQuery
  list: ListEngine
  language: Language
  actor: Actor
  now: Date
  requestId: string
  /** What has to be added to the rows as they were read. */
  finish?: (rows: ReadRow[]) => Promise<ReadRow[]>
}

const taskOrFile = z.strictObject({ taskId: z.string() }).meta({ orFile: XLSX_TYPE })

/** What the filter matches as a sheet: by the list's own engine, so that rows, scope and masks are the list's. */
export function exportRoutes(app: App, resource: Resource, list: ListEngine): Route[] {
  const { name, key } = resource.screen
  return [
    route({
      method: 'GET',
      path: `/${name}/download`,
      texts: name,
      access: { page: key, action: 'export' },
      query: 'list',
      answer: taskOrFile,
      summary: `The rows the filter matches as xlsx; above ${EXPORT_TASK_ROWS} rows, the task that makes it.`,
      async handle(call) {
        const query = await readAsked(app, resource, call.search, call.actor)
        const rows = await countOf(list, query, call.actor)
        if (rows === undefined || rows > EXPORT_TASK_ROWS)
          return { taskId: await askForTask(app, resource, call, rows ?? 0) }
        return exportNow(app, { resource, query, list, ...call }, call, rows)
      },
    }),
  ]
}

/** The rows of a list that is made for one caller and cannot be asked for again by a task; too many of them are refused. */
export async function exportAtOnce(app: App, wanted: Wanted, call: ExportCall): Promise<FileAnswer> {
  const rows = await countOf(wanted.list, wanted.query, wanted.actor)
  if (rows === undefined || rows > EXPORT_TASK_ROWS) throw new Refused(refuse('kit:narrow-the-filter'))
  return exportNow(app, wanted, call, rows)
}

/** Nothing when there are too many to count in time: that is certainly work for a task. */
async function countOf(list: ListEngine, query: ListQuery, actor: Actor): Promise<number | undefined> {
  try {
    return (await list.total(query, actor)).total
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'kit:narrow-the-filter') return undefined
    throw error
  }
}

async function exportNow(app: App, wanted: Wanted, call: ExportCall, rows: number): Promise<FileAnswer> {
  const { resource, actor, now } = wanted
  if (!app.exports.take()) throw tooMany('exports-busy')
  let source: Rows | undefined
  const release = async () => {
    app.exports.free()
    await source?.close()
  }
  try {
    source = await openRows(app.db)
    if (!(await source.lock(lockOf(actor))) || (await hasTask(app.db.query, actor))) throw tooMany('export-under-way')
    const { title, content } = await openExport(app, wanted, source)
    // Before the first byte leaves: no export goes unseen because its reader hung up.
    await record(app.db.query, call, entryOf(resource, rows, call.search))
    return new FileAnswer(`${exportTitle(title, now)}.xlsx`, XLSX_TYPE, untilStalled(content(), release))
  } catch (error) {
    await release()
    throw error
  }
}

type Opened = { readonly title: string; content(): Readable }

async function openExport(app: App, wanted: Wanted, source: Rows, counted?: (rows: number) => void): Promise<Opened> {
  const { resource, query, list, language, actor, now, requestId, finish } = wanted
  const sheet = await sheetOf(app, resource, language)
  const { text, values, read } = list.all(query, actor)
  const batches = readBatches(await source.read(text, values), read, finish, counted)
  const watermark = watermarkOf(app, language, actor, now, requestId)
  return { title: sheet.title, content: () => workbookOf(sheet, batches, watermark) }
}

async function* readBatches(
  batches: AsyncIterable<Row[]>,
  read: (row: Row) => ReadRow,
  finish: Wanted['finish'],
  counted?: (rows: number) => void,
): AsyncGenerator<ReadRow[]> {
  let count = 0
  for await (const batch of batches) {
    count += batch.length
    counted?.(count)
    const rows = batch.map(read)
    yield finish ? await finish(rows) : rows
  }
}

/** Passes the bytes on and ends with them: when they are all taken, when the reader leaves, or when it stops taking. */
export function untilStalled(content: Readable, ended: () => Promise<void>, stalledMs = STALLED_MS): Readable {
  let ending: Promise<void> | undefined
  const end = () => {
    clearTimeout(stalled)
    ending ??= ended()
    return ending
  }
  const passed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      stalled.refresh()
      done(null, chunk)
    },
    // Before the reader learns of the end: it may ask for the next export at once.
    flush: done => void end().then(() => done(), done),
  })
  const stalled = setTimeout(() => passed.destroy(new Error('nobody reads the export')), stalledMs)
  pipeline(content, passed, () => void end().catch(() => {}))
  return passed
}

const tooMany = (code: string): Refused => new Refused(refuse(`kit/server/file:${code}`), 'too-many')
/** One export a person, on whatever instance, at once or by task. */
const lockOf = (actor: Actor): string => `export:${actor.id}`

const hasTask = async (where: Tx | App['db']['query'], actor: Actor): Promise<boolean> =>
  (await where
    .selectFrom('task')
    .select('id')
    .where('owner_id', '=', actor.id)
    .where('kind', '=', 'EXPORT')
    .where('state', 'in', ['WAITING', 'RUNNING'])
    .executeTakeFirst()) !== undefined

const entryOf = (resource: Resource, rows: number, search: Call['search']) => ({
  page: resource.screen.key,
  action: 'export',
  diff: { rows: [null, rows], filter: [null, search] } as const,
})

async function askForTask(app: App, resource: Resource, call: ExportCall, rows: number): Promise<string> {
  const { actor, now, search, language, requestId, address } = call
  const request: ExportRequest = { screen: resource.screen.name, search, language, requestId, address }
  const title = exportTitle(app.texts.text(language, resource.screen.name, 'title'), now)
  const id = await app.db.write(async tx => {
    const lock = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(hashtextextended(${lockOf(actor)}, 0)) as mine`.execute(tx)
    if (lock.rows[0]?.mine !== true || (await hasTask(tx, actor))) throw tooMany('export-under-way')
    return app.tasks.add(tx, { kind: 'EXPORT', title, ownerId: actor.id, request, rows, now })
  })
  app.tasks.wake()
  return id
}

/** Makes the export a task asks for: as its person, with the rights and the scope of this moment. */
export const exportRunner =
  (app: App): Runner =>
  async task => {
    const request = task.request as ExportRequest
    const actor = await app.sessions.actor(task.ownerId)
    const resource = app.catalogue.slices.find(slice => slice.name === request.screen)?.resource
    if (!actor || !resource || !can(actor, resource.screen.key, 'export'))
      throw new Refused(refuse('kit/server/file:task-right-gone'))
    const list = openList(resource, app.catalogue, app.db, app.counts)
    const now = app.clock.now()
    const wanted: Wanted = {
      ...request,
      resource,
      list,
      actor,
      now,
      query: await readAsked(app, resource, request.search, actor),
    }
    let rows = 0
    await app.exports.wait(task.signal)
    const source = await openRows(app.db).catch(error => {
      app.exports.free()
      throw error
    })
    try {
      const { content } = await openExport(app, wanted, source, count => {
        rows = count
        task.progress(count)
      })
      const written = await app.files.write(content, { name: `${task.title}.xlsx`, type: XLSX_TYPE }, task.signal)
      const about = { purpose: 'export', ownerId: actor.id, now, taskId: task.id }
      return {
        rows,
        fileId: written.id,
        async keep(tx) {
          await app.files.keep(tx, written, about)
          await record(tx, { ...request, actor, now }, entryOf(resource, rows, request.search))
        },
        discard: () => app.files.discard(written.id),
      }
    } finally {
      app.exports.free()
      await source.close()
    }
  }
