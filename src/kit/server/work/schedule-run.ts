import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../app.ts'
import { ownChange } from '../change/operation.ts'
import { run as ask, type Tx } from '../database/database.ts'
import { beginRun, type DeclaredJob, takePlace } from './job.ts'
import type { Claimed } from './schedule-claim.ts'

/** Also how soon a run hears that somebody stopped it, and how old the progress people see may be. */
const BEAT_MS = 1_000
const MAX_ERROR = 4_000
/** How often the end of a run that failed is written down before it is left to whoever finds it. */
const TRIES = 5

/** Somebody else closed the run meanwhile: what it did is taken back. */
class RunLeft extends Error {
  override name = 'RunLeft'
}

type Ending = {
  readonly status: 'SUCCEEDED' | 'FAILED' | 'STOPPED'
  readonly reason?: 'STOP_ASKED' | 'INSTANCE_STOPPED' | undefined
  readonly done: number | null
  readonly error?: string
}

/**
 * Does a run in one transaction, with the word that it succeeded in the same: both hold, or neither. What fails is written
 * down with its error, its end and how long it took.
 */
export async function perform(app: App, job: DeclaredJob, claimed: Claimed, closing: AbortSignal): Promise<void> {
  const stopping = new AbortController()
  const signal = AbortSignal.any([closing, stopping.signal])
  const began = performance.now()
  const told: Told = { done: null, total: null }
  const run = beginRun(claimed.parameters, signal, (done, total) => {
    told.done = done
    told.total = total ?? told.total
  })
  const beat = setInterval(() => void showLife(app, claimed, told, stopping), BEAT_MS)
  const reason = () => (closing.aborted ? 'INSTANCE_STOPPED' : signal.aborted ? 'STOP_ASKED' : undefined)
  const end = (tx: Tx, ending: Ending) =>
    close(tx, claimed, { ...ending, total: told.total }, { at: app.clock.now(), ms: performance.now() - began })
  try {
    await app.db.write(async tx => {
      // What waits for a storage or another service meanwhile is not idle.
      await ask(tx, 'set local idle_in_transaction_session_timeout = 0', [])
      if (!(await takePlace(tx, job.name))) throw new Error('the last run has not let go of its place yet')
      signal.throwIfAborted()
      const done = await job.work(ownChange(app, tx, app.clock.now(), `job:${job.name}`), run)
      const status = signal.aborted ? 'STOPPED' : 'SUCCEEDED'
      if (!(await end(tx, { status, reason: reason(), done }))) throw new RunLeft()
    })
  } catch (error) {
    if (error instanceof RunLeft) return
    const isStop = signal.aborted && error === signal.reason
    if (!isStop) app.log.warn({ err: error, job: job.name, run: claimed.id }, 'a job failed')
    const failed = { status: 'FAILED', error: textOf(error), reason: reason(), done: told.done } as const
    await insist(app, tx => end(tx, isStop ? { status: 'STOPPED', reason: reason(), done: 0 } : failed))
  } finally {
    clearInterval(beat)
  }
}

type Told = { done: number | null; total: number | null }

const textOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, MAX_ERROR)

/** A run must not look as if it went on because the database was away when it failed. */
async function insist(app: App, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1)
    try {
      await app.db.write(work)
      return
    } catch (error) {
      app.log.warn({ err: error }, 'the end of a run could not be written down')
      await sleep(tries * BEAT_MS)
    }
}

/** Whoever does a run knows best how it ended, even where others took it for lost. */
async function close(
  tx: Tx,
  { id, jobId }: Claimed,
  { status, reason, done, total, error }: Ending & { total: number | null },
  { at, ms }: { at: Date; ms: number },
): Promise<boolean> {
  // Whoever changes the schedule meanwhile is soon done: better to wait than to do the work again.
  await ask(tx, `set local lock_timeout = '5s'`, [])
  const open = status === 'FAILED' ? ['RUNNING', 'LOST'] : ['RUNNING']
  const closed = await ask(
    tx,
    `update schedule_run set status = $2, reason = $3, done = $4, total = $5, error = $6, ended_at = $7, duration_ms = $8
     where id = $1 and status = any($9::text[]) returning id`,
    [id, status, reason ?? null, done, total, error ?? null, at, Math.round(ms), open],
  )
  if (closed.length === 0) return false
  await ask(
    tx,
    `update schedule_job set running_since = null, run_done = null, run_total = null, last_status = $2, last_ended_at = $3 where id = $1`,
    [jobId, status, at],
  )
  return true
}

/** Shows life and progress; learns that somebody wants it to stop, or that it was given up. */
async function showLife({ db, log }: App, { id, jobId }: Claimed, { done, total }: Told, stopping: AbortController) {
  try {
    const [mine] = await ask(
      db.query,
      `update schedule_run set heartbeat_at = clock_timestamp(), done = $2, total = $3
       where id = $1 and status = 'RUNNING' returning stop_asked_at`,
      [id, done, total],
    )
    if (!mine || mine.stop_asked_at !== null) stopping.abort()
    if (done !== null)
      await ask(
        db.query,
        'update schedule_job set run_done = $2, run_total = $3 where id = $1 and running_since is not null',
        [jobId, done, total],
      )
  } catch (error) {
    log.warn({ err: error, run: id }, 'a run could not show its progress')
  }
}
