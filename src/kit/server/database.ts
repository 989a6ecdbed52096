import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Schema } from './schema.gen.ts'

export type Tx = Transaction<Schema>
export type Row = Record<string, unknown>

/** Time limit of one statement: longer than any honest call needs, shorter than the browser waits (spec §9: 10 s). */
const STATEMENT_MS = 8_000
/** How long a call waits for a connection before it is told to come back; half of what the browser waits. */
const WAIT_MS = 5_000
/** A count that takes longer is refused with "narrow the filter" (docs/architecture.md). */
export const COUNT_MS = 300

export type Database = {
  /** Lists, details and statistics: may be served by a replica one day. */
  readonly read: Reader
  /** Counting, with a time limit of its own. */
  readonly count: Reader
  /** One transaction; tried again when the database asks for it. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Typed queries outside a transaction. */
  readonly query: Kysely<Schema>
  readonly url: string
  close(): Promise<void>
}

export type Reader = {
  /** Runs a statement prepared once per connection: `text` must come from a bounded set. */
  rows(text: string, values: readonly unknown[]): Promise<Row[]>
  /** Runs a statement planned for these very values: the right plan for a rare state is the wrong one for a common one. */
  planned(text: string, values: readonly unknown[]): Promise<Row[]>
  readonly pool: pg.Pool
}

// Times travel as ISO text: no Date is made and thrown away for each cell. Sessions run in UTC, so "+00" is always the end.
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  text => `${text.slice(0, 10)}T${text.slice(11).replace(/\+00$/, 'Z')}`,
)
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

export function openDatabase(url: string, connections = 20): Database {
  const pool = newPool(url, connections, STATEMENT_MS)
  const counting = newPool(url, Math.ceil(connections / 5), COUNT_MS)
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    read: reader(pool),
    count: reader(counting),
    query,
    url,
    write: work => retried(() => query.transaction().execute(work)),
    async close() {
      await Promise.all([query.destroy(), counting.end()])
    },
  }
}

function newPool(url: string, max: number, statementMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: WAIT_MS,
    idleTimeoutMillis: 30_000,
    options: `-c timezone=UTC -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=15000`,
  })
  // A connection lost is replaced by the next call; whoever holds it is told by his next statement. Without a listener,
  // on the pool for idle ones and on each for those in hand, it would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

const names = new Map<string, string>()
function reader(pool: pg.Pool): Reader {
  return {
    pool,
    async rows(text, values) {
      const name = names.get(text) ?? `s${names.size}`
      names.set(text, name)
      return (await pool.query({ name, text, values: values as unknown[] })).rows
    },
    planned: async (text, values) => (await pool.query({ text, values: values as unknown[] })).rows,
  }
}

const ASKED_AGAIN = new Set(['40001', '40P01'])
const TRIES = 3

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= TRIES || !ASKED_AGAIN.has(sqlState(error))) throw error
    }
  }
}

export const sqlState = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The name of the constraint an error speaks of, so that a slice can turn it into its own refusal. */
export const constraintOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'constraint' in error ? String(error.constraint) : undefined

/** Bound SQL inside a transaction, for what the kit derives from declarations. Identifiers come from code, never from a caller. */
export const run = async (tx: Tx | Kysely<Schema>, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await tx.executeQuery(CompiledQuery.raw(text, values as unknown[]))).rows as Row[]
