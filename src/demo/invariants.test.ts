import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { openDemoInstance } from '../../tools/testing/demo-instance.ts'
import { openTestInstance, type TestInstance } from '../../tools/testing/instance.ts'
import { IS_LONG } from '../../tools/testing/long.ts'
import { seedDemo } from './seed.server.ts'

const OPEN = `(select order_id from refund_application where status = 'SUBMITTED' order by id limit 1)`
/** The only refund of its order that was paid, within what was suggested. */
const ALONE = `(select min(r.id) from refund_application r where r.status = 'PAID' and not r.needs_l2
  and not exists (select from refund_application o where o.order_id = r.order_id and o.id <> r.id))`
const SIGNED = `(select min(id) from shipment where status = 'SIGNED')`

/** Its damage cannot be mended, so it comes last. */
const LAST = 'the kept count of refund_application is the number of its rows'

/** Damage nobody can do through the console, and the promise that notices it; others may notice it too. */
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
    'who has paid is credited to the channel the written rule says',
    `update member set credited_channel = credited_channel || '?' where id = (select min(id) from member where first_paid_at is not null)`,
    `update member set credited_channel = rtrim(credited_channel, '?') where credited_channel like '%?'`,
  ],
  [
    "an order's refund state tells what was refunded",
    `update sales_order set refund_state = 'PARTIAL' where id = (select min(id) from sales_order where refund_state = 'NONE' and pay_state = 'PAID')`,
    `update sales_order set refund_state = 'NONE' where refund_state = 'PARTIAL' and refunded_fen = 0`,
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
    'the state of refund_application follows from its history',
    `update refund_application set status = 'SUBMITTED' where id = (select min(id) from refund_application where status = 'L1_APPROVED')`,
    `update refund_application set status = 'L1_APPROVED' where status = 'SUBMITTED' and l1_by is not null`,
  ],
  [
    'what a provider has given back for a refund stands there as paid',
    `update provider_refund set refund_id = (select min(id) from refund_application where status = 'REJECTED')
     where refund_no = (select max(refund_no) from provider_refund where status = 'SUCCESS' and refund_id is not null)`,
    'update provider_refund p set refund_id = r.id from refund_application r where r.refund_no = p.refund_no',
  ],
  [
    'the state of sales_order follows from its history',
    `insert into operation_log (at, actor_name, address, request_id, page, action, record_id, diff, code)
     select now(), '', '', 'damage', 'order-list', 'close', id, '{"payState": ["PAID", "CLOSED"]}', 0 from sales_order where pay_state = 'CLOSED' order by id limit 1`,
    `delete from operation_log where request_id = 'damage'`,
  ],
  [
    'a disabled person has no open session',
    `insert into session (staff_id, token_hash, token_at, created_at, expires_at, active_at, address, device)
     select id, 'x', now(), now(), now() + interval '1 day', now(), '', '' from staff where status = 'DISABLED'`,
    `delete from session where token_hash = 'x'`,
  ],
  [
    "a department's path is that of the one above and its own id",
    `update org set path = '/x/' where code = 'AUDIT'`,
    `update org set path = (select path from org where code = 'COMPANY') || id || '/' where code = 'AUDIT'`,
  ],
  [
    "the shares of an order's lines add up to the order",
    `update order_line set amount_fen = amount_fen + 1 where id = (select min(id) from order_line)`,
    `update order_line set amount_fen = amount_fen - 1 where id = (select min(id) from order_line)`,
  ],
  [
    'what is left of a lot is the sum of its ledger',
    `update entitlement_lot set remaining = remaining - 1 where id = (select min(id) from entitlement_lot where remaining > 1 and frozen = 0)`,
    `update entitlement_lot l set remaining = e.sum from (select lot_id, sum(delta) as sum from entitlement_entry group by 1) e where e.lot_id = l.id and l.remaining <> e.sum`,
  ],
  [
    'the coins beside a member are the sum of the lots',
    `update member set coins = coins + 1 where id = (select min(id) from member)`,
    `update member set coins = coins - 1 where id = (select min(id) from member)`,
  ],
  [
    'membership ends when the days of its lots are over, paused ones not counted',
    `update member set membership_ends_on = membership_ends_on + 1 where id = (select min(id) from member where level = 'MEMBER')`,
    `update member set membership_ends_on = membership_ends_on - 1 where id = (select min(id) from member where level = 'MEMBER')`,
  ],
  [
    'membership ends when the days of its lots are over, paused ones not counted',
    `update entitlement_pause set ends_on = ends_on + 1 where id = (select min(id) from entitlement_pause)`,
    `update entitlement_pause set ends_on = ends_on - 1 where id = (select min(id) from entitlement_pause)`,
  ],
  [
    'a membership stands still on the days that were agreed to, and on no others',
    `update member_application set paused_until = paused_until - 1 where id = (select min(application_id) from entitlement_pause)`,
    `update member_application set paused_until = paused_until + 1 where id = (select min(application_id) from entitlement_pause)`,
  ],
  [
    'a membership is not paused twice on one day',
    `insert into entitlement_pause (member_id, application_id, starts_on, ends_on, created_at)
     select p.member_id, (select min(id) from member_application where kind = 'GIFT'), p.ends_on, p.ends_on, now()
     from entitlement_pause p where p.id = (select min(id) from entitlement_pause)`,
    `delete from entitlement_pause where application_id = (select min(id) from member_application where kind = 'GIFT')`,
  ],
  [
    'what lies on the shelf is the sum of its movements',
    `update base_product set on_hand = on_hand + 1 where sku = 'GRIP'`,
    `update base_product set on_hand = on_hand - 1 where sku = 'GRIP'`,
  ],
  [
    'what is promised is what open shipments hold',
    `update base_product set locked = locked + 1 where sku = 'GRIP'`,
    `update base_product set locked = locked - 1 where sku = 'GRIP'`,
  ],
  [
    'an order tells how far its parcels have come, and whether one was not let go',
    `update sales_order set fulfil_state = 'SENT' where id = (select min(id) from sales_order where fulfil_state = 'DONE')`,
    `update sales_order set fulfil_state = 'DONE' where id = (select min(id) from sales_order where fulfil_state in ('SENT', 'DONE'))`,
  ],
  [
    'what has left is worth what it was worth that day',
    `update shipment_line set value_fen = null where id = (select min(id) from shipment_line where value_fen is not null)`,
    `update shipment_line l set value_fen = p.value_fen from base_product p, shipment s
     where p.id = l.base_product_id and s.id = l.shipment_id and s.sent_at is not null and l.value_fen is null`,
  ],
  [
    'a refund finance has to agree to is paid only after it did',
    `update refund_application set needs_l2 = true
     where id = (select min(id) from refund_application where status = 'PAID' and l2_by is null)`,
    `update refund_application set needs_l2 = false where status = 'PAID' and l2_by is null`,
  ],
  [
    'the refunds of a line give back no more than was suggested, unless finance was asked about more',
    `update refund_application set calculation = jsonb_set(calculation, '{0,takenFen}', to_jsonb((calculation #>> '{0,takenFen}')::bigint - 90000000))
     where id = ${ALONE}`,
    `update refund_application set calculation = jsonb_set(calculation, '{0,takenFen}', to_jsonb((calculation #>> '{0,takenFen}')::bigint + 90000000))
     where (calculation #>> '{0,takenFen}')::bigint < 0`,
  ],
  [
    'goods that were asked for again are not with the parcel that was rejected as well',
    `update shipment set resend_of = ${SIGNED} where id = (select max(id) from shipment where source = 'ORDER' and status = 'SIGNED')`,
    `update shipment set resend_of = null where source = 'ORDER' and resend_of = ${SIGNED}`,
  ],
  [
    'what a payment gave back is the sum of its finished refunds',
    `update payment set refunded_fen = refunded_fen + 1 where id = (select min(id) from payment where refunded_fen = 0)`,
    `update payment set refunded_fen = 0 where refunded_fen = 1`,
  ],
  [
    'a coupon counts what was taken and used, and is never taken more often than there are',
    `update coupon set used = used - 1 where id = (select min(id) from coupon where used > 0)`,
    `update coupon c set used = (select count(*) from member_coupon h where h.coupon_id = c.id and h.status = 'USED')`,
  ],
  [
    'a refund tells how much of its checklist is left',
    `update refund_application set effects_open = effects_open + 1 where id = (select min(id) from refund_application)`,
    `update refund_application set effects_open = effects_open - 1 where id = (select min(id) from refund_application)`,
  ],
  [
    'no number of refund_application is used that its sequence has still to give',
    `update number_sequence set last = last - 1 where kind = 'R' and day = (select max(day) from number_sequence where kind = 'R')`,
    `update number_sequence set last = last + 1 where kind = 'R' and day = (select max(day) from number_sequence where kind = 'R')`,
  ],
  [
    'a number of refund_application tells the day on which it was given',
    `update refund_application set created_at = created_at - interval '1 day' where id = (select max(id) from refund_application)`,
    `update refund_application set created_at = created_at + interval '1 day' where id = (select max(id) from refund_application)`,
  ],
  [
    'a refund notice is read exactly when somebody has processed it',
    `update refund_notice set processed_by = 1 where id = (select min(id) from refund_notice where status = 'UNREAD')`,
    `update refund_notice set processed_by = null where status = 'UNREAD'`,
  ],
  [
    'the kept count of sales_order is the number of its rows',
    `insert into kept_count (table_name, state, n) values ('sales_order', 'PAID', 1)`,
    `insert into kept_count (table_name, state, n) values ('sales_order', 'PAID', -1)`,
  ],
  ...['order_by_seller', 'order_by_channel'].map(
    kept =>
      [
        `what ${kept} keeps is what the rows of sales_order add up to`,
        `insert into ${kept}_move (day, placed, placed_paid, placed_kept, paid, bought, paid_fen) values ('2026-11-01', 0, 0, 0, 0, 0, 1)`,
        `insert into ${kept}_move (day, placed, placed_paid, placed_kept, paid, bought, paid_fen) values ('2026-11-01', 0, 0, 0, 0, 0, -1)`,
      ] as const,
  ),
  [
    'what order_by_product keeps is what the rows of sales_order add up to',
    `insert into order_by_product_move (day, product_name, bought, paid_fen) values ('2026-11-01', '字帖', 0, 1)`,
    `insert into order_by_product_move (day, product_name, bought, paid_fen) values ('2026-11-01', '字帖', 0, -1)`,
  ],
  [
    'what an order says was paid for each product is what its lines say',
    `update sales_order set paid_by_product = paid_by_product || '{"没卖过的商品": 1}' where id = (select min(id) from sales_order where paid_fen > 0)`,
    `update sales_order set paid_by_product = paid_by_product - '没卖过的商品' where id = (select min(id) from sales_order where paid_fen > 0)`,
  ],
  [
    LAST,
    `delete from kept_count where ctid = (select min(ctid) from kept_count where table_name = 'refund_application');
     insert into kept_count (table_name, state, n) values ('refund_application', 'REJECTED', 0)`,
    'select 1',
  ],
]

