import { beforeAll, describe, expect, test } from 'vitest'
import type { Chart } from '../src/areas/sales/chart/model.ts'
import {
  listOf,
  numbersAt,
  ratio,
  rowsBehind,
  type Statistic,
  type StatisticAnswer,
  type StatisticRow,
  type Values,
} from '../src/kit/model/statistic.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from './testing/instance.ts'
import { DEEDS, dayOf, hourOf, SPANS, STEPS, TOLD, type Told } from './testing/told-numbers.ts'

const FROM = '2025-12-01'
const TO = '2026-11-30'

let instance: TestInstance
let boss: Caller

beforeAll(async () => {
  instance = await openDemoInstance()
  boss = await person(instance, { superAdmin: true })
})

/** Each department counts with all below it. */
const ABOVE = `above as (select id, id as top from org union all select above.id, o.parent_id from above join org o on o.id = above.top where o.parent_id is not null)`
const MONTH = `to_char(day, 'YYYY-MM')`

/** The numbers by a dimension, or of all, as SQL adds them up. */
async function toldBy({ facts, sums, values }: Told, by: string | null): Promise<ReadonlyMap<string | null, Values>> {
  const key = by === null ? `'all'` : by === 'department' ? 'above.top::text' : by === 'month' ? MONTH : `(${by})::text`
  const { rows } = await instance.app.db.read.pool.query<Record<string, string>>(`
    with recursive ${ABOVE}, fact as (${facts})
    select ${key} as key, ${Object.entries(sums)
      .map(([name, sum]) => `${sum} as "${name}"`)
      .join(', ')}
    from fact ${by === 'department' ? 'join above on above.id = fact.org_id' : ''} where day between '${FROM}' and '${TO}' group by 1`)
  return new Map(
    rows.map(({ key: of = null, ...told }) => [
      of,
      values(Object.fromEntries(Object.entries(told).map(([name, sum]) => [name, Number(sum)]))),
    ]),
  )
}

const statisticOf = (name: string): Statistic => {
  const found = instance.app.catalogue.slices.find(({ statistic }) => statistic?.screen.name === name)?.statistic
  if (!found) throw new Error(`no statistic ${name}`)
  return found
}
const ask = async (statistic: Statistic, dimension: string): Promise<StatisticAnswer> => {
  const query = `from=${FROM}&to=${TO}&interval=month&dimension=${dimension}`
  const { code, data } = await boss.get<StatisticAnswer>(`/${numbersAt(statistic)}?${query}`)
  expect(code).toBe(0)
  return data
}

describe('every number of the statistics of sales, traffic and channels on the demo business', () => {
  test.each(Object.entries(TOLD))('%s is what SQL adds up another way', async (name, told) => {
    const statistic = statisticOf(name)
    expect(Object.keys(told.by).sort()).toEqual(Object.keys(statistic.dimensions).sort())
    const none = told.values(Object.fromEntries(Object.keys(told.sums).map(sum => [sum, 0])))
    let looked = 0
    for (const [dimension, by] of Object.entries(told.by)) {
      const { totals, rows, basis } = await ask(statistic, dimension)
      expect(Object.keys(totals[basis]?.now ?? {}).sort()).toEqual(Object.keys(statistic.measures).sort())
      expect(totals[basis]?.now, 'in all').toEqual((await toldBy(told, null)).get('all'))
      const found = await toldBy(told, by)
      const keyOf = (row: (typeof rows)[number]) => (dimension === 'time' ? row.from.slice(0, 7) : row.key)
      for (const row of rows)
        expect(row.values[basis], `${dimension} ${row.label}`).toEqual(found.get(keyOf(row)) ?? none)
      expect(
        [...found.keys()].filter(key => !rows.some(row => keyOf(row) === key)),
        dimension,
      ).toEqual([])
      looked += rows.length
    }
    expect(looked).toBeGreaterThan(10)
  })
})

