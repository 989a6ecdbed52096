import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { withConnection } from '#kit/server/database/connection.ts'
import { takeFolder } from '#kit/server/database/console-lock.ts'
import { migrateWithin, readMigrations } from '#kit/server/database/migrate.ts'
import type { Env } from '#kit/server/process/env.ts'
import { StartRefused } from '#kit/server/process/start-refused.ts'
import { type Erasure, toldErasures } from '#kit/server/storage/erasures.ts'
import { requireOwnBucket, restoreBucket, restoreFiles } from './backup-files.ts'
import { hashFile, MANIFEST, type Manifest, manifestSchema, readPartitions, tableFile } from './backup-format.ts'
import { type Command, readOptions, WrongUse, withDatabase } from './command.ts'
import { copyIn, OF_ANY_LENGTH } from './copy.ts'

const USAGE =
  'npm run restore -- --from <backup folder> [--into <postgresql://… of an empty database>] [--before <DATA_DIR of the console before>] [--same-bucket]'
const OPTIONS = {
  from: { type: 'string' },
  into: { type: 'string' },
  before: { type: 'string' },
  'same-bucket': { type: 'boolean' },
} as const

/** Brings a backup back, whole or not at all, into a database that holds nothing yet. */
export const restore: Command = async (args, env) => {
  const { values } = readOptions(args, USAGE, { options: OPTIONS })
  if (!values.from) throw new WrongUse(`Usage: ${USAGE}`)
  const folder = values.from
  const manifest = await readManifest(folder)
  await requireWhole(folder, manifest)
  await requireKnownMigrations(manifest)
  const load = async (url: string) => {
    await requireEmpty(url)
    if (!values['same-bucket']) await requireOwnBucket(env, manifest)
    // First: files no row names yet are nobody's, and come again with the next try.
    await restoreFiles(env, folder, manifest)
    const told = await toldErasures(env, values.before)
    await loadDatabase(url, folder, manifest, {
      loaded: client => restoreBucket(env, folder, manifest, client),
      risen: client => hearErasures(client, told),
    })
  }
  const elsewhere = values.into ?? env.DATABASE_URL
  if (elsewhere) await withFolder(env, () => load(elsewhere))
  else await withDatabase(env, load)
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `${rows} rows and ${manifest.files.length} files of ${manifest.at} are back. Everybody has to sign in again.`,
  )
  return 0
}

/** A database elsewhere does not say who works in the folder of this machine: a console there would find files that are none of its. */
async function withFolder({ DATA_DIR: folder }: Env, work: () => Promise<void>): Promise<void> {
  const taken = takeFolder(folder, folder)
  try {
    await work()
  } finally {
    taken.release()
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new StartRefused(`${folder} is no backup: it has no ${MANIFEST}.`)
  })
  const read = manifestSchema.safeParse(JSON.parse(text))
  if (!read.success) throw new StartRefused(`The ${MANIFEST} of ${folder} is not one this version can read.`)
  return read.data
}

/** Everything is read once before anything is written: a backup that was damaged restores nothing. */
async function requireWhole(folder: string, manifest: Manifest): Promise<void> {
  const parts = [
    ...manifest.tables.map(table => ({ path: tableFile(folder, table.name), sha256: table.sha256 })),
    ...manifest.files.map(file => ({ path: join(folder, file.name), sha256: file.sha256 })),
  ]
  for (const { path, sha256 } of parts) {
    const found = await hashFile(path).catch(() => undefined)
    if (found?.sha256 !== sha256)
      throw new StartRefused(`The backup is damaged: ${path} is ${found ? 'changed' : 'missing'}.`)
  }
}

async function requireKnownMigrations({ migrations }: Manifest): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  const foreign = migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (foreign)
    throw new StartRefused(
      `The backup was made with ${foreign.name}, which this version does not have. Restore with the version that made it.`,
    )
}

