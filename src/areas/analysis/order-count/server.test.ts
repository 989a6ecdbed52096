import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#kit/model/actor.ts'
import {
  funnelOf,
  listOf,
  measuresOf,
  rowsBehind,
  type StatisticAnswer,
  type StatisticColumn,
  type StatisticRow,
} from '#kit/model/statistic.ts'
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

const PATH = '/analysis/order-count'
const PAGE = 'analyse-order-count'
const SEES = { [PAGE]: ['list', 'export'], 'order-list': ['list'], 'order-refundApply': ['list'] }
const CHANNELS = ['DOUYIN', 'LINK', 'OTHER', 'REFERRAL', 'WECHAT', 'STORE', 'RED']
const noon = (day: string) => `${day}T12:00:00+08:00`
const JUNE = 'from=2026-06-01&to=2026-06-30'

let instance: TestInstance
let boss: Caller
let [an, bo]: (Caller & { orgId: string })[] = []
let head: Caller

beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date(noon('2026-06-30'))) })
  boss = await person(instance, { grants: SEES })
  an = await person(instance, { grants: SEES, scope: 'SELF', name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', name: 'Bo' })
  head = await person(instance, { grants: SEES, scope: 'DEPARTMENT', orgId: bo.orgId })
  if (!an) return
  let first = ''
  for (const [nth, channel] of CHANNELS.entries()) {
    const seller = nth % 2 === 0 ? an : bo
    const day = `2026-06-${String(10 + nth).padStart(2, '0')}`
    const id = await sold(instance, { paidAt: noon(day), paidFen: 1_000 * (nth + 1), seller, channel })
    await placedAt(id, noon('2026-06-10'))
    first ||= id
  }
  // Placed a second before midnight and paid after it; and one nobody paid.
  const late = await sold(instance, { paidAt: '2026-06-20T00:00:30+08:00', paidFen: 900, seller: bo, channel: 'LINK' })
  await placedAt(late, '2026-06-19T23:59:59+08:00')
  const unpaid = await sold(instance, { paidAt: noon('2026-06-21'), paidFen: 500, seller: bo, channel: 'LINK' })
  await instance.app.db.query
    .updateTable('sales_order')
    .set({ pay_state: 'UNPAID', paid_fen: 0, paid_at: null, created_at: noon('2026-06-21') })
    .where('id', '=', unpaid)
    .execute()
  const back = { askedAt: noon('2026-06-22'), endedAt: noon('2026-06-23'), status: 'PAID' as const }
  await refunded(instance, first, { ...back, amounts: [1_000] })
  await refunded(instance, late, { ...back, amounts: [300] })
})

const placedAt = (id: string, at: string) =>
  instance.app.db.query.updateTable('sales_order').set({ created_at: at }).where('id', '=', id).execute()

const ask = async (by: Caller, query: string) => {
  const answer = await by.get<StatisticAnswer>(`${PATH}?${query}`)
  expect(answer.code).toBe(0)
  return answer.data
}
const now = ({ totals }: StatisticAnswer) => totals.happened?.now ?? {}

describe('orders in numbers', () => {
  test('each counts on the day it happened: placed, paid, given back', async () => {
    expect(now(await ask(boss, JUNE))).toEqual({
      amount: 28_900,
      paid: 8,
      average: Math.round(28_900 / 8),
      placed: 9,
      payRate: 8 / 9,
      refunded: 1_300,
      net: 27_600,
      placedPaid: 8,
      placedKept: 7,
    })
    const { rows } = await ask(boss, 'from=2026-06-19&to=2026-06-21')
    expect(
      rows.map(({ values }) => [values.happened?.placed, values.happened?.amount, values.happened?.average]),
    ).toEqual([
      [1, 0, null],
      [0, 900, 900],
      [1, 0, null],
    ])
  })

  test('who may not list refunds is shown a dash for them and for what is left, and the rest as it is', async () => {
    const seller = await person(instance, { grants: { [PAGE]: ['list'], 'order-list': ['list'] } })
    expect(now(await ask(seller, JUNE))).toMatchObject({ amount: 28_900, refunded: null, net: null })
  })
})

