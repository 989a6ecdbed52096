import type pg from 'pg'
import { PRODUCTS } from '#areas/products/product/demo.server.ts'
import { PHONES, PUPIL_NAMES, pinyinOf, SURNAMES, spellingOf } from '#demo/builders.server.ts'
import { type Hour, rhythmUntil } from '#demo/rhythm.server.ts'
import { type Bulk, readStories } from '#demo/story.server.ts'
import { dayOf } from '#kit/model/time.ts'
import { readCatalogue } from '#kit/server/catalogue.ts'
import { withConnection } from '#kit/server/database/connection.ts'
import { sqlState } from '#kit/server/database/database.ts'
import {
  KEEP_IDS,
  LAST_IDS,
  MEMBERS,
  NUMBER_DAYS,
  OFFERS,
  PLACE_ORDERS,
  ROLL_ORDERS,
  SELLERS,
  SOLD,
} from './demo-bulk-orders.server.ts'

/** Rows of one statement: the triggers that keep counts see all of them at once, so the statement may not grow with the table. */
const CHUNK = 100_000
const ORDERS_PER_MEMBER = 4
const TRIES = 3
const DEADLOCK = '40P01'

// Chunks take longer than a call may; rows the triggers look at and sorts stay in memory.
const OPTIONS =
  '-c timezone=UTC -c statement_timeout=0 -c work_mem=192MB -c maintenance_work_mem=256MB -c temp_buffers=64MB -c jit=off'

/**
 * Adds many orders, and a member for every fourth, over the two years up to `now`; for measuring, beside whatever is
 * there. What orders bring with them comes too: lines, payments, rights, parcels. Made inside the database, all or
 * nothing; the tables are locked meanwhile. Orders belong to the sales staff, where there is any, and sell the products
 * of the demo business; where those are missing they are names that give nothing.
 */
export async function seedOrders(url: string, orders: number, { now }: { now: Date }): Promise<void> {
  const stories = await readStories(await readCatalogue())
  const brought = stories.flatMap(({ bulk }) => bulk ?? [])
  await connected(url, async client => {
    for (let tries = 1; !(await isStored(client, brought, { orders, now }, tries === TRIES)); tries += 1);
    await tidy(
      url,
      client,
      brought.flatMap(({ tables, counted = [] }) => [...tables, ...counted]),
    )
  })
}

/** Everything or nothing; nothing too when a console at work on the same tables and we would wait for each other for ever. */
async function isStored(
  client: pg.Client,
  brought: readonly Bulk[],
  { orders, now }: { orders: number; now: Date },
  isLast: boolean,
): Promise<boolean> {
  const tables = brought.flatMap(bulk => bulk.tables)
  try {
    await client.query('begin')
    await client.query(`lock table ${tables.join(', ')} in access exclusive mode`)
    const putBack: string[] = []
    for (const table of tables) putBack.push(...(await takeDown(client, table, orders)))
    await insertOrders(client, orders, now)
    for (const statement of brought.flatMap(bulk => bulk.statements))
      await client.query(statement, statement.includes('$1') ? [dayOf(now)] : [])
    for (const statement of putBack) await client.query(statement)
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback')
    if (isLast || sqlState(error) !== DEADLOCK) throw error
    return false
  }
}

