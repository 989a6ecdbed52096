import { beforeAll, describe, expect, test } from 'vitest'
import { nextNumber } from '#engines/sequence/server.ts'
import { isPassword } from '#kit/server/access/hash.ts'
import { createAdmin } from '#kit/server/auth/admin.ts'
import { DEMO_PASSWORD, findDemoAccounts } from '#kit/server/auth/demo-account.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import type { Row } from '#kit/server/database/database.ts'
import { foldRollUp } from '#kit/server/statistic/roll-up.ts'
import { watchSlowness } from '../../faults/slowness.ts'
import {
  type Caller,
  caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../tools/testing/instance.ts'
import { seedDemo } from './seed.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')
const rowsOf = async (instance: TestInstance, query: string): Promise<Row[]> =>
  (await instance.app.db.read.pool.query(query)).rows
const oneOf = async (instance: TestInstance, query: string): Promise<unknown> =>
  Object.values((await rowsOf(instance, query))[0] ?? {})[0]

/** Everything stored but what is random on purpose (the salts of the password and of the log, sealed codes), as one line per table. */
async function contents(instance: TestInstance) {
  // When what has moved is added to the cells of a roll-up is the clock's business, not the seed's.
  for (const rollUp of instance.catalogue.slices.flatMap(slice => slice.rollUps))
    await instance.app.db.write(tx => foldRollUp(tx, rollUp))
  const tables = await rowsOf(
    instance,
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
       and relname not in ('migration', 'permission', 'session', 'signal') order by 1`,
  )
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await oneOf(
        instance,
        `select md5(string_agg(line, '' order by line)) from (select (to_jsonb(t) - 'password_hash' - 'sealed' - 'salt')::text as line from ${name} t) l`,
      ),
    ]),
  )
}

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
    const slowness = await watchSlowness(instance.app.db.url)
    const started = performance.now()
    expect(await seedDemo(instance.app, { now: NOW })).toBe(true)
    const tookMs = performance.now() - started
    console.log(`the demo business took ${Math.round(tookMs)} ms`)
    // Some 4 s on an idle machine.
    expect(tookMs / (await slowness())).toBeLessThan(30_000)
  })

  test('has the sizes it promises', async () => {
    expect(
      await Promise.all(
        ['staff', `member where status <> 'CLOSED'`, `sales_order where source <> 'REDEMPTION'`].map(rows =>
          value(`select count(*)::int from ${rows}`),
        ),
      ),
    ).toEqual([40, 1_200, 3_000])
    expect(await value('select count(*)::int from refund_application')).toBeGreaterThan(230)
  })

  test('keeps every promise the stored records make', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('what happened to its records has a name people can read', async () => {
    const { catalogue, texts } = instance.app
    const screens = catalogue.areas.flatMap(area => Object.values(area.screens))
    const done = await rows('select distinct page, action from operation_log where record_id is not null')
    const nameless = done.filter(({ page, action }) => {
      const name = screens.find(({ key }) => key === page)?.name ?? ''
      return !texts.has(name, `step.${action}`) && !texts.has('kit/page', `action.${action}`)
    })
    expect(nameless).toEqual([])
  })

  test('a second seed changes nothing', async () => {
    const before = await contents(instance)
    expect(await seedDemo(instance.app, { now: NOW })).toBe(false)
    expect(await contents(instance)).toEqual(before)
  })

  test('is the same business every time', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => openTestInstance({ clock: stoppedClock(NOW) })))
    for (const each of [one, other]) await seedDemo(each!.app, { orders: 60, now: NOW })
    expect(await contents(other!)).toEqual(await contents(one!))
  })

  test('every role sees as far as the plan says', async () => {
    const lines = await rows(`select format('%s %s', code, scope) as line from role order by id`)
    expect(lines.map(({ line }) => line)).toEqual([
      'SUPER_ADMIN ALL',
      'SALES SELF',
      'SALES_MANAGER_COPY DEPARTMENT_AND_BELOW',
      'TEACHER SELF',
      'AFTERSALES_MANAGER DEPARTMENT_AND_BELOW',
      'FINANCE ALL',
      'FINANCE_CASHIER ALL',
      'OPERATIONS ALL',
      'OPERATIONS_MANAGER ALL',
      'LOGISTICS ALL',
      'WAREHOUSE_MANAGER ALL',
      'AUDITOR ALL',
    ])
  })

  test.each([
    ['order-refundApply', 'create', ['SALES', 'SALES_MANAGER_COPY']],
    ['order-refundApply', 'approve', ['AFTERSALES_MANAGER', 'SALES_MANAGER_COPY']],
    ['order-refundApply', 'approveL2', ['FINANCE']],
    ['order-refundApply', 'pay', ['FINANCE_CASHIER']],
    ['order-refundApply', 'recordPaid', ['FINANCE_CASHIER']],
    ['order-examine', 'approve', ['FINANCE', 'SALES_MANAGER_COPY']],
    ['product-exchange', 'create', ['OPERATIONS', 'OPERATIONS_MANAGER']],
    ['product-exchange', 'approve', ['OPERATIONS_MANAGER']],
    ['order-examineSend', 'approve', ['WAREHOUSE_MANAGER']],
    ['base-product', 'approveCheck', ['WAREHOUSE_MANAGER']],
    ['member-list', 'assignOwner', ['SALES_MANAGER_COPY']],
    ['member-list', 'own', ['SALES', 'SALES_MANAGER_COPY']],
    ['member-list', 'teach', ['AFTERSALES_MANAGER', 'TEACHER']],
  ])('%s: %s is for %s alone', async (page, action, holders) => {
    const held = await rows(`
      select r.code from role r join role_permission rp on rp.role_id = r.id join permission p on p.id = rp.permission_id
      join permission menu on menu.id = p.parent_id
      where p.resource_code = '${action}' and menu.resource_code = '${page}' order by 1`)
    expect(held.map(({ code }) => code)).toEqual(holders)
  })

  test('an auditor changes nothing', async () => {
    expect(
      await rows(`
        select p.resource_code from role r join role_permission rp on rp.role_id = r.id join permission p on p.id = rp.permission_id
        where r.code = 'AUDITOR' and p.display_type = 'PERMISSION' and p.resource_code not in ('list', 'detail', 'export', 'drafts')`),
    ).toEqual([])
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

  test('new numbers follow the seeded ones', async () => {
    const last = await value('select order_no from sales_order order by id desc limit 1')
    const given = { app: instance.app, now: NOW }
    const [orderNo, refundNo] = [await nextNumber(given, ''), await nextNumber(given, 'R')]
    expect(BigInt(orderNo)).toBe(BigInt(String(last)) + 1n)
    expect(await value(`select count(*)::int from refund_application where refund_no >= '${refundNo}'`)).toBe(0)
  })

  test('a consultant sees their own orders, finance all, and a manager decides a waiting refund', async () => {
    const total = async (account: string) =>
      (await (await as(instance, account)).get<{ total: number }>('/orders/order')).data.total
    expect(await total('sales')).toBe(
      await value(
        `select count(*)::int from sales_order o join staff s on s.id = o.owner_id where s.account = 'sales'`,
      ),
    )
    expect(await total('finance')).toBe(await value('select count(*)::int from sales_order'))
    const manager = await as(instance, 'sales-manager-copy')
    const waiting = await manager.get<{ records: { id: string }[] }>('/orders/refund-application?status=SUBMITTED')
    const [first] = waiting.data.records
    expect(await manager.post(`/orders/refund-application/${first!.id}/approve`)).toMatchObject({ code: 0 })
    const aftersales = await as(instance, 'aftersales-manager')
    expect((await aftersales.get<{ total: number }>('/orders/refund-application')).data.total).toBeGreaterThan(0)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
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
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('a password chosen for the administrator is the one that opens', async () => {
    const instance = await openTestInstance({ env: { ADMIN_PASSWORD: 'slow brown inkstone 47' } })
    await seedDemo(instance.app, { orders: 60, now: NOW })
    const hash = String(await oneOf(instance, `select password_hash from staff where account = 'admin'`))
    expect(await isPassword('slow brown inkstone 47', hash)).toBe(true)
    expect(await isPassword(DEMO_PASSWORD, hash)).toBe(false)
  })
})
