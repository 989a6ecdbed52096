import { beforeAll, describe, expect, test } from 'vitest'
import { listOf, numbersAt, rowsBehind, type Statistic, type StatisticAnswer } from '../src/kit/model/statistic.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from './testing/instance.ts'

/** Counts of something else than rows, which stand behind them all the same. */
const DISTINCT = new Set(['orders/refund-count orders', 'channel/distribution-count orders'])
const PERIOD = 'from=2026-01-01&to=2026-11-30'

let instance: TestInstance
let statistics: Statistic[]
let boss: Caller

beforeAll(async () => {
  instance = await openDemoInstance()
  statistics = instance.app.catalogue.slices.flatMap(({ statistic }) => statistic ?? [])
  boss = await person(instance, { superAdmin: true })
})

/** How many rows the list shows somebody under these filters. */
async function rowsIn(who: Caller, name: string, filters: Readonly<Record<string, readonly string[]>>) {
  const search = new URLSearchParams(Object.entries(filters).flatMap(([field, values]) => values.map(v => [field, v])))
  const { code, data } = await who.get<{ total: number }>(`/${name}?${search}`)
  expect(code, `${name}?${search}`).toBe(0)
  return data.total
}

/** Of all that a statistic tells somebody, by one dimension: what opens another number of rows than it counts, and how many rows in all. */
async function opened(who: Caller, statistic: Statistic, dimension: string) {
  const wrong: string[] = []
  let counted = 0
  const { data } = await who.get<StatisticAnswer>(`/${numbersAt(statistic)}?${PERIOD}&dimension=${dimension}`)
  for (const [name, { kind }] of Object.entries(statistic.measures)) {
    const label = `${statistic.screen.name} ${name}`
    if (kind !== 'count' || DISTINCT.has(label)) continue
    const list = listOf(statistic, name).screen.name
    const first = Object.keys(statistic.dimensions)[0] === dimension ? [undefined] : []
    // The largest, and one that is small.
    const shown = data.rows.filter(({ values }) => (values[data.basis]?.[name] ?? 0) > 0)
    for (const row of [...first, ...shown.slice(0, 1), ...shown.slice(-1)]) {
      const filters = rowsBehind(statistic, data, name, row)
      if (!filters) continue
      const told = row ? row.values[data.basis]?.[name] : data.totals[data.basis]?.now[name]
      const found = await rowsIn(who, list, filters)
      counted += found
      if (found !== told) wrong.push(`${label} by ${dimension} ${row?.label ?? ''}: ${told}, rows ${found}`)
    }
  }
  return { wrong, counted }
}

const listsOf = (statistic: Statistic) => Object.keys(statistic.measures).map(measure => listOf(statistic, measure))

/** Somebody who counts and lists what one department sees: what is its own, and what is in its care. */
async function inDepartment(most: string): Promise<Caller> {
  const { rows } = await instance.app.db.read.pool.query<{ id: string }>(
    `select org_id as id from (${most}) t where org_id is not null group by 1 order by count(*) desc, 1 limit 1`,
  )
  const pages = statistics.flatMap(statistic => [statistic, ...listsOf(statistic)].map(({ screen }) => screen.key))
  const grants = Object.fromEntries(pages.map(page => [page, ['list']]))
  return person(instance, { orgId: String(rows[0]?.id), scope: 'DEPARTMENT', grants })
}

describe('a number of the demo business', () => {
  test('opens as many rows as it counts, of the whole period and of each value it is shown by', async () => {
    const all: string[] = []
    let rows = 0
    for (const statistic of statistics) {
      for (const dimension of Object.keys(statistic.dimensions)) {
        const { wrong, counted } = await opened(boss, statistic, dimension)
        all.push(...wrong)
        rows += counted
      }
    }
    expect(all).toEqual([])
    expect(rows).toBeGreaterThan(0)
  })

  test('does so for whoever sees one department, with what waits in its pools and whom it teaches', async () => {
    const seller = await inDepartment('select org_id from lead')
    const teacher = await inDepartment('select s.org_id from member m join staff s on s.id = m.teacher_id')
    const caredFor = statistics.filter(statistic => listsOf(statistic).some(({ carer }) => carer !== undefined))
    const all: string[] = []
    for (const [who, counts] of [[seller, statistics] as const, [teacher, caredFor] as const])
      for (const statistic of counts) {
        const [first] = Object.keys(statistic.dimensions) as [string]
        all.push(...(await opened(who, statistic, first)).wrong)
      }
    expect(all).toEqual([])
    const total = async (who: Caller, list: string) => (await who.get<{ total: number }>(list)).data.total
    expect(await total(seller, '/sales/salvage?status=UNASSIGNED')).toBeGreaterThan(0)
    expect(await total(teacher, '/members/member?firstPaidAtBegin=2026-01-01')).toBeGreaterThan(0)
  })

  test('is not wanting: no statistic has nothing to tell', async () => {
    const silent: string[] = []
    for (const statistic of statistics) {
      const { data } = await boss.get<StatisticAnswer>(`/${numbersAt(statistic)}?${PERIOD}`)
      // In a small business a rare thing may not have happened.
      const told = Object.values(data.totals[data.basis]?.now ?? {}).filter(value => value !== null && value !== 0)
      if (told.length < Object.keys(statistic.measures).length / 2) silent.push(statistic.screen.name)
    }
    expect(silent).toEqual([])
  })
})
