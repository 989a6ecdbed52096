import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Companion, startCompanion } from './companion.ts'
import { medianOf, ratio, shuffled, table, verdict, whole } from './figures.ts'
import { type Ground, signIn } from './ground.ts'
import type { BareList } from './list-bare.ts'
import type { LoadResult } from './load.ts'
import { backendCpu, cpuSeconds, spent } from './proc.ts'
import { call, startServer } from './server.ts'
import { listenToServer, type Statement } from './statements.ts'

const PATH = '/api/orders/order'
const CONNECTIONS = 50
const DEEP_PAGE = 1_000
const PAGE_SIZE = 10
const LOOKS = 5

type Role = 'SUPER_ADMIN' | 'SALES'
type Case = { readonly name: string; readonly role: Role; readonly path: string }
type Target = {
  readonly pid: number
  readonly host: string
  readonly tokens: Readonly<Record<Role, string>>
  readonly monitor: pg.Client
}
type Slice = LoadResult & { readonly cpuUs: number; readonly databaseUs: number }
/** Who answered: the console, the bare program on the same database, the console on the small database. */
type Who = 'console' | 'bare' | 'small'
type Measured = ReadonlyMap<Case, Record<Who, Slice[]>>

/**
 * The list of ten orders with its exact total through the whole console (session, permission, scope, masks, steps, log
 * line) against node:http and a prepared statement with the same SQL, in slices that alternate.
 */
export async function measureList(ground: Ground): Promise<string> {
  const { settings, folder } = ground
  const { orders, small, port } = settings
  await using opened = new AsyncDisposableStack()
  const [url, smallUrl] = [await ground.database(orders), await ground.database(small)]
  const tokens = await tokensOf(url)
  const looked = await lookAtServer(url, port, folder, tokens)
  const bare = opened.use(startCompanion('list-bare.ts'))
  await bare.ask({ url, port: port + 1, lists: looked.map(({ list }) => list) })
  const server = opened.use(await startServer({ url, port, folder }))
  const smallServer = opened.use(await startServer({ url: smallUrl, port: port + 2, folder }))
  const monitor = async (of: string) => {
    const client = new pg.Client({ connectionString: of })
    await client.connect()
    opened.defer(() => client.end())
    return client
  }
  const shared = await monitor(url)
  const targets: Record<Who, Target> = {
    console: { ...server, tokens, monitor: shared },
    bare: { pid: bare.pid, host: `127.0.0.1:${port + 1}`, tokens, monitor: shared },
    small: { ...smallServer, tokens: await tokensOf(smallUrl), monitor: await monitor(smallUrl) },
  }
  const cases = looked.map(({ at }) => at)
  await requireSameRows(targets, cases)
  const measured = await measure(targets, cases, opened.use(startCompanion('load.ts')), settings)
  return report(measured, settings)
}

const tokensOf = async (url: string): Promise<Record<Role, string>> => ({
  SUPER_ADMIN: await signIn(url, 'SUPER_ADMIN'),
  SALES: await signIn(url, 'SALES'),
})

type Looked = { readonly at: Case; readonly list: BareList }

/** Decides the cases, deep pages within what there is, and learns the SQL of each from a server that writes it down. */
async function lookAtServer(url: string, port: number, folder: string, tokens: Target['tokens']): Promise<Looked[]> {
  await using listening = await listenToServer(url, port, folder)
  const { host } = listening.server
  const deep = async (role: Role): Promise<number> => {
    const { total } = await call<{ total: number }>(host, tokens[role], PATH.slice('/api'.length))
    return Math.min(DEEP_PAGE, Math.ceil(total / PAGE_SIZE))
  }
  const [deepAll, deepOwn] = [await deep('SUPER_ADMIN'), await deep('SALES')]
  const cases: Case[] = [
    { name: 'page 1, all orders', role: 'SUPER_ADMIN', path: PATH },
    { name: 'page 1, own orders', role: 'SALES', path: `${PATH}?current=1` },
    { name: 'page 1, closed ones', role: 'SUPER_ADMIN', path: `${PATH}?payState=CLOSED` },
    { name: 'page 1, ones to send', role: 'SUPER_ADMIN', path: `${PATH}?fulfilState=WAITING` },
    { name: `page ${deepAll}, all orders`, role: 'SUPER_ADMIN', path: `${PATH}?current=${deepAll}` },
    { name: `page ${deepOwn}, own orders`, role: 'SALES', path: `${PATH}?current=${deepOwn}&size=${PAGE_SIZE}` },
  ]
  const looked: Looked[] = []
  for (const at of cases) {
    // A kept total is asked for again after a second; only then is its statement seen.
    await sleep(1_100)
    const heard = await listening.heard(async () => {
      for (let nth = 0; nth < LOOKS; nth += 1) await call(host, tokens[at.role], at.path.slice('/api'.length))
    })
    looked.push({ at, list: bareListOf(at, heard) })
  }
  return looked
}

