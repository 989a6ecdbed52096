import * as z from 'zod'
import { isOptional } from '#kit/model/field.ts'
import { type Refusal, Refused, refuse, refusedFields } from '#kit/model/refusal.ts'
import { XLSX_TYPE } from '#kit/model/upload.ts'
import type { App } from '../app.ts'
import { requireOffered } from '../change/given.ts'
import type { Operation } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'
import { untilStalled } from '../file/export.ts'
import { exportTitle } from '../file/sheet.ts'
import { FileAnswer, idParams, type Route, route } from '../http/route.ts'
import {
  answerOf,
  BATCH_COLUMNS,
  batches,
  batchSchema,
  faultSchema,
  faultsOf,
  fileOf,
  getBatch,
  getOwnBatch,
  type ImportRequest,
  isBatchWorking,
  type LockedBatch,
  lockBatch,
  type Phase,
  stateOf,
} from './batch.ts'
import { inRow, type Mapping } from './cells.ts'
import type { Asks, Import, RowError, Said } from './definition.ts'
import { MAX_COLUMNS } from './reading.ts'
import { type ImportCall, type Served, texts } from './served.ts'
import { uploadRoute } from './upload-route.ts'
import { errorWorkbook, templateOf } from './workbook.ts'

const SHOWN = 10
const done = z.null()
const pageNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)

/** The way of a file: sent, its columns named, checked, looked at, applied, and taken back while untouched. */
export const importRoutes = (app: App, imports: readonly Import[]): Route[] =>
  imports.flatMap(definition => {
    const { name, key } = definition.screen
    const served = { app, definition, path: `/${name}/import`, access: { page: key, action: 'import' } }
    return [
      offerRoute(served),
      templateRoute(served),
      uploadRoute(served),
      detailRoute(served),
      checkRoute(served),
      rowsRoute(served),
      runRoute(served),
      errorsRoute(served),
      ...(definition.undo ? [undoRoute(served)] : []),
    ]
  })

function offerRoute({ app, definition, path, access }: Served): Route {
  const columns = Object.entries(definition.columns).map(([field, schema]) => ({
    field,
    isRequired: !isOptional(schema) && !schema.safeParse('').success,
  }))
  return route({
    method: 'GET',
    path,
    texts,
    access,
    query: z.strictObject({ current: pageNumber.optional() }),
    answer: z.strictObject({
      columns: z.array(z.strictObject({ field: z.string(), isRequired: z.boolean() })),
      canUndo: z.boolean(),
      records: z.array(batchSchema),
      total: z.int(),
    }),
    summary: 'What may be brought in here, and what was, newest first.',
    async handle(call, { query: { current = 1 } }) {
      // What was checked concerns its owner; what was never checked, nobody: it is gone tomorrow.
      const earlier = batches(app, definition.screen.key).where(eb =>
        eb.or([
          eb('b.status', 'in', ['RUNNING', 'DONE', 'UNDONE']),
          eb.and([eb('b.status', '=', 'CHECKED'), eb('b.staff_id', '=', call.actor.id)]),
        ]),
      )
      const [rows, { total }] = await Promise.all([
        earlier
          .select(BATCH_COLUMNS)
          .orderBy('b.id', 'desc')
          .limit(SHOWN)
          .offset((current - 1) * SHOWN)
          .execute(),
        earlier.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
      ])
      const records = rows.map(row => answerOf(app, definition, row, call))
      return { columns, canUndo: definition.undo !== undefined, records, total: Number(total) }
    },
  })
}

function templateRoute({ app, definition, path, access }: Served): Route {
  return route({
    method: 'GET',
    path: `${path}/template`,
    texts,
    access,
    answer: 'file',
    summary: 'An empty sheet with the heads that are understood.',
    async handle(call) {
      const title = app.texts.text(call.language, definition.screen.name, 'title')
      return new FileAnswer(`${title}.xlsx`, XLSX_TYPE, templateOf(app, call.language, definition))
    },
  })
}

function detailRoute({ app, definition, path, access }: Served): Route {
  return route({
    method: 'GET',
    path: `${path}/:id`,
    texts,
    access,
    params: idParams,
    answer: batchSchema,
    summary: 'One import, with its progress.',
    handle: async (call, { params }) => answerOf(app, definition, await getBatch(app, definition, params.id), call),
  })
}

