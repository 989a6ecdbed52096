import { beforeAll, describe, expect, test } from 'vitest'
import { nextNumber } from '#engines/sequence/server.ts'
import { createAdmin } from '#kit/server/auth/admin.ts'
import { DEMO_PASSWORD, findDemoAccounts } from '#kit/server/auth/demo-account.ts'
import { isPassword } from '#kit/server/auth/hash.ts'
import type { Row } from '#kit/server/database.ts'
import { findBroken } from '#kit/server/invariants.ts'
import {
  type Caller,
  caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../tools/testing/instance.ts'
import { keepBuiltInDictionaries } from './dictionaries.server.ts'
import { seedDemo } from './seed.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')
const TABLES = [
  'org',
  'role',
  'role_permission',
  'staff',
  'staff_role',
  'dictionary_type',
  'dictionary_item',
  'member',
  'sales_order',
  'refund_application',
  'refund_notice',
  'operation_log',
  'number_sequence',
  'kept_count',
]

const rowsOf = async (instance: TestInstance, query: string): Promise<Row[]> =>
  (await instance.app.db.read.pool.query(query)).rows
const oneOf = async (instance: TestInstance, query: string): Promise<unknown> =>
  Object.values((await rowsOf(instance, query))[0] ?? {})[0]

/** Everything stored but the password's random salt, as one line per table. */
const contents = (instance: TestInstance) =>
  Promise.all(
    TABLES.map(async table => [
      table,
      await oneOf(
        instance,
        `select md5(string_agg(line, '' order by line)) from (select (to_jsonb(t) - 'password_hash')::text as line from ${table} t) l`,
      ),
    ]),
  )

async function as(instance: TestInstance, account: string): Promise<Caller> {
  const { id } = await instance.app.db.query
    .selectFrom('staff')
    .select('id')
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  const { token } = await instance.app.db.write(tx =>
    instance.app.sessions.open(tx, id, { address: '127.0.0.1', device: 'test' }),
  )
  return caller(instance, id, token)
}

