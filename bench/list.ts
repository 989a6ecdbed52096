import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Companion, startCompanion } from './companion.ts'
import { type Cell, median, medianOf, oneDigit, ratio, shuffled, table, verdictOf, verdicts, whole } from './figures.ts'
import { type Ground, signIn, signInNewcomer } from './ground.ts'
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
const FIRST_LOOKS = 21

/** Who asks: the administrator, a seller with orders, and one who has none yet. */
type Person = 'admin' | 'seller' | 'newcomer'
type Kind = 'all' | 'own' | 'none' | 'state' | 'filter' | 'deep' | 'own deep'
/** `grows`: also asked of the small database. */
type Case = {
  readonly kind: Kind
  readonly name: string
  readonly as: Person
  readonly path: string
  readonly page: number
  readonly grows: boolean
}
type Target = {
  readonly pid: number
  readonly host: string
  readonly tokens: Readonly<Record<Person, string>>
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
  return report(measured, await measureFirstLooks(targets.console, cases), settings)
}

type FirstLook = { readonly name: string; readonly firstMs: number; readonly deepMs: number }

/** Deep pages nobody asked for before: going towards the front, no page is reached from a remembered one. */
async function measureFirstLooks({ host, tokens }: Target, cases: readonly Case[]): Promise<FirstLook[]> {
  const msOf = async (as: Person, path: string): Promise<number> => {
    const start = performance.now()
    await call(host, tokens[as], path.slice('/api'.length))
    return performance.now() - start
  }
  const looks: FirstLook[] = []
  for (const { kind, name, as, page } of cases) {
    if (kind !== 'deep' && kind !== 'own deep') continue
    const [first, deep]: [number[], number[]] = [[], []]
    for (let step = 1; step <= Math.min(FIRST_LOOKS, page - 1); step += 1) {
      first.push(await msOf(as, PATH))
      deep.push(await msOf(as, `${PATH}?current=${page - step}`))
    }
    looks.push({ name, firstMs: median(first), deepMs: median(deep) })
  }
  return looks
}

const tokensOf = async (url: string): Promise<Record<Person, string>> => ({
  admin: await signIn(url, 'SUPER_ADMIN'),
  seller: await signIn(url, 'SALES'),
  newcomer: await signInNewcomer(url, 'SALES'),
})

type Looked = { readonly at: Case; readonly list: BareList }

/** Decides the cases, deep pages within what there is, and learns the SQL of each from a server that writes it down. */
async function lookAtServer(url: string, port: number, folder: string, tokens: Target['tokens']): Promise<Looked[]> {
  await using listening = await listenToServer(url, port, folder)
  const { host } = listening.server
  const deep = async (as: Person): Promise<number> => {
    const counts = await call<Record<string, number>>(host, tokens[as], `${PATH.slice('/api'.length)}/counts`)
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return Math.min(DEEP_PAGE, Math.ceil(total / PAGE_SIZE))
  }
  const cases = casesOf(await deep('admin'), await deep('seller'))
  const looked: Looked[] = []
  // Deep pages first: for ten seconds after page 1 they would be reached from its end, which is other SQL.
  for (const at of cases.toReversed()) {
    // A kept total is asked for again after a second; only then is its statement seen.
    await sleep(1_100)
    const heard = await listening.heard(async () => {
      for (let nth = 0; nth < LOOKS; nth += 1) await call(host, tokens[at.as], at.path.slice('/api'.length))
    })
    looked.unshift({ at, list: bareListOf(at, heard) })
  }
  return looked
}

/** The bare program tells cases apart by their address alone, so each has its own. */
const casesOf = (deep: number, ownDeep: number): Case[] => [
  { kind: 'all', name: 'page 1, all orders', as: 'admin', path: PATH, page: 1, grows: true },
  { kind: 'own', name: 'page 1, own orders', as: 'seller', path: `${PATH}?current=1`, page: 1, grows: true },
  {
    kind: 'none',
    name: 'page 1, own but there are none',
    as: 'newcomer',
    path: `${PATH}?size=${PAGE_SIZE}`,
    page: 1,
    grows: true,
  },
  { kind: 'state', name: 'page 1, closed ones', as: 'admin', path: `${PATH}?payState=CLOSED`, page: 1, grows: true },
  {
    kind: 'filter',
    name: 'page 1, ones to send',
    as: 'admin',
    path: `${PATH}?fulfilState=WAITING`,
    page: 1,
    grows: true,
  },
  {
    kind: 'deep',
    name: `page ${deep}, all orders`,
    as: 'admin',
    path: `${PATH}?current=${deep}`,
    page: deep,
    grows: false,
  },
  {
    kind: 'own deep',
    name: `page ${ownDeep}, own orders`,
    as: 'seller',
    path: `${PATH}?size=${PAGE_SIZE}&current=${ownDeep}`,
    page: ownDeep,
    grows: false,
  },
]

/**
 * What was asked at each of the calls, and the total's statement; timers of the server ask other things meanwhile. A deep
 * page is reached by its number once and from its remembered beginning after that, so the first call does not count.
 */
function bareListOf({ name, path }: Case, heard: readonly Statement[]): BareList {
  const times = Map.groupBy(heard, ({ text }) => text)
  const each = [...times.values()].filter(same => same.length >= LOOKS - 1).flatMap(same => same.slice(-1))
  const total = heard.find(({ text }) =>
    /from kept_count k |^select count\(\*\)::int as n from sales_order /.test(text),
  )
  if (each.length === 0 || !total) throw new Error(`the statements of "${name}" were not heard`)
  // As long as the console remembers each kind (src/kit/server/list/count.ts).
  return { path, each, total, totalLifeMs: total.text.includes('kept_count') ? 1_000 : 10_000 }
}

