import { nextDue, parseCron } from '#kit/model/cron.ts'
import type { Operation } from '../change/operation.ts'
import { run } from '../database/database.ts'

/** Somebody wants a run now, beside the schedule: whichever instance is free begins it, with the parameters of this moment. */
export async function askForRun({ app, tx, actor, now }: Operation, jobId: string): Promise<void> {
  await run(
    tx,
    `insert into schedule_run (job_id, cause, status, asked_at, asked_by, parameters)
     select id, 'BY_HAND', 'WAITING', $2, $3, parameters from schedule_job where id = $1`,
    [jobId, now, actor.id],
  )
  await run(tx, 'update schedule_job set running_since = $2 where id = $1', [jobId, now])
  await app.signals.send(tx, 'jobs', {})
}

/** Somebody wants a run to end. One that has not begun ends at once; one under way between two rows of its work. */
export async function askToStop({ app, tx, actor, now }: Operation, jobId: string): Promise<void> {
  await run(
    tx,
    `update schedule_run set stop_asked_at = $2, stop_by = $3,
       status = case status when 'WAITING' then 'STOPPED' else status end,
       reason = case status when 'WAITING' then 'STOP_ASKED' end,
       ended_at = case status when 'WAITING' then $2::timestamptz end
     where job_id = $1 and status in ('WAITING', 'RUNNING') and stop_asked_at is null`,
    [jobId, now, actor.id],
  )
  await run(
    tx,
    `update schedule_job set running_since = null where id = $1
       and not exists (select from schedule_run where job_id = $1 and status = 'RUNNING')`,
    [jobId],
  )
  await app.signals.send(tx, 'jobs', {})
}

/** When a job is due next, reckoned anew from now; never, where it is off. */
export async function setDue({ app, tx, now }: Operation, jobId: string, cron: string | null): Promise<void> {
  const parsed = cron === null ? undefined : parseCron(cron)
  const next = parsed && nextDue(parsed, now)
  await run(tx, 'update schedule_job set next_due_at = $2 where id = $1', [jobId, next ?? null])
  await app.signals.send(tx, 'jobs', {})
}
