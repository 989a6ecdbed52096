import pg from 'pg'
import { statistic as orderCount } from '#areas/analysis/order-count/model.ts'
import { statistic as refundCount } from '#areas/orders/refund-count/model.ts'
import type { Statistic } from '#kit/model/statistic.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { median, table, verdict, verdicts, whole } from './figures.ts'
import { type Ground, signIn } from './ground.ts'
import { backendCpu, cpuSeconds, spent } from './proc.ts'
import { call, startServer } from './server.ts'

const GOAL_MS = 300
/** The clock of processes ticks in hundredths of a second: so many calls make one figure. */
const CALLS = 5
const PERIODS = { '30 days': 30, '90 days': 90, '2 years': 730 } as const
const ROLES = { all: 'SUPER_ADMIN', 'a department': 'SALES_MANAGER_COPY' } as const

type Case = { readonly name: string; readonly path: string; readonly as: keyof typeof ROLES }
type Figure = Case & { readonly serverMs: number; readonly databaseMs: number; readonly waitedMs: number }

/** Every dimension of the statistics over orders and refunds, warm, one call after another. */
export async function measureStatistic({ settings, folder, database }: Ground): Promise<string> {
  const url = await database(settings.orders)
  await using server = await startServer({ url, port: settings.port, folder })
  const tokens = { all: await signIn(url, ROLES.all), 'a department': await signIn(url, ROLES['a department']) }
  const monitor = new pg.Client({ connectionString: url })
  await monitor.connect()
  const figures: Figure[] = []
  try {
    for (const each of [...casesOf(refundCount), ...casesOf(orderCount)]) {
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
      ['', 'console ms', 'database ms', 'together', 'waited ms'],
      figures.map(({ name, serverMs, databaseMs, waitedMs }) => [
        name,
        whole(serverMs),
        whole(databaseMs),
        whole(serverMs + databaseMs),
        whole(waitedMs),
      ]),
    ),
    '',
    ...verdicts(settings, [
      verdict('the dearest page of a statistic, ms', worst, { atMost: GOAL_MS }),
      verdict('pages refused as too much', refused.length, { atMost: 0 }),
    ]),
  ].join('\n')
}

function casesOf({ screen, dimensions, across = [] }: Statistic): Case[] {
  const today = dayOf(new Date())
  const asked = [...Object.keys(dimensions), ...across.map(name => `time&across=${name}`)]
  return Object.entries(PERIODS).flatMap(([period, days]) =>
    asked.flatMap(dimension =>
      Object.keys(ROLES).map(as => ({
        name: `${screen.name} by ${dimension.replace('&across=', ' and ')}, ${period}, ${as}`,
        path: `/${screen.name}?from=${addDays(today, 1 - days)}&to=${today}&dimension=${dimension}`,
        as: as as Case['as'],
      })),
    ),
  )
}
