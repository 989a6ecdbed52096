import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { eraseMember } from '../src/areas/members/member/closing.server.ts'
import { columnOf, fieldMeta } from '../src/kit/model/field.ts'
import { allForgetting } from '../src/kit/server/change/erasure.ts'
import { findWords } from '../src/kit/server/change/erasure-proof.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { findAltered } from '../src/kit/server/change/log-check.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { foldRollUp } from '../src/kit/server/statistic/roll-up.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { person, type TestInstance } from './testing/instance.ts'

/**
 * Words that are about no person, though they stand in rows that are: what was sold, taught and planned, and numbers of the
 * business. Whoever adds a column that is none of these lets its slice forget it (`forgets`, decision 072).
 */
const OF_NO_PERSON: Readonly<Record<string, readonly string[]>> = {
  'what was sold, taught or planned': [
    ...['browse_record.product_name', 'coin_order.goods_name', 'entitlement_lot.name', 'lesson_taken.lesson'],
    ...[
      'lead_form.page',
      'lead_touch.about',
      'lesson_taken.title',
      'member_coupon.rule',
      'member_task.title',
      'order_by_product_cell.product_name',
      'order_line.grants',
      'order_line.product_name',
    ],
    ...['platform_order.author', 'platform_order.product_name', 'platform_order.room', 'poster_share.poster'],
    ...[
      'sales_order.paid_by_product',
      'sales_order.product_name',
      'shipment.goods_name',
      'shipment.parts',
      'upload_failure.task',
    ],
    ...['work.characters', 'work.lesson', 'work_comment.scores'],
  ],
  'entries of dictionaries, and other words of the console': [
    ...[
      'allocation_case.channel',
      'allocation_case.source',
      'allocation_decision.channel',
      'allocation_decision.source',
    ],
    ...['account_event.came_by', 'account_follower.came_by'],
    ...['consent.text_version', 'consent.way', 'entitlement_entry.kind', 'follow_up.kind'],
    ...['lead_owner.end_reason', 'lead_touch.channel', 'lead_touch.consent', 'lead_touch.source'],
    ...['platform_order.handled', 'refund_application.l2_reasons', 'refund_notice.source', 'tracking_event.status'],
  ],
  'numbers and keys of the business, the app and the providers': [
    'account_event.message_key',
    ...['browse_record.key', 'check_in.work', 'entitlement_lot.reward_key', 'lead_touch.key', 'message.provider_code'],
    ...['payment.bank_number', 'payment.payment_no', 'payment.provider_no', 'payment.said_order_no'],
    ...['platform_order.verify_id', 'poster_share.key', 'provider_refund.provider_no', 'provider_refund.refund_no'],
    ...['refund_notice.order_no', 'upload_failure.client_version'],
  ],
  'what an account answers to everybody alike': ['account_answer.keyword', 'account_answer.reply'],
  'by which rule a lead was given, and which colleagues were passed over': [
    ...['allocation_decision.passed', 'allocation_decision.rule_key', 'allocation_decision.rule_name'],
    'allocation_decision.turn',
  ],
  'what was reckoned of money and goods, and what machines answered': [
    ...['account_answer.error', 'lead_form.call_back_error', 'platform_order.verify_error', 'provider_refund.error'],
    'refund_application.calculation',
    ...['refund_application.failure', 'refund_application.terms', 'refund_effect.error', 'refund_effect.outcome'],
    'stock_movement.note',
  ],
  'proof of money, kept as long as the books': ['order_examination.proof', 'refund_application.proof'],
  'facts of which those that tell who it was are taken out one by one': ['platform_order.facts'],
}

/** Fields of these kinds hold what the business calls things, never what a person wrote. */
const CALLED: ReadonlySet<string> = new Set(['choice', 'dictionary', 'code', 'tags'])

const MARK = '消失的记号Ж'
const MARK_FILE = '0198c0de-0000-7000-8000-00000000dead'

let instance: TestInstance
beforeAll(async () => {
  instance = await openDemoInstance()
})

type Key = { readonly table: string; readonly column: string; readonly of: string }

/** How each table leads to a member by its foreign keys: the shortest way, none where it leads to nobody. */
async function waysToMember(client: pg.PoolClient): Promise<Map<string, readonly Key[]>> {
  const { rows: keys } = await client.query<Key>(`
    select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as of
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and array_length(c.conkey, 1) = 1
      and c.conrelid <> c.confrelid order by 1, 2`)
  const ways = new Map<string, readonly Key[]>([['member', []]])
  for (const [of, way] of ways) {
    for (const key of keys) if (key.of === of && !ways.has(key.table)) ways.set(key.table, [key, ...way])
  }
  return ways
}

/** Every word in one row of every table that leads to a member becomes the mark, where any word may stand; gives whose rows they are. */
async function markEverything(client: pg.PoolClient): Promise<{ members: Set<string>; without: string[] }> {
  const [members, without] = [new Set<string>(), [] as string[]]
  await client.query('begin')
  for (const [table, way] of await waysToMember(client)) {
    const joins = way.map(({ column, of }, at) => `join ${of} t${at + 1} on t${at + 1}.id = t${at}.${column}`)
    const { rows } = await client.query<{ at: string; member: string }>(
      `select t0.ctid::text as at, t${way.length}.id as member from ${table} t0 ${joins.join(' ')}
       where t${way.length}.status <> 'CLOSED' order by t0.ctid limit 1`,
    )
    if (!rows[0]) without.push(table)
    else members.add(rows[0].member)
    if (rows[0]) await markRow(client, table, rows[0].at)
  }
  await client.query('commit')
  return { members, without }
}

const MARKS = {
  text: `'${MARK}'`,
  'text[]': `array['${MARK}']`,
  'uuid[]': `array['${MARK_FILE}']::uuid[]`,
  jsonb: `jsonb_build_object('mark', '${MARK}')`,
} as const

