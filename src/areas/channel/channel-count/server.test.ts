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
    for (const { key, values } of rows) {
      const within = (at: string) => sql.raw(`to_char(${at} at time zone 'Asia/Shanghai', 'YYYY') = '2026'`)
      const { rows: told } = await sql<Record<string, string>>`
        select (select count(*) from member where channel = ${key} and ${within('created_at')}) as registered,
          (select count(*) from sales_order where channel = ${key} and pay_state = 'PAID' and ${within('paid_at')}) as orders,
          (select coalesce(sum(paid_fen), 0) from sales_order where channel = ${key} and pay_state = 'PAID' and ${within('paid_at')}) as amount,
          (select coalesce(sum(r.amount_fen), 0) from refund_application r join sales_order o on o.id = r.order_id
            where o.channel = ${key} and r.status = 'PAID' and ${within('r.ended_at')}) as refunded,
          (select coalesce(sum(e.worth_fen), 0) from settlement_event e join sales_order o on o.id = e.order_id
            where o.channel = ${key} and ${within('o.paid_at')}) as commission`.execute(instance.app.db.query)
      const [registered, orders, amount, refunded, commission] = (
        ['registered', 'orders', 'amount', 'refunded', 'commission'] as const
      ).map(name => Number(told[0]?.[name])) as [number, number, number, number, number]
      expect({ key, ...values.happened }).toEqual({
        ...{ key, registered, orders, amount, refunded, commission, net: amount - refunded - commission },
        average: orders === 0 ? null : Math.round(amount / orders),
      })
    }
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
