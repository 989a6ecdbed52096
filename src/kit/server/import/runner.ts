import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Actor, can } from '#kit/model/actor.ts'
import { MAX_IMPORT_ROWS } from '#kit/model/import.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { record } from '../change/audit.ts'
import { callLater, type Operation } from '../change/operation.ts'
import { constraintOf, sqlState, type Tx } from '../database/database.ts'
import type { Outcome, Runner, RunningTask } from '../work/task.ts'
import { type ImportRequest, type LockedBatch, lockBatch } from './batch.ts'
import { lockFile, rowsImportedBefore } from './before.ts'
import { type RowReading, rowReader } from './cells.ts'
import type { Import, ImportedBatch, ImportRow, RowError } from './definition.ts'
import { type FileRow, formatOf, readRows } from './reading.ts'

/** Does what a task asks for with a batch: as its person, with the rights of this moment. */
export const importRunner =
  (app: App, imports: readonly Import[]): Runner =>
  async task => {
    const request = task.request as ImportRequest
    const definition = imports.find(({ screen }) => screen.name === request.screen)
    if (!definition) throw new Refused(refuse('kit/server/import:right-gone'))
    const work: Work = { app, task, request, definition }
    if (request.phase === 'CHECK') return checkRows(work)
    return request.phase === 'RUN' ? applyRows(work) : undoRows(work)
  }

type Work = {
  readonly app: App
  readonly task: RunningTask
  readonly request: ImportRequest
  readonly definition: Import
}

async function requireActor({ app, task, request, definition }: Work): Promise<Actor> {
  const actor = await app.sessions.actor(task.ownerId)
  if (!actor || !can(actor, definition.screen.key, request.phase === 'UNDO' ? 'undoImport' : 'import'))
    throw new Refused(refuse('kit/server/import:right-gone'))
  return actor
}

/** The batch, unless another task has been given it meanwhile. */
async function lockOwn(tx: Tx, { task, request, definition }: Work): Promise<LockedBatch> {
  const batch = await lockBatch(tx, definition.screen.key, request.batchId)
  if (batch.task_id !== task.id) throw new Refused(refuse('kit/server/import:import-under-way'))
  return batch
}

const outcome = (rows: number, keep: Outcome['keep'] = async () => {}): Outcome => ({
  rows,
  fileId: null,
  keep,
  discard: async () => {},
})

const IMPORTED: RowError = refuse('kit/server/import:row-imported')

type Judged = { readonly no: number; readonly cells: readonly string[]; readonly errors: readonly RowError[] }

/** Reads the file anew and judges every row; what an earlier try left behind goes first. */
async function checkRows(work: Work): Promise<Outcome> {
  const { app, task, request } = work
  const actor = await requireActor(work)
  const batch = await app.db.write(async tx => {
    const own = await lockOwn(tx, work)
    await tx.deleteFrom('import_row').where('batch_id', '=', own.id).execute()
    return own
  })
  const bytes = await buffer(await app.files.read(batch.file_id))
  const format = formatOf(bytes)
  const judge = await judgeOf(work, actor, batch)
  const imported = await app.db.write(tx => rowsImportedBefore(tx, batch))
  let [all, bad, isHead] = [0, 0, true]
  // The head, and one row too many to know of it.
  for await (const rows of readRows(bytes, format, MAX_IMPORT_ROWS + 2)) {
    task.signal.throwIfAborted()
    const fresh = await judge(isHead ? rows.slice(1) : rows)
    const judged = fresh.map(row => (imported.has(row.no) ? { ...row, errors: [IMPORTED] } : row))
    isHead = false
    all += judged.length
    bad += judged.filter(({ errors }) => errors.length > 0).length
    if (all > MAX_IMPORT_ROWS) throw new Refused(refuse('kit/server/import:too-many-rows', { max: MAX_IMPORT_ROWS }))
    await keepRows(app, request.batchId, judged)
    task.progress(all)
  }
  if (all === 0) throw new Refused(refuse('kit/server/import:file-empty'))
  return outcome(all, async tx => {
    const counts = { all_rows: all, good_rows: all - bad, bad_rows: bad }
    await tx
      .updateTable('import_batch')
      .set({ status: 'CHECKED', ...counts })
      .where('id', '=', batch.id)
      .execute()
  })
}

