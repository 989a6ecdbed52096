import { beforeAll, describe, expect, test } from 'vitest'
import { receivePayment } from '#engines/payment/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { openTestInstance, stoppedClock, type TestInstance } from '../../tools/testing/instance.ts'
import { seedOrders } from '../areas/orders/order/demo-bulk.server.ts'
import { PHONES, phoneAt } from './builders.server.ts'
import { seedDemo } from './seed.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')

describe('orders in bulk', () => {
  let instance: TestInstance
  const value = async (query: string) => Object.values((await instance.app.db.read.pool.query(query)).rows[0])[0]
  const sizes = async () => ({
    orders: Number(await value('select count(*) from sales_order')),
    members: Number(await value('select count(*) from member')),
  })
  const shape = async () =>
    (
      await instance.app.db.read.pool.query(
        `select indexdef as line from pg_indexes where schemaname = 'public'
         union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated
         from pg_constraint where connamespace = 'public'::regnamespace order by 1`,
      )
    ).rows
  let shapeBefore: unknown[]
  let before: { orders: number; members: number }

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
    await seedDemo(instance.app, { orders: 100, now: NOW })
    shapeBefore = await shape()
    before = await sizes()
    const started = performance.now()
    await seedOrders(instance.url, 20_000, { now: NOW })
    console.log(`20 000 orders took ${Math.round(performance.now() - started)} ms`)
  })

  test('come beside what is there, with a member for every fourth', async () => {
    expect(await sizes()).toEqual({ orders: before.orders + 20_000, members: before.members + 5_000 })
  })

  test('keep every promise the stored records make', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
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
    expect(
      await value(
        'select count(distinct owner_id)::int from sales_order where id > (select max(id) - 20000 from sales_order)',
      ),
    ).toBe(13)
  })

  test('have numbers of their day, and the next order goes on from there', async () => {
    expect(
      await value(
        `select count(*)::int from sales_order where left(order_no, 8) <> to_char(created_at at time zone 'Asia/Shanghai', 'YYYYMMDD')`,
      ),
    ).toBe(0)
    const last = await value(`select max(order_no) from sales_order`)
    expect(await nextNumber({ app: instance.app, now: NOW }, '')).toBe(String(BigInt(String(last)) + 1n))
  })

  test('leave the counters of parcels and payments at their last numbers', async () => {
    for (const [kind, table, column] of [
      ['S', 'shipment', 'shipment_no'],
      ['P', 'payment', 'payment_no'],
    ])
      expect(
        await value(`
          select count(*)::int from ${table} t left join number_sequence s on s.kind = '${kind}' and to_char(s.day, 'YYYYMMDD') = substr(${column}, 2, 8)
          where s.last is null or substr(${column}, 10)::bigint > s.last`),
        table,
      ).toBe(0)
  })

  test('bring everything with them that an order brings', async () => {
    const lately = 'o.id > (select max(id) - 20000 from sales_order)'
    expect(
      await value(`
        select count(*)::int from sales_order o left join payment p on p.order_id = o.id
        where ${lately} and (o.pay_state = 'PAID') <> (p.id is not null and p.amount_fen = o.paid_fen)`),
    ).toBe(0)
    expect(
      await value(`
        select count(*)::int from sales_order o join order_line l on l.order_id = o.id
        where ${lately} and o.pay_state = 'PAID' and (select count(*) from entitlement_lot e where e.order_line_id = l.id)
          <> (select count(*) from jsonb_array_elements(l.grants) g where g ->> 'kind' <> 'GOODS')`),
    ).toBe(0)
    expect(
      await value(`
        select count(*)::int from sales_order o join order_line l on l.order_id = o.id
        where ${lately} and (o.pay_state = 'PAID' and l.grants @> '[{"kind": "GOODS"}]') <> exists (select 1 from shipment s where s.order_id = o.id)`),
    ).toBe(0)
    expect(
      await value(`select count(distinct level)::int from member where id > (select max(id) - 5000 from member)`),
    ).toBe(3)
  })

  test('are paid in the console afterwards as any other', async () => {
    const { app } = instance
    const [order] = await app.db.read.planned(
      `select order_no, amount_fen from sales_order where pay_state = 'UNPAID' order by id desc limit 1`,
      [],
    )
    await app.db.write(tx =>
      receivePayment(ownChange(app, tx, NOW, 'test'), {
        provider: 'WECHAT',
        providerNo: 'after-bulk',
        orderNo: String(order?.order_no),
        amountFen: Number(order?.amount_fen),
        paidAt: NOW,
      }),
    )
    expect(await value(`select pay_state from sales_order where order_no = '${order?.order_no}'`)).toBe('PAID')
    expect(await findBroken(app.db, instance.catalogue)).toEqual([])
  })

  test('have the phone numbers the builders would give', async () => {
    const { rows } = await instance.app.db.read.pool.query(
      `select phone from member where id > ${before.members} order by id limit 100`,
    )
    expect(rows.map(({ phone }) => phone)).toEqual(
      Array.from({ length: 100 }, (_, index) => phoneAt(PHONES.bulk + before.members + 1 + index)),
    )
  })

  test('can be added again', async () => {
    await seedOrders(instance.url, 900, { now: NOW })
    expect((await sizes()).orders).toBe(before.orders + 20_900)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('have no owner where nobody sells', async () => {
    const empty = await openTestInstance()
    await seedOrders(empty.url, 50, { now: NOW })
    const { rows } = await empty.app.db.read.pool.query(
      'select count(*)::int as orders, count(owner_id)::int as owned from sales_order',
    )
    expect(rows).toEqual([{ orders: 50, owned: 0 }])
    expect(await findBroken(empty.app.db, empty.catalogue)).toEqual([])
  })
})
