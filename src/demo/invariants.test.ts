import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/invariants.ts'
import { openTestInstance, type TestInstance } from '../../tools/testing/instance.ts'
import { seedDemo } from './seed.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')
const OPEN = `(select order_id from refund_application where status = 'SUBMITTED' order by id limit 1)`

/** Damage nobody can do through the console, and the promise that notices it. */
const DAMAGES: readonly (readonly [promise: string, damage: string, repair: string])[] = [
  [
    'what an order has set aside is what its open refunds ask',
    `update sales_order set reserved_fen = reserved_fen - 1 where id = ${OPEN}`,
    `update sales_order set reserved_fen = reserved_fen + 1 where id = ${OPEN}`,
  ],
  [
    'refunds asked and paid stay within what was paid',
    `alter table sales_order drop constraint refunds_within_paid;
     update sales_order set refunded_fen = 7, refund_state = 'FULL' where id = (select min(id) from sales_order where pay_state = 'CLOSED')`,
    `update sales_order set refunded_fen = 0, refund_state = 'NONE' where refunded_fen = 7`,
  ],
  [
    "an order's refund state tells what was refunded",
    `update sales_order set refund_state = 'PARTIAL' where id = ${OPEN}`,
    `update sales_order set refund_state = 'NONE' where id = ${OPEN}`,
  ],
  [
    'a refund belongs to the member, the owner and the department of its order',
    `update sales_order set owner_id = null where id = ${OPEN}`,
    `update sales_order o set owner_id = m.owner_id from member m where m.id = o.member_id and o.id = ${OPEN}`,
  ],
  [
    'nobody decided on a refund he asked for, and nobody but the applicant withdrew one',
    `update operation_log l set action = 'approve' where id = (select min(id) from operation_log where page = 'order-refundApply' and action = 'create')`,
    `update operation_log l set action = 'create' where id = (select min(id) from operation_log where page = 'order-refundApply')`,
  ],
  [
    'no number is used that its sequence has still to give',
    `update number_sequence set last = last - 1 where kind = 'R' and day = (select max(day) from number_sequence where kind = 'R')`,
    `update number_sequence set last = last + 1 where kind = 'R' and day = (select max(day) from number_sequence where kind = 'R')`,
  ],
  [
    'a refund notice is read exactly when somebody has processed it',
    `update refund_notice set processed_by = 1 where id = (select min(id) from refund_notice where status = 'UNREAD')`,
    `update refund_notice set processed_by = null where status = 'UNREAD'`,
  ],
  [
    'a disabled person has no open session',
    `insert into session (staff_id, token_hash, token_at, created_at, expires_at, active_at, address, device)
     select id, 'x', now(), now(), now() + interval '1 day', now(), '', '' from staff where status = 'DISABLED'`,
    'delete from session',
  ],
  [
    "a department's path is that of the one above and its own id",
    `update org set path = '/x/' where code = 'AUDIT'`,
    `update org set path = (select path from org where code = 'COMPANY') || id || '/' where code = 'AUDIT'`,
  ],
  [
    'the kept count of sales_order is the number of its rows',
    `insert into kept_count (table_name, state, n) values ('sales_order', 'PAID', 1)`,
    `insert into kept_count (table_name, state, n) values ('sales_order', 'PAID', -1)`,
  ],
  [
    'the kept count of refund_application is the number of its rows',
    `delete from kept_count where ctid = (select min(ctid) from kept_count where table_name = 'refund_application');
     insert into kept_count (table_name, state, n) values ('refund_application', 'REJECTED', 0)`,
    'select 1',
  ],
]

describe('what is always true of stored records', () => {
  let instance: TestInstance

  beforeAll(async () => {
    instance = await openTestInstance()
    await seedDemo(instance.app, { orders: 400, now: NOW })
  })

  test('nothing is broken in a sound database', async () => {
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  test.each(DAMAGES)('%s: damage is found', async (promise, damage, repair) => {
    await instance.app.db.read.pool.query(damage)
    const broken = await findBroken(instance.app.db, instance.app.catalogue)
    expect(broken.map(({ name }) => name)).toEqual([promise])
    await instance.app.db.read.pool.query(repair)
  })
})