/** What was asked at each of the calls, and the total's statement; timers of the server ask other things meanwhile. */
function bareListOf({ name, path }: Case, heard: readonly Statement[]): BareList {
  const times = Map.groupBy(heard, ({ text }) => text)
  const each = [...times.values()].filter(same => same.length >= LOOKS).flatMap(same => same.slice(-1))
  const total = heard.find(({ text }) =>
    /from kept_count k |^select count\(\*\)::int as n from sales_order /.test(text),
  )
  if (each.length === 0 || !total) throw new Error(`the statements of "${name}" were not heard`)
  // As long as the console remembers each kind (src/kit/server/count.ts).
  return { path, each, total, totalLifeMs: total.text.includes('kept_count') ? 1_000 : 10_000 }
}

/** A comparison of two programs that answer different rows would say nothing. */
async function requireSameRows({ console: ours, bare }: Record<Who, Target>, cases: readonly Case[]): Promise<void> {
  type Page = { records: { id: string }[] }
  for (const { role, path, name } of cases) {
    const [a, b] = await Promise.all(
      [ours, bare].map(({ host, tokens }) => call<Page>(host, tokens[role], path.slice('/api'.length))),
    )
    const ids = (page: Page | undefined) => page?.records.map(({ id }) => id).join()
    if (ids(a) !== ids(b) || a?.records.length === 0) throw new Error(`console and bare program differ on "${name}"`)
  }
}

async function measure(
  targets: Record<Who, Target>,
  cases: readonly Case[],
  load: Companion,
  { rounds, seconds }: Ground['settings'],
): Promise<Measured> {
  const measured = new Map(cases.map(at => [at, { console: [], bare: [], small: [] } as Record<Who, Slice[]>]))
  // The first round is for the compilers and caches of all processes and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const at of shuffled(cases)) {
      const who: Who[] = at.name.startsWith('page 1,') ? ['console', 'bare', 'small'] : ['console', 'bare']
      for (const name of shuffled(who)) {
        const slice = await measureSlice(targets[name], at, load, round === 0 ? 1 : seconds)
        if (round > 0) measured.get(at)?.[name].push(slice)
      }
    }
    console.error(`list: round ${round} of ${rounds}`)
  }
  return measured
}

async function measureSlice(target: Target, { role, path }: Case, load: Companion, seconds: number): Promise<Slice> {
  const { pid, host, tokens, monitor } = target
  const backends = await backendCpu(monitor)
  const cpu = cpuSeconds(pid) ?? Number.NaN
  const result = await load.ask<LoadResult>({
    url: `http://${host}${path}`,
    token: tokens[role],
    connections: CONNECTIONS,
    seconds,
  })
  const perCall = (used: number) => (used / result.answered) * 1e6
  return {
    ...result,
    cpuUs: perCall((cpuSeconds(pid) ?? Number.NaN) - cpu),
    databaseUs: perCall(spent(backends, await backendCpu(monitor))),
  }
}

function report(measured: Measured, { orders, small }: Ground['settings']): string {
  const rate = (slices: readonly Slice[]) => medianOf(slices, slice => slice.rate)
  const cpu = (slices: readonly Slice[]) => medianOf(slices, slice => slice.cpuUs)
  const database = (slices: readonly Slice[]) => medianOf(slices, slice => slice.databaseUs)
  const p99 = (slices: readonly Slice[]) => medianOf(slices, slice => slice.p99)
  const rows = [...measured].map(([{ name }, { console: ours, bare }]) => [
    name,
    whole(rate(ours)),
    whole(rate(bare)),
    ratio(rate(ours), rate(bare)),
    whole(cpu(ours)),
    whole(cpu(bare)),
    ratio(cpu(ours), cpu(bare)),
    `${whole(database(ours))} / ${whole(database(bare))}`,
    `${whole(p99(ours))} / ${whole(p99(bare))}`,
  ])
  const grown = [...measured].filter(([, { small: smaller }]) => smaller.length > 0)
  const growth = grown.map(([{ name }, { console: big, small: smaller }]) => [
    name,
    whole(rate(smaller)),
    whole(rate(big)),
    ratio(rate(smaller), rate(big)),
    ratio(database(big), database(smaller)),
  ])
  const [first, own] = [...measured.values()]
  const [deep, deepOwn] = [...measured.values()].slice(-2)
  const cost = (a: Record<Who, Slice[]> | undefined, b: Record<Who, Slice[]> | undefined) =>
    rate(b?.console ?? []) / rate(a?.console ?? [])
  return [
    `### List of ${PAGE_SIZE} with exact total, ${whole(orders)} orders, ${CONNECTIONS} connections`,
    '',
    table(
      [
        'case',
        'calls/s',
        'bare',
        'ratio',
        'CPU µs/call',
        'bare',
        'ratio',
        'database µs (ours / bare)',
        'p99 ms (ours / bare)',
      ],
      rows,
    ),
    '',
    table(
      [`growth, ${whole(small)} → ${whole(orders)} orders`, 'calls/s small', 'calls/s big', 'cost ×', 'database CPU ×'],
      growth,
    ),
    '',
    verdict('list against bare', rate(first?.console ?? []) / rate(first?.bare ?? []), { atLeast: 0.6 }),
    verdict(
      `page 1 of ${whole(orders)} against ${whole(small)}`,
      rate(first?.small ?? []) / rate(first?.console ?? []),
      { atMost: 1.5 },
    ),
    verdict('deep page against page 1, all orders', cost(deep, first), { atMost: 2 }),
    verdict('deep page against page 1, own orders', cost(deepOwn, own), { atMost: 2 }),
  ].join('\n')
}
