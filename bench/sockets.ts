import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { hashToken, newToken } from '#kit/server/session.ts'
import { type Companion, startCompanion } from './companion.ts'
import { medianOf, oneDigit, ratio, table, verdict, whole } from './figures.ts'
import { type Ground, onDatabase } from './ground.ts'
import { openFilesLimit, rssBytes } from './proc.ts'
import { type Server, startServer } from './server.ts'
import type { Client, Received } from './sockets-clients.ts'

const COLLECTS = ['--expose-gc', '--import', fileURLToPath(new URL('collect-garbage.ts', import.meta.url))]
/** Files a process has open besides its sockets. */
const OTHER_FILES = 200
/** One process of clients: fewer than its files, and its own CPU is not the bottleneck. */
const MAX_SOCKETS = 30_000
const WARM_SOCKETS = 200
const BROADCASTS = 5
const SETTLE_MS = 1_500
const OPEN_MS = 180_000
const KIB = 1_024
const NS_PER_MS = 1e6

/** One of the two servers with the process of its clients. */
type Side = {
  readonly pid: number
  readonly host: string
  readonly clients: Companion
  broadcast(text: string): Promise<void>
}
type Round = {
  readonly openSeconds: number
  /** Bytes for each socket: when all are open, after a heartbeat of each, and after a garbage collection. */
  readonly opened: number
  readonly beating: number
  readonly held: number
  /** Milliseconds from the wish to push until the last client has it, and from the first client to the last. */
  readonly all: number[]
  readonly spread: number[]
}

/**
 * Idle sockets of the console's live channel against a bare `ws` server: memory of the server's process, and the time of
 * a push until everybody has it. Each socket belongs to a person of its own, which is the dearest case.
 */
export async function measureSockets(ground: Ground): Promise<string> {
  const { settings } = ground
  const count = Math.min(settings.sockets, MAX_SOCKETS, openFilesLimit() - OTHER_FILES)
  const url = await ground.database(settings.small)
  const rounds: { ours: Round; bare: Round }[] = []
  for (let round = 1; round <= Math.min(settings.rounds, 3); round += 1) {
    const people = await bringPeople(url, count + WARM_SOCKETS)
    rounds.push(await measureRound(ground, url, people))
    console.error(`sockets: round ${round} of ${Math.min(settings.rounds, 3)}`)
  }
  return report(rounds, count, settings.sockets)
}

/** People with a session and a ticket each, as many as sockets; a role that lets every push reach them. */
const bringPeople = (url: string, count: number): Promise<Client[]> =>
  onDatabase(url, async client => {
    const clients = Array.from({ length: count }, () => ({ slot: `t${newToken()}`, token: newToken() }))
    await client.query(
      `with role as (
         insert into role (code, name, scope) values ('BENCH', 'BENCH', 'ALL')
         on conflict (code) do update set name = excluded.name returning id
       ), granted as (
         insert into role_permission (role_id, permission_id) select role.id, p.id from role, permission p
         on conflict do nothing
       ), person as (
         insert into staff (account, name, org_id, password_hash)
         select 'bench-' || gen_random_uuid(), 'bench', (select min(id) from org), 'none' from generate_series(1, $1::int)
         returning id
       ), held as (
         insert into staff_role (staff_id, role_id) select person.id, role.id from person, role
       ), numbered as (
         select id, row_number() over (order by id) as nth from person
       ), opened as (
         insert into session (staff_id, token_hash, token_at, created_at, active_at, expires_at, address, device)
         select n.id, h.token, now(), now(), now(), now() + interval '1 day', '127.0.0.1', 'bench'
         from numbered n join unnest($2::bytea[]) with ordinality as h (token, nth) using (nth)
         returning id, token_hash
       )
       insert into socket_ticket (hash, session_id, expires_at)
       select c.ticket, o.id, now() + interval '1 hour'
       from opened o join unnest($2::bytea[], $3::bytea[]) as c (token, ticket) on c.token = o.token_hash`,
      [count, clients.map(({ token }) => hashToken(token)), clients.map(({ slot }) => hashToken(slot))],
    )
    await client.query('analyze staff, staff_role, session, socket_ticket, role_permission')
    return clients
  })

