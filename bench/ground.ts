import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { hashToken, newToken } from '#kit/server/access/session.ts'
import { openDatabase } from '#kit/server/database/database.ts'
import { startEmbedded } from '#kit/server/database/embedded/embedded.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { foldCounts } from '#kit/server/start/housekeeping.ts'
import { seedOrders } from '../src/areas/orders/order/demo-bulk.server.ts'
import { databaseUrl, onServer } from '../tools/testing/database.ts'
import { startServer } from './server.ts'

export type Settings = {
  readonly quick: boolean
  /** Orders of the small and the big database. */
  readonly small: number
  readonly orders: number
  /** Members at least, where one of them is looked at. */
  readonly members: number
  readonly sockets: number
  readonly rounds: number
  /** Length of one slice of load. */
  readonly seconds: number
  /** First of the ports used; the next few follow. */
  readonly port: number
  /** How many pages are judged, where it is not as many as promises are judged by. */
  readonly pages?: number
}

/** What all measurements stand on: PostgreSQL, databases with so many orders, and a folder that goes at the end. */
export type Ground = {
  readonly settings: Settings
  readonly folder: string
  readonly postgres: string
  /** With the demo's people and at least so many orders; made at the first asking. */
  database(orders: number): Promise<string>
}

/** On DATABASE_URL's server when it is set, with databases of its own; else on an embedded one started for the run. */
export async function openGround(settings: Settings, folder: string, opened: AsyncDisposableStack): Promise<Ground> {
  const server = process.env.DATABASE_URL ?? (await startPostgres(folder, opened))
  const version = await onServer(server, async client => (await client.query('show server_version')).rows[0])
  const made = new Map<number, Promise<string>>()
  const make = async (orders: number): Promise<string> => {
    const name = `inkstone_bench_${process.pid}_${orders}`
    await onServer(server, client => client.query(`create database ${name}`))
    opened.defer(() => onServer(server, client => client.query(`drop database ${name} with (force)`)).then(() => {}))
    const url = databaseUrl(server, name)
    await fill(url, orders, settings, folder)
    return url
  }
  return {
    settings,
    folder,
    postgres: `PostgreSQL ${version.server_version}${process.env.DATABASE_URL ? '' : ' (embedded)'}`,
    database(orders) {
      const url = made.get(orders) ?? make(orders)
      made.set(orders, url)
      return url
    },
  }
}

async function startPostgres(folder: string, opened: AsyncDisposableStack): Promise<string> {
  // As root, PostgreSQL's own user has to enter the folder; else the cluster would be left behind in a shelter.
  await chmod(folder, 0o755)
  const embedded = await startEmbedded(join(folder, 'postgres'), () => {})
  opened.defer(() => embedded.stop())
  return embedded.url
}

/** The demo's people and roles, made by the server itself, and as many orders as asked for. */
async function fill(url: string, orders: number, { port }: Settings, folder: string): Promise<void> {
  console.error(`Filling a database with ${orders || 'the demo’s'} orders …`)
  await migrate(url)
  {
    await using _seeding = await startServer({ url, port, folder })
  }
  const there = await onDatabase(
    url,
    async client => (await client.query('select count(*) as n from sales_order')).rows[0],
  )
  if (orders > Number(there.n)) await seedOrders(url, orders - Number(there.n), { now: new Date() })
  const db = openDatabase(url, 1)
  // Done by the server every half minute: a measurement does not begin with the heap that a bulk load leaves.
  await db.write(foldCounts)
  await db.close()
}

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The token of a new session of the first person with this role, or of the last. */
export const signIn = (url: string, role: string, order: 'asc' | 'desc' = 'asc'): Promise<string> =>
  onDatabase(url, async client => {
    const token = newToken()
    const { rowCount } = await client.query(
      `insert into session (staff_id, token_hash, token_at, created_at, active_at, expires_at, address, device)
       select s.id, $2, now(), now(), now(), now() + interval '1 day', '127.0.0.1', 'bench'
       from staff s join staff_role sr on sr.staff_id = s.id join role r on r.id = sr.role_id
       where r.code = $1 and s.status = 'ENABLED' order by s.id ${order} limit 1`,
      [role, hashToken(token)],
    )
    if (rowCount !== 1) throw new Error(`nobody has the role ${role}`)
    return token
  })

/** The same of somebody who joined just now and has done nothing yet. */
export async function signInNewcomer(url: string, role: string): Promise<string> {
  await onDatabase(url, client =>
    client.query(
      `with joined as (
         insert into staff (account, name, org_id, password_hash)
         select 'newcomer-' || gen_random_uuid(), 'newcomer', min(id), 'none' from org returning id
       )
       insert into staff_role (staff_id, role_id) select joined.id, r.id from joined, role r where r.code = $1`,
      [role],
    ),
  )
  return signIn(url, role, 'desc')
}
