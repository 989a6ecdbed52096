import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { TASK_ROWS_KEEP_DAYS } from '#kit/model/task.ts'
import type { App } from '../app.ts'
import type { Tx } from '../database/database.ts'
import { type Outcome, type RunningTask, TaskLeft } from './task.ts'

/** One piece of work of a task, kept as a row from the moment it was asked for. */
type WorkRow = {
  readonly no: number
  readonly recordId: string
  readonly name: string
  readonly version: number | null
}
/** Does one row in a transaction of its own and calls `settle` in it: what was done and that it was done are one. */
type RowWork = (row: WorkRow, settle: (tx: Tx) => Promise<void>) => Promise<void>

/** Thrown by the work of a row when it is the whole task that may not go on: what is left stays as it is. */
export class TaskRefused extends Error {
  override name = 'TaskRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

const READ_AT_ONCE = 500
/** Before a row that broke is tried once more: what others held may be free by then. */
const BREATHER_MS = 1_000

/** One at a time for each person, begun or gone on with: who presses again and again does not keep the others waiting. */
export async function requireNoneUnderWay(tx: Tx, ownerId: string, kind: keyof typeof UNDER_WAY): Promise<void> {
  await tx.selectFrom('staff').select('id').where('id', '=', ownerId).forUpdate().execute()
  const open = await tx
    .selectFrom('task')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('kind', '=', kind)
    .where('state', 'in', ['WAITING', 'RUNNING'])
    .executeTakeFirst()
  if (open) throw new Refused(refuse(UNDER_WAY[kind]), 'too-many')
}
const UNDER_WAY = {
  STEPS: 'kit/server/file:steps-under-way',
  PACK: 'kit/server/file:pack-under-way',
} as const

/** Keeps the rows of a task, in the transaction that adds it. */
export async function addRows(tx: Tx, taskId: string, rows: readonly Omit<WorkRow, 'no'>[]): Promise<void> {
  await sql`
    insert into task_row (task_id, no, record_id, name, version)
    select ${taskId}, r.no, r.id, r.name, r.version
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, at) => ({ no: at + 1, id: row.recordId, name: row.name, version: row.version })))}::jsonb)
      as r (no int, id bigint, name text, version int)`.execute(tx)
}

/**
 * Works through the rows of a task that are left, one after the other. A row is done in the transaction that marks it, and
 * only while the task is still this runner's: a runner that was killed, stopped or thought dead never does one twice.
 */
export async function workRows(app: App, task: RunningTask, work: RowWork): Promise<Outcome> {
  const counts = await countsOf(app, task.id)
  for (let rows = await nextRows(app, task.id); rows.length > 0; rows = await nextRows(app, task.id)) {
    for (const row of rows) {
      task.signal.throwIfAborted()
      const refusal = await tried(app, task, row, () =>
        work(row, tx => mark(app, tx, task, row, { ...counts, done: counts.done + 1 }, null)),
      )
      counts.done += 1
      if (refusal) {
        counts.refused += 1
        await app.db.write(tx => mark(app, tx, task, row, counts, refusal))
      }
      task.progress(counts.done)
    }
  }
  return { rows: counts.done, fileId: null, keep: async () => {}, discard: async () => {} }
}

/** Why a row is not done, or nothing. What is no refusal is a fault: of this row, as long as the database answers. */
async function tried(
  app: App,
  task: RunningTask,
  row: WorkRow,
  work: () => Promise<void>,
): Promise<Refusal | undefined> {
  for (const isLast of [false, true]) {
    try {
      await work()
      return undefined
    } catch (error) {
      if (error instanceof TaskLeft) throw error
      if (error instanceof TaskRefused) throw new Refused(error.refusal)
      if (error instanceof Refused && error.kind !== 'unavailable') return error.refusal
      app.log[isLast ? 'error' : 'warn']({ err: error, task: task.id, row: row.no }, 'a row of a task broke')
      if (!isLast) await delay(BREATHER_MS, undefined, { signal: task.signal })
    }
  }
  return refuse('kit/server/file:row-broke', { number: task.id })
}

type RowCounts = { done: number; refused: number }

async function mark(
  app: App,
  tx: Tx,
  task: RunningTask,
  row: WorkRow,
  { done, refused }: RowCounts,
  refusal: Refusal | null,
): Promise<void> {
  const marked = await tx
    .updateTable('task_row')
    .set({
      state: refusal ? 'REFUSED' : 'DONE',
      refusal: refusal && JSON.stringify(refusal),
      ended_at: app.clock.now(),
    })
    .where('task_id', '=', task.id)
    .where('no', '=', row.no)
    .where('state', '=', 'WAITING')
    .executeTakeFirst()
  const own = await tx
    .updateTable('task')
    .set({ done_rows: done, failed_rows: refused, failures: 0 })
    .where('id', '=', task.id)
    .where('attempts', '=', task.attempt)
    .where('state', '=', 'RUNNING')
    .executeTakeFirst()
  if (marked.numUpdatedRows === 0n || own.numUpdatedRows === 0n) throw new TaskLeft()
}

const nextRows = (app: App, taskId: string): Promise<WorkRow[]> =>
  app.db.query
    .selectFrom('task_row')
    .select(['no', 'record_id as recordId', 'name', 'version'])
    .where('task_id', '=', taskId)
    .where('state', '=', 'WAITING')
    .orderBy('no')
    .limit(READ_AT_ONCE)
    .execute()

async function countsOf(app: App, taskId: string): Promise<RowCounts> {
  const rows = await app.db.query
    .selectFrom('task_row')
    .select(({ fn }) => ['state', fn.countAll<string>().as('n')])
    .where('task_id', '=', taskId)
    .where('state', '<>', 'WAITING')
    .groupBy('state')
    .execute()
  const of = (state: string) => Number(rows.find(row => row.state === state)?.n ?? 0)
  return { done: of('DONE') + of('REFUSED'), refused: of('REFUSED') }
}

/** Tasks at once: ten thousand rows each, in one transaction. */
const SWEPT_AT_ONCE = 10

/** Rows of work that ended long ago; the task keeps its sums. What is left over goes with the next time. */
export async function sweepRows(tx: Tx, now: Date): Promise<number> {
  const endedBefore = new Date(now.getTime() - TASK_ROWS_KEEP_DAYS * 86_400_000)
  const { numAffectedRows = 0n } = await sql`
    delete from task_row where task_id in (
      select t.id from task t
      where t.state in ('DONE', 'FAILED', 'CANCELLED') and t.ended_at < ${endedBefore}
        and exists (select 1 from task_row r where r.task_id = t.id)
      limit ${SWEPT_AT_ONCE})`.execute(tx)
  return Number(numAffectedRows)
}