/** Fresh processes, so that the memory one round leaves behind is not the next one's gift. */
async function measureRound(
  ground: Ground,
  url: string,
  people: readonly Client[],
): Promise<{ ours: Round; bare: Round }> {
  const { port } = ground.settings
  await using opened = new AsyncDisposableStack()
  const signals = opened.adopt(new pg.Client({ connectionString: url }), client => client.end())
  await signals.connect()
  const server: Server = opened.use(await startServer({ url, port, folder: ground.folder, flags: COLLECTS }))
  const program = opened.use(startCompanion('sockets-bare.ts', COLLECTS))
  await program.ask({ port: port + 1 })
  const clientsOf = () => opened.use(startCompanion('sockets-clients.ts'))
  const ours: Side = {
    ...server,
    clients: clientsOf(),
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
    broadcast: text => program.ask({ broadcast: text }),
  }
  const [oursGrew, bareGrew] = [await fillSide(ours, people, ground), await fillSide(bare, people, ground)]
  const times = { ours: [] as Span[], bare: [] as Span[] }
  for (let nth = 0; nth < BROADCASTS; nth += 1) {
    times.ours.push(await broadcastOnce(ours, nth))
    times.bare.push(await broadcastOnce(bare, nth))
  }
  const held = async (side: Side, { before, count }: Grown) => ((await collected(side.pid)) - before) / count
  const round = async (side: Side, grown: Grown, spans: readonly Span[]): Promise<Round> => ({
    ...grown,
    held: await held(side, grown),
    all: spans.map(({ all }) => all),
    spread: spans.map(({ spread }) => spread),
  })
  return { ours: await round(ours, oursGrew, times.ours), bare: await round(bare, bareGrew, times.bare) }
}

type Grown = Pick<Round, 'openSeconds' | 'opened' | 'beating'> & { readonly before: number; readonly count: number }

async function fillSide({ clients, host, pid }: Side, people: readonly Client[], { settings }: Ground): Promise<Grown> {
  const [warm, rest] = [people.slice(0, WARM_SOCKETS), people.slice(WARM_SOCKETS)]
  // Code that was never run would otherwise be loaded and compiled into the sockets' memory.
  await clients.ask({ open: warm, host }, OPEN_MS)
  await clients.ask({ close: true })
  await sleep(SETTLE_MS)
  const before = await collected(pid)
  const begun = performance.now()
  await clients.ask({ open: rest, host }, OPEN_MS)
  const openSeconds = (performance.now() - begun) / 1_000
  await sleep(SETTLE_MS)
  const perSocket = () => (rssBytes(pid) - before) / rest.length
  const opened = perSocket()
  await clients.ask({ heartbeatOverMs: settings.quick ? 2_000 : 20_000 })
  await sleep(SETTLE_MS)
  return { openSeconds, opened, beating: perSocket(), before, count: rest.length }
}

async function collected(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await sleep(SETTLE_MS)
  return rssBytes(pid)
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

function report(rounds: readonly { ours: Round; bare: Round }[], count: number, wanted: number): string {
  const row = (name: string, digits: (value: number) => string, figure: (round: Round) => number) => {
    const [ours, bare] = [medianOf(rounds, round => figure(round.ours)), medianOf(rounds, round => figure(round.bare))]
    return [name, digits(ours), digits(bare), ratio(ours, bare)]
  }
  const of = (figure: (round: Round) => number) =>
    medianOf(rounds, round => figure(round.ours)) / medianOf(rounds, round => figure(round.bare))
  const all = (round: Round) => medianOf(round.all, ms => ms)
  return [
    `### ${whole(count)} idle sockets and a push to all`,
    ...(count < wanted
      ? ['', `Fewer than asked for: this process may have ${whole(openFilesLimit())} files open.`]
      : []),
    '',
    table(
      ['', 'console', 'bare ws', 'ratio'],
      [
        row('KB a socket, all open', oneDigit, ({ opened }) => opened / KIB),
        row('KB a socket, after a heartbeat of each', oneDigit, ({ beating }) => beating / KIB),
        row('KB a socket, after a garbage collection', oneDigit, ({ held }) => held / KIB),
        row('seconds until all are open', oneDigit, ({ openSeconds }) => openSeconds),
        row('ms from the wish to push to the last client', whole, all),
        row('ms from the first client to the last', whole, ({ spread }) => medianOf(spread, ms => ms)),
      ],
    ),
    '',
    verdict(
      'memory of sockets that beat, against bare ws',
      of(({ beating }) => beating),
      { atMost: 1.3 },
    ),
    verdict(
      'memory they hold after a garbage collection',
      of(({ held }) => held),
      { atMost: 1.3 },
    ),
    verdict('push to all against bare ws', of(all), { atMost: 1.5 }),
  ].join('\n')
}
