import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import type { TaskKind } from '#kit/model/task.ts'
import type { Clock } from '#kit/model/time.ts'
import type { Database, Tx } from '../database/database.ts'
import { sendSignal } from '../database/signal.ts'
import { ERASING } from '../storage/file.ts'

type NewTask = { kind: TaskKind; title: string; ownerId: string; request: unknown; rows: number; now: Date }

export type RunningTask = {
  readonly id: string
  readonly kind: TaskKind
  readonly title: string
  readonly ownerId: string
  readonly request: unknown
  /** Which of the tries this is: what a try that was given up still writes is refused by it. */
  readonly attempt: number
  /** Raised when the task was cancelled, given to another instance, or when this one stops. */
  readonly signal: AbortSignal
  progress(rows: number): void
}
/** What a run made. It is kept in the transaction that ends the task, or not at all. */
export type Outcome = {
  readonly rows: number
  readonly fileId: string | null
  keep(tx: Tx): Promise<void>
  discard(): Promise<void>
}
export type Runner = (task: RunningTask) => Promise<Outcome>

/** The task was stopped or given to another instance: whatever its runner has not committed is taken back. */
export class TaskLeft extends Error {
  override name = 'TaskLeft'
}

/** Long work as rows: whichever instance is free takes the next, and takes over what a dead one left. */
export type Tasks = {
  /** Leaves with the caller's transaction; `wake` after it, so that this instance looks at once. */
  add(tx: Tx, task: NewTask): Promise<string>
  wake(): void
  start(runners: Readonly<Record<TaskKind, Runner>>): void
  close(): Promise<void>
}

/** Also how soon a cancelled task stops, and how old the progress people see may be. */
const BEAT_MS = 1_000
/** A runner that has not shown itself for this long is dead. */
const DEAD_AFTER_SECONDS = 30
const LOOK_MS = 5_000
/** A task that broke its runner this often would break the next one too. */
const MAX_FAILURES = 3
const BROKE = 'kit/server/file:task-broke'

