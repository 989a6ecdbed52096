import { sql } from 'kysely'
import { IMPORT_KEEP_DAYS } from '#kit/model/import.ts'
import type { App } from '../app.ts'
import type { Tx } from '../database/database.ts'
import { sweepImports } from '../import/batch.ts'
import { foldRollUp, type RollUp } from '../statistic/roll-up.ts'
import { sweepFiles } from '../storage/file.ts'
import { spellNames } from '../text/spelling.ts'
import { type DeclaredJob, every, runDeclared } from '../work/job.ts'
import { sweepRows } from '../work/task-rows.ts'

const FOLD_MS = 30_000
/** A statistic adds up what has moved since: the fewer, the sooner it answers. */
const FOLD_DAYS_MS = 5_000
const CLEAN_MS = 60_000
const FILES_MS = 3_600_000
const SPELL_MS = 10_000
const IDEMPOTENCY_LIFE_MS = 48 * 3_600_000

const daysAgo = (app: App, days: number): Date => new Date(app.clock.now().getTime() - days * 86_400_000)

export type Housekeeping = {
  /** Runs the slices' jobs now, each once: for tests and for whoever does not want to wait. */
  runJobs(): Promise<void>
  stop(): Promise<void>
}

/** What an instance puts in order while it runs, and the work its slices repeat. */
export function keepHouse(app: App, jobs: readonly DeclaredJob[], rollUps: readonly RollUp[]): Housekeeping {
  const declared = jobs.map(job => runDeclared(app, job))
  const own = [
    every(app, 'fold-counts', FOLD_MS, foldCounts),
    ...rollUps.map(rollUp => every(app, `fold-${rollUp.name}`, FOLD_DAYS_MS, tx => foldRollUp(tx, rollUp))),
    every(app, 'clean-up', CLEAN_MS, tx => cleanUp(tx, app.clock.now())),
    every(app, 'spell-names', SPELL_MS, tx => spellNames(tx, app.catalogue)),
    every(app, 'sweep-files', FILES_MS, tx => sweepStorage(app, tx)),
    every(app, 'sweep-task-rows', FILES_MS, tx => sweepRows(tx, app.clock.now())),
    every(app, 'sweep-imports', FILES_MS, tx => sweepImports(tx, daysAgo(app, 1), daysAgo(app, IMPORT_KEEP_DAYS))),
  ]
  return {
    async runJobs() {
      for (const job of declared) await job.run()
    },
    async stop() {
      await Promise.all([...own, ...declared].map(job => job.stop()))
    },
  }
}

/** The transaction only holds the job's lock meanwhile: a storage that answers late must not end it for being idle. */
export async function sweepStorage(app: App, tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  await sweepFiles(app)
}

/**
 * Movements of a count become one row each. Writers only append and one statement takes and gives, so that whoever reads
 * meanwhile finds either the movements or their sum.
 */
export const foldCounts = (tx: Tx) =>
  sql`
    with many as (
      select ctid from (
        select ctid, count(*) over (partition by table_name, org_id, owner_id, carer_id, state) as movements from kept_count
      ) as counted where movements > 1
    ), folded as (
      delete from kept_count where ctid in (select ctid from many) returning table_name, org_id, owner_id, carer_id, state, n
    )
    insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
    select table_name, org_id, owner_id, carer_id, state, sum(n) from folded group by 1, 2, 3, 4, 5 having sum(n) <> 0`.execute(
    tx,
  )

/** Removes what has served. */
export async function cleanUp(tx: Tx, now: Date): Promise<void> {
  await sql`delete from captcha where expires_at <= ${now}`.execute(tx)
  await sql`delete from socket_ticket where expires_at <= ${now}`.execute(tx)
  await sql`delete from attempt_gate where window_until <= ${now} and (locked_until is null or locked_until <= ${now})`.execute(
    tx,
  )
  await sql`delete from idempotency where created_at <= ${new Date(now.getTime() - IDEMPOTENCY_LIFE_MS)}`.execute(tx)
  // By the database's own clock, which stamped them. The newest stays: a reader that starts begins after it.
  await sql`
    delete from signal
    where at < clock_timestamp() - interval '1 hour' and id < (select max(id) from signal)`.execute(tx)
}
