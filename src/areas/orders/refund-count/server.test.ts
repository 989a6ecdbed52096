import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#kit/model/actor.ts'
import { rowsBehind, type StatisticAnswer } from '#kit/model/statistic.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { foldRollUp } from '#kit/server/statistic/roll-up.ts'
import { readStatistic } from '#kit/server/statistic/statistic.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { refunded, sold } from '../../../../tools/testing/refunds.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import { statistic } from './model.ts'
import { counting } from './server.ts'

const PATH = '/orders/refund-count'
const SEES = { 'order-refundCount': ['list', 'export'], 'order-refundApply': ['list'] }
/** Noon in Shanghai. */
const noon = (day: string) => `${day}T12:00:00+08:00`
const hoursAfter = (at: string, hours: number) => new Date(Date.parse(at) + hours * 3_600_000).toISOString()

let instance: TestInstance
let boss: Caller
let [an, bo]: (Caller & { orgId: string })[] = []

beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date(noon('2026-06-30'))) })
  boss = await person(instance, { grants: SEES })
  an = await person(instance, { grants: SEES, scope: 'SELF', name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', name: 'Bo' })
  await fill()
})

/** May: four orders, An's three and Bo's one. June: two more of Bo's, one of them refunded the day it was paid. */
async function fill(): Promise<void> {
  if (!an || !bo) return
  const whole = await sold(instance, { paidAt: noon('2026-05-04'), paidFen: 10_000, seller: an })
  const parts = await sold(instance, {
    paidAt: noon('2026-05-05'),
    paidFen: 20_000,
    seller: an,
    channel: 'LINK',
    lines: [
      ['年度会员', 15_000],
      ['字帖', 5_000],
    ],
  })
  await sold(instance, { paidAt: noon('2026-05-06'), paidFen: 30_000, seller: an })
  const kept = await sold(instance, { paidAt: noon('2026-05-31'), paidFen: 40_000, seller: bo })
  // Half a minute before midnight, and half a minute after it.
  const late = await sold(instance, { paidAt: '2026-06-10T23:59:30+08:00', paidFen: 50_000, seller: bo })
  await sold(instance, { paidAt: '2026-06-11T00:00:30+08:00', paidFen: 60_000, seller: bo, channel: 'LINK' })

  const asked = noon('2026-05-08')
  await refunded(instance, whole, { askedAt: asked, endedAt: hoursAfter(asked, 10), status: 'PAID', amounts: [10_000] })
  await refunded(instance, parts, {
    askedAt: noon('2026-05-20'),
    endedAt: hoursAfter(noon('2026-05-20'), 20),
    status: 'PAID',
    reason: 'PRICE',
    hasFailed: true,
    amounts: [3_000, 1_000],
  })
  // Of May's order, but paid back in June, more than ninety days being no part of this.
  await refunded(instance, parts, {
    askedAt: noon('2026-06-08'),
    endedAt: hoursAfter(noon('2026-06-08'), 60),
    status: 'PAID',
    reason: 'PRICE',
    route: 'OFFLINE',
    amounts: [2_000],
  })
  await refunded(instance, kept, {
    askedAt: noon('2026-06-01'),
    endedAt: noon('2026-06-02'),
    status: 'WITHDRAWN',
    amounts: [40_000],
  })
  await refunded(instance, kept, {
    askedAt: noon('2026-06-03'),
    endedAt: noon('2026-06-04'),
    status: 'REJECTED',
    amounts: [1_000],
  })
  await refunded(instance, late, {
    askedAt: noon('2026-06-11'),
    endedAt: hoursAfter(noon('2026-06-11'), 2),
    status: 'PAID',
    amounts: [500],
  })
  await refunded(instance, late, { askedAt: noon('2026-06-29'), status: 'SUBMITTED', amounts: [700] })
}

const ask = async (by: Caller, query: string) => {
  const answer = await by.get<StatisticAnswer>(`${PATH}?${query}`)
  expect(answer.code).toBe(0)
  return answer.data
}
const MAY = 'from=2026-05-01&to=2026-05-31'
const JUNE = 'from=2026-06-01&to=2026-06-30'

