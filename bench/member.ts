import { Agent, get } from 'node:http'
import pg from 'pg'
import { median, medianOf, shuffled, table, verdictOf, verdicts, whole } from './figures.ts'
import { type Ground, onDatabase, signIn } from './ground.ts'
import { fillMembers } from './members.ts'
import { cpuSeconds } from './proc.ts'
import { call, startServer } from './server.ts'
import { listenToServer, type Statement } from './statements.ts'

const PATH = '/members/member'
const GOAL = 3
const LOOKS = 5
/** Each of another member, so that nothing is answered from what was just read. */
const CALLS = 500
/** Who asks: whoever sees everybody, and a seller of the own members. */
const ROLES = { all: 'SUPER_ADMIN', own: 'SALES' } as const
type As = keyof typeof ROLES

type Slice = { readonly consoleUs: number; readonly bareUs: number; readonly cpuUs: number }
type Asked = { readonly token: string; readonly ids: readonly string[]; readonly statements: readonly Statement[] }

/**
 * The head of the member 360 (who it is, what is held, what is under way, which steps are open) as one call through the whole
 * console, of those who have bought something, against the same rows read by the same statements, prepared, on one connection of their own. One after another,
 * each of another member.
 */
export async function measureMember({ settings, folder, database }: Ground): Promise<string> {
  const url = await database(settings.orders)
  await fillMembers(url, settings.members)
  const members = await onDatabase(
    url,
    async client => (await client.query('select count(*) as n from member')).rows[0],
  )
  const asked = await askedOf(url, settings.port, folder)
  await using opened = new AsyncDisposableStack()
  const server = opened.use(await startServer({ url, port: settings.port, folder }))
  const bare = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await bare.connect()
  opened.defer(() => bare.end())
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  opened.defer(() => agent.destroy())
  const slices: Record<As, Slice[]> = { all: [], own: [] }
  // The first round is for the compilers and caches of all processes and does not count.
  for (let round = 0; round <= settings.rounds; round += 1) {
    for (const as of shuffled(Object.keys(ROLES) as As[])) {
      const { token, ids, statements } = asked[as]
      const turn = shuffled(ids)
      const before = cpuSeconds(server.pid) ?? Number.NaN
      const consoleUs = await timed(turn, id => answered(agent, server.host, token, `/api${PATH}/${id}`))
      const cpuUs = (((cpuSeconds(server.pid) ?? Number.NaN) - before) / turn.length) * 1e6
      const bareUs = await timed(shuffled(ids), id => read(bare, statements, id))
      if (round > 0) slices[as].push({ consoleUs, bareUs, cpuUs })
    }
    console.error(`member: round ${round} of ${settings.rounds}`)
  }
  return report(slices, Number(members.n), settings, asked)
}

/** Whom each may see, and what the console asks of its database for one of them. */
async function askedOf(url: string, port: number, folder: string): Promise<Record<As, Asked>> {
  await using listening = await listenToServer(url, port, folder)
  const look = async (as: As): Promise<Asked> => {
    const token = await signIn(url, ROLES[as])
    const ids = await onDatabase(url, client => idsFor(client, as))
    const [first = ''] = ids
    const heard = await listening.heard(async () => {
      for (let nth = 0; nth < LOOKS; nth += 1) await call(listening.server.host, token, `${PATH}/${first}`)
    })
    const times = Map.groupBy(heard, ({ text }) => text)
    // What is asked at every call and about this member: sessions and rights are remembered, timers ask for other things.
    const statements = [...times.values()].flatMap(same => (same.length >= LOOKS ? same.slice(-1) : []))
    const own = statements.filter(({ values }) => values.includes(first))
    if (own.length === 0) throw new Error('the statements of the head were not heard')
    return {
      token,
      ids,
      statements: own.map(one => ({ ...one, values: one.values.map(at => (at === first ? ID : at)) })),
    }
  }
  return { all: await look('all'), own: await look('own') }
}

/** Stands for the member's id among the values of a statement. */
const ID = '\0id'

async function idsFor(client: pg.Client, as: As): Promise<string[]> {
  // The first person with the role, as `signIn` takes it.
  const whose = `where owner_id = (select s.id from staff s join staff_role sr on sr.staff_id = s.id join role r on r.id = sr.role_id
    where r.code = '${ROLES.own}' and s.status = 'ENABLED' order by s.id limit 1)`
  const { rows } = await client.query(
    `select id::text as id from member ${as === 'own' ? `${whose} and` : 'where'} exists (select from sales_order o where o.member_id = member.id)
     order by random() limit ${CALLS}`,
  )
  if (rows.length === 0) throw new Error('nobody to look at')
  return rows.map(({ id }) => id)
}

async function timed(ids: readonly string[], work: (id: string) => Promise<void>): Promise<number> {
  const took: number[] = []
  for (const id of ids) {
    const begun = performance.now()
    await work(id)
    took.push((performance.now() - begun) * 1_000)
  }
  return median(took)
}

const answered = (agent: Agent, host: string, token: string, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`http://${host}${path}`, { agent, headers: { authtoken: token } }, response => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', part => {
        body += part
      })
      response.on('end', () => (body.startsWith('{"code":0') ? resolve() : reject(new Error(body.slice(0, 200)))))
    }).on('error', reject)
  })

async function read(client: pg.Client, statements: readonly Statement[], id: string): Promise<void> {
  for (const [nth, { text, values }] of statements.entries())
    await client.query({ name: `s${nth}-${text.length}`, text, values: values.map(at => (at === ID ? id : at)) })
}

function report(
  slices: Record<As, Slice[]>,
  members: number,
  settings: Ground['settings'],
  asked: Record<As, Asked>,
): string {
  const figures = Object.entries(slices).map(([as, of]) => {
    const [consoleUs, bareUs] = [medianOf(of, slice => slice.consoleUs), medianOf(of, slice => slice.bareUs)]
    const { statements } = asked[as as As]
    return { as, consoleUs, bareUs, cpuUs: medianOf(of, slice => slice.cpuUs), statements: statements.length }
  })
  return [
    `#### The head of one member among ${whole(members)}, in one call`,
    '',
    table(
      ['', 'console µs', 'bare SQL µs', 'ratio', 'console CPU µs', 'statements'],
      figures.map(({ as, consoleUs, bareUs, cpuUs, statements }) => [
        as === 'all' ? 'anybody, by whoever sees all' : 'own, by a seller',
        whole(consoleUs),
        whole(bareUs),
        (consoleUs / bareUs).toFixed(2),
        whole(cpuUs),
        statements,
      ]),
    ),
    '',
    ...verdicts(
      settings,
      figures.map(({ as, consoleUs, bareUs }) =>
        verdictOf(`head, ${as}`, { ours: consoleUs, baseline: bareUs, unit: 'µs' }, { atMost: GOAL }),
      ),
    ),
  ].join('\n')
}
