import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'

/** Two and a half seconds, or on busy cores as long as fifty others need who knock at the same door one after the other. */
async function tooLate(url: string): Promise<'too late'> {
  const knocks = async () => {
    for (let nth = 0; nth < 50; nth += 1)
      await new pg.Client({ connectionString: url }).connect().catch(() => undefined)
  }
  await Promise.all([setTimeout(2_500), knocks()])
  return 'too late'
}

const status = async (instance: TestInstance, url: string, remoteAddress = '127.0.0.1') =>
  (await instance.http.inject({ method: 'GET', url, remoteAddress })).statusCode

describe('probes', () => {
  test('an instance on a migrated database is healthy and ready', async () => {
    const instance = await openTestInstance()
    expect(await status(instance, '/health')).toBe(200)
    expect(await status(instance, '/ready')).toBe(200)
  })

  test('an instance that is told to stop is no longer ready, but healthy', async () => {
    const instance = await openTestInstance()
    instance.retire()
    expect(await status(instance, '/ready')).toBe(503)
    expect(await status(instance, '/health')).toBe(200)
  })

  test('an instance whose database is gone is not ready, but healthy', async () => {
    const database = await cloneDatabase()
    const instance = await openTestInstance({ url: database.url })
    await database.drop()
    expect(await Promise.race([status(instance, '/ready'), tooLate(database.url)])).toBe(503)
    expect(await status(instance, '/health')).toBe(200)
  })

  test('an instance that knows a migration the database lacks is not ready', async () => {
    const instance = await openTestInstance()
    await instance.app.db.read.pool.query('delete from migration where name = (select max(name) from migration)')
    expect(await status(instance, '/ready')).toBe(503)
  })
})

describe('metrics', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
  })
  const metrics = async () => (await instance.http.inject({ method: 'GET', url: '/metrics' })).body

  test('every line can be read by Prometheus, and each figure says what it is', async () => {
    await (await person(instance, { grants: { 'order-list': ['list'] } })).get('/orders/order')
    const lines = (await metrics()).trimEnd().split('\n')
    const typed = new Set(lines.flatMap(line => /^# TYPE (\w+) (gauge|counter|histogram)$/.exec(line)?.[1] ?? []))
    for (const line of lines.filter(text => !text.startsWith('# HELP '))) {
      if (line.startsWith('# TYPE ')) continue
      const name = /^([a-z0-9_]+?)(?:_bucket|_sum|_count)?(?:\{(?:[a-z]+="[^"]*",?)+\})? -?[\d.e+-]+$/.exec(line)?.[1]
      expect(typed, line).toContain(name)
    }
    expect(lines).toContainEqual(
      expect.stringMatching(/inkstone_call_seconds_count\{method="GET",route="\/api\/orders\/order"\} 1/),
    )
    expect(lines).toContainEqual('inkstone_database_connections_waiting{pool="reads"} 0')
  })

  test('addresses that do not exist add one series, however many there are', async () => {
    await caller(instance).get('/first')
    const before = (await metrics()).split('\n').length
    for (let number = 0; number < 200; number += 1)
      await instance.http.inject({ method: 'GET', url: `/api/x${number}?p=13800138000` })
    await instance.http.inject({ method: 'PROPFIND' as never, url: '/api/x' })
    const after = await metrics()
    expect(after.split('\n').length - before).toBeLessThan(20)
    expect(after).not.toContain('13800138000')
  })

  test('what held the loop up since the last look shows', async () => {
    const longest = async () => Number(/^inkstone_event_loop_max_seconds (\S+)$/m.exec(await metrics())?.[1])
    await metrics()
    await setTimeout(100)
    const end = performance.now() + 300
    while (performance.now() < end);
    await setTimeout(100)
    expect(await longest()).toBeGreaterThan(0.25)
  })

  test('a call that has ended is no longer under way', async () => {
    await caller(instance).get('/first')
    expect(await metrics()).toContain('inkstone_calls_under_way 1\n')
  })

  test('nobody sees them from another machine, or through a proxy on this one', async () => {
    expect(await status(instance, '/metrics', '10.0.0.7')).toBe(403)
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'via'])
      expect((await instance.http.inject({ url: '/metrics', headers: { [name]: '10.0.0.7' } })).statusCode, name).toBe(
        403,
      )
  })

  test('who shows the token sees them from anywhere', async () => {
    const guarded = await openTestInstance({ env: { METRICS_TOKEN: 'only-for-tests-0123' } })
    const ask = async (authorization: string) =>
      (await guarded.http.inject({ url: '/metrics', remoteAddress: '10.0.0.7', headers: { authorization } })).statusCode
    expect(await ask('Bearer only-for-tests-0123')).toBe(200)
    for (const wrong of ['', 'Bearer', 'Bearer only-for-tests-0124', 'only-for-tests-0123'])
      expect(await ask(wrong)).toBe(403)
    expect(await status(guarded, '/metrics')).toBe(200)
  })
})
