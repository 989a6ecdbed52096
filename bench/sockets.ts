import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { hashToken, newToken } from '#kit/server/access/session.ts'
import { type Companion, startCompanion } from './companion.ts'
import { medianOf, oneDigit, ratio, shuffled, table, verdict, verdictOf, verdicts, whole } from './figures.ts'
import { type Ground, onDatabase } from './ground.ts'
import { openFilesLimit, rssBytes } from './proc.ts'
import { startServer } from './server.ts'
import type { Received } from './sockets-clients.ts'

const COLLECTS = ['--expose-gc', '--import', fileURLToPath(new URL('collect-garbage.ts', import.meta.url))]
/** Files a process has open besides its sockets. */
const OTHER_FILES = 200
/** One process of clients: fewer than its files, and its own CPU is not the bottleneck. */
const MAX_SOCKETS = 30_000
const WARM_SOCKETS = 200
const BROADCASTS = 5
const MAX_ROUNDS = 3
const SETTLE_MS = 1_500
const OPEN_MS = 180_000
const KIB = 1_024
const NS_PER_MS = 1e6

/** One of the two servers with the process of its clients. */
type Side = {
  readonly pid: number
  /** Where it notes the size of its heap after a collection. */
  readonly heapFile: string
  readonly host: string
  readonly clients: Companion
  /** Whether a socket is opened by a ticket. */
  readonly ticket: boolean
  broadcast(text: string): Promise<void>
}
type Round = {
  readonly openSeconds: number
  /**
   * Bytes for each socket after a heartbeat of each. `resident` is the process as it stands: what V8 keeps free for later
   * is in it, tens of megabytes more or less by chance. `heap` is exact: what JavaScript holds after a garbage collection.
   * The rest of a socket is Node's own and the same in both servers.
   */
  readonly resident: number
  readonly heap: number
  /** Milliseconds from the wish to push until the last client has it, and from the first client to the last. */
  readonly pushed: number[]
  readonly spread: number[]
}

/**
 * Idle sockets of the console's live channel against a bare `ws` server: memory of the server's process, and the time of
 * a push until everybody has it. Each socket belongs to a person of its own, which is the dearest case.
 */
export async function measureSockets(ground: Ground): Promise<string> {
  const { settings } = ground
  const count = Math.min(settings.sockets, MAX_SOCKETS, openFilesLimit() - OTHER_FILES)
  // The demo's own business is enough, and the people brought here stay out of the other measurements.
  const url = await ground.database(0)
  const rounds: { ours: Round; bare: Round }[] = []
  const all = Math.min(settings.rounds, MAX_ROUNDS)
  // The first round is for the caches of the machine and of PostgreSQL, and does not count.
  for (let round = 0; round <= all; round += 1) {
    const people = await bringPeople(url, count + WARM_SOCKETS)
    const measured = await measureRound(ground, url, people)
    if (round > 0) rounds.push(measured)
    console.error(`sockets: round ${round} of ${all}`)
  }
  return report(rounds, count, settings)
}

/** People with a session each, as many as sockets, in a role that lets every push reach them. Gives their tokens. */
const bringPeople = (url: string, count: number): Promise<string[]> =>
  onDatabase(url, async client => {
    const tokens = Array.from({ length: count }, newToken)
    await client.query(
      `with role as (
         insert into role (code, name, scope) values ('BENCH', 'BENCH', 'ALL')
         on conflict (code) do update set name = excluded.name returning id
       ), granted as (
         insert into role_permission (role_id, permission_id) select role.id, p.id from role, permission p
         on conflict do nothing
       ), person as (
         insert into staff (account, name, org_id, password_hash)
         select 'bench-' || gen_random_uuid(), 'bench', (select min(id) from org), 'none' from unnest($1::bytea[])
         returning id
       ), held as (
         insert into staff_role (staff_id, role_id) select person.id, role.id from person, role
       )
       insert into session (staff_id, token_hash, token_at, created_at, active_at, expires_at, address, device)
       select n.id, h.token, now(), now(), now(), now() + interval '1 day', '127.0.0.1', 'bench'
       from (select id, row_number() over (order by id) as nth from person) n
       join unnest($1::bytea[]) with ordinality as h (token, nth) using (nth)`,
      [tokens.map(hashToken)],
    )
    await client.query('analyze staff, staff_role, session, role_permission')
    return tokens
  })