describe('two dimensions', () => {
  test('add up: cells to their rows, columns to the whole, and what has no column of its own stands together', async () => {
    for (const dimension of ['time', 'seller']) {
      const answer = await ask(boss, `${JUNE}&dimension=${dimension}&across=channel`)
      expect(answer.columns.map(({ key, isRest }) => (isRest ? 'rest' : key))).toEqual([
        'RED',
        'STORE',
        'WECHAT',
        'REFERRAL',
        'OTHER',
        'rest',
      ])
      for (const measure of ['amount', 'paid', 'placed', 'refunded', 'net']) {
        const sum = (parts: readonly (Readonly<Record<string, number | null>> | undefined)[]) =>
          parts.reduce((all, values) => all + (values?.[measure] ?? 0), 0)
        for (const row of answer.rows) expect(sum(row.cells)).toBe(row.values.happened?.[measure])
        expect(sum(answer.columns.map(({ values }) => values))).toBe(now(answer)[measure])
        for (const [nth, column] of answer.columns.entries())
          expect(sum(answer.rows.map(row => row.cells[nth]))).toBe(column.values[measure])
      }
      // A rate of what stands together is that of its sums, not a sum of rates.
      expect(answer.columns.at(-1)?.values.payRate).toBe(3 / 4)
    }
  })

  test('as a sheet are lines that can be turned round again, with the sums', async () => {
    const { bytes } = await download(instance, boss, `${PATH}/download?${JUNE}&dimension=seller&across=channel`)
    const { head: heads, rows } = await readSheet(bytes)
    expect(heads.slice(0, 3)).toEqual(['Owner when ordered', 'Channel', 'Amount received (¥)'])
    expect(rows).toHaveLength(2 * 6 + 6 + 1 + 1)
    expect(rows.at(-2)?.slice(0, 3)).toEqual(['Total', 'Total', 289])
  })

  test.each(['across=weather', 'across=time'])('%s is refused', async query => {
    expect(await boss.get(`${PATH}?${query}`)).toMatchObject({ status: 400, code: 4000 })
  })
})

describe('no number shows what its viewer may not list', () => {
  /** What a number counts, as the list that it opens tells it. */
  async function listed(
    by: Caller,
    answer: StatisticAnswer,
    name: string,
    row?: StatisticRow,
    column?: StatisticColumn,
  ) {
    const filters = rowsBehind(statistic, answer, name, row, column)
    if (!filters) return undefined
    const search = new URLSearchParams({ size: '100' })
    for (const [field, values] of Object.entries(filters)) for (const value of values) search.append(field, value)
    const { data } = await by.get<{ records: { paidFen?: number; amountFen: number }[]; total: number }>(
      `/${listOf(statistic, name).screen.name}?${search}`,
    )
    const fen = data.records.reduce((sum, each) => sum + (each.paidFen ?? each.amountFen), 0)
    return statistic.measures[name]?.kind === 'count' ? data.total : fen
  }

  test('the list behind a number holds exactly its rows, for all, for a department and for one, by one dimension and by two', async () => {
    const plain = ['amount', 'paid', 'placed', 'refunded', 'placedPaid', 'placedKept']
    let looked = 0
    for (const by of [boss, head, an as Caller])
      for (const query of [
        'dimension=time&interval=week',
        'dimension=seller&across=channel',
        'dimension=channel&soldBy=',
      ]) {
        const answer = await ask(by, `${JUNE}&${query.replace('soldBy=', `soldBy=${bo?.id}`)}`)
        for (const name of plain) {
          expect(await listed(by, answer, name), `${query} ${name}`).toBe(now(answer)[name])
          for (const row of answer.rows.slice(0, 3)) {
            const found = await listed(by, answer, name, row)
            expect(found, `${query} ${name} ${row.label}`).toBe(row.values.happened?.[name])
            looked += found ?? 0
          }
        }
        for (const [nth, column] of answer.columns.entries())
          if (!column.isRest)
            expect(await listed(by, answer, 'amount', answer.rows[0], column)).toBe(answer.rows[0]?.cells[nth]?.amount)
      }
    expect(looked).toBeGreaterThan(10_000)
  })

  test('kept by day or read from the rows, every number is the same', async () => {
    const { app } = instance
    const strip = <T extends object>(source: T) => ({ ...source, kept: undefined })
    const { placed, paid, refunds } = counting.sources
    const fromRows = {
      ...counting,
      sources: { placed: strip(placed), paid: strip(paid), refunds },
    } as unknown as typeof counting
    for (const who of [boss, head, an as Caller])
      for (const query of [
        { dimension: 'time', interval: 'week', across: 'channel' },
        { dimension: 'seller', across: 'channel' },
        { dimension: 'channel', soldBy: bo?.id },
        { dimension: 'seller', channel: ['LINK', 'RED'] },
      ]) {
        const actor = (await app.sessions.actor(who.id)) as Actor
        const call = { actor, now: app.clock.now(), language: 'en-US' as const }
        const asked = { from: '2026-05-20', to: '2026-06-30', ...query }
        expect(await readStatistic(app, statistic, counting, call, asked)).toEqual(
          await readStatistic(app, statistic, fromRows, call, asked),
        )
      }
  })
})

test('what cannot be read in time is refused with what to do, not broken', async () => {
  const { app } = instance
  const tooLong = () => Promise.reject(Object.assign(new Error('statement timeout'), { code: '57014' }))
  const slow = { ...app, db: { ...app.db, read: { ...app.db.read, planned: tooLong } } }
  const actor = (await app.sessions.actor(boss.id)) as Actor
  const call = { actor, now: app.clock.now(), language: 'en-US' as const }
  await expect(readStatistic(slow, statistic, counting, call, {})).rejects.toMatchObject({
    refusal: { code: 'kit:narrow-the-filter' },
  })
})

test('the steps of the course are parts of one another, and stand on no card', () => {
  expect(funnelOf(statistic)).toEqual(['placed', 'placedPaid', 'placedKept'])
  expect(measuresOf(statistic).map(([name]) => name)).not.toContain('placedKept')
})
