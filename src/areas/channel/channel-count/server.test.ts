import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { listOf, rowsBehind, type StatisticAnswer } from '#kit/model/statistic.ts'
import { openDemoInstance } from '../../../../tools/testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { statistic } from './model.ts'

const PATH = '/channel/channel-count'
const YEAR = 'from=2026-01-01&to=2026-12-31&interval=month'
const LISTS = ['order-list', 'order-refundApply', 'disOrder', 'channelCount', 'member-list']

let instance: TestInstance
let boss: Caller
beforeAll(async () => {
  instance = await openDemoInstance()
  const pages = [...LISTS, listOf(statistic, 'registered').screen.key].filter(page =>
    instance.catalogue.pages.has(page),
  )
  boss = await person(instance, { grants: Object.fromEntries(pages.map(page => [page, ['list']])) })
})

const ask = async (query: string) => {
  const answer = await boss.get<StatisticAnswer>(`${PATH}?${query}`)
  expect(answer.code).toBe(0)
  return answer.data
}

describe('channels in numbers', () => {
  test('every number of a channel is what members, orders, refunds and settlements say by themselves', async () => {
    const { rows } = await ask(`${YEAR}&dimension=channel`)
    expect(rows.length).toBeGreaterThan(3)
    let unknown = 0
    for (const { key, values } of rows) {
      const within = (at: string) => sql.raw(`to_char(${at} at time zone 'Asia/Shanghai', 'YYYY') = '2026'`)
      const { rows: told } = await sql<Record<string, string>>`
        with brought as (
          select p.id as partner_id, o.id as order_id from partner p join sales_order o on o.channel = p.channel
          where o.pay_state = 'PAID' and o.paid_fen > 0 and o.paid_at >= p.created_at
          union select partner_id, order_id from settlement_event where order_id is not null)
        select (select count(*) from member where channel = ${key} and ${within('created_at')}) as registered,
          (select count(*) from sales_order where channel = ${key} and pay_state = 'PAID' and ${within('paid_at')}) as orders,
          (select coalesce(sum(paid_fen), 0) from sales_order where channel = ${key} and pay_state = 'PAID' and ${within('paid_at')}) as amount,
          (select coalesce(sum(r.amount_fen), 0) from refund_application r join sales_order o on o.id = r.order_id
            where o.channel = ${key} and r.status = 'PAID' and ${within('r.ended_at')}) as refunded,
          (select coalesce(sum(e.worth_fen), 0) from settlement_event e join sales_order o on o.id = e.order_id
            where o.channel = ${key} and ${within('o.paid_at')}) as commission,
          (select count(*) from brought b join sales_order o on o.id = b.order_id
            where o.channel = ${key} and ${within('o.paid_at')}) as brought,
          (select count(*) from brought b join sales_order o on o.id = b.order_id
            where o.channel = ${key} and ${within('o.paid_at')} and exists (
              select from settlement_event e where e.order_id = b.order_id and e.partner_id = b.partner_id and e.verdict <> 'FROZEN')) as settled`.execute(
        instance.app.db.query,
      )
      const [registered, orders, amount, refunded, commission, brought, settled] = (
        ['registered', 'orders', 'amount', 'refunded', 'commission', 'brought', 'settled'] as const
      ).map(name => Number(told[0]?.[name])) as [number, number, number, number, number, number, number]
      // Before the first of them is settled, what is paid for them is not nothing, but unknown.
      const isKnown = brought === 0 || settled > 0
      unknown += isKnown ? 0 : 1
      expect({ key, ...values.happened }).toEqual({
        ...{ key, registered, orders, amount, refunded, net: amount - refunded - commission },
        commission: isKnown ? commission : null,
        average: orders === 0 ? null : Math.round(amount / orders),
      })
    }
    expect(unknown).toBeGreaterThan(0)
  })

  test('the list behind a count holds exactly its rows', async () => {
    for (const dimension of Object.keys(statistic.dimensions)) {
      const answer = await ask(`${YEAR}&dimension=${dimension}`)
      for (const row of answer.rows)
        for (const measure of ['orders', 'registered'] as const) {
          const search = new URLSearchParams({ size: '10' })
          for (const [name, values] of Object.entries(rowsBehind(statistic, answer, measure, row) ?? {}))
            for (const value of values) search.append(name, value)
          const { data } = await boss.get<{ total: number }>(`/${listOf(statistic, measure).screen.name}?${search}`)
          expect({ label: row.label, measure, total: data.total }).toMatchObject({
            total: row.values.happened?.[measure],
          })
        }
    }
  })
})
