import type { KyselyPlugin } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { jobsOf } from '../src/kit/server/start/housekeeping.ts'
import { beginRun, type DeclaredJob, defaultParameters } from '../src/kit/server/work/job.ts'
import { perform } from '../src/kit/server/work/schedule-run.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import type { TestInstance } from './testing/instance.ts'

/** What stands in the demo business hangs on the hour: of this one orders wait to be paid. */
/** By then whatever runs out has run out. */
const LATER_MS = 400 * 86_400_000
/** Statements of a run that was stopped before its first row: what it looks for, and what it does at once. */
const MOST_AFTER_STOP = 8

let instance: TestInstance
let jobs: ReadonlyMap<string, DeclaredJob>
beforeAll(async () => {
  instance = await openDemoInstance()
  jobs = jobsOf(instance.catalogue.slices)
  // What the console does by itself meanwhile would hold the rows of a job that is tried.
  await instance.house.stop()
  await instance.outbox.close()
  instance.clock.forward(LATER_MS)
})

class TakenBack extends Error {}

/** Does the work of a job, tells what became of it and takes it back. */
async function tried(job: DeclaredJob, stopAt: (done: number) => boolean) {
  let found = { about: 0, told: 0, statements: 0 }
  const { app, clock } = instance
  await app.db
    .write(async tx => {
      // Anew each time the database has the work done again.
      found = { about: 0, told: 0, statements: 0 }
      const stopping = new AbortController()
      const counting: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          found.statements += 1
          return result
        },
      }
      if (stopAt(0)) stopping.abort()
      const run = beginRun(defaultParameters(job), stopping.signal, done => {
        found.told = done
        if (stopAt(done)) stopping.abort()
      })
      const change = ownChange(app, tx.withPlugin(counting), clock.now(), `job:${job.name}`)
      found.about = await job.work(change, run)
      throw new TakenBack()
    })
    .catch(error => {
      if (!(error instanceof TakenBack)) throw error
    })
  return found
}

describe('a stop', () => {
  test('asked before the first row leaves all rows of every job alone', async () => {
    const late: Record<string, number> = {}
    for (const job of jobs.values()) {
      const { statements, told } = await tried(job, () => true)
      if (statements > MOST_AFTER_STOP || told > 0) late[job.name] = statements
    }
    expect(late).toEqual({})
  })

  test('asked at the first row ends every job that goes through rows behind that row', async () => {
    const through: string[] = []
    const wrong: Record<string, unknown> = {}
    for (const job of jobs.values()) {
      const whole = await tried(job, () => false)
      if (whole.told < 2) continue
      through.push(job.name)
      const stopped = await tried(job, done => done >= 1)
      if (stopped.told !== 1 || stopped.about > 1) wrong[job.name] = { whole, stopped }
    }
    expect(wrong).toEqual({})
    expect(through).toEqual(expect.arrayContaining(['close-unpaid-orders', 'expire-entitlements', 'give-strays-back']))
  })

  test('that comes before a run has begun its work is all that becomes of any job', async () => {
    const { app, clock } = instance
    const ended: Record<string, unknown> = {}
    for (const { id: jobId, handler } of await app.db.query
      .selectFrom('schedule_job')
      .select(['id', 'handler'])
      .execute()) {
      const at = clock.now()
      const { id } = await app.db.query
        .insertInto('schedule_run')
        .values({ job_id: jobId, cause: 'BY_HAND', status: 'RUNNING', asked_at: at, started_at: at, parameters: '[]' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const job = jobs.get(handler) as DeclaredJob
      await perform(app, job, { id, jobId, handler, parameters: defaultParameters(job) }, AbortSignal.abort())
      const { status, done, reason } = await app.db.query
        .selectFrom('schedule_run')
        .select(['status', 'done', 'reason'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      ended[handler] = [status, done, reason].join(' ')
    }
    expect(new Set(Object.values(ended))).toEqual(new Set(['STOPPED 0 INSTANCE_STOPPED']))
    expect(Object.keys(ended).length).toBeGreaterThan(15)
  })
})
