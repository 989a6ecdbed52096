import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import type { Change } from '../app.ts'
import { type DeclaredJob, defineJob, type Run } from './job.ts'
import { keepSchedule, type Schedule } from './schedule.ts'
import { syncJobs } from './schedule-sync.ts'

/** The whole issue in `npm run test:long`, a tenth of it otherwise. */
const SECONDS = IS_LONG ? 120 : 12
const HOUR_MS = 3_600_000
const START = new Date('2026-11-16T02:00:00.500Z')

let first: TestInstance
let second: TestInstance
beforeAll(async () => {
  first = await openTestInstance()
  second = await openTestInstance({ url: first.url, clock: first.clock })
  // Those of the slices are due by the same clock, and are no part of this.
  await sql`update schedule_job set status = 'DISABLED'`.execute(first.app.db.query)
})

let did: string[] = []
let work: (change: Change, run: Run) => Promise<number>
beforeEach(() => {
  did = []
  work = async () => 1
})

/** A job of this test alone, on both instances. */
async function scheduled(name: string, given: Partial<DeclaredJob> = {}): Promise<Schedule[]> {
  const job = defineJob({
    name,
    cron: '* * * * * *',
    misfire: 'SKIP',
    ...given,
    work(change, run) {
      did.push(name)
      return work(change, run)
    },
  })
  const { app } = first
  await app.db.query.updateTable('schedule_job').set({ status: 'DISABLED' }).execute()
  const known = new Map([...app.jobs, [name, { ...job, texts: 'kit/server/start' }]])
  await syncJobs(app.db, known, app.texts)
  first.clock.set(START)
  const both = [first, second].map(instance => keepSchedule(instance.app, new Map([[name, job]])))
  await settle(both)
  return both
}
const settle = (both: readonly Schedule[]) => Promise.all(both.map(schedule => schedule.settle()))

const runs = async (name: string) =>
  (
    await sql<{
      status: string
      cause: string
      missed: number
      reason: string | null
      due: string | null
      error: string
    }>`
      select r.status, r.cause, r.missed, r.reason, r.due_at as due, r.error from schedule_run r join schedule_job j on j.id = r.job_id
      where j.handler = ${name} order by r.id`.execute(first.app.db.query)
  ).rows
const brief = async (name: string) =>
  (await runs(name)).map(({ status, cause, missed, reason }) => [cause, status, missed, reason].join(' ').trim())
const rowOf = (name: string) =>
  first.app.db.query.selectFrom('schedule_job').selectAll().where('handler', '=', name).executeTakeFirstOrThrow()

describe('a job that is due every second on two instances', () => {
  test('runs once for each due time, none left out and none twice', async () => {
    const both = await scheduled('each-second')
    for (let second = 0; second < SECONDS; second += 1) {
      first.clock.forward(1_000)
      await settle(both)
    }
    const all = await runs('each-second')
    expect(all).toHaveLength(SECONDS)
    expect(new Set(all.map(({ due }) => due)).size).toBe(SECONDS)
    expect(did).toHaveLength(SECONDS)
    expect(all.every(({ status }) => status === 'SUCCEEDED')).toBe(true)
  })

  test('makes up within seconds for what a pause of seconds held up', async () => {
    const both = await scheduled('held-up')
    first.clock.forward(5_000)
    await settle(both)
    expect(await brief('held-up')).toEqual(Array(5).fill('SCHEDULE SUCCEEDED 0'))
  })
})

test('before the console says that it has begun nothing runs by itself, afterwards everything that is due does', async () => {
  const [schedule] = await scheduled('by-itself')
  first.clock.forward(1_000)
  await sleep(1_500)
  expect(did).toEqual([])
  schedule?.begin()
  await vi.waitFor(() => expect(did).toEqual(['by-itself']), { timeout: 30_000 })
  await schedule?.stop()
})

