import * as z from 'zod'
import { can } from '#kit/model/actor.ts'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#kit/model/contract.ts'
import type { Language } from '#kit/model/language.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { record } from '../audit.ts'
import { TASK_FILE_LIFE_MS, TASK_PAGE } from '../file.ts'
import { FileAnswer, idParams, type Route, route } from '../route.ts'

const texts = 'kit/server/file'
const taskSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['EXPORT', 'IMPORT']),
  title: z.string(),
  state: z.enum(['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  doneRows: z.int(),
  /** 0 while nobody knows. */
  allRows: z.int(),
  error: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Until when its file can be fetched. */
  expiresAt: z.string().nullable(),
})
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
  cancelRoute(app),
  downloadRoute(app),
]

function listRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/task',
    access: 'session',
    texts,
    query: z.strictObject({ current: pageNumber.optional(), size: pageSize.optional() }),
    answer: z.strictObject({ records: z.array(taskSchema), total: z.int(), totalAt: z.string() }),
    summary: 'Own exports that became tasks, newest first.',
    async handle(call, { query }) {
      const { current = 1, size = DEFAULT_PAGE_SIZE } = query
      // Imports are seen on the page they were made on.
      const own = app.db.query.selectFrom('task').where('owner_id', '=', call.actor.id).where('kind', '=', 'EXPORT')
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
    answer: taskSchema,
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

function downloadRoute(app: App): Route {
  return route({
    method: 'GET',
    path: '/common/task/:id/download',
    access: 'session',
    texts,
    params: idParams,
    answer: 'file',
    summary: 'What an own task made, for seven days and while the right to it lasts.',
    async handle(call, { params }) {
      const task = await getOwn(app, params.id, call.actor.id)
      if (task.state !== 'DONE' || task.file_id === null || task.ended_at === null)
        throw new Refused(refuse('task-not-done'))
      if (call.now >= expiryOf(task.ended_at)) throw new Refused(refuse('task-file-expired'))
      const { screen } = task.request as { screen: string }
      const page = app.catalogue.slices.find(slice => slice.name === screen)?.resource?.screen.key
      if (page === undefined || !can(call.actor, page, 'export'))
        throw new Refused(refuse('kit:permission-missing'), 'permission')
      const file = await app.files.find(task.file_id)
      if (!file) throw new Refused(refuse('task-file-expired'))
      const content = await app.files.read(file.id)
      call.answerHeader('content-length', String(file.bytes))
      return new FileAnswer(file.name, file.type, content)
    },
  })
}

const COLUMNS = [
  'id',
  'kind',
  'title',
  'state',
  'done_rows',
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

function answerOf(app: App, task: Task, language: Language): z.infer<typeof taskSchema> {
  return {
    id: task.id,
    kind: task.kind,
    title: task.title,
    state: task.state,
    doneRows: task.done_rows,
    allRows: task.all_rows,
    error: task.error === null ? null : detailOf(app, language, JSON.parse(task.error) as Refusal),
    createdAt: task.created_at,
    startedAt: task.started_at,
    endedAt: task.ended_at,
    expiresAt: task.state === 'DONE' && task.ended_at !== null ? expiryOf(task.ended_at).toISOString() : null,
  }
}

/** Kept as a refusal and said when it is read, in the reader's language. */
function detailOf(app: App, language: Language, refusal: Refusal): string {
  const said = app.texts.refusal(language, texts, 'title-rule', refusal)
  return said.slice(said.indexOf(': ') + 2)
}