async function markRow(client: pg.PoolClient, table: string, at: string): Promise<void> {
  const called = new Set(
    instance.catalogue.slices.flatMap(({ resource }) =>
      resource?.table === table
        ? Object.entries(resource.record.shape).flatMap(([field, schema]) =>
            CALLED.has(fieldMeta(schema).kind) ? [columnOf(field)] : [],
          )
        : [],
    ),
  )
  const { rows: columns } = await client.query<{ name: string; type: keyof typeof MARKS }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and atttypid = any(array['text', 'text[]', 'uuid[]', 'jsonb']::regtype[])`,
    [table],
  )
  let row = at
  for (const { name, type } of columns.filter(column => !called.has(column.name))) {
    await client.query('savepoint mark')
    try {
      const marked = `update ${table} set ${name} = ${MARKS[type]} where ctid = $1 returning ctid::text as at`
      row = (await client.query<{ at: string }>(marked, [row])).rows[0]?.at ?? row
    } catch {
      // A column that takes only certain words says nothing of a person.
      await client.query('rollback to mark')
    }
  }
}

const erase = (memberId: string) =>
  instance.app.db.write(tx => eraseMember(ownChange(instance.app, tx, instance.clock.now(), 'test'), memberId))

/** Those about whom there is most. */
const BUSIEST = `
  select member_id as id from (
    select member_id from sales_order union all select member_id from refund_application union all select member_id from work
    union all select member_id from shipment union all select member_id from coin_order union all select member_id from poster_share
    union all select member_id from campaign_number
  ) told group by 1 order by count(*) desc, 1 limit 6`

describe('when an account is closed', () => {
  test('everything that must be true still is, the sums stand, and every record about the member still opens', async () => {
    const { pool } = instance.app.db.read
    const sums = async () =>
      (await pool.query(`select sum(paid_fen) as paid, sum(refunded_fen) as back, count(*) as n from sales_order`)).rows
    const before = await sums()
    const members = (await pool.query<{ id: string }>(BUSIEST)).rows.map(({ id }) => id)
    for (const id of members) await erase(id)
    expect(await sums()).toEqual(before)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
    expect(await findAltered(instance.app.db)).toBeUndefined()
    const admin = await person(instance, { superAdmin: true })
    const told = new Set((await allForgetting(instance.app)).map(({ table }) => table))
    for (const { resource, name } of instance.catalogue.slices) {
      if (!resource || !told.has(resource.table) || !('memberId' in resource.record.shape)) continue
      const rows = await pool.query(
        `select max(id) as id from ${resource.table} where member_id = any($1::bigint[]) group by member_id`,
        [members],
      )
      // A list of a part of them does not know the others.
      for (const { id } of rows.rows) expect([0, 4004], name).toContain((await admin.get(`/${name}/${id}`)).code)
    }
    for (const id of members) expect((await admin.get(`/members/member/${id}`)).code).toBe(0)
  })

  test('no word that stood in a row about the member is left anywhere, but those of no person', async () => {
    const { pool } = instance.app.db.read
    await pool.query(
      `insert into member_identity (kind, value, member_id, told_at) select 'UNIONID', 'u-1', min(id), now() from member where status <> 'CLOSED'`,
    )
    await pool.query(
      `update number_row set lead_id = (select min(id) from lead where member_id is not null and id not in (select lead_id from number_row))
       where id = (select min(id) from number_row)`,
    )
    // In so small a business nobody who was allocated, judged or given a copybook has registered yet.
    for (const table of ['allocation_case', 'lead_judgement', 'name_copybook'])
      await pool.query(
        `update ${table} set lead_id = (
           select min(l.id) from lead l join member m on m.id = l.member_id where m.status <> 'CLOSED'
           and l.id not in (select lead_id from ${table} where lead_id is not null))
         where id = (select min(id) from ${table} where lead_id is not null)`,
      )
    await pool.query(
      'update allocation_decision d set lead_id = c.lead_id from allocation_case c where c.id = d.case_id',
    )
    await pool.query(
      `insert into work_suggestion (work_id, read_at, pages)
       select min(w.id), now(), '[]' from work w join member m on m.id = w.member_id where m.status <> 'CLOSED'`,
    )
    // Nor has anybody bought by a discount of a link, and who opens one today is known on that day alone.
    await pool.query(
      `update sales_link set status = 'USED', used_order_id = (
         select min(o.id) from sales_order o join member m on m.id = o.member_id where m.status <> 'CLOSED')
       where id = (select min(id) from sales_link where discount_id is not null)`,
    )
    await pool.query(
      `insert into sales_link_day (link_id, day, visits) select id, '2020-01-01', 1 from sales_link where used_order_id is not null`,
    )
    await pool.query(
      `insert into sales_link_visitor (link_id, day, digest) select id, '2020-01-01', '\\x00' from sales_link where used_order_id is not null`,
    )
    const client = await pool.connect()
    const { members, without } = await markEverything(client).finally(() => client.release())
    // What is paid for a product is kept by its name: beside the order, and in the sums by day.
    await pool.query(
      'update order_line set product_name = $1 where id = (select min(id) from order_line where paid_fen > 0)',
      [MARK],
    )
    for (const memberId of members) await erase(memberId)
    for (const rollUp of instance.catalogue.slices.flatMap(slice => slice.rollUps))
      await instance.app.db.write(tx => foldRollUp(tx, rollUp))
    const left = await findWords(pool, [MARK, MARK_FILE])
    // Only of those who are gone already.
    expect(without).toEqual(['erasure'])
    expect(left.map(({ table, column }) => `${table}.${column}`)).toEqual(Object.values(OF_NO_PERSON).flat().sort())
  })
})
