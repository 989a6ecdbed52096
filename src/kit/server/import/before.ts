import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, run, type Tx } from '../database/database.ts'

/** What makes two files the very same one. */
export const checksumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type File = { readonly page: string; readonly checksum: string | null }

/** The last import of the very same file that stands: who, when, and how many rows. */
export async function importedBefore(db: Database, { page, checksum }: File) {
  const earlier = await db.query
    .selectFrom('import_batch as b')
    .innerJoin('staff as s', 's.id', 'b.staff_id')
    .select(['s.name as by', 'b.created_at as at', 'b.done_rows as rows'])
    .where('b.page', '=', page)
    .where('b.checksum', '=', checksum)
    .where('b.status', 'in', ['RUNNING', 'DONE'])
    .where('b.done_rows', '>', 0)
    .orderBy('b.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return earlier ?? null
}

/** Numbers of the rows, after one and up to another, that other imports of the very same file have brought in. */
export async function rowsImportedBefore(
  tx: Tx,
  { page, checksum, id }: File & { readonly id: string },
  after = 0,
  upTo = 2_147_483_647,
): Promise<ReadonlySet<number>> {
  if (checksum === null) return new Set()
  const rows = await run(
    tx,
    `select r.row_no from import_batch b join import_row r on r.batch_id = b.id and r.status = 'GOOD' and r.row_no <= b.run_to
     where b.page = $1 and b.checksum = $2 and b.id <> $3 and b.status in ('RUNNING', 'DONE') and r.row_no > $4 and r.row_no <= $5`,
    [page, checksum, id, after, upTo],
  )
  return new Set(rows.map(({ row_no: no }) => Number(no)))
}

/** One import of a file at a time: two of the very same one would not see each other's rows. */
export const lockFile = (tx: Tx, { page, checksum }: File) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${page} ${checksum}`}, 0))`.execute(tx)