/** A comparison of two programs that answer different rows would say nothing. */
async function requireSameRows({ console: ours, bare }: Record<Who, Target>, cases: readonly Case[]): Promise<void> {
  type Page = { records: { id: string }[] }
  for (const { as, path, name } of cases) {
    const [a, b] = await Promise.all(
      [ours, bare].map(({ host, tokens }) => call<Page>(host, tokens[as], path.slice('/api'.length))),
    )
    const ids = (page: Page | undefined) => page?.records.map(({ id }) => id).join()
    if (ids(a) !== ids(b)) throw new Error(`console and bare program differ on "${name}"`)
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
      const who: Who[] = at.grows ? ['console', 'bare', 'small'] : ['console', 'bare']
      for (const name of shuffled(who)) {
        const slice = await measureSlice(targets[name], at, load, seconds)
        if (round > 0) measured.get(at)?.[name].push(slice)
      }
    }
    console.error(`list: round ${round} of ${rounds}`)
  }
  return measured
}

async function measureSlice(target: Target, { as, path }: Case, load: Companion, seconds: number): Promise<Slice> {
  const { pid, host, tokens, monitor } = target
  const backends = await backendCpu(monitor)
  const cpu = cpuSeconds(pid) ?? Number.NaN
  const result = await load.ask<LoadResult>({
    url: `http://${host}${path}`,
    token: tokens[as],
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

const rate = (slices: readonly Slice[] | undefined) => medianOf(slices ?? [], slice => slice.rate)
const cpu = (slices: readonly Slice[]) => medianOf(slices, slice => slice.cpuUs)
const database = (slices: readonly Slice[]) => medianOf(slices, slice => slice.databaseUs)
const p99 = (slices: readonly Slice[]) => medianOf(slices, slice => slice.p99)

function report(measured: Measured, looks: readonly FirstLook[], settings: Ground['settings']): string {
  const { orders, small } = settings
  const size = `${whole(small)} → ${whole(orders)} orders`
  return [
    `### List of ${PAGE_SIZE} with exact total, ${whole(orders)} orders, ${CONNECTIONS} connections`,
    '',
    table(
      ['', 'calls/s', 'bare', 'ratio', 'CPU µs/call', 'bare', 'ratio', 'database µs', 'bare', 'p99 ms', 'bare'],
      againstBare(measured),
    ),
    '',
    table([`growth, ${size}`, 'calls/s small', 'calls/s big', 'cost ×', 'database CPU ×'], growth(measured)),
    '',
    table(
      ['one call at a time, ms', 'page 1', 'seen the first time', 'ratio'],
      looks.map(({ name, firstMs, deepMs }) => [name, oneDigit(firstMs), oneDigit(deepMs), ratio(deepMs, firstMs)]),
    ),
    '',
    ...verdicts(settings, judged(measured, looks, size)),
  ].join('\n')
}

/** Every row of every table. */
function judged(measured: Measured, looks: readonly FirstLook[], size: string): string[] {
  const of = (kind: Kind) => [...measured].find(([at]) => at.kind === kind)?.[1]
  const again = (page: Kind, deep: Kind) => ({
    ours: rate(of(page)?.console),
    baseline: rate(of(deep)?.console),
    unit: 'calls/s',
  })
  const rows = [...measured]
  return [
    ...rows.map(([{ name }, { console: ours, bare }]) =>
      verdictOf(`${name}, against bare`, { ours: rate(ours), baseline: rate(bare), unit: 'calls/s' }, { atLeast: 0.6 }),
    ),
    ...rows
      .filter(([{ grows }]) => grows)
      .map(([{ name }, { console: big, small }]) =>
        verdictOf(`${name}, ${size}`, { ours: rate(small), baseline: rate(big), unit: 'calls/s' }, { atMost: 1.5 }),
      ),
    verdictOf('deep page asked for again, all orders: page 1 against it', again('all', 'deep'), { atMost: 2 }),
    verdictOf('deep page asked for again, own orders: page 1 against it', again('own', 'own deep'), { atMost: 2 }),
    ...looks.map(({ name, firstMs, deepMs }) =>
      verdictOf(`${name}, the first time`, { ours: deepMs, baseline: firstMs, unit: 'ms' }, { atMost: 2 }),
    ),
  ]
}

const againstBare = (measured: Measured): Cell[][] =>
  [...measured].map(([{ name }, { console: ours, bare }]) => [
    name,
    whole(rate(ours)),
    whole(rate(bare)),
    ratio(rate(ours), rate(bare)),
    whole(cpu(ours)),
    whole(cpu(bare)),
    ratio(cpu(ours), cpu(bare)),
    whole(database(ours)),
    whole(database(bare)),
    whole(p99(ours)),
    whole(p99(bare)),
  ])

const growth = (measured: Measured): Cell[][] =>
  [...measured]
    .filter(([{ grows }]) => grows)
    .map(([{ name }, { console: big, small: smaller }]) => [
      name,
      whole(rate(smaller)),
      whole(rate(big)),
      ratio(rate(smaller), rate(big)),
      ratio(database(big), database(smaller)),
    ])
