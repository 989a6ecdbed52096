import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { rowsBehind, type StatisticAnswer } from '#kit/model/statistic.ts'
import { openDemoInstance } from '../../../../tools/testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { statistic } from './model.ts'

const PATH = '/channel/distribution-count'
const YEAR = 'from=2026-01-01&to=2026-12-31&interval=month'

let instance: TestInstance
let boss: Caller
beforeAll(async () => {
  instance = await openDemoInstance()
  boss = await person(instance, { grants: { 'disOrder-count': ['list'], disOrder: ['list'] } })
})

const ask = async (query: string, by = boss) => {
  const answer = await by.get<StatisticAnswer>(`${PATH}?${query}`)
  expect(answer.code).toBe(0)
  return answer.data
}

describe("partners' orders in numbers", () => {
  test('every number is what orders, refunds and events of settlements say by themselves', async () => {
    const { totals } = await ask(YEAR)
    // By the orders and the events, not by the table the numbers are read from.
    const { rows } = await sql<Record<string, string>>`
      with brought as (
          select p.id as partner_id, o.id as order_id from partner p join sales_order o on o.channel = p.channel
          where o.pay_state = 'PAID' and o.paid_fen > 0 and o.paid_at >= p.created_at
          union select partner_id, order_id from settlement_event where order_id is not null),
        judged as (
          select partner_id, order_id, sum(worth_fen) as worth, bool_or(verdict = 'COUNTED') as counted,
            bool_or(verdict = 'FROZEN') and not bool_or(verdict = 'COUNTED') as frozen
          from settlement_event where order_id is not null group by 1, 2),
        paid as (
          select * from sales_order o
          where (o.paid_at at time zone 'Asia/Shanghai')::date between '2026-01-01' and '2026-12-31')
      select whole.*, lines.* from (
          select count(*) as orders, sum(o.paid_fen) as amount, sum(o.refunded_fen) as refunded
          from paid o where o.id in (select order_id from brought)) whole, (
          select count(*) as lines, coalesce(sum(j.worth), 0) as commission, count(*) filter (where j.counted) as counted,
            count(*) filter (where j.order_id is null or j.frozen) as open
          from brought b join paid o on o.id = b.order_id left join judged j using (partner_id, order_id)) lines`.execute(
      instance.app.db.query,
    )
    const [orders, amount, refunded, lines, commission, counted, open] = (
      ['orders', 'amount', 'refunded', 'lines', 'commission', 'counted', 'open'] as const
    ).map(name => Number(rows[0]?.[name])) as [number, number, number, number, number, number, number]
    expect(orders).toBeGreaterThan(0)
    expect(totals.paid?.now).toEqual({
      ...{ orders, amount, refunded, commission, counted, open, notCounted: lines - counted - open },
      net: amount - refunded - commission,
      share: commission / (amount - refunded),
    })
  })

  test('the list behind a number holds exactly its orders, in every dimension', async () => {
    let looked = 0
    for (const dimension of Object.keys(statistic.dimensions)) {
      const answer = await ask(`${YEAR}&dimension=${dimension}`)
      for (const row of answer.rows)
        for (const measure of ['orders', 'counted', 'notCounted', 'open'] as const) {
          const { total, records } = await behind(answer, measure, row)
          looked += total
          const told = row.values.paid?.[measure]
          // An order of two partners is one order, and a row with each of them.
          const orders = new Set(records.map(({ orderId }) => orderId)).size
          if (measure === 'orders' && dimension !== 'partner' && total <= records.length)
            expect({ dimension, label: row.label, orders }).toMatchObject({ orders: told })
          else if (measure !== 'orders' || dimension === 'partner')
            expect({ dimension, label: row.label, measure, total }).toMatchObject({ total: told })
        }
    }
    expect(looked).toBeGreaterThan(50)
  })

  test('money is the sum of the rows behind it; what is paid for orders that all wait is not known yet', async () => {
    const answer = await ask(`${YEAR}&dimension=partner`)
    const FIELDS = { amount: 'paidFen', refunded: 'refundedFen', commission: 'commissionFen' } as const
    const looked = { amount: 0, refunded: 0, commission: 0 }
    let unknown = 0
    for (const row of answer.rows)
      for (const measure of ['amount', 'refunded', 'commission'] as const) {
        const { records, total } = await behind(answer, measure, row)
        // More than a page of them are not added up here.
        if (total > records.length) continue
        const sum = records.reduce((fen, record) => fen + Number(record[FIELDS[measure]]), 0)
        const { orders, open } = row.values.paid ?? {}
        const isKnown = measure !== 'commission' || open === 0 || open !== orders
        if (!isKnown) unknown += 1
        expect({ partner: row.label, measure, told: row.values.paid?.[measure] }).toMatchObject({
          told: isKnown ? sum : null,
        })
        looked[measure] += sum
      }
    expect(unknown).toBeGreaterThan(0)
    for (const [measure, fen] of Object.entries(looked)) expect(fen, measure).toBeGreaterThan(0)
  })

  test('who may not list the orders is told nothing', async () => {
    const stranger = await person(instance, { grants: { 'disOrder-count': ['list'] } })
    expect((await ask(YEAR, stranger)).totals.paid?.now).toMatchObject({ orders: null, commission: null })
  })

  async function behind(answer: StatisticAnswer, measure: string, row?: StatisticAnswer['rows'][number]) {
    const search = new URLSearchParams({ size: '100' })
    for (const [name, values] of Object.entries(rowsBehind(statistic, answer, measure, row) ?? {}))
      for (const value of values) search.append(name, value)
    type Page = { records: Record<string, unknown>[]; total: number }
    return (await boss.get<Page>(`/channel/distribution-order?${search}`)).data
  }
})
