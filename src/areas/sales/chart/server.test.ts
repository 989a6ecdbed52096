import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  org,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { byRank, type Chart, monthBeside, reachedOf } from './model.ts'

const PATH = '/sales/chart'
const READS = { 'sale-count': ['list'], 'order-list': ['list'], 'order-refundApply': ['list'] }
const SEES = { 'sale-chart': ['list'], 'sale-list': ['list'], 'sale-operate': ['list'], ...READS }

let instance: TestInstance
let boss: Caller
let manager: Caller
let [an, bo, cy]: (Caller & { orgId: string })[] = []
const clock = stoppedClock(new Date('2026-11-18T02:00:00Z'))

/** Two of one team, who sold and have targets, and one of another, who has a target and sold nothing. */
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  boss = await person(instance, { superAdmin: true })
  const team = await org(instance)
  manager = await person(instance, { grants: SEES, scope: 'DEPARTMENT_AND_BELOW', orgId: team })
  an = await person(instance, { grants: SEES, scope: 'SELF', orgId: team, name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', orgId: team, name: 'Bo' })
  cy = await person(instance, { grants: SEES, scope: 'SELF', name: 'Cy' })
  for (const [who, prices] of [
    [an, [100_00, 250_00]],
    [bo, [990_00]],
  ] as const)
    for (const priceFen of prices) {
      await leadOf(who as Caller & { orgId: string })
      const product = await offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen })
      await buy(instance, await enrol(instance, { ownerId: who?.id ?? null }), product)
    }
  await target(an, '2026-11-01', 700_00)
  await target(an, '2026-10-01', 500_00)
  await target(bo, '2026-11-01', 300_00)
  await target(cy, '2026-11-01', 400_00)
})

let counter = PHONES.test + 2_600_000
async function leadOf({ id, orgId }: { id: string; orgId: string }): Promise<string> {
  counter += 1
  const phone = phoneAt(counter)
  const came = { phone, name: null, source: 'APP', channel: 'STORE', consent: 'SELF', cameBy: 'FORM' as const }
  const [arrived] = await insist(() =>
    instance.app.db.write(tx =>
      arrive(ownChange(instance.app, tx, clock.now(), 'test'), [{ ...came, key: phone, owner: { id, orgId } }]),
    ),
  )
  return String(arrived?.leadId)
}
async function target(who: { id: string; orgId: string } | undefined, month: string, fen: number): Promise<void> {
  await sql`
    with consultant as (
      insert into consultant (staff_id, owner_id, org_id) values (${who?.id}, ${who?.id}, ${who?.orgId})
      on conflict (staff_id) do update set weight = 10 returning id
    )
    insert into consultant_target (consultant_id, month, target_fen) select id, ${month}, ${fen} from consultant`.execute(
    instance.app.db.query,
  )
}
const ask = async (by: Caller | undefined, query = ''): Promise<Chart> => {
  const answer = await (by as Caller).get<Chart>(`${PATH}${query}`)
  expect(answer.code).toBe(0)
  return answer.data
}
const line = ({ name, amount, targetFen, leads }: Chart['people'][number]) => [name, amount, targetFen, leads]