describe('refunds in numbers', () => {
  test('by their end: what was paid back in June, against the orders paid in June', async () => {
    const { totals } = await ask(boss, JUNE)
    expect(totals.finished?.now).toEqual({
      orders: 2,
      amount: 2_500,
      orderRate: 2 / 2,
      amountRate: 2_500 / 110_000,
      medianHours: 31,
      retentionRate: 2 / 4,
      failureRate: 0,
    })
  })

  test('by payment: what was paid back up to now of the orders paid in May', async () => {
    const { totals } = await ask(boss, `${MAY}&basis=cohort`)
    expect(totals.cohort?.now).toEqual({
      // The order refunded in two parts is one order.
      orders: 2,
      amount: 16_000,
      orderRate: 2 / 4,
      amountRate: 16_000 / 100_000,
      medianHours: 20,
      retentionRate: 2 / 5,
      failureRate: 1 / 2,
    })
  })

  test('both are answered, and each with the period right before', async () => {
    const answer = await ask(boss, JUNE)
    expect(answer.previous).toEqual({ from: '2026-05-02', to: '2026-05-31' })
    expect(answer.totals.finished?.before).toMatchObject({ orders: 2, amount: 14_000, failureRate: 1 / 2 })
    expect(answer.totals.cohort?.now).toMatchObject({ orders: 1, amount: 500 })
  })

  test('a day is a day in Shanghai', async () => {
    const { rows } = await ask(boss, 'from=2026-06-10&to=2026-06-11&basis=cohort')
    expect(rows.map(({ label, values }) => [label, values.cohort?.orders, values.cohort?.orderRate])).toEqual([
      ['2026-06-10', 1, 1],
      ['2026-06-11', 0, 0],
    ])
  })

  test('a day without orders has no rate, and a day without refunds none', async () => {
    const { rows } = await ask(boss, 'from=2026-05-06&to=2026-05-08')
    expect(rows.map(({ values }) => [values.finished?.orders, values.finished?.orderRate])).toEqual([
      [0, 0],
      [0, null],
      [1, null],
    ])
  })

  test('weeks and months are cut at the ends of the period', async () => {
    const weeks = await ask(boss, 'from=2026-06-03&to=2026-06-10&interval=week')
    expect(weeks.rows.map(({ label }) => label)).toEqual(['2026-06-03 – 06-07', '2026-06-08 – 06-10'])
    const months = await ask(boss, 'from=2026-05-10&to=2026-06-30&interval=month')
    expect(months.rows.map(({ label, from, values }) => [label, from, values.finished?.amount])).toEqual([
      ['2026-05', '2026-05-10', 4_000],
      ['2026-06', '2026-06-01', 2_500],
    ])
  })

  test('a product counts with what its own lines gave back, and the sum counts an order once', async () => {
    const { rows, totals } = await ask(boss, `${MAY}&dimension=product`)
    expect(
      rows.map(({ label, values }) => [
        label,
        values.finished?.orders,
        values.finished?.amount,
        values.finished?.amountRate,
      ]),
    ).toEqual([
      ['年度会员', 2, 13_000, 13_000 / 95_000],
      ['字帖', 1, 1_000, 1_000 / 5_000],
    ])
    expect(totals.finished?.now).toMatchObject({ orders: 2, amount: 14_000 })
  })

  test('whose sale it was stays, whoever looks after the member now', async () => {
    const handOver = async (to: typeof an) => {
      for (const table of ['sales_order', 'refund_application'] as const)
        await instance.app.db.query
          .updateTable(table)
          .set({ owner_id: to?.id ?? '', org_id: to?.orgId ?? '' })
          .where('sold_by', '=', an?.id ?? '')
          .execute()
    }
    await handOver(bo)
    const { rows } = await ask(boss, `${MAY}&dimension=owner`)
    await handOver(an)
    expect(rows.map(({ label, values }) => [label, values.finished?.orders, values.finished?.orderRate])).toEqual([
      ['An', 2, 2 / 3],
      ['Bo', 0, 0],
    ])
  })

  test('days since payment come in four bands, against all orders of the period', async () => {
    const { rows } = await ask(boss, `${MAY}&dimension=age`)
    expect(rows.map(({ label, values }) => [label, values.finished?.orders, values.finished?.orderRate])).toEqual([
      ['0–7 days', 1, 1 / 4],
      ['8–30 days', 1, 1 / 4],
      ['31–90 days', 0, 0],
      ['More than 90 days', 0, 0],
    ])
  })

  test('a filter narrows refunds and orders alike, where orders know it', async () => {
    const link = await ask(boss, `${MAY}&channel=LINK`)
    expect(link.totals.finished?.now).toMatchObject({ orders: 1, orderRate: 1 })
    const price = await ask(boss, `${MAY}&reason=PRICE`)
    expect(price.totals.finished?.now).toMatchObject({ orders: 1, orderRate: 1 / 4 })
  })
})

