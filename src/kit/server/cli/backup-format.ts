import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import * as z from 'zod'

/** What a backup folder holds: this, `tables/<name>.copy.gz` and `files/<id>`. */
export const MANIFEST = 'manifest.json'
export const FORMAT = 1

const content = { bytes: z.int(), sha256: z.string() }
export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  at: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  /** In an order in which each table comes after those it points at. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()), rows: z.int(), ...content })),
  sequences: z.array(z.strictObject({ name: z.string(), last: z.string() })),
  files: z.array(z.strictObject({ name: z.string(), ...content })),
})
export type Manifest = z.infer<typeof manifestSchema>

/**
 * Worth nothing later: open captchas, tickets, signals between instances, uploads of which only parts have come, and what
 * to remove from a bucket: a file on its way then may have been kept since.
 */
export const LEFT_OUT: readonly string[] = [
  'migration',
  'captcha',
  'socket_ticket',
  'signal',
  'upload',
  'upload_part',
  'file_unkept',
]

/** Secrets of the installation beside the database; senders of events would not be heard without theirs. */
export const KEPT_SECRETS: readonly string[] = ['inbox-secret', 'code-secret', 'file-key']

export const tableFile = (folder: string, table: string): string => join(folder, 'tables', `${table}.copy.gz`)

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  await pipeline(source, hash)
  return { bytes: source.bytesRead, sha256: hash.digest('hex') }
}

/** Tables with their columns, those that are pointed at first. What is asked at the end of a transaction orders nothing. */
export async function readTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; after: string[] }>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid where k.conrelid = c.oid and k.contype = 'f' and not k.condeferred and k.confrelid <> c.oid) as after
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1) order by 1`,
    [LEFT_OUT],
  )
  const sorted: { name: string; columns: string[] }[] = []
  const place = (name: string, path: readonly string[]) => {
    const table = tables.find(candidate => candidate.name === name)
    if (!table || sorted.some(done => done.name === name)) return
    if (path.includes(name)) throw new Error(`tables point at each other in a circle: ${[...path, name].join(' → ')}`)
    for (const other of table.after) place(other, [...path, name])
    sorted.push({ name, columns: table.columns })
  }
  for (const { name } of tables) place(name, [])
  return sorted
}