type Row = Readonly<Record<string, unknown>>
const sumOf = (field: string) => async (rows: readonly Row[]) =>
  rows.reduce((sum, row) => sum + Number(row[field] ?? 0), 0)
/** Of an order that concerns two partners once. */
const onceOf = (field: string) => (rows: readonly Row[]) =>
  sumOf(field)([...new Map(rows.map(row => [row.orderId, row])).values()])
/** Behind what members paid stand the members. */
const ofMembers = (table: string, field: string) => async (rows: readonly Row[]) => {
  const { rows: found } = await instance.app.db.read.pool.query<{ fen: string }>(
    `select coalesce(sum(${field}), 0) as fen from ${table} where member_id = any($1::bigint[])`,
    [rows.map(({ id }) => id)],
  )
  return Number(found[0]?.fen)
}

/** What the rows behind an amount of money come to. */
const MONEY: Readonly<Record<string, (rows: readonly Row[]) => Promise<number>>> = {
  'sales/sales-count amount': sumOf('paidFen'),
  'sales/sales-count refunded': sumOf('amountFen'),
  'sales/salvage-count revenue': sumOf('dealFen'),
  'sales/package-count amount': sumOf('paidFen'),
  'traffic/source-count cost': sumOf('spendFen'),
  'traffic/source-count amount': ofMembers('sales_order', 'paid_fen'),
  'traffic/source-count refunded': ofMembers(
    `(select * from refund_application where status = 'PAID') t`,
    'amount_fen',
  ),
  'channel/channel-count amount': sumOf('paidFen'),
  'channel/channel-count average': async rows => Math.round((await sumOf('paidFen')(rows)) / rows.length),
  'channel/channel-count refunded': sumOf('amountFen'),
  'channel/channel-count commission': sumOf('commissionFen'),
  'channel/distribution-count amount': onceOf('paidFen'),
  'channel/distribution-count refunded': onceOf('refundedFen'),
  'channel/distribution-count commission': sumOf('commissionFen'),
}
/** Of which a share is told, where that is not all the statistic counts first. */
const WHOLE: Readonly<Record<string, string>> = { 'sales/package-count paidRate': 'finished' }
const PAGE = 100

/** All rows the list shows behind a number; nothing where no list can show exactly those. */
async function behind(statistic: Statistic, answer: StatisticAnswer, measure: string, row?: StatisticRow) {
  const filters = rowsBehind(statistic, answer, measure, row)
  if (!filters) return undefined
  const search = new URLSearchParams(Object.entries(filters).flatMap(([field, values]) => values.map(v => [field, v])))
  search.set('size', String(PAGE))
  const found: Row[] = []
  for (let page = 1; ; page += 1) {
    search.set('current', String(page))
    const path = `/${listOf(statistic, measure).screen.name}?${search}`
    const { code, data } = await boss.get<{ records: Row[]; total: number }>(path)
    expect(code, path).toBe(0)
    found.push(...data.records)
    if (found.length >= data.total || data.records.length === 0) return found
  }
}

/** What the rows behind a number say it is. */
async function saidBy(
  statistic: Statistic,
  measure: string,
  rows: readonly Row[],
  values: Values,
): Promise<number | null> {
  const name = `${statistic.screen.name} ${measure}`
  const kind = statistic.measures[measure]?.kind
  if (kind === 'money')
    return rows.length === 0 && name.endsWith('average') ? null : ((await MONEY[name]?.(rows)) ?? Number.NaN)
  if (kind === 'count')
    return name === 'channel/distribution-count orders' ? new Set(rows.map(row => row.orderId)).size : rows.length
  return ratio(rows.length, values[WHOLE[name] ?? (Object.keys(statistic.measures)[0] as string)] ?? 0)
}