const connected = (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  withConnection({ connectionString: url, options: OPTIONS }, async client => {
    // New indexes are logged as whole pages: compressing those takes longer than building them.
    await client.query(
      `select set_config('wal_compression', 'off', false) where has_parameter_privilege('wal_compression', 'SET')`,
    )
    await work(client)
  })

/** Also marks the pages all-visible, which the first reader would pay for otherwise. Two at a time: each needs a core of its own. */
async function tidy(url: string, client: pg.Client, tables: readonly string[]): Promise<void> {
  await connected(url, async second => {
    const left = [...tables].reverse()
    const work = async (worker: pg.Client) => {
      for (let table = left.pop(); table !== undefined; table = left.pop())
        await worker.query(`vacuum (analyze) ${table}`)
    }
    await Promise.all([work(client), work(second)])
  })
}

/**
 * Indexes and references are built and checked faster at the end than row by row, unless most of the table is there
 * already. Takes them away and answers the statements that put them back. What rows are told apart by while they are
 * stored stays: primary keys, and the phone number of a member.
 */
async function takeDown(client: pg.Client, table: string, added: number): Promise<string[]> {
  const { rows: big } = await client.query(`select 1 from ${table} offset ${4 * added} limit 1`)
  if (big.length > 0) return []
  const { rows } = await client.query(
    `select format('drop index %s', indexrelid::regclass) as down, pg_get_indexdef(indexrelid) as up
     from pg_index i where indrelid = $1::regclass and indexrelid <> 'member_phone'::regclass
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     union all
     select format('alter table %s drop constraint %I', conrelid::regclass, conname),
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint c where conrelid = $1::regclass
       and (contype = 'f' or contype = 'u' and not exists (select from pg_constraint f where f.conindid = c.conindid and f.contype = 'f'))`,
    [table],
  )
  for (const { down } of rows) await client.query(down)
  return rows.map(({ up }) => up)
}

async function insertOrders(client: pg.Client, orders: number, now: Date): Promise<void> {
  await client.query(SELLERS)
  for (const statement of OFFERS) await client.query(statement, statement.includes('$1') ? GOODS : [])
  const rhythm = rhythmUntil(now)
  const members = Math.ceil(orders / ORDERS_PER_MEMBER)
  const { rows } = await client.query('select coalesce(max(id), 0)::text as last from member')
  const firstPhone = PHONES.bulk + Number(rows[0].last)
  for (const chunk of chunksOf(rhythm.hours(members)))
    await client.query(MEMBERS, [...columns(chunk), firstPhone, ...NAMES])
  await client.query('analyze buyer')
  await client.query(SOLD)
  const hours = rhythm.hours(orders)
  const numbers = await numberHours(client, hours)
  const last = (await client.query(LAST_IDS)).rows[0]
  for (const chunk of chunksOf(hours))
    await client.query(ROLL_ORDERS, [
      ...columns(chunk),
      orders,
      now,
      SLOTS,
      ...SHOPS,
      chunk.map(dayOfHour),
      chunk.map(({ start }) => numbers.get(start)),
      last.orders,
      last.lines,
      last.shipments,
    ])
  for (const statement of KEEP_IDS) await client.query(statement)
  for (let from = 0; from < orders; from += CHUNK) await client.query(PLACE_ORDERS, [from, from + CHUNK])
}

const dayOfHour = ({ start }: Hour): string => dayOf(new Date(start))

/** Takes the numbers of all orders, and answers the last one before each hour, by its start. */
async function numberHours(client: pg.Client, hours: readonly Hour[]): Promise<ReadonlyMap<number, number>> {
  const perDay = Map.groupBy(hours, dayOfHour)
  const counts = [...perDay.values()].map(ofDay => ofDay.reduce((sum, hour) => sum + hour.orders, 0))
  const { rows } = await client.query(NUMBER_DAYS, [[...perDay.keys()], counts])
  const lasts = new Map(rows.map(({ day, last }) => [String(day), Number(last)]))
  const before = new Map<number, number>()
  for (const [day, ofDay] of [...perDay]) {
    let number = lasts.get(day) ?? 0
    for (const { start, orders } of ofDay.toReversed()) {
      number -= orders
      before.set(start, number)
    }
  }
  return before
}

type Placed = Hour & { readonly before: number }

function chunksOf(hours: readonly Hour[]): Placed[][] {
  const chunks: Placed[][] = []
  let before = 0
  for (const hour of hours) {
    const last = chunks.at(-1)
    if (last && before - (last[0]?.before ?? 0) < CHUNK) last.push({ ...hour, before })
    else chunks.push([{ ...hour, before }])
    before += hour.orders
  }
  return chunks
}

const columns = (chunk: readonly Placed[]) => [
  chunk.map(({ start }) => start),
  chunk.map(({ lengthMs }) => lengthMs),
  chunk.map(({ orders }) => orders),
  chunk.map(({ before }) => before),
]

const NAMES = [
  SURNAMES,
  SURNAMES.map(pinyinOf),
  PUPIL_NAMES,
  PUPIL_NAMES.map(name => pinyinOf(`王${name}`).slice('wang'.length)),
  SURNAMES.map(name => spellingOf(name).name_initials),
  PUPIL_NAMES.map(name => spellingOf(`王${name}`).name_initials.slice('w'.length)),
]

const GOODS = [
  PRODUCTS.map(({ code }) => code),
  PRODUCTS.map(({ name }) => name),
  PRODUCTS.map(({ fen }) => fen),
  PRODUCTS.map(({ listFen }) => listFen),
  PRODUCTS.map(({ kind }) => kind === 'LEAD'),
]
// Each product stands in as many places as it has weight, so that a roll is an index.
const SLOTS = PRODUCTS.flatMap(({ weight }, index) => Array.from({ length: weight }, () => index + 1))
const SHOPS = [
  [...Array(5).fill('DOUYIN'), 'XIAOHONGSHU', 'XIAOHONGSHU', 'WECHAT_SHOP', 'WECHAT_SHOP', 'SCHOOL'],
  [...Array(5).fill('LINK'), ...Array(4).fill('APP'), 'OFFLINE'],
]