export function openTasks(db: Database, clock: Clock, log: FastifyBaseLogger): Tasks {
  let workers: readonly TaskWorker[] = []
  return {
    async add(tx, { kind, title, ownerId, request, rows, now }) {
      const { id } = await tx
        .insertInto('task')
        .values({ kind, title, owner_id: ownerId, request: JSON.stringify(request), all_rows: rows, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    wake() {
      for (const worker of workers) worker.wake()
    },
    start(runners) {
      workers = (Object.keys(runners) as TaskKind[]).map(kind => new TaskWorker(db, clock, log, kind, runners[kind]))
      this.wake()
    },
    async close() {
      await Promise.all(workers.map(worker => worker.close()))
    },
  }
}

type Claimed = {
  id: string
  kind: TaskKind
  title: string
  owner_id: string
  request: unknown
  attempts: number
  done_rows: number
  failures: number
}
type Ending = { state: 'WAITING'; failures: number } | { state: 'FAILED'; error: Refusal }

/** One task of a kind at a time for each instance: who brings in ten rows does not wait for an export of a million. */
class TaskWorker {
  private readonly stop = new AbortController()
  private readonly timer: NodeJS.Timeout
  private working: Promise<void> | undefined
  private again = false
  private readonly db: Database
  private readonly clock: Clock
  private readonly log: FastifyBaseLogger
  private readonly kind: TaskKind
  private readonly runner: Runner

  constructor(db: Database, clock: Clock, log: FastifyBaseLogger, kind: TaskKind, runner: Runner) {
    this.db = db
    this.clock = clock
    this.log = log
    this.kind = kind
    this.runner = runner
    this.timer = setInterval(() => this.wake(), LOOK_MS)
    this.timer.unref()
  }

  wake(): void {
    this.again = true
    this.working ??= this.work().finally(() => {
      this.working = undefined
    })
  }

  async close(): Promise<void> {
    this.stop.abort()
    clearInterval(this.timer)
    await this.working
  }

  private async work(): Promise<void> {
    while (this.again && !this.stop.signal.aborted) {
      this.again = false
      try {
        await this.takeOver()
        for (let task = await this.claim(); task; task = await this.claim()) await this.run(task)
      } catch (error) {
        this.log.warn({ err: error }, 'tasks could not be looked for')
        return
      }
    }
  }

  /** Life is told by the database's clock, which all instances share. */
  private async takeOver(): Promise<void> {
    await sql`
      update task set
        state = case when failures + 1 < ${MAX_FAILURES} then 'WAITING' else 'FAILED' end,
        failures = failures + 1,
        error = case when failures + 1 < ${MAX_FAILURES} then null else
          json_build_object('code', ${BROKE}::text, 'params', json_build_object('number', id))::text end,
        ended_at = case when failures + 1 < ${MAX_FAILURES} then null else ${this.clock.now()}::timestamptz end
      where state = 'RUNNING' and heartbeat_at < clock_timestamp() - make_interval(secs => ${DEAD_AFTER_SECONDS})`.execute(
      this.db.query,
    )
  }

  private async claim(): Promise<Claimed | undefined> {
    if (this.stop.signal.aborted) return undefined
    const { rows } = await sql<Claimed>`
      update task set state = 'RUNNING', attempts = attempts + 1, started_at = ${this.clock.now()},
        heartbeat_at = clock_timestamp(),
        done_rows = case when exists (select 1 from task_row r where r.task_id = task.id) then done_rows else 0 end
      where id = (
        select id from task where state = 'WAITING' and kind = ${this.kind} and pg_try_advisory_xact_lock_shared(hashtext(${ERASING}))
        order by id limit 1 for update skip locked)
      returning id, kind, title, owner_id, request, attempts, done_rows, failures`.execute(this.db.query)
    return rows[0]
  }

  private async run(claimed: Claimed): Promise<void> {
    const left = new AbortController()
    let rows = claimed.done_rows
    const beat = setInterval(() => void this.beat(claimed, rows, left), BEAT_MS)
    const { id, kind, title, request, owner_id: ownerId, attempts: attempt } = claimed
    const signal = AbortSignal.any([this.stop.signal, left.signal])
    const progress = (count: number) => {
      rows = count
    }
    try {
      await this.finish(claimed, await this.runner({ id, kind, title, request, ownerId, attempt, signal, progress }))
    } catch (error) {
      if (!left.signal.aborted && !(error instanceof TaskLeft)) await this.end(claimed, this.endingOf(claimed, error))
    } finally {
      clearInterval(beat)
    }
  }

  /** Shows life and progress; learns that the task is no longer this runner's. */
  private async beat({ id, attempts }: Claimed, rows: number, left: AbortController): Promise<void> {
    try {
      const { rows: mine } = await sql`
        update task set heartbeat_at = clock_timestamp(), done_rows = ${rows}, all_rows = greatest(all_rows, ${rows})
        where id = ${id} and attempts = ${attempts} and state = 'RUNNING' returning id`.execute(this.db.query)
      if (mine.length === 0) left.abort()
    } catch (error) {
      this.log.warn({ err: error, task: id }, 'a task could not show its progress')
    }
  }

  /** When the task was cancelled or given to another meanwhile, nothing of this run stays. */
  private async finish(claimed: Claimed, outcome: Outcome): Promise<void> {
    let kept = false
    try {
      kept = await this.keep(claimed, outcome)
    } finally {
      if (!kept) await outcome.discard()
    }
  }

  private keep({ id, attempts, owner_id: staffId }: Claimed, { rows, fileId, keep }: Outcome): Promise<boolean> {
    return this.db.write(async tx => {
      const done = await tx
        .updateTable('task')
        .set({ state: 'DONE', done_rows: rows, all_rows: rows, file_id: fileId, ended_at: this.clock.now() })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('state', '=', 'RUNNING')
        .executeTakeFirst()
      if (done.numUpdatedRows === 0n) return false
      await keep(tx)
      await sendSignal(tx, 'task-ended', { staffId, taskId: id })
      return true
    })
  }

  private endingOf({ id, failures }: Claimed, error: unknown): Ending {
    if (this.stop.signal.aborted) return { state: 'WAITING', failures }
    if (error instanceof Refused) return { state: 'FAILED', error: error.refusal }
    this.log.error({ err: error, task: id }, 'a task broke')
    if (failures + 1 < MAX_FAILURES) return { state: 'WAITING', failures: failures + 1 }
    return { state: 'FAILED', error: refuse(BROKE, { number: id }) }
  }

  private async end({ id, attempts, owner_id: staffId }: Claimed, ending: Ending): Promise<void> {
    const failed = ending.state === 'FAILED'
    await this.db.write(async tx => {
      const { numUpdatedRows } = await tx
        .updateTable('task')
        .set({
          state: ending.state,
          error: failed ? JSON.stringify(ending.error) : null,
          ended_at: failed ? this.clock.now() : null,
          heartbeat_at: null,
          ...(failed ? {} : { failures: ending.failures }),
        })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('state', '=', 'RUNNING')
        .executeTakeFirst()
      if (failed && numUpdatedRows > 0n) await sendSignal(tx, 'task-ended', { staffId, taskId: id })
    })
  }
}