/** Judges rows by their cells, by the rows before them and by what the slice knows. */
async function judgeOf({ app, definition, request }: Work, actor: Actor, { mapping }: LockedBatch) {
  const read = await rowReader(app, definition, mapping)
  const seen = new Map(definition.unique.map(field => [field, new Map<unknown, number>()]))
  const twice = ({ no, values }: ImportRow): RowError[] =>
    [...seen].flatMap(([field, rows]) => {
      const first = rows.get(values[field])
      if (values[field] !== null && first === undefined) rows.set(values[field], no)
      return first === undefined ? [] : [{ ...refuse('kit/server/import:row-twice', { row: first }), field }]
    })
  return async (rows: readonly FileRow[]): Promise<Judged[]> => {
    const readings = rows.map(({ no, cells }) => read(no, cells))
    const readable = readings.flatMap(reading => (reading.errors ? [] : [reading.row]))
    const call = callLater(app, actor, request)
    const refused =
      readable.length > 0 ? await definition.check?.({ app, actor, now: call.now, call }, readable) : undefined
    const errorsOf = (reading: RowReading): readonly RowError[] => {
      if (reading.errors) return reading.errors
      return [...twice(reading.row), ...[refused?.get(reading.row.no) ?? []].flat()]
    }
    return rows.map(({ no, cells }, at) => ({ no, cells, errors: errorsOf(readings[at] as RowReading) }))
  }
}

async function keepRows(app: App, batchId: string, rows: readonly Judged[]): Promise<void> {
  const kept = rows.map(({ no, cells, errors }) => ({ no, cells, error: errors.length > 0 ? errors : null }))
  await sql`
    insert into import_row (batch_id, row_no, cells, status, error)
    select ${batchId}, r.no, r.cells, case when r.error is null then 'GOOD' else 'BAD' end, r.error
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r (no int, cells jsonb, error jsonb)`.execute(
    app.db.query,
  )
}

/** A chunk for each transaction. What was done is marked in the transaction that did it: nothing is ever done twice. */
async function applyRows(work: Work): Promise<Outcome> {
  const { app, task, request, definition } = work
  const { mapping, ...own } = await app.db.write(tx => lockOwn(tx, work))
  const read = await rowReader(app, definition, mapping)
  const batch = await importedBatch(app, own)
  const table = app.catalogue.slices.find(({ name }) => name === request.screen)?.resource?.table
  let seen: number
  do {
    task.signal.throwIfAborted()
    const actor = await requireActor(work)
    const chunk = await app.db.write(tx => applyChunk(operation(work, tx, actor), work, read, batch))
    if (table !== undefined) app.counts.drop(table)
    seen = chunk.seen
    task.progress(chunk.all)
  } while (seen > 0)
  const actor = await requireActor(work)
  return outcome(await rowsOf(app, request.batchId), async tx => {
    const { now, call } = operation(work, tx, actor)
    const ended = await tx
      .updateTable('import_batch')
      .set({ status: 'DONE', ended_at: now })
      .where('id', '=', request.batchId)
      .returning(['title', 'done_rows', 'failed_rows', 'bad_rows'])
      .executeTakeFirstOrThrow()
    const diff = {
      batch: [null, request.batchId],
      file: [null, ended.title],
      rows: [null, ended.done_rows],
      refused: [null, ended.failed_rows + ended.bad_rows],
    } as const
    await record(tx, call, { page: definition.screen.key, action: 'import', diff })
  })
}

const rowsOf = async (app: App, id: string): Promise<number> => {
  const batch = app.db.query.selectFrom('import_batch').select(['done_rows', 'failed_rows']).where('id', '=', id)
  const { done_rows, failed_rows } = await batch.executeTakeFirstOrThrow()
  return done_rows + failed_rows
}

async function importedBatch(
  { db }: App,
  { id, title, said }: Pick<LockedBatch, 'id' | 'title' | 'said'>,
): Promise<ImportedBatch> {
  const { rows } = await sql<{ code: string; count: number }>`
    select error -> 0 ->> 'code' as code, count(*)::int as count from import_row
    where batch_id = ${id} and status = 'BAD' group by 1`.execute(db.query)
  const { all_rows: allRows } = await db.query
    .selectFrom('import_batch')
    .select('all_rows')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, title, said, allRows, refused: Object.fromEntries(rows.map(({ code, count }) => [code, count])) }
}

type Refusals = { readonly no: number; readonly error: readonly RowError[] }[]

async function applyChunk(
  op: Operation,
  work: Work,
  read: (no: number, cells: readonly string[]) => RowReading,
  told: ImportedBatch,
): Promise<{ seen: number; all: number }> {
  const batch = await lockOwn(op.tx, work)
  const rows = await op.tx
    .selectFrom('import_row')
    .select(['row_no as no', 'cells'])
    .where('batch_id', '=', batch.id)
    .where('status', '=', 'GOOD')
    .where('row_no', '>', batch.run_to)
    .orderBy('row_no')
    .limit(work.definition.chunk)
    .execute()
  const last = rows.at(-1)?.no
  if (last === undefined) return { seen: 0, all: batch.done_rows + batch.failed_rows }
  await lockFile(op.tx, batch)
  const imported = await rowsImportedBefore(op.tx, batch, batch.run_to, last)
  const refused: Refusals = []
  const good: ImportRow[] = []
  for (const { no, cells } of rows) {
    const reading = imported.has(no) ? { errors: [IMPORTED] } : read(no, cells as string[])
    if (reading.errors) refused.push({ no, error: reading.errors })
    else good.push(reading.row)
  }
  const records = await applyInHalves(op, work.definition, good, { refused, told })
  if (refused.length > 0) await keepRefusals(op.tx, batch.id, refused)
  const chunk = { batch_id: batch.id, last_row: last, record_ids: [...records] }
  if (records.length > 0) await op.tx.insertInto('import_chunk').values(chunk).execute()
  const sums = { done_rows: batch.done_rows + records.length, failed_rows: batch.failed_rows + refused.length }
  await op.tx
    .updateTable('import_batch')
    .set({ ...sums, run_to: last })
    .where('id', '=', batch.id)
    .execute()
  return { seen: rows.length, all: sums.done_rows + sums.failed_rows }
}

