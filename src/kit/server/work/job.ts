import { sql } from 'kysely'
import { parseCron } from '#kit/model/cron.ts'
import { type Setting, whyNotValue } from '#kit/model/setting.ts'
import type { App, Change } from '../app.ts'
import { LOCK_NOT_AVAILABLE, sqlState, type Tx } from '../database/database.ts'
import type { Handler } from './handler.ts'

/** As rows keep them. */
export type Parameters = readonly { readonly name: string; readonly value: number }[]

/** One run as its handler sees it. */
export type Run<Name extends string = string> = {
  readonly parameters: Readonly<Record<Name, number>>
  /** Raised when somebody stops the run, or the instance itself stops. Asked between two rows; what was done until then stays. */
  readonly signal: AbortSignal
  progress(done: number, total?: number): void
  /**
   * Goes through rows until there are no more or the run is to end, and tells how far it is; says how many it was about. A row
   * whose work answers `false` was none of them.
   */
  each<T>(rows: readonly T[], work: (row: T) => Promise<unknown>): Promise<number>
}

/** A run of given parameters, which hears of its end by `signal`. */
export function beginRun(parameters: Parameters, signal: AbortSignal, progress: Run['progress']): Run {
  return {
    parameters: byName(parameters),
    signal,
    progress,
    async each(rows, work) {
      let about = 0
      for (const [at, row] of rows.entries()) {
        if (signal.aborted) break
        if ((await work(row)) !== false) about += 1
        progress(at + 1, rows.length)
      }
      return about
    },
  }
}

type JobOf<Name extends string> = Omit<Handler<Name>, 'texts'> & {
  /** Says how many records it was about. */
  work(change: Change, run: Run<Name>): Promise<number>
}

/** Work a slice repeats by the calendar; its server.ts lists it in `jobs` (docs/decisions/053). */
export type DeclaredJob = JobOf<string>

/** A schedule that is none, or a default out of its bounds, is a mistake in the code, found at start. */
export function defineJob<const Name extends string = never>(job: JobOf<Name>): DeclaredJob {
  if (!parseCron(job.cron)) throw new Error(`${job.name}: ${job.cron} is no schedule`)
  for (const [name, parameter] of Object.entries<Setting>(job.parameters ?? {}))
    if (whyNotValue(parameter, parameter.default)) throw new Error(`${job.name}.${name}: its default is out of bounds`)
  return job as DeclaredJob
}

export const defaultParameters = ({ parameters = {} }: Pick<Handler, 'parameters'>): Parameters =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, value: parameter.default }))

export const byName = (parameters: Parameters): Record<string, number> =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, value]))

/** The work of a job as it stands without a schedule, with the parameters of the code. */
export const atOnce =
  (job: DeclaredJob) =>
  (change: Change): Promise<number> =>
    job.work(
      change,
      beginRun(defaultParameters(job), new AbortController().signal, () => {}),
    )

/** Takes the one place there is for this work on all instances, until the transaction ends; says whether it was free. */
export async function takePlace(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{
    mine: boolean
  }>`select pg_try_advisory_xact_lock(hashtext(${`job:${name}`})) as mine`.execute(tx)
  return rows[0]?.mine === true
}

export type Repeated = {
  /** Runs at once; says whether it ran, or was under way elsewhere. */
  run(): Promise<boolean>
  stop(): Promise<void>
}

/** Follows closely what people do, every few seconds: in a transaction of its own, on one instance at a time. What failed is tried again next time. */
export function every(
  app: Pick<App, 'db' | 'log'>,
  name: string,
  ms: number,
  work: (tx: Tx) => Promise<unknown>,
): Repeated {
  let running: Promise<boolean> | undefined
  const run = () => {
    running ??= app.db
      .write(async tx => {
        if (!(await takePlace(tx, name))) return false
        await work(tx)
        return true
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
  const timer = setInterval(() => {
    run().catch(error => {
      // Rows that are held, by a first start or a large import, are there in a few seconds as well.
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) app.log.warn({ err: error, job: name }, 'a job failed')
    })
  }, ms)
  timer.unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      await running?.catch(() => false)
    },
  }
}
