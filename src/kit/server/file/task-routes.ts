import { sql } from 'kysely'
import * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#kit/model/contract.ts'
import type { Language } from '#kit/model/language.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import {
  MAX_MATCHING,
  TASK_ROWS_KEEP_DAYS,
  type Task as TaskAnswer,
  task as taskAnswer,
  taskRow,
} from '#kit/model/task.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { FileAnswer, idParams, type Route, route } from '../http/route.ts'
import { TASK_FILE_LIFE_MS, TASK_PAGE } from '../storage/file.ts'
import { inWords } from '../text/in-words.ts'
import { requireNoneUnderWay } from '../work/task-rows.ts'
import { exportTitle, harmless, watermarkOf } from './sheet.ts'
import { writeWorkbook } from './workbook.ts'

const texts = 'kit/server/file'
const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)
const pageSize = z.enum(PAGE_SIZES.map(String) as [string, ...string[]]).transform(Number)
const missing = () => new Refused(refuse('task-missing'), 'not-found')

/** A person's own tasks; to everybody else they do not exist. */
export const taskRoutes = (app: App): Route[] => [
  listRoute(app),
  detailRoute(app),
  rowsRoute(app),
  cancelRoute(app),
  resumeRoute(app),
  downloadRoute(app),
]

function listRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/task',
    access: 'session',
    texts,
    query: z.strictObject({ current: pageNumber.optional(), size: pageSize.optional() }),
    answer: z.strictObject({ records: z.array(taskAnswer), total: z.int(), totalAt: z.string() }),
    summary: 'Own long work, newest first.',
    async handle(call, { query }) {
      const { current = 1, size = DEFAULT_PAGE_SIZE } = query
      // Imports are seen on the page they were made on.
      const own = app.db.query.selectFrom('task').where('owner_id', '=', call.actor.id).where('kind', '<>', 'IMPORT')
      const [rows, { total }] = await Promise.all([
        own
          .select(COLUMNS)
          .orderBy('id', 'desc')
          .limit(size)
          .offset((current - 1) * size)
          .execute(),
        own.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
      ])
      return {
        records: rows.map(row => answerOf(app, row, call.language)),
        total: Number(total),
        totalAt: call.now.toISOString(),
      }
    },
  })
}

function detailRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/task/:id',
    access: 'session',
    texts,
    params: idParams,
    answer: taskAnswer,
    summary: 'One own task, with its progress.',
    handle: async (call, { params }) => answerOf(app, await getOwn(app, params.id, call.actor.id), call.language),
  })
}

function cancelRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/task/:id/cancel',
    access: 'session',
    texts,
    params: idParams,
    answer: z.null(),
    summary: 'Stops an own task that has not ended; one under way stops within a second or two.',
    async handle(call, { params }) {
      await app.db.write(async tx => {
        const stopped = await tx
          .updateTable('task')
          .set({ state: 'CANCELLED', ended_at: call.now })
          .where('id', '=', params.id)
          .where('owner_id', '=', call.actor.id)
          .where('state', 'in', ['WAITING', 'RUNNING'])
          .executeTakeFirst()
        if (stopped.numUpdatedRows > 0n)
          return record(tx, call, { page: TASK_PAGE, action: 'cancel', recordId: params.id })
        await getOwn(app, params.id, call.actor.id)
        throw new Refused(refuse('task-ended'))
      })
      return null
    },
  })
}

function resumeRoute(app: App): Route {
  return route({
    method: 'POST',
    path: '/common/task/:id/resume',
    access: 'session',
    texts,
    params: idParams,
    answer: z.null(),
    summary: 'Goes on with the rows an own task was stopped before; what is done stays done.',
    async handle(call, { params }) {
      const task = await getOwn(app, params.id, call.actor.id)
      await app.db.write(async tx => {
        await requireNoneUnderWay(tx, call.actor.id, 'STEPS')
        const resumed = await tx
          .updateTable('task')
          .set({ state: 'WAITING', ended_at: null, error: null, failures: 0 })
          .where('id', '=', task.id)
          .where('state', 'in', ['CANCELLED', 'FAILED'])
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('task_row').select('no').whereRef('task_id', '=', 'task.id').where('state', '=', 'WAITING'),
            ),
          )
          .executeTakeFirst()
        if (resumed.numUpdatedRows === 0n) throw new Refused(refuse('task-nothing-left', { days: TASK_ROWS_KEEP_DAYS }))
        await record(tx, call, { page: TASK_PAGE, action: 'resume', recordId: task.id })
      })
      app.tasks.wake()
      return null
    },
  })
}

function rowsRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/task/:id/rows',
    reads: false,
    access: 'session',
    texts,
    params: idParams,
    query: z.strictObject({ current: pageNumber.optional(), size: pageSize.optional() }),
    answer: z.strictObject({ records: z.array(taskRow), total: z.int(), totalAt: z.string() }),
    summary: 'What became of each row of an own task: what was refused first, then what is done, then what is left.',
    async handle(call, { params, query: { current = 1, size = DEFAULT_PAGE_SIZE } }) {
      const task = await getOwn(app, params.id, call.actor.id)
      const { screen, resource } = requireSeen(app, task, call.actor)
      const { rows, total } = await resultRows(app, task.id, size, (current - 1) * size)
      const mayOpen = can(call.actor, screen.key, 'detail')
      const records = rows.map(row => ({
        no: row.no,
        name: row.name,
        path: mayOpen ? `${screen.route}?open=${row.record_id}` : null,
        state: row.state,
        reason: reasonOf(app, call.language, resource, row),
      }))
      return { records, total, totalAt: call.now.toISOString() }
    },
  })
}

