import { beforeAll, describe, expect, test } from 'vitest'
import type { Terms } from '#areas/orders/refund-application/arithmetic.model.ts'
import { calculatedLine } from '#areas/orders/refund-application/calculation.model.ts'
import { known } from '#areas/orders/refund-application/calculation.server.ts'
import { divide } from '#areas/orders/refund-application/suggesting.model.ts'
import type { Row } from '#kit/server/database/database.ts'
import { openTestInstance, stoppedClock, type TestInstance } from '../../tools/testing/instance.ts'
import { seedDemo } from './seed.server.ts'

const NOW = new Date('2026-11-15T03:20:00Z')
const NUMBERED = [
  ['', 'sales_order', 'order_no'],
  ['R', 'refund_application', 'refund_no'],
  ['S', 'shipment', 'shipment_no'],
  ['P', 'payment', 'payment_no'],
  ['C', 'coin_order', 'order_no'],
  ['E', 'redemption', 'redemption_no'],
  ['B', 'code_batch', 'batch_no'],
] as const

describe('two years of the demo business', () => {
  let instance: TestInstance
  const rows = async (query: string): Promise<Row[]> => (await instance.app.db.read.pool.query(query)).rows
  const value = async (query: string) => Object.values((await rows(query))[0] ?? {})[0]

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
    await seedDemo(instance.app, { now: NOW })
  })

  test.each([
    ['sales_order', 'pay_state', 'CLOSED EXAMINING PAID UNPAID'],
    ['sales_order', 'fulfil_state', 'DONE NOT_NEEDED PARTIAL SENT WAITING'],
    ['sales_order', 'refund_state', 'FULL NONE PARTIAL'],
    [
      'order_examination',
      `kind || ' ' || status`,
      'OFFLINE APPROVED, OFFLINE REJECTED, OFFLINE WAITING, PRICE APPROVED, PRICE WAITING',
    ],
    [
      'refund_application',
      'status',
      'ABNORMAL FAILED L1_APPROVED L2_APPROVED PAID PAYING REJECTED SUBMITTED WITHDRAWN',
    ],
    ['refund_application', 'route', 'OFFLINE ORIGINAL PLATFORM'],
    [
      'refund_application',
      `route || ' ' || coalesce(payee, '-')`,
      'OFFLINE OTHER, OFFLINE PAYER, ORIGINAL -, PLATFORM -',
    ],
    ['refund_effect', 'status', 'DONE FAILED WAITING'],
    ['provider_refund', 'status', 'ABNORMAL CLOSED PROCESSING SUCCESS'],
    ['payment', 'status', 'GIVEN_BACK RECEIVED STRAY'],
    ['payment_exception', 'status', 'DONE OPEN PROPOSED'],
    ['payment', 'provider', 'ALIPAY OFFLINE PLATFORM WECHAT'],
    ['shipment', 'status', 'CANCELLED HELD LOST REJECTED RETURNED SENT SIGNED TO_APPROVE WAITING'],
    ['shipment', 'source', 'COIN_ORDER GIFT ORDER REDEMPTION RESEND'],
    ['shipment', 'waits_for_stock', 'false true'],
    ['stock_movement', 'cause', 'CHECK IN OUT RETURNED SENT'],
    ['entitlement_entry', 'cause', 'EXPIRED GIVEN_BACK GRANTED SPENT TAKEN_BACK'],
    ['entitlement_lot', 'source', 'CODE GIFT ORDER REWARD'],
    ['member', 'level', 'EXPIRED MEMBER TRIAL'],
    ['member', 'status', 'ACTIVE CLOSED FROZEN'],
    ['member_coupon', 'status', 'EXPIRED RECALLED UNUSED USED'],
    ['coin_order', 'status', 'APPROVED CANCELLED DONE SENT WAITING'],
    ['code_batch', 'status', 'ACTIVE APPROVED CLOSED DRAFT EXPIRED PAUSED REJECTED WITHDRAWN'],
    ['redemption', 'status', 'DONE UNDONE'],
    ['browse_record', 'status', 'CONTACTED DISMISSED OPEN ORDERED'],
    ['commission_entry', 'cause', 'EARNED REVERSED'],
    ['course_package', 'status', 'CHANGED DRAFT PUBLISHED'],
    ['product', 'status', 'OFF_SALE ON_SALE'],
    ['platform_order', 'exception', 'NONE UNCLAIMED'],
    ['poster_share', 'status', 'APPROVED REJECTED SUBMITTED'],
    ['sales_link', 'status', 'ACTIVE CLOSED EXPIRED USED'],
  ])('%s shows every %s', async (table, column, expected) => {
    const found = await rows(`select distinct (${column})::text as state from ${table} order by 1`)
    expect(found.map(({ state }) => state).join(expected.includes(',') ? ', ' : ' ')).toBe(expected)
  })

  test('the money of every order fits its state and its time', async () => {
    expect(
      await rows(`
        select order_no from sales_order where source <> 'REDEMPTION' and not case pay_state
          when 'PAID' then paid_fen = amount_fen and paid_at between created_at and timestamptz '${NOW.toISOString()}' and closed_at is null
          when 'UNPAID' then paid_fen = 0 and paid_at is null and created_at > timestamptz '${NOW.toISOString()}' - interval '2 hours'
          when 'EXAMINING' then paid_fen = 0 and paid_at is null
          else paid_fen = 0 and paid_at is null and closed_at between created_at
            and created_at + case when source = 'OFFLINE' then interval '2 days' else interval '2 hours' end end`),
    ).toEqual([])
  })

  test('every paid order has the payment it was paid with, and earned its seller what the product says', async () => {
    expect(
      await rows(`
        select o.order_no from sales_order o left join payment p on p.order_id = o.id and p.status = 'RECEIVED'
        where o.source <> 'REDEMPTION' and (o.paid_fen, o.paid_at) is distinct from (coalesce(p.amount_fen, 0), p.received_at)`),
    ).toEqual([])
    expect(
      await rows(`
        select l.id from order_line l join sales_order o on o.id = l.order_id left join commission_entry c on c.order_line_id = l.id and c.cause = 'EARNED'
        where o.sold_by is not null and coalesce(c.amount_fen, 0) <> l.paid_fen * l.commission_permille / 1000 or c.staff_id <> o.sold_by`),
    ).toEqual([])
  })

  test('colleagues speak with people in working hours, and nobody has spoken later than now', async () => {
    const hour = `extract(hour from created_at at time zone 'Asia/Shanghai')`
    const now = `timestamptz '${NOW.toISOString()}'`
    expect(await rows(`select id from follow_up where ${hour} not between 9 and 20 or created_at > ${now}`)).toEqual([])
  })

  test.each([
    ['leads', 'lead', `(created_at at time zone 'Asia/Shanghai')::date`],
    ['what was said to their people', 'follow_up', `(created_at at time zone 'Asia/Shanghai')::date`],
    ['notes', 'note', `(published_at at time zone 'Asia/Shanghai')::date`],
    ['spending', 'ad_line', 'day'],
    ['statements of partners', 'settlement_statement', 'period_from'],
  ])('%s go back through all 24 months before this one', async (_what, table, day) => {
    expect(
      await value(`
        select count(distinct date_trunc('month', ${day}))::int from ${table}
        where ${day} >= date '2024-11-01' and ${day} < date '2026-11-01'`),
    ).toBe(24)
  })

  test('a link that was made later stands before the others', async () => {
    const made = 'select id, created_at, lag(created_at) over (order by id) as before from sales_link'
    expect(await rows(`select id from (${made}) l where created_at < before`)).toEqual([])
  })

  test('a product counts what was sold of it', async () => {
    expect(
      await rows(`
        select p.code from product p left join (
          select l.product_id, sum(l.quantity) as n from order_line l join sales_order o on o.id = l.order_id where o.paid_at is not null group by 1
        ) s on s.product_id = p.id where p.sold <> coalesce(s.n, 0)`),
    ).toEqual([])
  })

  test('what platforms refunded stands in a notice somebody read', async () => {
    expect(
      await rows(`
        select r.refund_no from refund_application r join sales_order o on o.id = r.order_id
        left join refund_notice n on n.order_no = o.order_no and n.status = 'READ' and n.processed_at <= r.created_at
        where r.route = 'PLATFORM' and n.id is null`),
    ).toEqual([])
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

  test('no number is used that its sequence has still to give', async () => {
    for (const [kind, table, column] of NUMBERED)
      expect(
        await rows(`
          select used.day, used.last from (
            select substr(${column}, ${kind.length + 1}, 8) as day, max(substr(${column}, ${kind.length + 9})::bigint) as last from ${table} group by 1
          ) used left join number_sequence s on s.kind = '${kind}' and to_char(s.day, 'YYYYMMDD') = used.day
          where s.last is null or used.last > s.last`),
        table,
      ).toEqual([])
  })

  test('newer records have higher ids', async () => {
    const tables = ['member', 'sales_order', 'refund_application', 'shipment', 'coin_order', 'redemption']
    for (const table of tables)
      expect(
        await value(
          `select count(*)::int from (select created_at, lag(created_at) over (order by id) as before from ${table}) t where created_at < before`,
        ),
        table,
      ).toBe(0)
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

  test('whoever took a step holds its permission, and those who decide first have the refund in their scope', async () => {
    const steps = `
      select l.*, menu.resource_code as held from operation_log l join staff_role sr on sr.staff_id = l.actor_id
      left join role_permission rp on rp.role_id = sr.role_id left join permission p on p.id = rp.permission_id and p.resource_code = l.action
      left join permission menu on menu.id = p.parent_id and menu.resource_code = l.page where l.code = 0`
    expect(
      await rows(
        `select page, action, count(*) from (select l.id, l.page, l.action, bool_or(held is not null) as may from (${steps}) l group by 1, 2, 3) t where not may group by 1, 2 order by 1, 2`,
      ),
      // Passing an examination sets the price or pays the order, and rejecting it closes it; a setting in force is replaced by the next.
    ).toEqual([
      { page: 'operate-config', action: 'replace', count: expect.any(String) },
      { page: 'order-list', action: 'close', count: expect.any(String) },
      { page: 'order-list', action: 'examine', count: expect.any(String) },
      { page: 'order-list', action: 'pay', count: expect.any(String) },
    ])
    expect(
      await rows(`
        select l.id from operation_log l join refund_application r on r.id = l.record_id join org o on o.id = r.org_id
        join staff s on s.id = l.actor_id join org so on so.id = s.org_id
        where l.page = 'order-refundApply' and l.action in ('approve', 'reject') and not o.path like so.path || '%'`),
    ).toEqual([])
  })

  test('a refund was calculated as the console would have calculated it', async () => {
    // Of those submitted last on orders nothing else happened to since: the books of today are those of then.
    const asked = await rows(`
      select r.id, r.order_id, r.member_id, r.order_paid_at, r.created_at, r.amount_fen, r.suggested_fen, r.calculation, r.terms from refund_application r
      where r.status = 'SUBMITTED' order by r.created_at desc`)
    expect(asked.length).toBeGreaterThan(5)
    for (const { calculation } of asked) expect(calculatedLine.array().safeParse(calculation).error).toBeUndefined()
    const [last] = asked
    await instance.app.db
      .write(async tx => {
        // Undone as its withdrawal would: then it can be asked for again, at the same moment.
        await tx.updateTable('sales_order').set({ reserved_fen: 0 }).where('id', '=', String(last!.order_id)).execute()
        await tx
          .updateTable('order_line')
          .set({ reserved_fen: 0 })
          .where('order_id', '=', String(last!.order_id))
          .execute()
        await tx
          .updateTable('entitlement_lot')
          .set({ frozen: 0 })
          .where('member_id', '=', String(last!.member_id))
          .execute()
        const order = {
          id: String(last!.order_id),
          memberId: String(last!.member_id),
          paidAt: new Date(String(last!.order_paid_at)),
        }
        const now = new Date(String(last!.created_at))
        await tx
          .updateTable('refund_application')
          .set({ status: 'WITHDRAWN' })
          .where('id', '=', String(last!.id))
          .execute()
        const facts = await known(instance.app, tx, { order, now, terms: last!.terms as Terms })
        const again = divide(facts, Number(last!.amount_fen), new Map())
        expect(again?.calculation.suggestedFen).toBe(Number(last!.suggested_fen))
        expect(again?.lines).toEqual(last!.calculation)
        throw new Error('leave it as it was')
      })
      .catch(error => expect(error.message).toBe('leave it as it was'))
  })

  test('every value a record stores is in its dictionary', async () => {
    const unknown = (code: string, used: string) =>
      rows(
        `${used} except select i.value from dictionary_item i join dictionary_type t on t.id = i.type_id where t.code = '${code}' and t.built_in`,
      )
    for (const [code, used] of [
      ['ORDER_SOURCE', 'select distinct source from sales_order'],
      ['CHANNEL', 'select channel from sales_order union select channel from member'],
      ['REFUND_REASON', 'select distinct reason from refund_application'],
      ['MEMBER_SOURCE', 'select distinct source from member'],
      ['MEMBER_LEVEL', 'select distinct level from member'],
      ['MEMBER_TAG', 'select distinct unnest(tags) from member'],
      ['FOLLOW_UP_KIND', 'select distinct kind from follow_up'],
      ['PAY_CHANNEL', 'select distinct pay_channel from order_examination where pay_channel is not null'],
      ['CARRIER', 'select distinct carrier from shipment where carrier is not null'],
      ['PROVINCE', 'select distinct province from shipment'],
      ['COURSE_STAGE', 'select distinct stage from course_package'],
      ['GENDER', 'select distinct gender from staff'],
    ] as const)
      expect(await unknown(code, used), code).toEqual([])
  })

  test('what is stored as JSON is the thing itself, not a text that spells it', async () => {
    const columns = await rows(`
      select table_name as table, column_name as column from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and data_type = 'jsonb' and table_type = 'BASE TABLE' order by 1, 2`)
    for (const { table, column } of columns)
      expect(
        await value(`select count(*)::int from ${table} where jsonb_typeof(${column}) = 'string'`),
        `${table}.${column}`,
      ).toBe(0)
  })

  test('no code can be known from outside, and a batch that was confirmed keeps only hashes', async () => {
    expect(await value('select count(distinct hash) = count(*) from redemption_code')).toBe(true)
    expect(
      await value(
        `select count(*)::int from sealed_codes s join code_batch b on b.id = s.batch_id where b.confirmed_at is not null`,
      ),
    ).toBe(0)
  })
})