/** At the level of the backup first, then forward to today's; broken off at any point, the database is as empty as before. */
async function loadDatabase(
  url: string,
  folder: string,
  manifest: Manifest,
  /** Once the rows are there, and once the tables are those of today. */
  then: Readonly<Record<'loaded' | 'risen', (client: pg.Client) => Promise<void>>>,
): Promise<void> {
  await withConnection({ connectionString: url, options: OF_ANY_LENGTH }, async client => {
    await client.query('begin')
    await migrateWithin(
      client,
      manifest.migrations.map(({ name }) => name),
    )
    await standInParts(client, manifest.partitions)
    // What triggers would write stands in the backup already.
    for (const { name } of manifest.tables) await client.query(`alter table ${name} disable trigger user`)
    for (const table of manifest.tables) await loadTable(client, folder, table)
    // What waits for the end is asked now: a table of which something is still to be asked cannot be altered.
    await client.query('set constraints all immediate')
    for (const { name } of manifest.tables) await client.query(`alter table ${name} enable trigger user`)
    for (const { name, last } of manifest.sequences) await client.query('select setval($1, $2)', [name, last])
    // A session ended after the backup would otherwise be open again.
    await client.query(`update session set ended_at = now(), end_reason = 'FORCED' where ended_at is null`)
    await then.loaded(client)
    await migrateWithin(client)
    await voidRecoveryCodes(client)
    await then.risen(client)
    await client.query('commit')
    await client.query('analyze')
  })
}

/** A code used after the backup would open again, and nobody knows which were: none does, and whoever had some is told to make new ones. */
async function voidRecoveryCodes(client: pg.Client): Promise<void> {
  await client.query('update recovery_code set used_at = now() where used_at is null')
  const { rowCount } = await client.query('update second_factor set codes_void_at = now()')
  if (rowCount)
    console.log(`Recovery codes that open nothing any more, until new ones are made: those of ${rowCount} accounts.`)
}

/** Those of whom the backup does not know it; the console does it again (decision 072). */
async function hearErasures(client: pg.Client, told: readonly Erasure[]): Promise<void> {
  const heard = new Set<string>()
  for (const { memberId, erasedAt } of told) {
    const { rowCount } = await client.query(
      `insert into erasure_heard (member_id, erased_at)
       select $1::bigint, $2 where not exists (select 1 from erasure where member_id = $1)
       on conflict (member_id) do update set erased_at = greatest(erasure_heard.erased_at, excluded.erased_at)`,
      [memberId, erasedAt],
    )
    if (rowCount) heard.add(memberId)
  }
  if (heard.size > 0)
    console.log(`Closed since, and closed again within an hour of the console's start: ${heard.size} accounts.`)
}

/** The parts the migrations made are those of today's months; the lines go where they stood. */
async function standInParts(client: pg.Client, partitions: Manifest['partitions']): Promise<void> {
  for (const { name } of (await readPartitions(client)).toReversed()) await client.query(`drop table ${name}`)
  for (const { name, of, holds } of partitions) await client.query(`create table ${name} partition of ${of} ${holds}`)
}

async function requireEmpty(url: string): Promise<void> {
  const { rows } = await withConnection({ connectionString: url }, client =>
    client.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
    ),
  )
  if (rows.length > 0)
    throw new StartRefused(
      `The database is not empty: it has a table ${rows[0].relname}. Restore into a new database, or a new DATA_DIR.`,
    )
}

async function loadTable(
  client: pg.Client,
  folder: string,
  { name, columns, rows }: Manifest['tables'][number],
): Promise<void> {
  // What a migration puts in stands in the backup, as it was by then.
  await client.query(`delete from ${name}`)
  const source = createReadStream(tableFile(folder, name)).pipe(createGunzip())
  await copyIn(client, `copy ${name} (${columns.join(', ')}) from stdin`, source)
  const { rows: counted } = await client.query(`select count(*)::int as n from ${name}`)
  if (counted[0].n !== rows) throw new Error(`${name}: ${counted[0].n} of ${rows} rows arrived`)
}