describe('the rows behind a number', () => {
  test.each(Object.keys(TOLD))(
    '%s: come to exactly it, of each row of each dimension, whether they are counted, shared or paid',
    async name => {
      const statistic = statisticOf(name)
      const wrong: string[] = []
      const opened = new Set<string>()
      for (const dimension of Object.keys(statistic.dimensions)) {
        const answer = await ask(statistic, dimension)
        const { rows, totals, basis } = answer
        const all = { row: undefined, label: 'in all', values: totals[basis]?.now ?? {} }
        for (const { row, label, values } of [
          all,
          ...rows.map(row => ({ row, label: row.label, values: row.values[basis] ?? {} })),
        ])
          for (const [measure, told] of Object.entries(values)) {
            if (!told) continue
            const found = await behind(statistic, answer, measure, row)
            if (!found) continue
            opened.add(measure)
            const said = await saidBy(statistic, measure, found, values)
            if (said !== told) wrong.push(`${measure} by ${dimension} ${label}: ${told}, by its rows ${said}`)
          }
      }
      expect(wrong).toEqual([])
      // What is made of other numbers opens theirs; what never happened opens nothing.
      const { totals, basis } = await ask(statistic, 'time')
      const open = Object.entries(statistic.measures).flatMap(([measure, { madeOf }]) =>
        !madeOf && totals[basis]?.now[measure] ? [measure] : [],
      )
      expect([...opened].sort()).toEqual(open.sort())
    },
  )
})

test('the matrix of changes tells from what to what leads were judged anew, as their judgements one after the other do', async () => {
  const query = `from=${FROM}&to=${TO}&interval=month&dimension=was&across=level`
  const { data: told } = await boss.get<StatisticAnswer>(`/${numbersAt(statisticOf('sales/intention-count'))}?${query}`)
  // By the judgement before of the same lead, found for each by itself, and not by what the row says it was.
  const { rows: changes } = await instance.app.db.read.pool.query<{ was: string; level: string; n: number }>(`
    select coalesce((
        select b.level from lead_judgement b where b.lead_id = j.lead_id and (b.judged_at, b.id) < (j.judged_at, j.id)
        order by b.judged_at desc, b.id desc limit 1), 'NONE') as was, j.level, count(*)::int as n
    from lead_judgement j where ${dayOf('j.judged_at')} between '${FROM}' and '${TO}' group by 1, 2`)
  expect(changes.length).toBeGreaterThan(6)
  const found = (was: string | null, level: string | null) =>
    changes.find(change => change.was === was && change.level === level)?.n ?? 0
  const shown = told.rows.flatMap(({ key: was, cells }) =>
    cells.map((values, at) => ({ was, level: told.columns[at]?.key ?? null, values })),
  )
  for (const { was, level, values } of shown) {
    const name = `${was} to ${level}`
    const isRaised = was !== 'NONE' && String(level) < String(was)
    const n = found(was, level)
    expect([values.judged, values.raised, values.lowered], name).toEqual([
      n,
      isRaised ? n : 0,
      was !== 'NONE' && !isRaised ? n : 0,
    ])
  }
  const sum = shown.reduce((all, { values }) => all + (values.judged ?? 0), 0)
  expect(sum).toBe(changes.reduce((all, { n }) => all + n, 0))
  expect(sum).toBe(told.totals.judged?.now.judged)
})

