import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { Preview, ScheduleJob } from './model.ts'
import type { JobRun } from './runs/model.ts'
import { openWork } from './server.ts'

const KEY = 'schedule-job'
const PATH = '/system/schedule-job'
const NOON = new Date('2026-11-16T04:00:00.000Z')
const ALL = ['list', 'detail', 'update', 'export', 'runNow', 'stop', 'enable', 'disable']

/** All that the console repeats by the calendar: whoever adds a job adds it here, and none goes without anybody noticing. */
const REPEATED = [
  'allocate-leads',
  'ask-contact-transfers',
  'cancel-unpaid-coin-orders',
  'clean-up',
  'clear-run-log',
  'close-accounts',
  'close-unpaid-orders',
  'count-ad-lines',
  'count-authors',
  'count-channels',
  'count-notes',
  'count-official-accounts',
  'count-partners',
  'count-publishing',
  'count-school-teachers',
  'drop-log-months',
  'end-channels',
  'end-contact-protection',
  'end-memberships',
  'end-pauses',
  'end-sessions',
  'end-waiting-payments',
  'escalate-leads',
  'expire-account-scenes',
  'expire-chat_account_request',
  'expire-code_batch',
  'expire-coupons',
  'expire-entitlements',
  'expire-member_application',
  'expire-sales_request',
  'expire-settlement_price',
  'expire-stock_check',
  'find-unclaimed-orders',
  'fold-counts',
  'follow-parcels',
  'forget-allocation',
  'forget-copies-of-leads',
  'forget-lead-views',
  'forget-leads',
  'forget-request-numbers',
  'forget-rule-runs',
  'forget-school-teachers',
  'give-strays-back',
  'keep-chat-accounts',
  'keep-links',
  'make-log-months',
  'mark-paused',
  'open-statements',
  'overdue-tasks',
  'remind-next-contacts',
  'resume-consultants',
  'return-leads',
  'seal-log',
  'serve-waiting-shipments',
  'sweep-files',
  'sweep-imports',
  'sweep-task-rows',
  'tell-erasures',
  'work-leases',
  'work-release',
]

let instance: TestInstance
let admin: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { grants: { [KEY]: ALL }, name: 'Chen' })
  instance.clock.set(NOON)
  // Only what a test is about is due.
  await sql`update schedule_job set status = 'DISABLED'`.execute(instance.app.db.query)
})

type Row = ScheduleJob & { labels: Record<string, { name: string }>; steps: Record<string, { msg: string } | null> }
const jobs = async (who: Caller = admin, headers = {}) =>
  (await who.get<{ records: Row[] }>(`${PATH}?size=100`, headers)).data.records
const idOf = async (handler: string) => (await jobs()).find(row => row.handler === handler)?.id ?? ''
const one = async (id: string) => (await admin.get<Row>(`${PATH}/${id}`)).data
const runsOf = async (id: string) => (await admin.get<{ records: JobRun[] }>(`${PATH}/${id}/runs`)).data.records
const save = (id: string, { version, ...part }: Partial<Row>) =>
  admin.put<{ fields?: Record<string, string> } | null>(`${PATH}/${id}`, { version, ...part })

describe('the list of jobs', () => {
  test('has everything the console repeats, named and read in the language of whoever asks', async () => {
    const english = await jobs()
    const chinese = await jobs(admin, { 'accept-language': 'zh-CN' })
    const told = (rows: Row[], handler: string) => {
      const labels = rows.find(row => row.handler === handler)?.labels
      return [labels?.name?.name, labels?.cron?.name]
    }
    expect(told(english, 'close-unpaid-orders')).toEqual(['Close unpaid orders', 'Every 30 seconds'])
    expect(told(chinese, 'expire-coupons')).toEqual(['更新到期的优惠券', '每 10 分钟'])
    expect([...instance.app.jobs.keys()].sort()).toEqual(REPEATED)
    expect(english.map(({ handler }) => handler).sort()).toEqual(REPEATED)
    // What the code no longer has, or has without a name, is told by what it is called there.
    for (const { handler, labels } of english) expect(labels.name?.name ?? handler).not.toBe(handler)
  })

  test('is closed to whoever does not hold it', async () => {
    const id = await idOf('clean-up')
    const stranger = await person(instance, { grants: { [KEY]: ['list', 'detail'] } })
    for (const path of [`${PATH}/${id}/runNow`, `${PATH}/${id}/stop`, `${PATH}/preview`])
      expect((await stranger.post(path, { cron: '* * * * *' })).code).toBe(4003)
  })
})