describe('what is always true of stored records', () => {
  let instance: TestInstance

  beforeAll(async () => {
    instance = await openDemoInstance()
  })

  test('nothing is broken in a sound database', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test.each(DAMAGES)('%s: damage is found', async (promise, damage, repair) => {
    await instance.app.db.read.pool.query(damage)
    const broken = await findBroken(instance.app.db, instance.catalogue, name => name === promise)
    expect(broken.map(({ name }) => name)).toEqual([promise])
    await instance.app.db.read.pool.query(repair)
  })

  test('nothing is broken any more when all damage is repaired: none was found by what another had left', async () => {
    const left = await findBroken(instance.app.db, instance.catalogue)
    expect(left.map(({ name }) => name).filter(name => name !== LAST)).toEqual([])
  })
})

/** The business depends on the hour it is made at: on the first and the third of these a parcel was approved minutes before. */
const HOURS = ['2026-11-22T01:19:00Z', '2028-02-29T15:50:00Z', '2026-11-26T20:47:00Z', '2026-12-31T15:59:00Z']
describe('the demo business keeps every promise', () => {
  test.each(IS_LONG ? HOURS : HOURS.slice(0, 2))('made at %s', async now => {
    const instance = await openTestInstance()
    await seedDemo(instance.app, { orders: 400, now: new Date(now) })
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
    await instance.close()
  })
})
