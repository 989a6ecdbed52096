import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { Lanes, Overloaded } from './lanes.ts'
import type { Schema } from './schema.gen.ts'

export type Tx = Transaction<Schema>
export type Row = Record<string, unknown>

/** Time limit of one statement: longer than any honest call needs, shorter than the browser waits (spec §9: 10 s). */
const STATEMENT_MS = 8_000
/** How long a call waits for a connection, or in line for a record, before it is told to come back; half of what the browser waits. */
export const WAIT_MS = 5_000
/** How long a statement waits for a row that others hold. A change that has to wait longer at first lets go and stands in line. */
const LOCK_MS = { read: 2_000, write: 10, inLine: 2_000 } as const
/** So many changes wait at most on one instance; one more is told to come back. */
const MOST_WAITING = 500
/** Of the connections for calls; together with those for counting they are what one instance takes (decision 019). */
const SHARES = { read: 0.6, write: 0.25, inLine: 0.15, count: 0.2 } as const
/** A count that takes longer is refused with "narrow the filter" (docs/architecture.md). */
const COUNT_MS = 300

export type Database = {
  /** Lists, details and statistics: may be served by a replica one day. */
  readonly read: Reader
  /** Counting, with a time limit of its own. */
  readonly count: Reader
  /**
   * One transaction. The work is done again when the database asks for it, and when it met a row others hold: then in line
   * with those who want the same row, so that waiting for one record takes no connection from whoever wants another.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Typed queries outside a transaction. */
  readonly query: Kysely<Schema>
  /**
   * Statements that hold at once, whatever becomes of the change they are made for. They are on disk before anything that
   * is committed after them, not when they return: the log of the database is written in order.
   */
  readonly apart: Kysely<Schema>
  readonly url: string
  /** How long a call waits for a connection. */
  readonly waitMs: number
  /** For whoever watches how busy the instance is. */
  readonly pools: Readonly<Record<'reads' | 'writes' | 'writes in line' | 'counts' | 'apart', pg.Pool>>
  /** Changes that wait in line for a record. */
  inLine(): number
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

export function openDatabase(url: string, connections = 20, waitMs = WAIT_MS): Database {
  const open = (kind: keyof typeof SHARES, statementMs: number, lockMs: number) =>
    newPool(url, Math.max(1, Math.round(connections * SHARES[kind])), { statementMs, lockMs, waitMs })
  const pools = {
    reads: open('read', STATEMENT_MS, LOCK_MS.read),
    writes: open('write', STATEMENT_MS, LOCK_MS.write),
    'writes in line': open('inLine', STATEMENT_MS, LOCK_MS.inLine),
    counts: open('count', COUNT_MS, COUNT_MS),
    apart: newPool(url, 1, { statementMs: STATEMENT_MS, lockMs: LOCK_MS.read, waitMs }, '-c synchronous_commit=off'),
  }
  const typed = (pool: pg.Pool) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const [query, apart] = [typed(pools.reads), typed(pools.apart)]
  const [writing, writingInLine] = [typed(pools.writes), typed(pools['writes in line'])]
  const lanes = new Lanes(WAIT_MS, MOST_WAITING)
  return {
    read: reader(pools.reads),
    count: reader(pools.counts),
    query,
    apart,
    url,
    waitMs,
    pools,
    inLine: () => lanes.waiting,
    async write(work) {
      if (pools.writes.waitingCount >= MOST_WAITING) throw new Overloaded('too many changes at once')
      let wanted = ''
      const noting = async (tx: Tx) => {
        try {
          return await work(tx)
        } catch (error) {
          wanted = rowMet(tx, error)
          throw error
        }
      }
      try {
        return await retried(() => writing.transaction().execute(noting))
      } catch (error) {
        if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
        return lanes.run(wanted, () => retried(() => writingInLine.transaction().execute(work)))
      }
    },
    async close() {
      await Promise.all(
        [query, apart, writing, writingInLine].map(kysely => kysely.destroy()).concat(pools.counts.end()),
      )
    },
  }
}

export const LOCK_NOT_AVAILABLE = '55P03'
export const QUERY_CANCELLED = '57014'
const asked = new WeakMap<Tx, string>()

/** Says which row a change is about to lock, so that those who find it held stand in one line for this row alone. */
export const aboutToLock = (tx: Tx, table: string, id: string): void => void asked.set(tx, `${table}:${id}`)

/** The row a change found held as it was announced, or else the table alone, which the database names. */
function rowMet(tx: Tx, error: unknown): string {
  const said = typeof error === 'object' && error !== null && 'where' in error ? String(error.where) : ''
  const table = /relation "(\w+)"/.exec(said)?.[1] ?? ''
  const announced = asked.get(tx)
  return announced?.startsWith(`${table}:`) ? announced : table
}

function newPool(
  url: string,
  max: number,
  { statementMs, lockMs, waitMs }: { statementMs: number; lockMs: number; waitMs: number },
  more = '',
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 30_000,
    options: `-c timezone=UTC -c statement_timeout=${statementMs} -c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=15000 ${more}`,
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
/**
 * PostgreSQL ends a wait for a lock by a signal to itself. On a busy machine that arrives when the lock has been given, and
 * the next statement ends with it, "due to user request": nobody here cancels a change, so nothing was meant by it.
 */
const isStrayCancel = (error: unknown): boolean =>
  sqlState(error) === QUERY_CANCELLED && error instanceof Error && error.message.includes('user request')
const TRIES = 3

/** Work that may be done again as a whole, where the database ended it for somebody else's sake. */
export async function retried<T>(work: () => Promise<T>, most = TRIES): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const isPassing = ASKED_AGAIN.has(sqlState(error)) || isStrayCancel(error)
      if (tries >= most || !isPassing) throw error
    }
  }
}

export const sqlState = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

const AWAY_STATE = /^(08|3D|57P0|53)/
const AWAY_LINE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
])
/** What the driver says of a line that came too late, that broke under a statement, or before the next one. */
const AWAY_MESSAGE = /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|is not queryable/

/** Whether an error says that the database cannot be asked now, in whichever moment of a call it went away. */
export const isDatabaseAway = (error: unknown): boolean =>
  AWAY_STATE.test(sqlState(error)) ||
  AWAY_LINE.has(sqlState(error)) ||
  (error instanceof Error && AWAY_MESSAGE.test(error.message))

/** The name of the constraint an error speaks of, so that a slice can turn it into its own refusal. */
export const constraintOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'constraint' in error ? String(error.constraint) : undefined

/** Bound SQL inside a transaction, for what the kit derives from declarations. Identifiers come from code, never from a caller. */
export const run = async (tx: Tx | Kysely<Schema>, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await tx.executeQuery(CompiledQuery.raw(text, values as unknown[]))).rows as Row[]

/** Before any row: whoever else changes the tree waits with nothing in hand. */
export const lockTree = (tx: Tx, table: string): Promise<Row[]> =>
  run(tx, 'select pg_advisory_xact_lock(hashtext($1))', [`tree of ${table}`])