describe('a schedule', () => {
  test('is read back in words with its next five times before it is saved', async () => {
    const { data } = await admin.post<Preview>(`${PATH}/preview`, { cron: '0 30 3 * * MON' })
    expect(data.reading).toBe('Every Monday, at 03:30')
    expect(data.nextRuns).toHaveLength(5)
    expect(data.nextRuns[0]).toBe('2026-11-22T19:30:00.000Z')
    expect((await admin.post<Preview>(`${PATH}/preview`, { cron: '0 0 30 2 *' })).data).toEqual({
      reading: null,
      nextRuns: [],
    })
  })

  test('that is none, or parameters out of their bounds, are refused beside their field', async () => {
    const id = await idOf('clear-run-log')
    const { version, misfire, parameters, cron } = await one(id)
    const wrong = await save(id, { version, misfire, parameters, cron: 'soon' })
    expect(wrong.data?.fields).toEqual({ cron: expect.stringContaining('0 30 3 * * *') })
    const bounds = await save(id, { version, misfire, cron, parameters: [{ name: 'days', value: 91 }] })
    expect(Object.keys(bounds.data?.fields ?? {})).toEqual(['parameters.0.value'])
    for (const name of ['hours', 'constructor']) {
      const unknown = await save(id, { version, misfire, cron, parameters: [{ name, value: 1 }] })
      expect(Object.keys(unknown.data?.fields ?? {})).toEqual(['parameters.0.name'])
    }
  })

  test('that is changed is due by the new one at once, and the story tells both', async () => {
    const id = await idOf('sweep-files')
    await admin.post(`${PATH}/${id}/enable`)
    expect((await one(id)).nextDueAt).toBe('2026-11-16T04:05:00Z')
    const { version, misfire, parameters } = await one(id)
    expect((await save(id, { version, misfire, parameters, cron: '0 0 5 * * *' })).code).toBe(0)
    const changed = await one(id)
    expect(changed.nextDueAt).toBe('2026-11-16T21:00:00Z')
    expect(changed.nextRuns[0]).toBe('2026-11-16T21:00:00.000Z')
    expect(changed.labels.declaredCron?.name).toBe('Every hour, at minute 5')
    const { data } = await admin.get<{ diff: Record<string, [string, string]> }[]>(`${PATH}/${id}/timeline`)
    expect(data[0]?.diff.cron).toEqual(['0 5 * * * *', '0 0 5 * * *'])
  })

  test('of a job that is off makes nothing due, and taking that back does', async () => {
    const id = await idOf('sweep-files')
    expect((await admin.post(`${PATH}/${id}/disable`, {})).code).not.toBe(0)
    expect((await admin.post(`${PATH}/${id}/disable`, { reason: 'the storage is being moved' })).code).toBe(0)
    expect(await one(id)).toMatchObject({ status: 'DISABLED', nextDueAt: null, nextRuns: [] })
    expect((await admin.post(`${PATH}/${id}/disable/undo`)).code).toBe(0)
    expect(await one(id)).toMatchObject({ status: 'ENABLED', nextDueAt: '2026-11-16T21:00:00Z' })
    await admin.post(`${PATH}/${id}/disable`, { reason: 'again' })
  })
})

test('doctor notes which jobs are off, and which failed when they last ran', async () => {
  const { query, say } = openWork[0] as (typeof openWork)[number]
  const told = async () => (await instance.app.db.read.pool.query(query)).rows.map(say)
  expect(await told()).toContain('the job follow-parcels is off')
  await sql`update schedule_job set status = 'ENABLED', last_status = 'FAILED', last_ended_at = ${NOON}, next_due_at = null where handler = 'follow-parcels'`.execute(
    instance.app.db.query,
  )
  expect(await told()).toContain('the job follow-parcels failed at 2026-11-16T04:00:00Z')
  await sql`update schedule_job set status = 'DISABLED' where handler = 'follow-parcels'`.execute(instance.app.db.query)
})

test('doctor notes which jobs run by another schedule than usual: one of leap years is as good as off', async () => {
  const { query, say } = openWork[1] as (typeof openWork)[number]
  const told = async () => (await instance.app.db.read.pool.query(query)).rows.map(say)
  expect(await told()).toEqual([])
  const id = await idOf('seal-log')
  await admin.post(`${PATH}/${id}/enable`)
  const { version, misfire, parameters } = await one(id)
  expect((await save(id, { version, misfire, parameters, cron: '0 0 3 29 2 *' })).code).toBe(0)
  expect(await told()).toEqual(['the job seal-log runs by 0 0 3 29 2 *, and not by 0 */2 * * * * as usual'])
})

describe('a run by hand', () => {
  test('of a job that is off too: it runs once, and the log tells who, when, how long and how much', async () => {
    const id = await idOf('clear-run-log')
    await sql`insert into schedule_run (job_id, cause, status, due_at, asked_at, ended_at, parameters)
      select ${id}, 'SCHEDULE', 'SUCCEEDED', day, day, day, '[]' from generate_series(${NOON}::timestamptz - interval '9 days', ${NOON}, '1 day') day`.execute(
      instance.app.db.query,
    )
    expect((await admin.post(`${PATH}/${id}/runNow`)).code).toBe(0)
    const again = await admin.post(`${PATH}/${id}/runNow`)
    expect(again.msg).toContain('The job is running')
    await instance.house.settle()
    const [run] = await runsOf(id)
    expect(run).toMatchObject({ cause: 'BY_HAND', status: 'SUCCEEDED', done: 6, askedBy: admin.id, dueAt: null })
    expect(run?.startedAt).not.toBeNull()
    expect(run?.endedAt).not.toBeNull()
    expect(run?.durationMs).toBeGreaterThanOrEqual(0)
    expect(await one(id)).toMatchObject({ status: 'DISABLED', runningSince: null, lastStatus: 'SUCCEEDED' })
  })

  test('that has not begun is stopped before it does anything', async () => {
    const id = await idOf('fold-counts')
    expect((await one(id)).steps.stop).toMatchObject({ msg: 'The job is not running' })
    await admin.post(`${PATH}/${id}/runNow`)
    expect((await one(id)).steps.stop).toBeNull()
    expect((await admin.post(`${PATH}/${id}/stop`)).code).toBe(0)
    await instance.house.settle()
    expect(await runsOf(id)).toMatchObject([
      { status: 'STOPPED', reason: 'STOP_ASKED', stopBy: admin.id, startedAt: null },
    ])
    expect(await one(id)).toMatchObject({ runningSince: null })
  })
})