describe('a clock that jumps', () => {
  test('forward by an hour: what was missed is left out and counted where the job says so', async () => {
    const both = await scheduled('skips', { cron: '0 * * * * *' })
    first.clock.forward(HOUR_MS)
    await settle(both)
    expect(await brief('skips')).toEqual(['SCHEDULE SKIPPED 59 AWAY', 'SCHEDULE SUCCEEDED 0'])
    expect(did).toHaveLength(1)
  })

  test('forward by an hour: one run makes up for all of it where the job says so', async () => {
    const both = await scheduled('makes-up', { cron: '0 5/10 * * * *', misfire: 'RUN_ONCE' })
    first.clock.forward(HOUR_MS)
    await settle(both)
    expect(await brief('makes-up')).toEqual(['MAKE_UP SUCCEEDED 6'])
    expect(did).toHaveLength(1)
  })

  test('back by an hour: nothing that ran runs again, and the log says how much that is', async () => {
    const both = await scheduled('put-back', { cron: '0 */10 * * * *' })
    for (let minutes = 0; minutes < 60; minutes += 10) {
      first.clock.forward(10 * 60_000)
      await settle(both)
    }
    expect(did).toHaveLength(6)
    first.clock.set(START)
    await settle(both)
    expect((await brief('put-back')).at(-1)).toBe('CLOCK SKIPPED 6 CLOCK_BACK')
    for (let minutes = 0; minutes < 70; minutes += 10) {
      first.clock.forward(10 * 60_000)
      await settle(both)
    }
    expect(did).toHaveLength(7)
    expect((await brief('put-back')).filter(line => line.startsWith('CLOCK'))).toHaveLength(1)
  })
})

describe('a run', () => {
  const asked = (id: string) =>
    first.app.db.query
      .insertInto('schedule_run')
      .values({ job_id: id, cause: 'BY_HAND', status: 'WAITING', asked_at: START, parameters: '[]' })
      .execute()

  test('that fails is in the log with its error, its end and how long it took, and so is the next one', async () => {
    const both = await scheduled('fails')
    work = () => Promise.reject(new Error('not today'))
    first.clock.forward(1_000)
    await settle(both)
    const [failed] = await runs('fails')
    expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringContaining('not today') })
    const { rows } =
      await sql`select 1 from schedule_run where status = 'FAILED' and ended_at is not null and duration_ms is not null`.execute(
        first.app.db.query,
      )
    expect(rows).toHaveLength(1)
    expect(await rowOf('fails')).toMatchObject({ last_status: 'FAILED', running_since: null })
    work = async () => 3
    first.clock.forward(1_000)
    await settle(both)
    expect(await brief('fails')).toEqual(['SCHEDULE FAILED 0', 'SCHEDULE SUCCEEDED 0'])
  })

  test('does all or nothing: what it wrote before it failed is taken back', async () => {
    const both = await scheduled('whole')
    work = async ({ tx }) => {
      await sql`insert into captcha (key, answer, expires_at) values ('half', 'x', now())`.execute(tx)
      throw new Error('in the middle')
    }
    first.clock.forward(1_000)
    await settle(both)
    const { rows } = await sql`select 1 from captcha where key = 'half'`.execute(first.app.db.query)
    expect(rows).toEqual([])
  })

  test('that somebody stops ends between two rows, keeps what it did and says so', async () => {
    const both = await scheduled('stopped', { cron: '0 0 1 1 *' })
    const { id } = await rowOf('stopped')
    await asked(id)
    work = async (_change, { signal, progress }) => {
      for (let row = 1; ; row += 1) {
        if (row > 1_000) throw new Error('nobody stopped it')
        progress(row, 1_000)
        await sleep(20)
        if (signal.aborted) return row
      }
    }
    const settled = settle(both)
    await expect.poll(async () => (await rowOf('stopped')).run_done, { timeout: 5_000 }).toBeGreaterThan(0)
    await sql`update schedule_run set stop_asked_at = now() where job_id = ${id}`.execute(first.app.db.query)
    await settled
    expect(await brief('stopped')).toEqual(['BY_HAND STOPPED 0 STOP_ASKED'])
    expect(await rowOf('stopped')).toMatchObject({ last_status: 'STOPPED', running_since: null, run_done: null })
  })

  test('whose instance died is closed as lost, and the next due time runs', async () => {
    const both = await scheduled('orphan')
    const { id } = await rowOf('orphan')
    await sql`insert into schedule_run (job_id, cause, status, due_at, asked_at, started_at, heartbeat_at, instance, parameters)
      values (${id}, 'SCHEDULE', 'RUNNING', ${START}, ${START}, ${START}, clock_timestamp() - interval '3 seconds', 'gone', '[]')`.execute(
      first.app.db.query,
    )
    first.clock.forward(1_000)
    await settle(both)
    await settle(both)
    expect(await brief('orphan')).toEqual(['SCHEDULE LOST 0 INSTANCE_DIED', 'SCHEDULE SUCCEEDED 0'])
  })

  test('that takes longer than its period is never under way twice, and what it held up is told', async () => {
    const both = await scheduled('slow')
    work = () => sleep(300, 1)
    first.clock.forward(1_000)
    const settled = settle(both)
    await expect.poll(() => did.length).toBe(1)
    first.clock.forward(30_000)
    await settled
    await settle(both)
    const told = await brief('slow')
    expect(told.slice(0, 2)).toEqual(['SCHEDULE SUCCEEDED 0', expect.stringMatching(/^SCHEDULE SKIPPED \d+ BUSY$/)])
  })

  test('keeps its place however long it waits for something else', async () => {
    const both = await scheduled('waits', { cron: '0 0 1 1 *' })
    await asked((await rowOf('waits')).id)
    work = async ({ tx }) => {
      await sleep(300)
      const { rows } = await sql<{ timeout: string }>`show idle_in_transaction_session_timeout`.execute(tx)
      expect(rows).toEqual([{ idle_in_transaction_session_timeout: '0' }])
      return 1
    }
    await settle(both)
    expect(await brief('waits')).toEqual(['BY_HAND SUCCEEDED 0'])
  })
})

