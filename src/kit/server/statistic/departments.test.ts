import { beforeAll, describe, expect, test } from 'vitest'
import { statistic as orderCount } from '#areas/analysis/order-count/model.ts'
import { counting } from '#areas/analysis/order-count/server.ts'
import { statistic as refundCount } from '#areas/orders/refund-count/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import { listOf, rowsBehind, type Statistic, type StatisticAnswer } from '#kit/model/statistic.ts'
import {
  type Caller,
  openTestInstance,
  org,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { refunded, sold } from '../../../../tools/testing/refunds.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import { readStatistic, serveStatistic } from './statistic.ts'

const SEES = {
  'analyse-order-count': ['list', 'export'],
  'order-refundCount': ['list'],
  'order-list': ['list'],
  'order-refundApply': ['list'],
}
const noon = (day: string) => `${day}T12:00:00+08:00`
const JUNE = 'from=2026-06-01&to=2026-06-30'

let instance: TestInstance
let boss: Caller
const orgs: Record<string, string> = {}

beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date(noon('2026-06-30'))) })
  boss = await person(instance, { grants: SEES })
  await departments()
  await sell()
})

/** Two teams below sales, where somebody sells too; finance sells nothing. The second team stands first. */
async function departments(): Promise<void> {
  const add = async (name: string, sort: number, above?: string) => {
    orgs[name] = await org(instance, above === undefined ? undefined : { id: orgs[above] ?? '', path: '' })
    await instance.app.db.query.updateTable('org').set({ name, sort }).where('id', '=', orgs[name]).execute()
  }
  await add('company', 1)
  await add('finance', 1, 'company')
  await add('sales', 2, 'company')
  await add('north', 2, 'sales')
  await add('south', 1, 'sales')
}

/** An sells in the north, moves, and sells in the south; Cy sells for the whole of sales; one order is nobody's. */
async function sell(): Promise<void> {
  const by = async (name: string) => person(instance, { orgId: orgs[name] ?? '', name: `of ${name}` })
  const [an, bo, cy] = [await by('north'), await by('south'), await by('sales')]
  const first = await sold(instance, { paidAt: noon('2026-06-02'), paidFen: 1_000, seller: an })
  const south = orgs.south ?? ''
  await instance.app.db.query.updateTable('staff').set({ org_id: south }).where('id', '=', an.id).execute()
  await instance.app.db.query.updateTable('sales_order').set({ org_id: south }).where('owner_id', '=', an.id).execute()
  await sold(instance, { paidAt: noon('2026-06-03'), paidFen: 2_000, seller: { ...an, orgId: south }, channel: 'LINK' })
  await sold(instance, { paidAt: noon('2026-06-04'), paidFen: 4_000, seller: bo })
  await sold(instance, { paidAt: noon('2026-06-05'), paidFen: 8_000, seller: cy, channel: 'LINK' })
  const nobodys = await sold(instance, { paidAt: noon('2026-06-06'), paidFen: 500, seller: cy })
  await instance.app.db.query
    .updateTable('sales_order')
    .set({ sold_by: null, sold_org_id: null })
    .where('id', '=', nobodys)
    .execute()
  for (const day of ['2026-06-10', '2026-06-11'])
    await refunded(instance, first, { askedAt: noon(day), endedAt: noon('2026-06-12'), status: 'PAID', amounts: [100] })
  await instance.app.db.query
    .updateTable('sales_order')
    .set({ created_at: noon('2026-06-01') })
    .execute()
}

const ask = async (query: string, path = '/analysis/order-count') => {
  const answer = await boss.get<StatisticAnswer>(`${path}?${JUNE}&${query}`)
  expect(answer.code, answer.msg).toBe(0)
  return answer.data
}
const told = ({ rows, basis }: StatisticAnswer, measure: string) =>
  rows.map(({ label, level, values }) => [label, level, values[basis]?.[measure]])