/** Fresh processes, so that the memory one round leaves behind is not the next one's gift. */
async function measureRound(
  ground: Ground,
  url: string,
  people: readonly string[],
): Promise<{ ours: Round; bare: Round }> {
  const { port } = ground.settings
  await using opened = new AsyncDisposableStack()
  const signals = opened.adopt(new pg.Client({ connectionString: url }), client => client.end())
  await signals.connect()
  const { folder } = ground
  const heapFile = (side: string) => ({ BENCH_HEAP: join(folder, `heap-${side}`) })
  const server = opened.use(await startServer({ url, port, folder, flags: COLLECTS, env: heapFile('console') }))
  const program = opened.use(startCompanion('sockets-bare.ts', COLLECTS, heapFile('bare')))
  await program.ask({ port: port + 1 })
  const clientsOf = () => opened.use(startCompanion('sockets-clients.ts'))
  const ours: Side = {
    ...server,
    clients: clientsOf(),
    ticket: true,
    heapFile: heapFile('console').BENCH_HEAP,
    // As `push` of src/kit/server/live/push.ts stores it: whichever instance hears of it tells its sockets.
    broadcast: async text => {
      const payload = { ...JSON.parse(text), page: 'order-list', ownerId: null, orgId: null }
      await signals.query(`insert into signal (topic, payload) values ('push', $1)`, [payload])
    },
  }
  const bare: Side = {
    pid: program.pid,
    host: `127.0.0.1:${port + 1}`,
    clients: clientsOf(),
    ticket: false,
    heapFile: heapFile('bare').BENCH_HEAP,
    broadcast: text => program.ask({ broadcast: text }),
  }
  const sides = [ours, bare]
  const grown = new Map<Side, Grown>()
  for (const side of shuffled(sides)) grown.set(side, await fillSide(side, people, ground))
  const spans = new Map<Side, Span[]>(sides.map(side => [side, []]))
  // Nor does the first push of each, which meets code that was never run.
  for (let nth = 0; nth <= BROADCASTS; nth += 1) {
    for (const side of shuffled(sides)) {
      const span = await broadcastOnce(side, nth)
      if (nth > 0) spans.get(side)?.push(span)
    }
  }
  const round = (side: Side): Round => ({
    ...(grown.get(side) as Grown),
    pushed: spans.get(side)?.map(({ all }) => all) ?? [],
    spread: spans.get(side)?.map(({ spread }) => spread) ?? [],
  })
  return { ours: round(ours), bare: round(bare) }
}

type Grown = Pick<Round, 'openSeconds' | 'resident' | 'heap'>

async function fillSide(side: Side, people: readonly string[], { settings }: Ground): Promise<Grown> {
  const { clients, host, pid, ticket } = side
  const [warm, rest] = [people.slice(0, WARM_SOCKETS), people.slice(WARM_SOCKETS)]
  // Code that was never run would otherwise be loaded and compiled into the sockets' memory.
  await clients.ask({ open: warm, host, ticket }, OPEN_MS)
  await clients.ask({ close: true })
  await sleep(SETTLE_MS)
  const heapBefore = await collectedHeap(side)
  const residentBefore = rssBytes(pid)
  const begun = performance.now()
  await clients.ask({ open: rest, host, ticket }, OPEN_MS)
  const openSeconds = (performance.now() - begun) / 1_000
  await clients.ask({ heartbeatOverMs: settings.quick ? 2_000 : 20_000 })
  await sleep(SETTLE_MS)
  const resident = (rssBytes(pid) - residentBefore) / rest.length
  const heap = ((await collectedHeap(side)) - heapBefore) / rest.length
  return { openSeconds, resident, heap }
}

async function collectedHeap({ pid, heapFile }: Side): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await sleep(SETTLE_MS)
  return Number(readFileSync(heapFile, 'utf8'))
}

type Span = { readonly all: number; readonly spread: number }

async function broadcastOnce({ clients, broadcast }: Side, nth: number): Promise<Span> {
  await clients.ask({ arm: true })
  const content = JSON.stringify({
    orderId: String(nth),
    orderNo: '202611150000000001',
    name: '王小明',
    product: '年度会员',
    amountFen: 199_900,
  })
  const begun = process.hrtime.bigint()
  const received = clients.ask<Received>({ received: true })
  await broadcast(JSON.stringify({ type: 2, key: `202611150000000001-${nth}`, content, token: null }))
  const { first, last } = await received
  const ms = (ns: bigint) => Number(ns) / NS_PER_MS
  return { all: ms(BigInt(last) - begun), spread: ms(BigInt(last) - BigInt(first)) }
}

/** The same ratio without V8's chance: bare ws as it is resident, and what our sockets hold beyond its own. */
const byHeap = (rounds: readonly { ours: Round; bare: Round }[]): number =>
  medianOf(rounds, ({ ours, bare }) => (bare.resident + ours.heap - bare.heap) / bare.resident)

function report(rounds: readonly { ours: Round; bare: Round }[], count: number, settings: Ground['settings']): string {
  const row = (name: string, digits: (value: number) => string, figure: (round: Round) => number) => {
    const [ours, bare] = [medianOf(rounds, round => figure(round.ours)), medianOf(rounds, round => figure(round.bare))]
    return [name, digits(ours), digits(bare), ratio(ours, bare)]
  }
  const sides = (unit: string, figure: (round: Round) => number) => ({
    ours: medianOf(rounds, round => figure(round.ours)),
    baseline: medianOf(rounds, round => figure(round.bare)),
    unit,
  })
  const pushed = (round: Round) => medianOf(round.pushed, ms => ms)
  return [
    `### ${whole(count)} idle sockets and a push to all`,
    ...(count < settings.sockets
      ? ['', `Fewer than asked for: this process may have ${whole(openFilesLimit())} files open.`]
      : []),
    '',
    table(
      ['', 'console', 'bare ws', 'ratio'],
      [
        row('KB a socket, resident', oneDigit, ({ resident }) => resident / KIB),
        row('KB a socket, JavaScript heap alone', oneDigit, ({ heap }) => heap / KIB),
        row('seconds until all are open', oneDigit, ({ openSeconds }) => openSeconds),
        row('ms from the wish to push to the last client', whole, pushed),
        row('ms from the first client to the last', whole, ({ spread }) => medianOf(spread, ms => ms)),
      ],
    ),
    '',
    ...verdicts(settings, [
      verdictOf(
        'resident memory of a socket against bare ws',
        sides('KB', ({ resident }) => resident / KIB),
        { atMost: 1.3 },
      ),
      verdict('bare resident and what our heap has more', byHeap(rounds), { atMost: 1.3 }),
      verdictOf('push to all against bare ws', sides('ms', pushed), { atMost: 1.5 }),
    ]),
  ].join('\n')
}
