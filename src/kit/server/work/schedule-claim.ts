import { type Cron, dueTimes, nextDue, parseCron } from '#kit/model/cron.ts'
import { type Row, run, type Tx } from '../database/database.ts'
import { type Parameters, takePlace } from './job.ts'

/** How late a due time may begin and still be on time: an instance that restarts, or a run that took a little longer. */
const GRACE_MS = 10_000
/** So many missed due times are counted; whoever missed more has missed that many at least. */
const MOST_COUNTED = 10_000

/** A run that is this instance's to do. */
export type Claimed = {
  readonly id: string
  readonly jobId: string
  readonly handler: string
  readonly parameters: Parameters
}

type DueJob = {
  readonly id: string
  readonly handler: string
  readonly cron: string
  readonly misfire: string
  readonly parameters: Parameters
  readonly nextDueAt: string | null
}

/** When and by whom a claim is made. */
export type Claiming = { readonly now: Date; readonly instance: string }

/**
 * Takes the next due time of a job, if there is one and nobody has it. The row of the job is locked meanwhile, and no two runs
 * have the same due time: whatever the clocks of the instances say, each is taken once.
 */
export async function claimDue(tx: Tx, id: string, claiming: Claiming): Promise<Claimed | undefined> {
  const { now } = claiming
  const [job] = (await run(
    tx,
    `select id, handler, cron, misfire, parameters, next_due_at as "nextDueAt" from schedule_job
     where id = $1 and status = 'ENABLED' and (next_due_at is null or next_due_at <= $2) for update skip locked`,
    [id, now],
  )) as DueJob[]
  const cron = job && parseCron(job.cron)
  if (!job || !cron) return undefined
  if (job.nextDueAt === null) return setNext(tx, job, nextDue(cron, now))
  const { late, timely } = await standing(tx, job.id, cron, new Date(job.nextDueAt), now)
  const busy = await isBusy(tx, job.id)
  const then = timely[0] ?? nextDue(cron, now)
  const missed = { missed: late.length, missedFrom: late[0] }
  const last = late.at(-1)
  if (last && job.misfire === 'RUN_ONCE') {
    if (busy) return undefined
    await setNext(tx, job, then)
    return begin(tx, job, { ...claiming, cause: 'MAKE_UP', due: last, ...missed })
  }
  if (last) await skip(tx, job, { due: last, now, ...missed })
  const [due, after] = timely
  if (!due || busy) return setNext(tx, job, then)
  await setNext(tx, job, after ?? nextDue(cron, now))
  return begin(tx, job, { ...claiming, cause: 'SCHEDULE', due, missed: 0 })
}

/** The due times up to now that have no run: those that are late, and those still on time. */
async function standing(tx: Tx, jobId: string, cron: Cron, from: Date, now: Date) {
  const taken = await run(
    tx,
    'select due_at as due from schedule_run where job_id = $1 and due_at between $2 and $3 order by due_at',
    [jobId, from, now],
  )
  const known = new Set(taken.map(({ due }) => new Date(String(due)).getTime()))
  const free = (begin: Date, end: Date): Date[] => {
    const found: Date[] = []
    for (const due of dueTimes(cron, begin, end)) {
      if (!known.has(due.getTime())) found.push(due)
      if (found.length === MOST_COUNTED) break
    }
    return found
  }
  const onTime = new Date(Math.max(from.getTime(), now.getTime() - GRACE_MS))
  return { late: free(from, new Date(onTime.getTime() - 1)), timely: free(onTime, now) }
}

const isBusy = async (tx: Tx, jobId: string): Promise<boolean> =>
  (await run(tx, `select 1 from schedule_run where job_id = $1 and status = 'RUNNING'`, [jobId])).length > 0

async function setNext(tx: Tx, { id }: Pick<DueJob, 'id'>, next: Date | undefined): Promise<undefined> {
  await run(tx, 'update schedule_job set next_due_at = $2 where id = $1', [id, next ?? null])
}

type Missed = { readonly missed: number; readonly missedFrom?: Date | undefined }

/** What was left out is told, and why: the job itself was at work all the time, or nobody was there. */
async function skip(tx: Tx, { id, parameters }: DueJob, told: Missed & { due: Date; now: Date }): Promise<void> {
  await run(
    tx,
    `insert into schedule_run (job_id, cause, status, due_at, asked_at, ended_at, parameters, missed, missed_from, reason)
     values ($1, 'SCHEDULE', 'SKIPPED', $2, $3, $3, $4, $5, $6, case when exists (
       select from schedule_run where job_id = $1 and started_at <= $2 and coalesce(ended_at, $3) >= $6
     ) then 'BUSY' else 'AWAY' end)`,
    [id, told.due, told.now, JSON.stringify(parameters), told.missed, told.missedFrom],
  )
}