describe('the board of a month', () => {
  test('shows what each sold against the own target, who sold most first, and who sold nothing at the end', async () => {
    const { people, targetFen, amount, from, to } = await ask(boss)
    expect(people.map(line)).toEqual([
      ['Bo', 990_00, 300_00, 1],
      ['An', 350_00, 700_00, 2],
      ['Cy', 0, 400_00, 0],
    ])
    expect([amount, targetFen, from, to]).toEqual([1_340_00, 1_400_00, '2026-11-01', '2026-11-18'])
  })

  test('adds a department up from its people', async () => {
    const { teams } = await ask(boss)
    expect(teams.map(team => [team.amount, team.targetFen, team.leads])).toEqual([
      [1_340_00, 1_000_00, 3],
      [0, 400_00, 0],
    ])
  })

  test('tells what orders and leads say when somebody adds them up another way', async () => {
    const { funnel, people, net } = await ask(boss)
    const { rows } = await sql<{ who: string; fen: number }>`
      select sold_by as who, sum(paid_fen)::int as fen from sales_order
      where (paid_at at time zone 'Asia/Shanghai')::date between '2026-11-01' and '2026-11-30' group by 1`.execute(
      instance.app.db.query,
    )
    for (const { who, fen } of rows) expect(people.find(({ id }) => id === who)?.amount).toBe(fen)
    expect(net).toBe(rows.reduce((sum, { fen }) => sum + fen, 0))
    const held = await sql<{ n: number }>`select count(*)::int as n from lead_owner`.execute(instance.app.db.query)
    expect(funnel[0]).toEqual({ measure: 'leads', count: held.rows[0]?.n })
  })

  test('shows a consultant the own line and a manager those of the team, with their targets alone', async () => {
    const own = await ask(an)
    expect(own.people.map(line)).toEqual([['An', 350_00, 700_00, 2]])
    expect([own.amount, own.targetFen]).toEqual([350_00, 700_00])
    const team = await ask(manager)
    expect(team.people.map(({ name }) => name)).toEqual(['Bo', 'An'])
    expect(team.targetFen).toBe(1_000_00)
  })

  test('tells nobody what they may not list where it comes from', async () => {
    const blind = await person(instance, { grants: { 'sale-chart': ['list'] } })
    const shown = await ask(blind)
    expect(shown).toMatchObject({ amount: null, net: null, targetFen: null, people: [], teams: [], hours: null })
    expect(shown.funnel.every(({ count }) => count === null)).toBe(true)
    const unpaid = await person(instance, { grants: { ...SEES, 'order-list': [] } })
    expect((await ask(unpaid)).people.every(({ amount, leads }) => amount === null && leads !== null)).toBe(true)
  })

  test('shows what was done in its hour of the week, by the clock on the wall here', async () => {
    const lead = await leadOf(cy as Caller & { orgId: string })
    // Half past midnight on Monday in Shanghai, which is Sunday in Greenwich; and a Sunday evening.
    for (const at of ['2026-11-15T16:30:00Z', '2026-11-15T11:59:00Z', '2026-11-08T11:00:00Z'])
      await sql`
        insert into lead_act (lead_id, owner_id, org_id, act, way, done_at) values (${lead}, ${cy?.id}, ${cy?.orgId}, 'FOLLOW_UP', 'PHONE', ${at})`.execute(
        instance.app.db.query,
      )
    const { hours } = await ask(cy)
    expect([hours?.[0]?.[0], hours?.[6]?.[19], hours?.flat().reduce((a, b) => a + b)]).toEqual([1, 2, 3])
    expect((await ask(an)).hours?.flat().every(count => count === 0)).toBe(true)
  })

  test('ends with the last day of a month that is over, and is refused in words for what is none', async () => {
    const { people, to } = await ask(an, '?month=2026-10')
    expect([to, people.map(line)]).toEqual(['2026-10-31', [['An', 0, 500_00, 0]]])
    for (const month of ['2026-13', '1999-12', '2101-01', 'x', '2026-1', '2026-01-05'])
      expect((await boss.get(`${PATH}?month=${month}`)).status, month).toBe(400)
  })
})

describe('a rank', () => {
  const of = (name: string, amount: number | null, deals: number) =>
    ({ name, amount, deals }) as Chart['people'][number]

  test('goes by money, then by deals, then by name; who is not told of money comes last', () => {
    const rows = [of('d', null, 9), of('c', 5, 1), of('b', 5, 2), of('a', 5, 1), of('e', 7, 0)]
    expect(rows.sort(byRank).map(({ name }) => name)).toEqual(['e', 'b', 'a', 'c', 'd'])
  })

  test('has no share of a target that is not there', () => {
    expect(reachedOf({ amount: 5, targetFen: 10 })).toBe(0.5)
    expect(reachedOf({ amount: 5, targetFen: null })).toBeNull()
    expect(reachedOf({ amount: null, targetFen: 10 })).toBeNull()
  })

  test('is of a month that lies beside another, over the end of a year too', () => {
    expect([monthBeside('2026-12', 1), monthBeside('2026-01', -1), monthBeside('2026-11', 0)]).toEqual([
      '2027-01',
      '2025-12',
      '2026-11',
    ])
  })
})
