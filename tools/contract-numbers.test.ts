import { beforeAll, describe, expect, test } from 'vitest'
import { listOf, numbersAt, rowsBehind, type Statistic, type StatisticAnswer } from '../src/kit/model/statistic.ts'
import { openDemoInstance } from './testing/demo-instance.ts'
import { type Caller, person, type TestInstance } from './testing/instance.ts'

/** Counts of something else than rows, which stand behind them all the same. */
const DISTINCT = new Set(['orders/refund-count orders'])
const PERIOD = 'from=2026-01-01&to=2026-11-30'

let instance: TestInstance
let statistics: Statistic[]
let boss: Caller

beforeAll(async () => {
  instance = await openDemoInstance()
  statistics = instance.app.catalogue.slices.flatMap(({ statistic }) => statistic ?? [])
  boss = await person(instance, { superAdmin: true })
})

/** How many rows the list shows under these filters. */
async function rowsIn(name: string, filters: Readonly<Record<string, readonly string[]>>): Promise<number> {
  const search = new URLSearchParams(Object.entries(filters).flatMap(([field, values]) => values.map(v => [field, v])))
  const { code, data } = await boss.get<{ total: number }>(`/${name}?${search}`)
  expect(code, `${name}?${search}`).toBe(0)
  return data.total
}

describe('a number of the demo business', () => {
  test('opens as many rows as it counts, of the whole period and of each value it is shown by', async () => {
    const wrong: string[] = []
    let counted = 0
    for (const statistic of statistics) {
      for (const dimension of Object.keys(statistic.dimensions)) {
        const { data } = await boss.get<StatisticAnswer>(`/${numbersAt(statistic)}?${PERIOD}&dimension=${dimension}`)
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
            const found = await rowsIn(list, filters)
            counted += found
            if (found !== told) wrong.push(`${label} by ${dimension} ${row?.label ?? ''}: ${told}, rows ${found}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(counted).toBeGreaterThan(0)
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