describe('numbers by department', () => {
  test('count each department with all below it, as the tree stands, and the sum counts everything once', async () => {
    const answer = await ask('dimension=department')
    expect(told(answer, 'amount')).toEqual([
      ['company', 0, 15_000],
      ['sales', 1, 15_000],
      ['south', 2, 6_000],
      ['north', 2, 1_000],
      ['(none)', 0, 500],
    ])
    expect(answer.totals.happened?.now.amount).toBe(15_500)
  })

  test('are of the department its person belonged to then, wherever that person is now and who sees the order', async () => {
    const { rows } = await ask('dimension=department')
    expect(rows.find(({ key }) => key === orgs.north)?.values.happened).toMatchObject({ paid: 1, refunded: 200 })
    expect(rows.find(({ key }) => key === orgs.south)?.values.happened).toMatchObject({ paid: 2, refunded: 0 })
  })

  test('asked for a department are of it and those below, and nothing above it is shown', async () => {
    expect(told(await ask(`dimension=department&soldOrgId=${orgs.sales}`), 'amount')).toEqual([
      ['sales', 0, 15_000],
      ['south', 1, 6_000],
      ['north', 1, 1_000],
    ])
    const two = await ask(`dimension=department&soldOrgId=${orgs.north}&soldOrgId=${orgs.south}`)
    expect(told(two, 'amount')).toEqual([
      ['south', 0, 6_000],
      ['north', 0, 1_000],
    ])
    expect(two.totals.happened?.now.amount).toBe(7_000)
    expect((await ask(`soldOrgId=${orgs.finance}`)).totals.happened?.now.amount).toBe(0)
  })

  test('open exactly their rows, of orders and of refunds', async () => {
    let looked = 0
    for (const filter of ['', `&soldOrgId=${orgs.sales}`]) {
      const answer = await ask(`dimension=department${filter}`)
      for (const row of answer.rows.filter(({ key }) => key !== null))
        for (const measure of ['paid', 'placed', 'placedPaid']) {
          const found = await listed(orderCount, answer, measure, row)
          expect(found.total, `${row.label} ${measure}`).toBe(row.values.happened?.[measure])
          looked += found.total
        }
    }
    expect(looked).toBeGreaterThan(30)
    const refunds = await ask('dimension=department', '/orders/refund-count')
    for (const row of refunds.rows.filter(({ key }) => key !== null)) {
      const { records } = await listed(refundCount, refunds, 'amount', row)
      expect(records.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(row.values.finished?.amount)
    }
  })

  async function listed(
    statistic: Statistic,
    answer: StatisticAnswer,
    measure: string,
    row: StatisticAnswer['rows'][number],
  ) {
    const search = new URLSearchParams({ size: '100' })
    for (const [field, values] of Object.entries(rowsBehind(statistic, answer, measure, row) ?? {}))
      for (const value of values) search.append(field, value)
    const path = `/${listOf(statistic, measure).screen.name}?${search}`
    return (await boss.get<{ records: { amountFen: number }[]; total: number }>(path)).data
  }

  test('what does not add up is right at every level: an order refunded in parts is one, wherever it is counted', async () => {
    const refunds = await ask('dimension=department', '/orders/refund-count')
    expect(told(refunds, 'orders')).toEqual([
      ['company', 0, 1],
      ['sales', 1, 1],
      ['south', 2, 0],
      ['north', 2, 1],
      ['(none)', 0, 0],
    ])
    expect(refunds.rows.map(({ values }) => values.finished?.orderRate)).toEqual([1 / 4, 1 / 4, 0, 1, 0])
  })

  test('with columns across: cells add up to their row, and columns to the whole, not to every level', async () => {
    const answer = await ask('dimension=department&across=channel')
    const sum = (parts: readonly (Readonly<Record<string, number | null>> | undefined)[]) =>
      parts.reduce((all, values) => all + (values?.amount ?? 0), 0)
    for (const row of answer.rows) expect(sum(row.cells), row.label).toBe(row.values.happened?.amount)
    expect(answer.columns.map(({ key, values }) => [key, values.amount])).toEqual([
      ['LINK', 10_000],
      ['DOUYIN', 5_500],
    ])
  })

  test('are the same kept by day or read from the rows', async () => {
    const { app } = instance
    const strip = <T extends object>(source: T) => ({ ...source, kept: undefined })
    const { placed, paid, refunds } = counting.sources
    const fromRows = {
      ...counting,
      sources: { placed: strip(placed), paid: strip(paid), refunds },
    } as unknown as typeof counting
    const actor = (await app.sessions.actor(boss.id)) as Actor
    const call = { actor, now: app.clock.now(), language: 'en-US' as const }
    for (const query of [
      { dimension: 'department' },
      { dimension: 'department', across: 'seller' },
      { dimension: 'department', soldOrgId: orgs.sales },
      { dimension: 'time', interval: 'week', soldOrgId: orgs.sales },
    ]) {
      const asked = { from: '2026-05-20', to: '2026-06-30', ...query }
      expect(await readStatistic(app, orderCount, counting, call, asked)).toEqual(
        await readStatistic(app, orderCount, fromRows, call, asked),
      )
    }
  })

  test('stand in a sheet by their whole way, since a spreadsheet sorts its lines', async () => {
    const { bytes } = await download(instance, boss, `/analysis/order-count/download?${JUNE}&dimension=department`)
    const { rows } = await readSheet(bytes)
    expect(rows.map(([label]) => label).slice(0, 6)).toEqual([
      'company',
      'company / sales',
      'company / sales / south',
      'company / sales / north',
      '(none)',
      'Total',
    ])
  })

  test('do not stand across: what counts at every level adds up to nothing', () => {
    const turned = { ...orderCount, across: ['department'] }
    expect(() => serveStatistic(turned, counting)(instance.app)).toThrow('counts at every level')
  })
})

test('an order is filtered by the department that sold it and those below', async () => {
  const found = async (name: string) =>
    (await boss.get<{ total: number }>(`/orders/order?soldOrgId=${orgs[name]}`)).data.total
  expect([await found('company'), await found('sales'), await found('south'), await found('finance')]).toEqual([
    4, 4, 2, 0,
  ])
  expect(await boss.get('/orders/order?soldOrgId=x')).toMatchObject({ status: 400, code: 4000 })
})