describe('the jobs of the code', () => {
  test('have a row each, whose schedule follows the code until somebody changes it, and is retired with it', async () => {
    const { app } = first
    const handler = { name: 'known', texts: 'kit/server/start', cron: '0 0 * * * *', misfire: 'SKIP' } as const
    const sync = (cron: string) => syncJobs(app.db, new Map([...app.jobs, ['known', { ...handler, cron }]]), app.texts)
    await sync('0 0 * * * *')
    await sync('0 30 * * * *')
    expect(await rowOf('known')).toMatchObject({ cron: '0 30 * * * *', declared_cron: '0 30 * * * *' })
    await sql`update schedule_job set cron = '0 0 5 * * *' where handler = 'known'`.execute(app.db.query)
    await sync('0 45 * * * *')
    expect(await rowOf('known')).toMatchObject({ cron: '0 0 5 * * *', declared_cron: '0 45 * * * *' })
    await syncJobs(app.db, app.jobs, app.texts)
    expect(await rowOf('known')).toMatchObject({ status: 'RETIRED', next_due_at: null })
    await sync('0 45 * * * *')
    expect(await rowOf('known')).toMatchObject({ status: 'ENABLED' })
    // What somebody turned off is not turned on by a version that has it again.
    await sql`update schedule_job set status = 'DISABLED' where handler = 'known'`.execute(app.db.query)
    await syncJobs(app.db, app.jobs, app.texts)
    expect(await rowOf('known')).toMatchObject({ status: 'RETIRED' })
    await sync('0 45 * * * *')
    expect(await rowOf('known')).toMatchObject({ status: 'DISABLED' })
  })

  test('are named and explained in the texts of their slice', () => {
    const { jobs, texts } = first.app
    const wanted = [...jobs.values()].flatMap(({ name, texts: of, parameters = {} }) =>
      ['', '.help', ...Object.keys(parameters).map(parameter => `.${parameter}`)].map(
        key => [of, `job.${name}${key}`] as const,
      ),
    )
    expect(wanted.filter(([of, key]) => !texts.has(of, key))).toEqual([])
    expect(jobs.size).toBeGreaterThan(15)
  })
})
