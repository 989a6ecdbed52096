import { inject } from 'vitest'
import { seedDemo } from '../../src/demo/seed.server.ts'
import { databaseUrl, demoName, onServer } from './database.ts'
import { DEMO_DAY } from './demo-day.ts'
import { openTestInstance, stoppedClock, type TestInstance } from './instance.ts'

/** Small, and yet with records in most states. */
const ORDERS = 300
const LOCK = 7_283_499

/** A small demo business on its day. It is made once in a run, by whoever needs it first; each file gets a copy of its own. */
export async function openDemoInstance(): Promise<TestInstance> {
  return openTestInstance({ clock: stoppedClock(DEMO_DAY), like: await demoDatabase() })
}

async function demoDatabase(): Promise<string> {
  const template = inject('templateUrl')
  const name = demoName(template)
  await onServer(template, async client => {
    // Given back with the connection.
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await makeDemo(template, name)
  })
  return databaseUrl(template, name)
}

/** By its name it is complete: it gets that in the end. */
async function makeDemo(template: string, name: string): Promise<void> {
  const half = `${name}_half`
  await onServer(template, async client => {
    await client.query(`drop database if exists ${half} with (force)`)
    await client.query(`create database ${half} template ${new URL(template).pathname.slice(1)} strategy file_copy`)
  })
  const instance = await openTestInstance({ url: databaseUrl(template, half), clock: stoppedClock(DEMO_DAY) })
  await instance.house.stop()
  await seedDemo(instance.app, { orders: ORDERS, now: DEMO_DAY })
  await instance.close()
  await onServer(template, client => client.query(`alter database ${half} rename to ${name}`))
}