test('every figure of the sales board is what SQL adds up another way', async () => {
  const { data: board } = await boss.get<Chart>('/sales/chart?month=2026-10')
  const within = (day: string) => `${day} between '2026-10-01' and '2026-10-31'`
  const ask = async <Row extends Record<string, unknown>>(text: string) =>
    (await instance.app.db.read.pool.query<Row>(text)).rows
  const people = await ask<Chart['people'][number]>(`
    with span as (${SPANS})
    select s.id::text as id, s.name, o.name as team, o.id::text as "teamId", c.id::text as "consultantId", g.target_fen::int as "targetFen",
      (select coalesce(sum(paid_fen), 0)::int from sales_order where sold_by = s.id and ${within(dayOf('paid_at'))}) as amount,
      (select count(*)::int from span where owner_id = s.id and ${within(dayOf('since'))}) as leads,
      (select count(*)::int from span where owner_id = s.id and ${within(dayOf('since'))} and dealt) as deals
    from staff s join org o on o.id = s.org_id left join (consultant c join consultant_target g on g.consultant_id = c.id and g.month = '2026-10-01')
      on c.staff_id = s.id`)
  const shown = people.filter(({ amount, leads, targetFen }) => amount || leads || targetFen)
  const inOrder = (all: readonly { id: string }[]) => all.toSorted((a, b) => Number(a.id) - Number(b.id))
  expect(shown.length).toBeGreaterThan(5)
  expect(inOrder(board.people.filter(({ amount, leads, targetFen }) => amount || leads || targetFen))).toEqual(
    inOrder(shown),
  )

  // Where a figure of the board leads, the same figure stands.
  const statistic = statisticOf('sales/sales-count')
  const linked = async (sellers: readonly string[]) => {
    const search = new URLSearchParams([['from', board.from], ['to', board.to], ...sellers.map(id => ['soldBy', id])])
    const { data } = await boss.get<StatisticAnswer>(`/${numbersAt(statistic)}?${search}`)
    const { amount, deals, leads } = data.totals[data.basis]?.now ?? {}
    return { amount, deals, leads }
  }
  const figuresOf = ({ amount, deals, leads }: Pick<Chart['people'][number], 'amount' | 'deals' | 'leads'>) => ({
    amount,
    deals,
    leads,
  })
  for (const one of board.people) expect(await linked([one.id]), one.name).toEqual(figuresOf(one))
  for (const team of board.teams) {
    const sellers = board.people.filter(({ teamId }) => teamId === team.id).map(({ id }) => id)
    expect(await linked(sellers), team.name).toEqual(figuresOf(team))
  }

  const sum = (all: typeof people, of: 'amount' | 'targetFen' | 'leads' | 'deals') =>
    all.reduce((total, one) => total + (one[of] ?? 0), 0)
  for (const [id, team] of Object.entries(Object.groupBy(shown, ({ teamId }) => String(teamId))))
    expect(
      board.teams.find(one => one.id === id),
      team?.[0]?.team ?? '',
    ).toMatchObject({
      ...{ amount: sum(team ?? [], 'amount'), leads: sum(team ?? [], 'leads'), deals: sum(team ?? [], 'deals') },
    })
  const [whole] = await ask<Record<string, number>>(`
    with span as (select * from (${SPANS}) s where ${within(dayOf('since'))})
    select (select coalesce(sum(paid_fen), 0)::int from sales_order where ${within(dayOf('paid_at'))}) as amount,
      (select coalesce(sum(amount_fen), 0)::int from refund_application where status = 'PAID' and ${within(dayOf('ended_at'))}) as back,
      count(*)::int as leads, ${Object.entries(STEPS)
        .map(([name, step]) => `(${step})::int as ${name}`)
        .join(', ')} from span`)
  expect([board.amount, board.net, board.targetFen]).toEqual([
    whole?.amount,
    (whole?.amount ?? 0) - (whole?.back ?? 0),
    sum(shown, 'targetFen'),
  ])
  expect(board.funnel.map(({ measure, count: of }) => [measure, of])).toEqual(
    board.funnel.map(({ measure }) => [measure, whole?.[measure]]),
  )

  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  const deeds = await ask<{ day: number; hour: number }>(`
    select extract(isodow from at at time zone 'Asia/Shanghai')::int - 1 as day, ${hourOf('at')}::int as hour from (${DEEDS}) d
    where ${within(dayOf('at'))}`)
  for (const { day, hour } of deeds) (hours[day] as number[])[hour] = (hours[day]?.[hour] ?? 0) + 1
  expect(deeds.length).toBeGreaterThan(10)
  expect(board.hours).toEqual(hours)
})
