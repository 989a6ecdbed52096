import { sql } from 'kysely'
import { IMPORT_KEEP_DAYS } from '#kit/model/import.ts'
import { whole } from '#kit/model/setting.ts'
import { IDLE_LIMIT_MS } from '../access/session.ts'
import type { App } from '../app.ts'
import type { Slice } from '../catalogue.ts'
import { dropMonths, keepMonths } from '../change/log-months.ts'
import { sealLog } from '../change/log-seal.ts'
import { ownChange } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'
import { sweepImports } from '../import/batch.ts'
import { foldRollUp, type RollUp } from '../statistic/roll-up.ts'
import { tellErasures } from '../storage/erasures.ts'
import { sweepFiles } from '../storage/file.ts'
import { spellNames } from '../text/spelling.ts'
import { atOnce, type DeclaredJob, defineJob, every, takePlace } from '../work/job.ts'
import { keepSchedule } from '../work/schedule.ts'
import { sweepRows } from '../work/task-rows.ts'

/** A statistic adds up what has moved since: the fewer, the sooner it answers. */
const FOLD_DAYS_MS = 5_000
const SPELL_MS = 10_000
const IDEMPOTENCY_LIFE_MS = 48 * 3_600_000
const DAY_MS = 86_400_000

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

export type Housekeeping = {
  /** From now on jobs run when they are due; tests that set the clock say so themselves. */
  begin(): void
  /** Does the slices' jobs now, each once, whatever their schedule says: for tests. */
  runJobs(): Promise<void>
  /** Runs what is due and asked for now, until nothing is left: for tests. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** Of the house itself: what is missed is done by the next turn, unless it says otherwise. */
const houseJob = (name: string, cron: string, work: DeclaredJob['work'], misfire: DeclaredJob['misfire'] = 'SKIP') =>
  defineJob({ name, cron, misfire, work })

const REMOVED_AT_ONCE = 5_000

/** What went well is soon of no interest; what did not is asked about for months. */
const clearRunLog = defineJob({
  name: 'clear-run-log',
  cron: '0 30 3 * * *',
  misfire: 'RUN_ONCE',
  parameters: {
    days: whole({ unit: 'days', min: 1, max: 90, default: 3 }),
    troubleDays: whole({ unit: 'days', min: 7, max: 730, default: 180 }),
  },
  async work({ tx, now }, { parameters: { days, troubleDays }, signal, progress }) {
    let removed = 0
    for (let more = true; more && !signal.aborted; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from schedule_run where id in (
          select id from schedule_run
          where ended_at < ${daysBefore(now, days)} and (status = 'SUCCEEDED' or ended_at < ${daysBefore(now, troubleDays)})
          limit ${REMOVED_AT_ONCE})`.execute(tx)
      removed += Number(numAffectedRows)
      progress(removed)
      more = Number(numAffectedRows) === REMOVED_AT_ONCE
    }
    return removed
  },
})

const houseJobs: readonly DeclaredJob[] = [
  houseJob('fold-counts', '*/30 * * * * *', ({ tx }) => foldCounts(tx)),
  houseJob('clean-up', '0 * * * * *', ({ tx, now }) => cleanUp(tx, now)),
  houseJob('end-sessions', '30 * * * * *', ({ app, tx, now }) => endSpentSessions(tx, app, now)),
  houseJob('sweep-files', '0 5 * * * *', ({ app }, { signal }) => sweepFiles(app, signal)),
  houseJob('tell-erasures', '0 */10 * * * *', ({ app, tx }) => tellErasures(app.env, tx)),
  houseJob('sweep-task-rows', '0 15 * * * *', ({ tx, now }) => sweepRows(tx, now)),
  houseJob('sweep-imports', '0 25 * * * *', ({ tx, now }) =>
    sweepImports(tx, daysBefore(now, 1), daysBefore(now, IMPORT_KEEP_DAYS)),
  ),
  clearRunLog,
  houseJob('make-log-months', '0 35 * * * *', ({ tx, now }) => keepMonths(tx, now), 'RUN_ONCE'),
  houseJob('drop-log-months', '0 45 3 * * *', ({ tx, now }, { signal }) => dropMonths(tx, now, signal), 'RUN_ONCE'),
  // The sooner, the less can be altered unseen; each time is a row that stays.
  houseJob('seal-log', '0 */2 * * * *', ({ tx, now }, { signal }) => sealLog(tx, now, signal)),
]

/** What the slices repeat by the calendar, and the house itself, with whose texts name it. */
export function jobsOf(slices: readonly Slice[]): ReadonlyMap<string, DeclaredJob & { texts: string }> {
  const all = [
    ...slices.flatMap(({ name, jobs }) => jobs.map(job => ({ ...job, texts: name }))),
    ...houseJobs.map(job => ({ ...job, texts: 'kit/server/start' })),
  ]
  const found = new Map(all.map(job => [job.name, job]))
  if (found.size < all.length) throw new Error('two jobs have the same name')
  return found
}

type Kept = {
  readonly jobs: ReadonlyMap<string, DeclaredJob>
  readonly rollUps: readonly RollUp[]
}

/** What an instance puts in order while it runs, and the work its slices repeat. */
export function keepHouse(app: App, { jobs, rollUps }: Kept): Housekeeping {
  const schedule = keepSchedule(app, jobs)
  const followers = [
    ...rollUps.map(rollUp => every(app, `fold-${rollUp.name}`, FOLD_DAYS_MS, tx => foldRollUp(tx, rollUp))),
    every(app, 'spell-names', SPELL_MS, tx => spellNames(tx, app.catalogue)),
  ]
  return {
    async runJobs() {
      for (const job of jobs.values()) if (!houseJobs.some(({ name }) => name === job.name)) await runOnce(app, job)
    },
    begin: schedule.begin,
    settle: schedule.settle,
    async stop() {
      await Promise.all([schedule.stop(), ...followers.map(follower => follower.stop())])
    },
  }
}

const runOnce = (app: App, job: DeclaredJob) =>
  app.db.write(async tx => {
    if (await takePlace(tx, job.name)) await atOnce(job)(ownChange(app, tx, app.clock.now(), `job:${job.name}`))
  })

/**
 * Movements of a count become one row each. Writers only append and one statement takes and gives, so that whoever reads
 * meanwhile finds either the movements or their sum.
 */
export async function foldCounts(tx: Tx): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
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
  return Number(numAffectedRows)
}

/** Removes what has served; says how much that was. */
export async function cleanUp(tx: Tx, now: Date): Promise<number> {
  const removed = [
    await sql`delete from captcha where expires_at <= ${now}`.execute(tx),
    await sql`delete from socket_ticket where expires_at <= ${now}`.execute(tx),
    await sql`delete from second_factor_begun where expires_at <= ${now}`.execute(tx),
    await sql`delete from attempt_gate where window_until <= ${now} and (locked_until is null or locked_until <= ${now})`.execute(
      tx,
    ),
    // A lock whose gate could not say so itself, because somebody was just signing in.
    await sql`update staff set locked_until = null where locked_until <= ${now}`.execute(tx),
    await sql`delete from idempotency where created_at <= ${new Date(now.getTime() - IDEMPOTENCY_LIFE_MS)}`.execute(tx),
    // By the database's own clock, which stamped them. The newest stays: a reader that starts begins after it.
    await sql`
      delete from signal
      where at < clock_timestamp() - interval '1 hour' and id < (select max(id) from signal)`.execute(tx),
  ]
  return removed.reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0)
}

/** Sessions nobody ended and nobody can use any more: past their seven days, or idle past what the profile allows. */
export async function endSpentSessions(tx: Tx, { env }: Pick<App, 'env'>, now: Date): Promise<number> {
  const idleMs = IDLE_LIMIT_MS[env.SECURITY_PROFILE]
  const isIdle = Number.isFinite(idleMs) ? sql`active_at < ${new Date(now.getTime() - idleMs)}` : sql`false`
  const { numAffectedRows = 0n } = await sql`
    update session set ended_at = least(expires_at, ${now}), end_reason = 'EXPIRED'
    where ended_at is null and (expires_at <= ${now} or ${isIdle})`.execute(tx)
  return Number(numAffectedRows)
}
