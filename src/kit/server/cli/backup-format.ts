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
  /** Of tables that stand in parts: each part after the one it is a part of, with what it holds. */
  partitions: z.array(z.strictObject({ name: z.string(), of: z.string(), holds: z.string() })).default([]),
  sequences: z.array(z.strictObject({ name: z.string(), last: z.string() })),
  files: z.array(z.strictObject({ name: z.string(), ...content })),
})
export type Manifest = z.infer<typeof manifestSchema>

/**
 * Worth nothing later: open captchas, tickets, second factors nobody has confirmed, signals between instances, uploads of which only parts have come, and what
 * to remove from a bucket: a file on its way then may have been kept since.
 */
const LEFT_OUT: readonly string[] = [
  'migration',
  'captcha',
  'socket_ticket',
  'second_factor_begun',
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
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($1) order by 1`,
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

/** The parts of tables as they stand: they come and go with the months, and no migration tells which. */
export async function readPartitions(client: pg.Client): Promise<Manifest['partitions']> {
  const { rows } = await client.query(
    `with recursive part as (
       select i.inhrelid as oid, i.inhparent as of, 1 as depth from pg_inherits i join pg_class p on p.oid = i.inhparent
       where p.relkind = 'p' and not p.relispartition
       union all select i.inhrelid, i.inhparent, part.depth + 1 from pg_inherits i join part on part.oid = i.inhparent
     )
     select part.oid::regclass::text as name, part.of::regclass::text as of,
       concat_ws(' partition by ', pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid)) as holds
     from part join pg_class c on c.oid = part.oid join pg_class t on t.oid = part.of
     where c.relkind in ('r', 'p') order by part.depth, 1`,
  )
  return rows
}
