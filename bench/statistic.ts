import pg from 'pg'
import { statistic as orderCount } from '#areas/analysis/order-count/model.ts'
import { statistic as refundCount } from '#areas/orders/refund-count/model.ts'
import type { Statistic } from '#kit/model/statistic.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { median, table, verdict, verdictCell, verdicts, whole } from './figures.ts'
import { type Ground, onDatabase, signIn } from './ground.ts'
import { backendCpu, cpuSeconds, spent } from './proc.ts'
import { call, startServer } from './server.ts'

const GOAL_MS = 300
/** The clock of processes ticks in hundredths of a second: so many calls make one figure. */
const CALLS = 5
const PERIODS = { '30 days': 30, '90 days': 90, '2 years': 730 } as const
const ROLES = { all: 'SUPER_ADMIN', 'a department': 'SALES_MANAGER_COPY' } as const

type Case = { readonly name: string; readonly path: string; readonly as: keyof typeof ROLES }
type Figure = Case & { readonly serverMs: number; readonly databaseMs: number; readonly waitedMs: number }

/** Under a filter and by something else, no sums are kept: the rows of the period are read. The longer ones cost most. */
const FILTERED_PERIODS = ['90 days', '2 years'] as const
type Filter = Readonly<Record<string, string>>

/** Every dimension of the statistics over orders and refunds, with and without filters, warm, one call after another. */
export async function measureStatistic({ settings, folder, database }: Ground): Promise<string> {
  const url = await database(settings.orders)
  await using server = await startServer({ url, port: settings.port, folder })
  const tokens = { all: await signIn(url, ROLES.all), 'a department': await signIn(url, ROLES['a department']) }
  const monitor = new pg.Client({ connectionString: url })
  await monitor.connect()
  const figures: Figure[] = []
  try {
    const filters = await filtersOf(url)
    const cases = [refundCount, orderCount].flatMap(statistic => [
      ...casesOf(statistic),
      ...filters.flatMap(filter => filteredCasesOf(statistic, filter)),
    ])
    for (const each of cases) {
      const ask = () => call(server.host, tokens[each.as], each.path)
      // Too much to be read at once is refused with what to do; it has no figure.
      if ((await ask().catch(() => undefined)) === undefined) {
        figures.push({ ...each, serverMs: Number.NaN, databaseMs: Number.NaN, waitedMs: Number.NaN })
        continue
      }
      const before = [cpuSeconds(server.pid) ?? Number.NaN, await backendCpu(monitor)] as const
      const waited: number[] = []
      for (let nth = 0; nth < CALLS; nth += 1) {
        const begun = performance.now()
        await ask()
        waited.push(performance.now() - begun)
      }
      const perCall = (seconds: number) => (seconds * 1_000) / CALLS
      figures.push({
        ...each,
        serverMs: perCall((cpuSeconds(server.pid) ?? Number.NaN) - before[0]),
        databaseMs: perCall(spent(before[1], await backendCpu(monitor))),
        waitedMs: median(waited),
      })
    }
  } finally {
    await monitor.end()
  }
  const worst = Math.max(...figures.map(({ serverMs, databaseMs }) => serverMs + databaseMs || 0))
  const refused = figures.filter(({ waitedMs }) => Number.isNaN(waitedMs))
  return [
    `#### Statistics over ${whole(settings.orders)} orders, processor time of one call`,
    '',
    table(
      ['', 'console ms', 'database ms', 'together', 'together × database', 'waited ms', `≤ ${GOAL_MS} ms`],
      figures.map(({ name, serverMs, databaseMs, waitedMs }) => [
        name,
        whole(serverMs),
        whole(databaseMs),
        whole(serverMs + databaseMs),
        ((serverMs + databaseMs) / databaseMs).toFixed(2),
        whole(waitedMs),
        verdictCell(settings, serverMs + databaseMs, { atMost: GOAL_MS }),
      ]),
    ),
    '',
    ...verdicts(settings, [
      verdict('the dearest page of a statistic, ms', worst, { atMost: GOAL_MS }),
      verdict('pages refused as too much', refused.length, { atMost: 0 }),
    ]),
  ].join('\n')
}

/** The channel and the seller with the most orders: filters that leave much to be read. */
const filtersOf = (url: string): Promise<Filter[]> =>
  onDatabase(url, async client => {
    const most = async (column: string): Promise<string> => {
      const { rows } = await client.query(
        `select ${column}::text as value from sales_order where ${column} is not null group by 1 order by count(*) desc limit 1`,
      )
      if (!rows[0]) throw new Error(`no order has a ${column}`)
      return rows[0].value
    }
    const [channel, soldBy] = [await most('channel'), await most('sold_by')]
    return [{ channel }, { soldBy }, { channel, soldBy }]
  })

function filteredCasesOf({ screen, dimensions }: Statistic, filter: Filter): Case[] {
  const others = Object.keys(dimensions).filter(name => {
    const dimension = dimensions[name]
    return dimension === 'time' || dimension === undefined || !(dimension.field in filter)
  })
  return FILTERED_PERIODS.flatMap(period =>
    others.map(dimension => ({
      name: `${screen.name} by ${dimension} of one ${Object.keys(filter).join(' and ')}, ${period}, all`,
      path: pathOf(screen.name, PERIODS[period], `${dimension}&${new URLSearchParams(filter)}`),
      as: 'all' as const,
    })),
  )
}

function casesOf({ screen, dimensions, across = [] }: Statistic): Case[] {
  const asked = [...Object.keys(dimensions), ...across.map(name => `time&across=${name}`)]
  return Object.entries(PERIODS).flatMap(([period, days]) =>
    asked.flatMap(dimension =>
      Object.keys(ROLES).map(as => ({
        name: `${screen.name} by ${dimension.replace('&across=', ' and ')}, ${period}, ${as}`,
        path: pathOf(screen.name, days, dimension),
        as: as as Case['as'],
      })),
    ),
  )
}

function pathOf(screen: string, days: number, dimension: string): string {
  const today = dayOf(new Date())
  return `/${screen}?from=${addDays(today, 1 - days)}&to=${today}&dimension=${dimension}`
}
