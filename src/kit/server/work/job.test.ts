import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { cleanUp, foldCounts } from '../start/housekeeping.ts'
import { every } from './job.ts'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

describe('a job', () => {
  test('runs on one instance at a time', async () => {
    const second = await openTestInstance({ url: instance.url })
    let running = 0
    let most = 0
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await delay(50)
      running -= 1
    }
    const jobs = [every(instance.app, 'alone', 60_000, work), every(second.app, 'alone', 60_000, work)]
    const ran = await Promise.all(jobs.map(job => job.run()))
    expect(ran.toSorted()).toEqual([false, true])
    expect(most).toBe(1)
    await Promise.all(jobs.map(job => job.stop()))
  })

  test('that failed runs again at its next time, and says so in the log', async () => {
    let runs = 0
    const job = every(instance.app, 'failing', 20, async () => {
      runs += 1
      throw new Error('not today')
    })
    await expect.poll(() => runs).toBeGreaterThan(1)
    await job.stop()
    expect(instance.logged.some(line => line.includes('a job failed') && line.includes('failing'))).toBe(true)
  })

  test('that finds its rows held is no failure: it runs again at its next time, and nobody is told', async () => {
    let runs = 0
    const job = every(instance.app, 'waiting', 20, async () => {
      runs += 1
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    })
    await expect.poll(() => runs).toBeGreaterThan(2)
    await job.stop()
    expect(instance.logged.some(line => line.includes('"waiting"'))).toBe(false)
  })

  test('that was stopped runs no more', async () => {
    let runs = 0
    const job = every(instance.app, 'stopped', 10, async () => {
      runs += 1
    })
    await expect.poll(() => runs).toBeGreaterThan(0)
    await job.stop()
    const then = runs
    await delay(60)
    expect(runs).toBe(then)
  })
})

describe('folding kept counts', () => {
  const sums = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select table_name, org_id, owner_id, carer_id, state, sum(n)::int as n from kept_count where table_name <> 'staff'
      group by 1, 2, 3, 4, 5 having sum(n) <> 0 order by 1, 2, 3, 4, 5`.execute(instance.app.db.query)
    return rows
  }
  const counted = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select 'sales_order' as table_name, org_id, owner_id, null::bigint as carer_id, pay_state as state, count(*)::int as n from sales_order group by 2, 3, 5
      union all select 'member', org_id, owner_id, teacher_id, level, count(*)::int from member group by 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(
      instance.app.db.query,
    )
    return rows
  }
  const rowsKept = async () =>
    Number(
      (
        await sql<{ n: string }>`select count(*) as n from kept_count where table_name <> 'staff'`.execute(
          instance.app.db.query,
        )
      ).rows[0]?.n,
    )

  test('leaves one row a cell and the same sums', async () => {
    const owner = await person(instance)
    for (let n = 0; n < 5; n += 1) await placeOrder(instance, { ownerId: owner.id, orgId: owner.orgId })
    for (let n = 0; n < 3; n += 1) await placeOrder(instance)
    await instance.app.db.query
      .updateTable('sales_order')
      .set({ pay_state: 'CLOSED' })
      .where('owner_id', '=', owner.id)
      .execute()
    const before = await sums()
    expect(await rowsKept()).toBeGreaterThan(before.length)
    await instance.app.db.write(foldCounts)
    expect(await sums()).toEqual(before)
    expect(await rowsKept()).toBe(before.length)
  })

  test('stays exact while many write', async () => {
    const owners = [await person(instance), await person(instance)]
    let writing = true
    const folding = (async () => {
      while (writing) await instance.app.db.write(foldCounts)
    })()
    await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; n < 25; n += 1) {
          const owner = owners[(writer + n) % 2]
          const id = await placeOrder(instance, { ownerId: owner?.id ?? null, orgId: owner?.orgId ?? null })
          if (n % 3 === 0)
            await instance.app.db.query
              .updateTable('sales_order')
              .set({ pay_state: 'CLOSED' })
              .where('id', '=', id)
              .execute()
          if (n % 5 === 0) {
            await instance.app.db.query.deleteFrom('payment').where('order_id', '=', id).execute()
            await instance.app.db.query.deleteFrom('order_line').where('order_id', '=', id).execute()
            await instance.app.db.query.deleteFrom('sales_order').where('id', '=', id).execute()
          }
        }
      }),
    )
    writing = false
    await folding
    expect(await sums()).toEqual(await counted())
    await instance.app.db.write(foldCounts)
    expect(await sums()).toEqual(await counted())
  })
})

test('cleaning up removes what has served and nothing else', async () => {
  const { db, clock } = instance.app
  const { id } = await person(instance)
  const session = await db.query.selectFrom('session').select('id').where('staff_id', '=', id).executeTakeFirstOrThrow()
  const now = clock.now()
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  await db.write(async tx => {
    await tx
      .insertInto('captcha')
      .values([-1, 1].map(h => ({ key: `c${h}`, answer: 'x', expires_at: at(h) })))
      .execute()
    await tx
      .insertInto('socket_ticket')
      .values([-1, 1].map(h => ({ hash: Buffer.from(`t${h}`), session_id: session.id, expires_at: at(h) })))
      .execute()
    await tx
      .insertInto('attempt_gate')
      .values([
        { kind: 'k', subject: 'over', attempts: 1, window_until: at(-1) },
        { kind: 'k', subject: 'open', attempts: 1, window_until: at(1) },
        { kind: 'k', subject: 'locked', attempts: 1, window_until: at(-1), locked_until: at(1) },
      ])
      .execute()
    const answered = { actor_id: id, route: 'r', body_hash: 'h', answer: '1' }
    await tx
      .insertInto('idempotency')
      .values([
        { ...answered, key: 'old', created_at: at(-49) },
        { ...answered, key: 'new', created_at: at(-47) },
      ])
      .execute()
    await sql`insert into signal (topic, payload, at) values
      ('cache', '{"name":"old"}', clock_timestamp() - interval '2 hours'), ('cache', '{"name":"young"}', clock_timestamp())`.execute(
      tx,
    )
  })
  await db.write(tx => cleanUp(tx, now))
  const left = async (text: string) => (await db.read.pool.query(text)).rows.map(row => row.v)
  expect(await left('select key as v from captcha')).toEqual(['c1'])
  expect(await left("select convert_from(hash, 'UTF8') as v from socket_ticket")).toEqual(['t1'])
  expect(await left("select subject as v from attempt_gate where kind = 'k' order by 1")).toEqual(['locked', 'open'])
  expect(await left('select key as v from idempotency')).toEqual(['new'])
  expect(await left("select payload->>'name' as v from signal where topic = 'cache'")).toEqual(['young'])
})

test('the newest signal stays however old, so that a reader starting later begins behind it', async () => {
  const { db } = instance.app
  await sql`update signal set at = clock_timestamp() - interval '2 hours'`.execute(db.query)
  await db.write(tx => cleanUp(tx, instance.clock.now()))
  expect(await db.query.selectFrom('signal').select('id').execute()).toHaveLength(1)
})