describe('the demo business', () => {
  let instance: TestInstance
  const rows = (query: string) => rowsOf(instance, query)
  const value = (query: string) => oneOf(instance, query)

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
    const started = performance.now()
    expect(await seedDemo(instance.app, { now: NOW })).toBe(true)
    const tookMs = performance.now() - started
    console.log(`the demo business took ${Math.round(tookMs)} ms`)
    // The promise is 4 s on an idle machine.
    expect(tookMs).toBeLessThan(15_000)
  })

  test('has the sizes it promises', async () => {
    expect(
      await Promise.all(
        ['staff', 'member', 'sales_order', 'refund_application'].map(table =>
          value(`select count(*)::int from ${table}`),
        ),
      ),
    ).toEqual([40, 1_200, 3_000, 260])
  })

  test('keeps every promise the stored records make', async () => {
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  test('a second seed changes nothing', async () => {
    const before = await contents(instance)
    expect(await seedDemo(instance.app, { now: NOW })).toBe(false)
    expect(await contents(instance)).toEqual(before)
  })

  test('is the same business every time', async () => {
    const other = await openTestInstance({ clock: stoppedClock(NOW) })
    await seedDemo(other.app, { now: NOW })
    expect(await contents(other)).toEqual(await contents(instance))
  })

  test('every role has the scope and the keys of the plan', async () => {
    const lines = await rows(`
      select format('%s %s%s', r.code, r.scope, string_agg(format(' %s(%s)', menu.resource_code, a.actions), '' order by menu.resource_code)) as line
      from role r left join lateral (
        select p.id, p.resource_code from role_permission rp join permission p on p.id = rp.permission_id
        where rp.role_id = r.id and p.display_type = 'MENU' and p.resource_code not in ('order', 'system')) menu on true
      left join lateral (
        select string_agg(p.resource_code, ' ' order by p.resource_code) as actions from role_permission rp join permission p on p.id = rp.permission_id
        where rp.role_id = r.id and p.parent_id = menu.id and p.display_type = 'PERMISSION') a on true
      group by r.id order by r.id`)
    const sales = 'dy-code(list) member-list(list) order-browse(list)'
    expect(lines.map(({ line }) => String(line).replace(' ()', ''))).toEqual([
      'SUPER_ADMIN ALL',
      `SALES SELF ${sales} order-list(detail list reveal update) order-refundApply(create detail list withdraw)`,
      `SALES_MANAGER_COPY DEPARTMENT_AND_BELOW ${sales} order-list(close detail export list reveal update) order-refundApply(approve create detail export list reject withdraw)`,
      'TEACHER SELF member-list(list)',
      'AFTERSALES_MANAGER DEPARTMENT_AND_BELOW member-list(list) opus-opusFail(list) order-refundApply(approve detail list reject)',
      'FINANCE ALL order-list(detail list) order-refundApply(detail export list)',
      'FINANCE_CASHIER ALL order-refundApply(detail list)',
      'OPERATIONS ALL',
      'OPERATIONS_MANAGER ALL member-share(list)',
      'LOGISTICS ALL',
      'WAREHOUSE_MANAGER ALL',
      'AUDITOR ALL dictionary(detail list) order-list(detail list) order-refundApply(detail list)',
    ])
  })

  test('who holds a page holds the group it stands in', async () => {
    expect(
      await rows(`
        select rp.role_id, p.resource_code from role_permission rp join permission p on p.id = rp.permission_id
        where p.parent_id is not null and not exists (select 1 from role_permission g where g.role_id = rp.role_id and g.permission_id = p.parent_id)`),
    ).toEqual([])
  })

  test('there is one account for each role, and all open with the demo password', async () => {
    const shown = await findDemoAccounts(instance.app)
    expect(shown.map(({ account }) => account)).toEqual([
      'admin',
      'sales',
      'sales-manager-copy',
      'teacher',
      'aftersales-manager',
      'finance',
      'finance-cashier',
      'operations',
      'operations-manager',
      'logistics',
      'warehouse-manager',
      'auditor',
    ])
    const hashes = await rows('select distinct password_hash from staff')
    for (const { password_hash } of hashes) expect(await isPassword(DEMO_PASSWORD, String(password_hash))).toBe(true)
  })

  test('everybody but a head of department reports to somebody in the same department or above', async () => {
    expect(
      await rows(`
        select s.account from staff s join org o on o.id = s.org_id join staff m on m.id = s.manager_id join org mo on mo.id = m.org_id
        where not o.path like mo.path || '%' or m.id = s.id`),
    ).toEqual([])
    expect(await value('select count(*)::int from staff where manager_id is null')).toBe(7)
  })

  test('no two people share a phone number', async () => {
    expect(
      await rows(
        'select phone from (select phone from staff union all select phone from member) p group by phone having count(*) > 1',
      ),
    ).toEqual([])
    expect(await rows(`select phone from staff where phone !~ '^1[3-9][0-9]{9}$'`)).toEqual([])
  })

  test('the money of every order fits its state and its time', async () => {
    expect(
      await rows(`
        select order_no from sales_order where not case pay_state
          when 'PAID' then paid_fen = amount_fen and paid_at between created_at and timestamptz '${NOW.toISOString()}' and closed_at is null
          when 'UNPAID' then paid_fen = 0 and paid_at is null and created_at > timestamptz '${NOW.toISOString()}' - interval '2 hours'
          when 'EXAMINING' then paid_fen = 0 and paid_at is null and source = 'OFFLINE'
          else paid_fen = 0 and paid_at is null and closed_at between created_at and created_at + interval '2 hours' end`),
    ).toEqual([])
    expect(
      (await rows('select pay_state from sales_order group by 1 order by 1')).map(({ pay_state }) => pay_state),
    ).toEqual(['CLOSED', 'EXAMINING', 'PAID', 'UNPAID'])
  })

  test('what platforms refunded stands in a notice, and nothing else counts as refunded', async () => {
    expect(
      await rows(`
        select o.order_no from sales_order o full join (select order_no from refund_notice where member_id is not null) n using (order_no)
        where (o.refunded_fen > 0) is distinct from (n.order_no is not null) and (o.refunded_fen > 0 or n.order_no is not null)`),
    ).toEqual([])
    expect(await value('select count(*)::int from sales_order where refunded_fen > 0')).toBeGreaterThan(10)
  })

  test('an order belongs to whoever owns its member, and was sold by somebody who sells', async () => {
    expect(
      await rows(
        'select o.id from sales_order o join member m on m.id = o.member_id where (o.owner_id, o.org_id) is distinct from (m.owner_id, m.org_id) or o.created_at < m.created_at',
      ),
    ).toEqual([])
    expect(
      await rows(
        `select o.id from sales_order o left join staff_role sr on sr.staff_id = o.sold_by left join role r on r.id = sr.role_id where o.sold_by is not null and r.code <> 'SALES'`,
      ),
    ).toEqual([])
    expect(
      await rows(
        `select s.account from staff s where s.status = 'DISABLED' and (exists (select 1 from member where owner_id = s.id) or not exists (select 1 from sales_order where sold_by = s.id))`,
      ),
    ).toEqual([])
  })

  test('the timeline of a refund begins with the asking and ends in its state', async () => {
    expect(
      await rows(`
        select r.refund_no from refund_application r left join lateral (
          select (array_agg(l.action order by l.id))[1] as first, (array_agg(l.actor_id order by l.id))[1] as asked_by,
            coalesce((array_agg(l.diff #>> '{status,1}' order by l.id desc))[1], 'SUBMITTED') as state, count(*) as lines, bool_and(l.at >= r.created_at) as later
          from operation_log l where l.page = 'order-refundApply' and l.record_id = r.id) t on true
        where (t.first, t.asked_by, t.state, t.lines, t.later) is distinct from ('create', r.applicant_id, r.status, r.version::bigint, true)`),
    ).toEqual([])
    expect(await value(`select max(at) <= timestamptz '${NOW.toISOString()}' from operation_log`)).toBe(true)
  })

  test('deciders are people of the department or above who may decide', async () => {
    expect(
      await rows(`
        select l.id from operation_log l join refund_application r on r.id = l.record_id join org o on o.id = r.org_id
        join staff s on s.id = l.actor_id join org so on so.id = s.org_id
        where l.page = 'order-refundApply' and l.action in ('approve', 'reject') and (not o.path like so.path || '%' or not exists (
          select 1 from staff_role sr join role_permission rp on rp.role_id = sr.role_id join permission p on p.id = rp.permission_id
          join permission menu on menu.id = p.parent_id
          where sr.staff_id = s.id and menu.resource_code = 'order-refundApply' and p.resource_code = l.action))`),
    ).toEqual([])
  })

  test('new numbers follow the seeded ones', async () => {
    const last = await value('select order_no from sales_order order by id desc limit 1')
    const [orderNo, refundNo] = await instance.app.db.write(async tx => [
      await nextNumber(tx, '', NOW),
      await nextNumber(tx, 'R', NOW),
    ])
    expect(BigInt(orderNo)).toBe(BigInt(String(last)) + 1n)
    expect(await value(`select count(*)::int from refund_application where refund_no >= '${refundNo}'`)).toBe(0)
  })

  test('every value a record stores is in its dictionary', async () => {
    const unknown = (code: string, used: string) =>
      rows(
        `${used} except select i.value from dictionary_item i join dictionary_type t on t.id = i.type_id where t.code = '${code}' and t.built_in`,
      )
    expect(await unknown('ORDER_SOURCE', 'select distinct source from sales_order')).toEqual([])
    expect(await unknown('REFUND_REASON', 'select distinct reason from refund_application')).toEqual([])
    expect(await unknown('MEMBER_SOURCE', 'select distinct source from member')).toEqual([])
    expect(await unknown('MEMBER_LEVEL', 'select distinct level from member')).toEqual([])
    expect(await unknown('GENDER', 'select distinct gender from staff')).toEqual([])
  })

  test('a consultant sees their own orders, finance all, and a manager decides a waiting refund', async () => {
    const total = async (account: string) =>
      (await (await as(instance, account)).get<{ total: number }>('/orders/order')).data.total
    expect(await total('sales')).toBe(
      await value(
        `select count(*)::int from sales_order o join staff s on s.id = o.owner_id where s.account = 'sales'`,
      ),
    )
    expect(await total('finance')).toBe(3_000)
    const manager = await as(instance, 'sales-manager-copy')
    const waiting = await manager.get<{ records: { id: string }[] }>('/orders/refund-application?status=SUBMITTED')
    const [first] = waiting.data.records
    expect(await manager.post(`/orders/refund-application/${first!.id}/approve`)).toMatchObject({ code: 0 })
    const aftersales = await as(instance, 'aftersales-manager')
    expect((await aftersales.get<{ total: number }>('/orders/refund-application')).data.total).toBeGreaterThan(0)
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })
})

