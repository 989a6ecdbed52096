import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { defineDelivery, deliver, openOutbox } from '../src/kit/server/change/outbox.ts'
import { every } from '../src/kit/server/work/job.ts'
import { cloneDatabase, openTestInstance, type TestInstance } from '../tools/testing/instance.ts'

const DUE = 60
/** Longer than the lease of a call whose instance died. */
const LEASE_OVER_MS = 61_000

/** Holds a job as an instance does that is in the middle of it, until it is killed. */
const HOLDER = `
import pg from 'pg'
const client = new pg.Client({ connectionString: process.argv[1] })
await client.connect()
await client.query('begin')
await client.query("select pg_advisory_xact_lock(hashtext('job:held'))")
console.log('held')
setInterval(() => {}, 1000)
`

describe.each([2, 3])('periodic work on %i instances', count => {
  let instances: TestInstance[]
  const called: string[] = []
  const delivery = defineDelivery<null, void>({
    kind: 'test',
    async call(_app, _payload, key) {
      called.push(key)
      await sleep(1)
    },
    settle: async () => {},
  })

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    instances = []
    for (let nth = 0; nth < count; nth += 1) {
      const instance = await openTestInstance({ url })
      // Its own would take our rows, and know nothing of their kind.
      await instance.outbox.close()
      instances.push(instance)
    }
  })
  const first = () => instances[0] as TestInstance
  const outboxes = () => instances.map(({ app }) => openOutbox(app, [delivery]))
  const wish = (keys: readonly string[]) =>
    first().app.db.write(async tx => {
      for (const key of keys) await deliver({ tx, now: first().clock.now() }, { kind: 'test', key, payload: null })
    })

  test('each call that is due is made once, whoever is free', async () => {
    const keys = Array.from({ length: DUE }, (_, nth) => `call-${nth}`)
    await wish(keys)
    const all = outboxes()
    await Promise.all(all.map(outbox => outbox.run()))
    expect(called.toSorted()).toEqual(keys.toSorted())
    await Promise.all(all.map(outbox => outbox.close()))
  })

  test('a call whose instance died with it is made again when its time is over, once', async () => {
    await wish(['orphan'])
    await sql`update outbox set attempts = 1, due_at = ${new Date(first().clock.now().getTime() + 60_000)} where key = 'orphan'`.execute(
      first().app.db.query,
    )
    called.length = 0
    for (const { clock } of instances) clock.forward(LEASE_OVER_MS)
    const all = outboxes()
    await Promise.all(all.map(outbox => outbox.run()))
    expect(called).toEqual(['orphan'])
    await Promise.all(all.map(outbox => outbox.close()))
  })

  test('the work of a due moment is done by one of them, whatever moment it is', async () => {
    let running = 0
    let most = 0
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(5)
      running -= 1
    }
    const jobs = instances.map(({ app }) => every(app, 'alone', 60_000, work))
    for (let round = 0; round < 20; round += 1) {
      const ran = await Promise.all(jobs.map(job => job.run()))
      expect(ran.some(Boolean)).toBe(true)
    }
    expect(most).toBe(1)
    await Promise.all(jobs.map(job => job.stop()))
  })

  test('every job the slices declare may run on all at once', async () => {
    await Promise.all(instances.map(({ house }) => house.runJobs()))
    expect(instances.flatMap(({ logged }) => logged.filter(line => line.includes('a job failed')))).toEqual([])
  })

  test('a holder that is killed in the middle holds nobody up', async () => {
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, first().url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    let runs = 0
    const jobs = instances.map(({ app }) =>
      every(app, 'held', 60_000, async () => {
        runs += 1
      }),
    )
    expect(await Promise.all(jobs.map(job => job.run()))).toEqual(instances.map(() => false))
    holder.kill('SIGKILL')
    await expect.poll(() => jobs[0]?.run(), { timeout: 5_000 }).toBe(true)
    expect(runs).toBe(1)
    await Promise.all(jobs.map(job => job.stop()))
  })
})
