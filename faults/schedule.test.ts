import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../tools/testing/instance.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { freePort } from '../tools/testing/port.ts'
import { Processes } from '../tools/testing/process.ts'
import type { Run, Settings } from '../tools/testing/program.ts'

const SECONDS = IS_LONG ? 120 : 12
const JOB = 'clean-up'
const PATIENCE_MS = 60_000

describe('two consoles on one database, and a job that is due every second', () => {
  const processes = new Processes()
  let settings: Settings
  let keeper: TestInstance
  const running: Run[] = []

  beforeAll(async () => {
    settings = await processes.settings({ SEED: 'none', LOG_LEVEL: 'error' })
    keeper = await openTestInstance({ url: settings.DATABASE_URL as string })
    for (let nth = 0; nth < 2; nth += 1) running.push(processes.server({ ...settings, PORT: String(await freePort()) }))
    await Promise.all(running.map(({ ready }) => ready))
    await sql`update schedule_job set status = 'DISABLED' where handler <> ${JOB}`.execute(keeper.app.db.query)
    await sql`update schedule_job set cron = '* * * * * *', next_due_at = null where handler = ${JOB}`.execute(
      keeper.app.db.query,
    )
  }, 600_000)
  afterAll(() => processes.end())

  type Ran = { due: string; started: string; instance: string; status: string }
  const runs = async (from: Date, to: Date): Promise<Ran[]> =>
    (
      await sql<Ran>`
        select r.due_at as due, r.started_at as started, r.instance, r.status from schedule_run r join schedule_job j on j.id = r.job_id
        where j.handler = ${JOB} and r.due_at > ${from} and r.due_at <= ${to} order by r.due_at`.execute(
        keeper.app.db.query,
      )
    ).rows

  /** Until a run of a later due time has begun: what was due by then and is missing does not come. */
  const past = (at: Date) =>
    expect
      .poll(async () => (await runs(at, new Date(at.getTime() + PATIENCE_MS))).length, {
        timeout: PATIENCE_MS,
        interval: 250,
      })
      .toBeGreaterThan(0)

  test('each due time has one run, on either of them', async () => {
    // The schedule is a new one: by then both have seen it.
    await sleep(3_000)
    const from = new Date()
    const to = new Date(from.getTime() + SECONDS * 1_000)
    await sleep(SECONDS * 1_000)
    await past(to)
    const ran = await runs(from, to)
    expect(Math.abs(ran.length - SECONDS)).toBeLessThanOrEqual(1)
    expect(new Set(ran.map(({ due }) => due)).size).toBe(ran.length)
    expect(ran.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([])
  }, 600_000)

  test('one of them is killed: the next run begins within five seconds, and no due time is lost', async () => {
    const [killed] = running
    const from = new Date()
    killed?.child.kill('SIGKILL')
    await killed?.exited
    const to = new Date(from.getTime() + 6_000)
    await past(to)
    const ran = await runs(from, to)
    const delays = ran.map(({ due, started }) => Date.parse(started) - Date.parse(due))
    expect(Math.abs(ran.length - 6)).toBeLessThanOrEqual(1)
    expect(Math.max(...delays)).toBeLessThanOrEqual(5_000)
    expect(new Set(ran.map(({ due }) => due)).size).toBe(ran.length)
  }, 600_000)
})
