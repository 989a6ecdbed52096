import { Readable } from 'node:stream'
import * as z from 'zod'
import { type Actor, can } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { RecordOf, Resource, Shape } from '#kit/model/resource.ts'
import { MAX_PACKED } from '#kit/model/task.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { callLater, type Errand, operate } from '../change/operation.ts'
import { lockRow } from '../change/step.ts'
import { readAsked } from '../change/to-do.ts'
import { run } from '../database/database.ts'
import { type Route, route } from '../http/route.ts'
import { type ListEngine, openList } from '../list/list.ts'
import type { ListQuery } from '../list/list-query.ts'
import type { Outcome, Runner, RunningTask } from '../work/task.ts'
import { requireNoneUnderWay } from '../work/task-rows.ts'
import { exportTitle } from './sheet.ts'
import { distinct, type ZipEntry, zipOf } from './zip.ts'

const ZIP_TYPE = 'application/zip'

/** Makes the paper of one record. */
export type Paper<Fields> = (row: Fields) => Promise<ZipEntry>
/** What a task that makes papers is asked for; whoever has a runner of its own (`app.packs`) may ask for more. */
export type PapersRequest = Errand & { readonly screen: string; readonly ids: readonly string[] }

export const PRINT_RIGHT_GONE = refuse('kit/server/file:pack-right-gone')

/** The task that makes the papers of these records as one file: one at a time for each person. */
export async function askForPapers<Wanted extends Omit<PapersRequest, keyof Errand>>(
  app: App,
  call: Call<{ page: string; action: string }>,
  wanted: Wanted,
  title: string,
): Promise<string> {
  const { actor, now, language, requestId, address } = call
  const request = { ...wanted, language, requestId, address }
  const taskId = await operate(app, call, async ({ tx }) => {
    await requireNoneUnderWay(tx, actor.id, 'PACK')
    return app.tasks.add(tx, { kind: 'PACK', title, ownerId: actor.id, request, rows: wanted.ids.length, now })
  })
  app.tasks.wake()
  return taskId
}

/** The papers of all records a filter matches as one file, made by a task: for whoever may print one of them. */
export function packRoutes<S extends Shape>(
  app: App,
  resource: Resource<S>,
  paper: Paper<RecordOf<Resource<S>>>,
): Route[] {
  const { name, key } = resource.screen
  const list = openList(resource, app.catalogue, app.db, app.counts)
  app.packs.set(name, task => pack(app, resource, paper, task))
  return [
    route({
      method: 'GET',
      path: `/${name}/pack`,
      texts: name,
      access: { page: key, action: 'print' },
      query: 'list',
      answer: z.strictObject({ taskId: z.string() }),
      summary: `The task that makes the papers of what the filter matches, ${MAX_PACKED} at most, as a ZIP.`,
      async handle(call) {
        const ids = await idsOf(app, list, await readAsked(app, resource, call.search, call.actor), call.actor)
        const title = exportTitle(app.texts.text(call.language, name, 'title'), call.now)
        return { taskId: await askForPapers(app, call, { screen: name, ids }, title) }
      },
    }),
  ]
}

async function idsOf(app: App, list: ListEngine, query: ListQuery, actor: Actor): Promise<string[]> {
  const { text, values } = list.all(query, actor)
  const found = await run(app.db.query, `select x.id from (${text}) x limit ${MAX_PACKED + 1}`, values)
  if (found.length === 0) throw new Refused(refuse('kit/server/file:pack-empty'))
  if (found.length > MAX_PACKED) throw new Refused(refuse('kit/server/file:pack-too-many', { max: MAX_PACKED }))
  return found.map(({ id }) => String(id))
}

export const packRunner =
  (app: App): Runner =>
  async task => {
    const run = app.packs.get((task.request as PapersRequest).screen)
    if (!run) throw new Refused(PRINT_RIGHT_GONE)
    return run(task)
  }

/** One paper after the other, each of a record its person may still see; what is out of reach by now is left out. */
async function pack<S extends Shape>(
  app: App,
  resource: Resource<S>,
  paper: Paper<RecordOf<Resource<S>>>,
  task: RunningTask,
): Promise<Outcome> {
  const request = task.request as PapersRequest
  const actor = await app.sessions.actor(task.ownerId)
  if (!actor || !can(actor, resource.screen.key, 'print')) throw new Refused(PRINT_RIGHT_GONE)
  const call = callLater(app, actor, request)
  const packed: string[] = []
  const read = (id: string) =>
    operate(app, call, op => lockRow(op, resource, id)).catch(error => {
      if (error instanceof Refused && error.kind === 'not-found') return undefined
      throw error
    })
  async function* papers(): AsyncGenerator<ZipEntry> {
    const named = distinct()
    for (const [at, id] of request.ids.entries()) {
      task.signal.throwIfAborted()
      const row = await read(id)
      task.progress(at + 1)
      if (!row) continue
      const { name, content } = await paper(row)
      packed.push(id)
      yield { name: named(name), content }
    }
  }
  const content = () => Readable.from(zipOf(papers(), call.now))
  const written = await app.files.write(content, { name: `${task.title}.zip`, type: ZIP_TYPE }, task.signal)
  return {
    rows: packed.length,
    fileId: written.id,
    async keep(tx) {
      await app.files.keep(tx, written, { purpose: 'export', ownerId: actor.id, now: call.now, taskId: task.id })
      // Each stands on paper in full now: its own timeline says so.
      for (const recordId of packed) await record(tx, call, { page: resource.screen.key, action: 'print', recordId })
    },
    discard: () => app.files.discard(written.id),
  }
}