/** The screen whose records a task worked on, while its owner may still look there. */
function requireSeen(app: App, task: Task, actor: Actor) {
  const { screen: name } = task.request as { screen: string }
  const resource = app.catalogue.slices.find(slice => slice.name === name)?.resource
  if (!resource || !can(actor, resource.screen.key, 'list'))
    throw new Refused(refuse('kit:permission-missing'), 'permission')
  return { resource: resource.screen.name, screen: resource.screen }
}

const linkOrFile = z.strictObject({ url: z.string() }).meta({ orFile: XLSX_TYPE })

function downloadRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/task/:id/download',
    reads: false,
    access: 'session',
    texts,
    params: idParams,
    answer: linkOrFile,
    summary: 'What an own task made, for seven days and while the right to it lasts; or a link to it for five minutes.',
    async handle(call, { params }) {
      const task = await getOwn(app, params.id, call.actor.id)
      if (task.kind === 'STEPS') return resultSheet(app, call, task)
      if (task.state !== 'DONE' || task.file_id === null || task.ended_at === null)
        throw new Refused(refuse('task-not-done'))
      if (call.now >= expiryOf(task.ended_at)) throw new Refused(refuse('task-file-expired'))
      const { screen } = task.request as { screen: string }
      const page = app.catalogue.slices.find(slice => slice.name === screen)?.resource?.screen.key
      if (page === undefined || !can(call.actor, page, task.kind === 'PACK' ? 'print' : 'export'))
        throw new Refused(refuse('kit:permission-missing'), 'permission')
      const file = await app.files.find(task.file_id)
      if (!file) throw new Refused(refuse('task-file-expired'))
      const url = await app.files.directLink(file.id, call.now)
      if (url !== undefined) return { url }
      const content = await app.files.read(file.id)
      call.answerHeader('content-length', String(file.bytes))
      return new FileAnswer(file.name, file.type, content)
    },
  })
}

/** What became of each row, made from the rows when it is asked for: also of work that was stopped. */
async function resultSheet(app: App, call: Call<'session'>, task: Task): Promise<FileAnswer> {
  const { resource } = requireSeen(app, task, call.actor)
  if (call.now >= expiryOf(task.created_at)) throw new Refused(refuse('task-file-expired'))
  const { rows } = await resultRows(app, task.id, MAX_MATCHING, 0)
  const said = (namespace: string, key: string) => app.texts.text(call.language, namespace, key)
  const columns = [
    { header: said(resource, 'record'), width: 24 },
    { header: said(texts, 'row-result'), width: 14 },
    { header: said(texts, 'row-reason'), width: 60 },
  ]
  const lines = rows.map(row => [
    harmless(row.name),
    said(texts, `row.${row.state}`),
    harmless(reasonOf(app, call.language, resource, row) ?? ''),
  ])
  const watermark = watermarkOf(app, call.language, call.actor, call.now, call.requestId)
  const diff = { rows: [null, rows.length] } as const
  await record(app.db.query, call, { page: TASK_PAGE, action: 'download', recordId: task.id, diff })
  const title = titleOf(app, task, call.language)
  const content = writeWorkbook(title, columns, [...lines, [watermark]])
  return new FileAnswer(`${exportTitle(title, call.now)}.xlsx`, XLSX_TYPE, content)
}

/** In the order of the index, by which any page of ten thousand is near. */
const RESULT_ORDER = sql`case state when 'REFUSED' then 0 when 'DONE' then 1 else 2 end`

async function resultRows(app: App, taskId: string, limit: number, offset: number) {
  const own = app.db.query.selectFrom('task_row').where('task_id', '=', taskId)
  const [rows, { total }] = await Promise.all([
    own
      .select(['no', 'record_id', 'name', 'state', 'refusal'])
      .orderBy(RESULT_ORDER)
      .orderBy('no')
      .limit(limit)
      .offset(offset)
      .execute(),
    own.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

const reasonOf = (app: App, language: Language, namespace: string, { refusal }: { refusal: unknown }): string | null =>
  refusal === null ? null : inWords(app, language, namespace, refusal as Refusal)

const COLUMNS = [
  'id',
  'kind',
  'title',
  'state',
  'done_rows',
  'failed_rows',
  'all_rows',
  'request',
  'file_id',
  'error',
  'created_at',
  'started_at',
  'ended_at',
] as const

async function getOwn(app: App, id: string, ownerId: string) {
  const query = app.db.query.selectFrom('task').select(COLUMNS).where('id', '=', id).where('owner_id', '=', ownerId)
  const task = await query.executeTakeFirst()
  if (!task) throw missing()
  return task
}
type Task = Awaited<ReturnType<typeof getOwn>>

const expiryOf = (endedAt: string): Date => new Date(Date.parse(endedAt) + TASK_FILE_LIFE_MS)

/** Of steps in the reader's language; a file is called what it was called when it was made. */
function titleOf(app: App, { kind, title, request }: Task, language: Language): string {
  if (kind !== 'STEPS') return title
  const { screen, step } = request as { screen: string; step: string }
  return ['title', `step.${step}`].map(key => app.texts.text(language, screen, key)).join(' · ')
}

function answerOf(app: App, task: Task, language: Language): TaskAnswer {
  // Results of rows are there from the first row on; a file when it is made.
  const since = task.kind === 'STEPS' ? task.created_at : task.state === 'DONE' ? task.ended_at : null
  return {
    id: task.id,
    kind: task.kind,
    title: titleOf(app, task, language),
    state: task.state,
    doneRows: task.done_rows,
    failedRows: task.failed_rows,
    allRows: task.all_rows,
    error: task.error === null ? null : inWords(app, language, texts, JSON.parse(task.error) as Refusal),
    createdAt: task.created_at,
    startedAt: task.started_at,
    endedAt: task.ended_at,
    expiresAt: since === null ? null : expiryOf(since).toISOString(),
  }
}
