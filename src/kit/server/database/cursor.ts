import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Database, Row } from './database.ts'

/** Rows of a batch are worked off without a pause: few enough that other calls hardly wait. */
const BATCH = 250
/** The whole export is one statement, and it waits while its reader is slow: far more than a call may take. */
const STATEMENT_MS = 3_600_000

export type Rows = {
  /** False when another holder of the same name is at work, on any instance. Given back when the connection ends. */
  lock(name: string): Promise<boolean>
  /** Everything the statement gives, as of one moment, read in batches as they are asked for. */
  read(text: string, values: readonly unknown[]): Promise<AsyncIterable<Row[]>>
  close(): Promise<void>
}

/** A connection of its own: pools have time limits that fit calls, and a reader that stops must not hold one of theirs. */
export async function openRows({ url, waitMs }: Pick<Database, 'url' | 'waitMs'>): Promise<Rows> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: waitMs,
    options: `-c timezone=UTC -c statement_timeout=${STATEMENT_MS}`,
  })
  // A connection lost while a batch is waited for fails that batch; between batches, the next one.
  client.on('error', () => {})
  await client.connect()
  return {
    async lock(name) {
      const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as mine', [name])
      return rows[0]?.mine === true
    },
    async read(text, values) {
      const cursor = client.query(new Cursor<Row>(text, values as unknown[]))
      // The first batch before anything is answered: a statement that fails still fails as a call.
      const first = await cursor.read(BATCH)
      return batches(cursor, first)
    },
    close: () => client.end(),
  }
}

async function* batches(cursor: Cursor<Row>, first: Row[]): AsyncGenerator<Row[]> {
  for (let rows = first; rows.length > 0; rows = await cursor.read(BATCH)) yield rows
}
