import { beforeAll, describe, expect, test } from 'vitest'
import { nextNumber } from '#engines/sequence/server.ts'
import { findBroken } from '#kit/server/invariants.ts'
import { openTestInstance, stoppedClock, type TestInstance } from '../../tools/testing/instance.ts'
import { PHONES, phoneAt } from './builders.server.ts'
import { seedOrders } from './bulk.server.ts'
import { seedDemo } from './seed.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')

describe('orders in bulk', () => {
  let instance: TestInstance
  const value = async (query: string) => Object.values((await instance.app.db.read.pool.query(query)).rows[0])[0]
  const shape = async () =>
    (
      await instance.app.db.read.pool.query(
        `select indexdef as line from pg_indexes where tablename in ('member', 'sales_order')
         union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated
         from pg_constraint where conrelid in ('member'::regclass, 'sales_order'::regclass) order by 1`,
      )
    ).rows
  let shapeBefore: unknown[]

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
    await seedDemo(instance.app, { orders: 100, now: NOW })
    shapeBefore = await shape()
    const started = performance.now()
    await seedOrders(instance.url, 20_000, { now: NOW })
    console.log(`20 000 orders took ${Math.round(performance.now() - started)} ms`)
  })

  test('come beside what is there, with a member for every fourth', async () => {
    expect(await value('select count(*)::int from sales_order')).toBe(20_100)
    expect(await value('select count(*)::int from member')).toBe(5_040)
  })

  test('keep every promise the stored records make', async () => {
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  test('leave indexes and constraints as they were', async () => {
    expect(await shape()).toEqual(shapeBefore)
  })

  test('belong to the sales staff, whose members they are, and come after them', async () => {
    expect(
      await value(`
        select count(*)::int from sales_order o join member m on m.id = o.member_id
        where (o.owner_id, o.org_id) is distinct from (m.owner_id, m.org_id) or o.created_at < m.created_at`),
    ).toBe(0)
    expect(await value('select count(distinct owner_id)::int from sales_order where id > 100')).toBe(13)
  })

  test('have numbers of their day, and the next order goes on from there', async () => {
    expect(
      await value(
        `select count(*)::int from sales_order where left(order_no, 8) <> to_char(created_at at time zone 'Asia/Shanghai', 'YYYYMMDD')`,
      ),
    ).toBe(0)
    const last = await value(`select max(order_no) from sales_order`)
    expect(await instance.app.db.write(tx => nextNumber(tx, '', NOW))).toBe(String(BigInt(String(last)) + 1n))
  })

  test('have the phone numbers the builders would give', async () => {
    const { rows } = await instance.app.db.read.pool.query(
      'select phone from member where id > 40 order by id limit 100',
    )
    expect(rows.map(({ phone }) => phone)).toEqual(
      Array.from({ length: 100 }, (_, index) => phoneAt(PHONES.bulk + 40 + 1 + index)),
    )
  })

  test('can be added again', async () => {
    await seedOrders(instance.url, 900, { now: NOW })
    expect(await value('select count(*)::int from sales_order')).toBe(21_000)
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  test('have no owner where nobody sells', async () => {
    const empty = await openTestInstance()
    await seedOrders(empty.url, 50, { now: NOW })
    const { rows } = await empty.app.db.read.pool.query(
      'select count(*)::int as orders, count(owner_id)::int as owned from sales_order',
    )
    expect(rows).toEqual([{ orders: 50, owned: 0 }])
    expect(await findBroken(empty.app.db, empty.app.catalogue)).toEqual([])
  })
})