describe('no number shows what its viewer may not list', () => {
  test('a person with a scope of his own counts his own', async () => {
    const { totals } = await ask(an as Caller, MAY)
    expect(totals.finished?.now).toMatchObject({ orders: 2, orderRate: 2 / 3 })
    expect((await ask(bo as Caller, MAY)).totals.finished?.now).toMatchObject({ orders: 0, orderRate: 0 })
  })

  test('who may not list refunds is told nothing, not that there were none, whatever the scope of the statistic', async () => {
    const stranger = await person(instance, { grants: { 'order-refundCount': ['list'] } })
    const { totals } = await ask(stranger, MAY)
    expect(totals.finished?.now).toMatchObject({ orders: null, amount: null, orderRate: null })
  })

  test('kept by day or read from the rows, folded or not, every number is the same for everybody', async () => {
    const { app, catalogue } = instance
    const fromRows = {
      ...counting,
      sources: { ...counting.sources, orders: { ...counting.sources.orders, kept: undefined } },
    } as unknown as typeof counting
    for (const isFolded of [false, true]) {
      for (const rollUp of isFolded ? catalogue.slices.flatMap(slice => slice.rollUps) : [])
        await app.db.write(tx => foldRollUp(tx, rollUp))
      for (const who of isFolded ? [boss, an] : [boss])
        for (const dimension of Object.keys(statistic.dimensions))
          for (const more of [{}, { channel: 'LINK' }, { channel: 'LINK', soldBy: an?.id }]) {
            const query = { from: '2026-05-01', to: '2026-06-30', interval: 'week', dimension, ...more }
            const actor = (await app.sessions.actor(who?.id ?? '')) as Actor
            const call = { actor, now: app.clock.now(), language: 'en-US' as const }
            const [kept, rows] = await Promise.all(
              [counting, fromRows].map(each => readStatistic(app, statistic, each, call, query)),
            )
            expect(kept, JSON.stringify([who?.id, query])).toEqual(rows)
          }
    }
  })

  test('the list behind a number holds exactly its refunds, in every dimension, on both bases', async () => {
    let looked = 0
    for (const dimension of Object.keys(statistic.dimensions)) {
      for (const basis of Object.keys(statistic.bases)) {
        const answer = await ask(
          boss,
          `from=2026-05-01&to=2026-06-30&interval=month&dimension=${dimension}&basis=${basis}`,
        )
        for (const row of answer.rows) {
          const values = row.values[basis] ?? {}
          const paid = await behind(answer, 'orders', row)
          expect(new Set(paid.map(({ orderId }) => orderId)).size).toBe(values.orders)
          if (dimension !== 'product')
            expect(paid.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(values.amount)
          const kept = (await behind(answer, 'retentionRate', row)).length
          expect(kept + paid.length === 0 ? null : kept / (kept + paid.length)).toBe(values.retentionRate)
          looked += paid.length + kept
        }
      }
    }
    expect(looked).toBeGreaterThan(50)
  })

  async function behind(answer: StatisticAnswer, measure: string, row: StatisticAnswer['rows'][number]) {
    const search = new URLSearchParams({ size: '100' })
    for (const [name, values] of Object.entries(rowsBehind(statistic, answer, measure, row) ?? {}))
      for (const value of values) search.append(name, value)
    const { data } = await boss.get<{ records: { orderId: string; amountFen: number }[]; total: number }>(
      `/orders/refund-application?${search}`,
    )
    expect(data.total).toBe(data.records.length)
    return data.records
  }
})

describe('the table as a sheet', () => {
  test('holds its rows, the sum and what it is of', async () => {
    const { bytes } = await download(instance, boss, `${PATH}/download?${MAY}&dimension=channel`)
    const { head, rows, watermark } = await readSheet(bytes)
    expect(head).toEqual([
      'Channel',
      'Refunded orders',
      'Refunded amount (¥)',
      'Refund rate by orders',
      'Refund rate by amount',
      'Median handling time',
      'Retention rate',
      'Payment failure rate',
    ])
    expect(rows.map(row => row.slice(0, 4).filter(cell => cell !== null))).toEqual([
      ['DOUYIN', 1, 100, 1 / 3],
      ['LINK', 1, 40, 1],
      ['Total', 2, 140, 0.5],
      ['2026-05-01 – 2026-05-31 · Refunds that ended in the period · 2026-06-30 12:00:00'],
    ])
    expect(watermark).toContain('Person')
  })

  test('needs a right of its own, and leaves a line in the log', async () => {
    const reader = await person(instance, { grants: { 'order-refundCount': ['list'] } })
    expect(await download(instance, reader, `${PATH}/download?${MAY}`)).toMatchObject({ status: 403, code: 4003 })
    const { rows } = await instance.app.db.read.pool.query(
      `select actor_id from operation_log where page = 'order-refundCount' and action = 'export' and code = 0`,
    )
    expect(rows).toEqual([{ actor_id: boss.id }])
  })
})

describe('what cannot be asked', () => {
  test.each([
    ['a period that ends before it begins', 'from=2026-06-02&to=2026-06-01'],
    ['a period of ten years', 'from=2016-01-01&to=2026-01-01'],
    ['three years by day', 'from=2023-07-01&to=2026-06-30&interval=day'],
    ['a dimension nobody declared', 'dimension=weather'],
    ['a basis nobody declared', 'basis=luck'],
    ['a filter nobody declared', 'memberId=1'],
    ['a seller who is no number', 'soldBy=An'],
    ['a day that is none', 'from=2026-02-30'],
    ['the last day of all calendars', 'to=9999-12-31'],
    ['a day before all years', 'to=0000-01-01'],
    ['a day of another century', 'from=1999-12-31&to=2000-01-05'],
  ])('%s is refused', async (_name, query) => {
    expect(await boss.get(`${PATH}?${query}`)).toMatchObject({ status: 400, code: 4000 })
    expect(await download(instance, boss, `${PATH}/download?${query}`)).toMatchObject({ status: 400, code: 4000 })
  })

  test('a period outside the calendar is told which days there are', async () => {
    expect((await boss.get(`${PATH}?to=9999-12-31`)).msg).toBe(
      'Parameters not valid: Choose dates between 2000-01-01 and 2100-12-31',
    )
  })
})

test('the records these numbers were made of are sound', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