function checkRoute(served: Served): Route {
  const { app, definition, path, access } = served
  const { asks } = definition
  const column = z
    .int()
    .min(0)
    .max(MAX_COLUMNS - 1)
  const fields = Object.keys(definition.columns).map(field => [field, column.optional()] as const)
  return route({
    method: 'POST',
    path: `${path}/:id/check`,
    texts,
    access,
    params: idParams,
    body: () =>
      z.strictObject({
        mapping: z.strictObject(Object.fromEntries(fields)),
        ...(asks ? { said: z.strictObject(asks.shape) } : {}),
      }),
    answer: done,
    summary: 'Checks every row of the file, with these columns and what is said of the whole file.',
    handle: (call, { params, body }) =>
      begin(served, call, params.id, 'CHECK', async (tx, batch) => {
        if (batch.status !== 'UPLOADED' && batch.status !== 'CHECKED') throw new Refused(refuse('import-begun'))
        const mapping = requireMapping(definition, body.mapping as Record<string, number | undefined>)
        const said = (body as { readonly said?: Said }).said ?? {}
        if (asks) await requireSaid({ app, tx, actor: call.actor, now: call.now, call }, definition, asks, said)
        const unchecked = { status: 'UPLOADED', all_rows: 0, good_rows: 0, bad_rows: 0 } as const
        const set = { ...unchecked, mapping: JSON.stringify(mapping), said: JSON.stringify(said) }
        await tx.updateTable('import_batch').set(set).where('id', '=', batch.id).execute()
      }),
  })
}

/** What is said of the whole file names what is on offer, and leaves nothing out that belongs to it. */
async function requireSaid(op: Operation, { screen }: Import, { shape, refuse: whyNot }: Asks, said: Said) {
  try {
    await requireOffered(op, { page: screen.key, shape }, said)
  } catch (error) {
    throw error instanceof Refused && error.fields ? refusedOf(error.fields) : error
  }
  const fields = Object.entries(whyNot?.(said) ?? {}).map(([field, refusal]) => [field, inOwnWords(screen, refusal)])
  if (fields.length > 0) throw refusedOf(Object.fromEntries(fields))
}

/** The slice refuses in words of its own, at a call of the kit's. */
const inOwnWords = ({ name }: Import['screen'], { code, ...refusal }: Refusal): Refusal => ({
  ...refusal,
  code: code.includes(':') ? code : `${name}:${code}`,
})

/** By its place in what was sent: a column of the file may have the same name. */
const refusedOf = (fields: Readonly<Record<string, Refusal>>): Refused =>
  refusedFields(
    Object.fromEntries(Object.entries(fields).map(([field, refusal]) => [`said.${field}`, refusal])),
    'validation',
  )

/** Every field that must be filled has a column, and no column is two fields. */
function requireMapping({ columns }: Import, given: Readonly<Record<string, number | undefined>>): Mapping {
  const mapping: Record<string, number> = {}
  const fields: Record<string, Refusal> = {}
  for (const [field, schema] of Object.entries(columns)) {
    const column = given[field]
    if (column === undefined) {
      if (!isOptional(schema) && !schema.safeParse('').success) fields[field] = refuse('column-missing')
    } else if (Object.values(mapping).includes(column)) fields[field] = refuse('column-twice')
    else mapping[field] = column
  }
  const [first] = Object.values(fields)
  if (first) throw new Refused(first, 'validation', { fields })
  return mapping
}

function rowsRoute({ app, definition, path, access }: Served): Route {
  return route({
    method: 'GET',
    path: `${path}/:id/rows`,
    texts,
    access,
    params: idParams,
    query: z.strictObject({ kind: z.enum(['good', 'bad']), current: pageNumber.optional() }),
    answer: z.strictObject({
      head: z.array(z.string()),
      records: z.array(z.strictObject({ no: z.int(), cells: z.array(z.string()), faults: z.array(faultSchema) })),
    }),
    summary: 'Ten rows of an own import: those that can be taken, or those that cannot and why.',
    async handle(call, { params, query: { kind, current = 1 } }) {
      const batch = await getOwnBatch(app, definition, params.id, call.actor.id)
      const file = fileOf(batch)
      const said = faultsOf(app, call.language, definition, file)
      const rows = await app.db.query
        .selectFrom('import_row')
        .select(['row_no', 'cells', 'error'])
        .where('batch_id', '=', batch.id)
        .where('status', 'in', kind === 'good' ? ['GOOD'] : ['BAD', 'FAILED'])
        .orderBy('row_no')
        .limit(SHOWN)
        .offset((current - 1) * SHOWN)
        .execute()
      const records = rows.map(row => ({
        no: row.row_no,
        cells: (row.cells as string[]).map(inRow),
        faults: said((row.error as RowError[] | null) ?? []),
      }))
      return { head: [...file.head], records }
    },
  })
}

