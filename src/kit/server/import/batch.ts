import { sql } from 'kysely'
import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import { IMPORT_STATES, importState } from '#kit/model/import.ts'
import type { Language } from '#kit/model/language.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import type { Errand } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'
import { inWords } from '../text/in-words.ts'
import type { Mapping } from './cells.ts'
import type { Import, RowError, Said } from './definition.ts'

/** What a task of this kind is asked to do with a batch. */
export type Phase = 'CHECK' | 'RUN' | 'UNDO'
export type ImportRequest = Errand & {
  readonly screen: string
  readonly batchId: string
  readonly phase: Phase
}

export const batchSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  state: z.enum(Object.keys(IMPORT_STATES) as [keyof typeof IMPORT_STATES, ...(keyof typeof IMPORT_STATES)[]]),
  allRows: z.int(),
  goodRows: z.int(),
  badRows: z.int(),
  doneRows: z.int(),
  failedRows: z.int(),
  /** Rows the work under way has seen to. */
  progress: z.int(),
  /** Of the work under way, to call it off. */
  taskId: z.string().nullable(),
  by: z.string(),
  isMine: z.boolean(),
  /** Why what was begun did not come to its end. */
  error: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
})

export const batches = (app: App, page: string) =>
  app.db.query
    .selectFrom('import_batch as b')
    .innerJoin('staff as s', 's.id', 'b.staff_id')
    .leftJoin('task as t', 't.id', 'b.task_id')
    .where('b.page', '=', page)

export const BATCH_COLUMNS = [
  'b.id',
  'b.title',
  'b.status',
  'b.head',
  'b.mapping',
  'b.all_rows',
  'b.good_rows',
  'b.bad_rows',
  'b.done_rows',
  'b.failed_rows',
  'b.run_to',
  'b.staff_id',
  'b.task_id',
  'b.created_at',
  'b.ended_at',
  's.name as by',
  't.state as task_state',
  't.done_rows as task_rows',
  't.error as task_error',
] as const

export async function getBatch(app: App, { screen }: Import, id: string) {
  const batch = await batches(app, screen.key).select(BATCH_COLUMNS).where('b.id', '=', id).executeTakeFirst()
  if (!batch) throw missing()
  return batch
}
type Batch = Awaited<ReturnType<typeof getBatch>>

/** What is known of the file of a batch: its heads, and which of them is which field. */
export const fileOf = ({ head, mapping }: Pick<Batch, 'head' | 'mapping'>): File => ({
  head: head as string[],
  mapping: (mapping ?? {}) as Mapping,
})

/** Raw rows may hold personal data: to everybody but who brought them in they do not exist. */
export async function getOwnBatch(app: App, definition: Import, id: string, ownerId: string): Promise<Batch> {
  const batch = await getBatch(app, definition, id)
  if (batch.staff_id !== ownerId) throw missing()
  return batch
}

const missing = () => new Refused(refuse('kit/server/import:import-missing'), 'not-found')

const isWorking = (state: string | null): boolean => state === 'WAITING' || state === 'RUNNING'

export const stateOf = (batch: Pick<Batch, 'status' | 'task_state'>) =>
  importState(batch.status, isWorking(batch.task_state))

/** Who asks, and in which language. */
type Reader = { readonly actor: Pick<Actor, 'id'>; readonly language: Language }

export function answerOf(app: App, { screen }: Import, batch: Batch, reader: Reader): z.infer<typeof batchSchema> {
  const works = isWorking(batch.task_state)
  return {
    id: batch.id,
    title: batch.title,
    state: stateOf(batch),
    allRows: batch.all_rows,
    goodRows: batch.good_rows,
    badRows: batch.bad_rows,
    doneRows: batch.done_rows,
    failedRows: batch.failed_rows,
    progress: works ? (batch.task_rows ?? 0) : 0,
    taskId: works && batch.staff_id === reader.actor.id ? batch.task_id : null,
    by: batch.by,
    isMine: batch.staff_id === reader.actor.id,
    error: batch.task_error === null ? null : inWords(app, reader.language, screen.name, JSON.parse(batch.task_error)),
    createdAt: batch.created_at,
    endedAt: batch.ended_at,
  }
}

/** What is wrong with a row, and in which of its columns; in none where it is about the row. */
export const faultSchema = z.strictObject({ column: z.string().nullable(), reason: z.string() })
export type Fault = z.infer<typeof faultSchema>

type File = { readonly head: readonly string[]; readonly mapping: Mapping }

/** A column is called as it is headed in the file it is looked for in, or by its field where nothing stands there. */
export const faultsOf = (app: App, language: Language, { screen }: Import, file: File) => {
  const columnOf = (field: string): string =>
    file.head[file.mapping[field] ?? -1]?.trim() || app.texts.text(language, screen.name, `field.${field}`)
  return (errors: readonly RowError[]): Fault[] =>
    errors.map(({ field, ...refusal }) => ({
      column: field === undefined ? null : columnOf(field),
      reason: inWords(app, language, screen.name, refusal),
    }))
}

/** The batch under lock: whatever is done with it is done by one at a time, on whatever instance. */
export async function lockBatch(tx: Tx, page: string, id: string) {
  const batch = await tx
    .selectFrom('import_batch')
    .select([
      'id',
      'title',
      'status',
      'page',
      'file_id',
      'checksum',
      'mapping',
      'said',
      'task_id',
      'staff_id',
      'good_rows',
      'done_rows',
      'failed_rows',
      'run_to',
    ])
    .where('page', '=', page)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!batch) throw missing()
  return { ...batch, mapping: batch.mapping as Mapping, said: batch.said as Said }
}
export type LockedBatch = Awaited<ReturnType<typeof lockBatch>>

export async function isBatchWorking(tx: Tx, { task_id }: LockedBatch): Promise<boolean> {
  if (task_id === null) return false
  const task = await tx.selectFrom('task').select('state').where('id', '=', task_id).executeTakeFirstOrThrow()
  return isWorking(task.state)
}

/** Batches nobody went on with, and rows nobody may ask for any more; says how many batches. */
export async function sweepImports(tx: Tx, abandonedBefore: Date, endedBefore: Date): Promise<number> {
  const removed = await sql`
    delete from import_batch b where b.status in ('UPLOADED', 'CHECKED') and b.created_at < ${abandonedBefore}
      and not exists (select 1 from task t where t.id = b.task_id and t.state in ('WAITING', 'RUNNING'))`.execute(tx)
  for (const table of ['import_row', 'import_chunk'])
    await sql`
      delete from ${sql.table(table)} r using import_batch b
      where b.id = r.batch_id and b.created_at < ${endedBefore}`.execute(tx)
  return Number(removed.numAffectedRows ?? 0n)
}