const keepRefusals = (tx: Tx, batchId: string, refused: Refusals) =>
  sql`
    update import_row r set status = 'FAILED', error = u.error
    from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) as u (no int, error jsonb)
    where r.batch_id = ${batchId} and r.status = 'GOOD' and r.row_no = u.no`.execute(tx)

/** All at once where that goes well; where it does not, the halves one after the other, down to the row that is refused. */
async function applyInHalves(
  op: Operation,
  definition: Import,
  rows: readonly ImportRow[],
  batch: { readonly refused: Refusals; readonly told: ImportedBatch },
): Promise<readonly string[]> {
  const [only, ...others] = rows
  if (!only) return []
  await sql`savepoint import_rows`.execute(op.tx)
  try {
    const records = await definition.apply(op, rows, batch.told)
    if (records.length !== rows.length)
      throw new Error(`${definition.screen.name}: apply must name a record for each row`)
    await sql`release savepoint import_rows`.execute(op.tx)
    return records.flatMap((record, at) => {
      if (typeof record === 'string') return [record]
      batch.refused.push({ no: (rows[at] as ImportRow).no, error: [record] })
      return []
    })
  } catch (error) {
    const errors = errorsIn(op.app, definition, error)
    if (!errors) throw error
    await sql`rollback to savepoint import_rows`.execute(op.tx)
    await sql`release savepoint import_rows`.execute(op.tx)
    if (others.length === 0) {
      batch.refused.push({ no: only.no, error: errors })
      return []
    }
    const middle = rows.length >> 1
    const first = await applyInHalves(op, definition, rows.slice(0, middle), batch)
    return [...first, ...(await applyInHalves(op, definition, rows.slice(middle), batch))]
  }
}

/** What a row is refused for; nothing when it is no refusal but a fault, after which the chunk is tried again. */
function errorsIn(app: App, { columns, constraints, screen }: Import, error: unknown): RowError[] | undefined {
  if (error instanceof Refused) {
    const fields = Object.entries(error.fields ?? {}).filter(([field]) => field in columns)
    return fields.length > 0 ? fields.map(([field, refusal]) => ({ ...refusal, field })) : [error.refusal]
  }
  const known = constraints?.[constraintOf(error) ?? '']
  if (known) return [{ ...refuse(known.code), ...(known.field ? { field: known.field } : {}) }]
  // Values the database does not take and constraints it holds to: the row's fault, though nobody said what it means.
  if (!/^2[23]/.test(sqlState(error))) return undefined
  app.log.warn({ err: error, screen: screen.name }, 'a row of an import was refused by the database')
  return [refuse('kit/server/import:row-impossible')]
}

/** All rows or none, in one transaction: half a file taken back would be worse than the file. */
async function undoRows(work: Work): Promise<Outcome> {
  const { app, definition } = work
  const actor = await requireActor(work)
  try {
    return outcome(await app.db.write(tx => undoAll(operation(work, tx, actor), work)))
  } catch (error) {
    const [reason] = errorsIn(app, definition, error) ?? []
    throw reason ? new Refused(reason) : error
  }
}

async function undoAll(op: Operation, work: Work): Promise<number> {
  const { definition } = work
  const batch = await lockOwn(op.tx, work)
  if (batch.status === 'UNDONE' || !definition.undo) return batch.done_rows
  const chunks = await op.tx
    .selectFrom('import_chunk')
    .select('record_ids')
    .where('batch_id', '=', batch.id)
    .orderBy('last_row', 'desc')
    .execute()
  for (const { record_ids } of chunks) {
    work.task.signal.throwIfAborted()
    await definition.undo(op, record_ids as string[])
  }
  await op.tx
    .updateTable('import_batch')
    .set({ status: 'UNDONE', ended_at: op.now })
    .where('id', '=', batch.id)
    .execute()
  const diff = { batch: [null, batch.id], file: [null, batch.title], rows: [batch.done_rows, 0] } as const
  await record(op.tx, op.call, { page: definition.screen.key, action: 'undoImport', diff })
  return batch.done_rows
}

/** A person's operation without a call of that person's under way. */
function operation({ app, request }: Work, tx: Tx, actor: Actor): Operation {
  const call = callLater(app, actor, request)
  return { app, tx, actor, now: call.now, call }
}