type Begun = Claiming & Missed & { readonly cause: 'SCHEDULE' | 'MAKE_UP'; readonly due: Date }

async function begin(tx: Tx, job: DueJob, begun: Begun): Promise<Claimed> {
  const { now, instance, cause, due, missed, missedFrom = null } = begun
  const [row] = await run(
    tx,
    `insert into schedule_run (job_id, cause, status, due_at, asked_at, started_at, heartbeat_at, instance, parameters, missed, missed_from)
     values ($1, $2, 'RUNNING', $3, $4, $4, clock_timestamp(), $5, $6, $7, $8) returning id`,
    [job.id, cause, due, now, instance, JSON.stringify(job.parameters), missed, missedFrom],
  )
  return began(tx, job, String(row?.id), now)
}

async function began(tx: Tx, job: Omit<Claimed, 'id' | 'jobId'> & Row, id: string, now: Date): Promise<Claimed> {
  await run(tx, 'update schedule_job set running_since = $2, run_done = null, run_total = null where id = $1', [
    job.id,
    now,
  ])
  return { id, jobId: String(job.id), handler: job.handler, parameters: job.parameters }
}

/** Takes a run somebody asked for, as soon as the job is not under way. */
export async function claimAsked(tx: Tx, id: string, { now, instance }: Claiming): Promise<Claimed | undefined> {
  const [job] = (await run(
    tx,
    `select j.id, j.handler, r.parameters from schedule_run r join schedule_job j on j.id = r.job_id
     where r.id = $1 and r.status = 'WAITING' for update skip locked`,
    [id],
  )) as DueJob[]
  if (!job || (await isBusy(tx, job.id))) return undefined
  await run(
    tx,
    `update schedule_run set status = 'RUNNING', started_at = $2, heartbeat_at = clock_timestamp(), instance = $3 where id = $1`,
    [id, now, instance],
  )
  return began(tx, job as DueJob & Row, id, now)
}

/** Closes a run whose instance has died: it shows no life, and the place it would hold is free. */
export async function closeLost(tx: Tx, id: string, { now }: Claiming): Promise<void> {
  const [lost] = await run(
    tx,
    `select j.id, j.handler from schedule_run r join schedule_job j on j.id = r.job_id
     where r.id = $1 and r.status = 'RUNNING' for update skip locked`,
    [id],
  )
  if (!lost || !(await takePlace(tx, String(lost.handler)))) return
  await run(
    tx,
    `update schedule_run set status = 'LOST', reason = 'INSTANCE_DIED', ended_at = $2,
       duration_ms = greatest(0, least(2147483647, extract(epoch from $2 - started_at) * 1000))
     where id = $1`,
    [id, now],
  )
  await run(
    tx,
    `update schedule_job set running_since = null, run_done = null, run_total = null, last_status = 'LOST', last_ended_at = $2 where id = $1`,
    [lost.id, now],
  )
}

/**
 * The clock was put back, or was ahead when this console last ran: jobs are due again from now on. What has had its run keeps it,
 * and the log says how many due times that is.
 */
export async function pullBack(tx: Tx, { now }: Claiming): Promise<void> {
  const ahead = (await run(
    tx,
    `select id, handler, cron, misfire, parameters, next_due_at as "nextDueAt" from schedule_job
     where status = 'ENABLED' and next_due_at > $1 order by id for update skip locked`,
    [now],
  )) as DueJob[]
  for (const job of ahead) {
    const cron = parseCron(job.cron)
    const next = cron && nextDue(cron, now)
    if (!next || next >= new Date(String(job.nextDueAt))) continue
    await setNext(tx, job, next)
    await run(
      tx,
      `insert into schedule_run (job_id, cause, status, asked_at, ended_at, parameters, missed, missed_from, reason)
       select $1, 'CLOCK', 'SKIPPED', $2, $2, $3, count(*), min(due_at), 'CLOCK_BACK' from schedule_run
       where job_id = $1 and due_at > $2 having count(*) > 0`,
      [job.id, now, JSON.stringify(job.parameters)],
    )
  }
}