describe('where the demo business does not go', () => {
  test('a console with people of its own is left alone', async () => {
    const instance = await openTestInstance()
    await person(instance)
    expect(await seedDemo(instance.app, { now: NOW })).toBe(false)
    expect(await oneOf(instance, 'select count(*)::int from member')).toBe(0)
  })

  test('of two instances that start together one seeds', async () => {
    const instance = await openTestInstance()
    const seeds = await Promise.all([1, 2].map(() => seedDemo(instance.app, { orders: 60, now: NOW })))
    expect(seeds.sort()).toEqual([false, true])
    expect(await oneOf(instance, 'select count(*)::int from staff')).toBe(40)
  })

  test('an administrator from an earlier start keeps account and password', async () => {
    const instance = await openTestInstance({ env: { ADMIN_USERNAME: 'chief' } })
    const { generated } = await createAdmin(instance.app.db, { username: 'chief', now: NOW, profile: 'default' })
    expect(await seedDemo(instance.app, { orders: 60, now: NOW })).toBe(true)
    expect(await oneOf(instance, 'select count(*)::int from staff')).toBe(40)
    const hash = await oneOf(instance, `select password_hash from staff where account = 'chief'`)
    expect(await isPassword(String(generated), String(hash))).toBe(true)
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  test('a password chosen for the administrator is the one that opens', async () => {
    const instance = await openTestInstance({ env: { ADMIN_PASSWORD: 'slow brown inkstone 47' } })
    await seedDemo(instance.app, { orders: 60, now: NOW })
    const hash = String(await oneOf(instance, `select password_hash from staff where account = 'admin'`))
    expect(await isPassword('slow brown inkstone 47', hash)).toBe(true)
    expect(await isPassword(DEMO_PASSWORD, hash)).toBe(false)
  })
})

describe('built-in dictionaries', () => {
  test('come without a demo business too, once, and what people changed in them stays', async () => {
    const instance = await openTestInstance()
    await Promise.all([1, 2].map(() => keepBuiltInDictionaries(instance.app.db, NOW)))
    await rowsOf(instance, `update dictionary_item set label = '太忙' where value = 'NO_TIME'`)
    await keepBuiltInDictionaries(instance.app.db, NOW)
    expect(await oneOf(instance, `select count(*)::int from dictionary_type where built_in`)).toBe(14)
    expect(await oneOf(instance, `select count(*)::int from dictionary_type where not built_in`)).toBe(0)
    expect(await oneOf(instance, `select label from dictionary_item where value = 'NO_TIME'`)).toBe('太忙')
  })
})