function runRoute(served: Served): Route {
  const { path, access } = served
  return route({
    method: 'POST',
    path: `${path}/:id/run`,
    texts,
    access,
    params: idParams,
    answer: done,
    summary: 'Applies the good rows; one that was broken off goes on where it stopped.',
    handle: (call, { params }) =>
      begin(served, call, params.id, 'RUN', async (tx, batch) => {
        if (batch.status !== 'CHECKED' && batch.status !== 'RUNNING') throw new Refused(refuse('import-not-checked'))
        if (batch.good_rows === 0) throw new Refused(refuse('nothing-good'))
        await tx.updateTable('import_batch').set({ status: 'RUNNING' }).where('id', '=', batch.id).execute()
      }),
  })
}

function undoRoute(served: Served): Route {
  const { definition, path } = served
  return route({
    method: 'POST',
    path: `${path}/:id/undo`,
    texts,
    access: { page: definition.screen.key, action: 'undoImport' },
    params: idParams,
    answer: done,
    summary: 'Takes all rows of an import back, if none of their records was touched since.',
    handle: (call, { params }) =>
      begin(served, call, params.id, 'UNDO', async (tx, batch) => {
        if (batch.status !== 'DONE' && batch.status !== 'RUNNING') throw new Refused(refuse('nothing-to-undo'))
        if (batch.done_rows === 0) throw new Refused(refuse('nothing-to-undo'))
        const kept = tx.selectFrom('import_chunk').select('last_row').where('batch_id', '=', batch.id).limit(1)
        if (!(await kept.executeTakeFirst())) throw new Refused(refuse('rows-gone'))
        // One that was broken off ends here: what it did not do stays undone.
        await tx.updateTable('import_batch').set({ status: 'DONE' }).where('id', '=', batch.id).execute()
      }),
  })
}

/** Gives the batch to a task, unless one has it already. Own ones only, but for taking back, which is a right of its own. */
async function begin(
  { app, definition }: Served,
  call: ImportCall,
  id: string,
  phase: Phase,
  prepare: (tx: Tx, batch: LockedBatch) => Promise<void>,
): Promise<null> {
  const { actor, now, language, requestId, address } = call
  const { name, key } = definition.screen
  if (phase !== 'UNDO') await getOwnBatch(app, definition, id, actor.id)
  await app.db.write(async tx => {
    const batch = await lockBatch(tx, key, id)
    if (await isBatchWorking(tx, batch)) throw new Refused(refuse('import-under-way'))
    await prepare(tx, batch)
    const request: ImportRequest = { screen: name, batchId: id, phase, language, requestId, address }
    const task = { kind: 'IMPORT', title: batch.title, ownerId: actor.id, request, rows: batch.good_rows, now } as const
    const taskId = await app.tasks.add(tx, task)
    await tx.updateTable('import_batch').set({ task_id: taskId }).where('id', '=', id).execute()
  })
  app.tasks.wake()
  return null
}

function errorsRoute({ app, definition, path, access }: Served): Route {
  return route({
    method: 'GET',
    path: `${path}/:id/errors`,
    reads: false,
    texts,
    access,
    params: idParams,
    answer: 'file',
    summary:
      'The rows of an own import that were not taken, with their numbers, the columns at fault and the reasons, as xlsx.',
    async handle(call, { params }) {
      const batch = await getOwnBatch(app, definition, params.id, call.actor.id)
      const { content, close } = await errorWorkbook(app, call.language, definition, {
        ...{ id: batch.id, ...fileOf(batch) },
        runTo: stateOf(batch) === 'STOPPED' ? batch.run_to : null,
      })
      const title = exportTitle(app.texts.text(call.language, texts, 'error-sheet'), call.now)
      return new FileAnswer(`${title}.xlsx`, XLSX_TYPE, untilStalled(content, close))
    },
  })
}
