import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { withConnection } from './connection.ts'

const FOLDER = new URL('../../../../migrations/', import.meta.url)
/** Any number, the same for all instances: whoever holds it migrates, the others wait. */
const LOCK = 7_283_401

export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
}

type Migration = { name: string; sql: string; checksum: string }

/** In the order they are applied in. */
export const migrationNames = async (): Promise<string[]> =>
  (await readdir(FOLDER)).filter(name => name.endsWith('.sql')).sort()

export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async name => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Brings the database forward, one transaction a file; with `only`, no further than those. Refuses a database that is
 * ahead, or whose past was edited.
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  return withConnection({ connectionString: url }, client =>
    bringForward(client, only, async migration => {
      await client.query('begin')
      try {
        await apply(client, migration)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    }),
  )
}

/** The same inside the caller's transaction: with what the caller does besides, or not at all. */
export const migrateWithin = (client: pg.Client, only?: readonly string[]): Promise<string[]> =>
  bringForward(client, only, migration => apply(client, migration))

async function bringForward(
  client: pg.Client,
  only: readonly string[] | undefined,
  bring: (migration: Migration) => Promise<void>,
): Promise<string[]> {
  await client.query('select pg_advisory_lock($1)', [LOCK])
  await requireVersion(client)
  await client.query(
    'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const applied = new Map(
    (await client.query('select name, checksum from migration')).rows.map(row => [
      row.name as string,
      row.checksum as string,
    ]),
  )
  const known = await readMigrations()
  refuseChangedPast(applied, known)
  const fresh = known.filter(({ name }) => !applied.has(name) && (only?.includes(name) ?? true))
  for (const migration of fresh) await bring(migration)
  return fresh.map(({ name }) => name)
}

async function requireVersion(client: pg.Client) {
  const version = Number((await client.query('show server_version_num')).rows[0].server_version_num)
  if (version < 150_000)
    throw new MigrationRefused('The database is older than PostgreSQL 15. Use PostgreSQL 15 or newer.')
}

function refuseChangedPast(applied: ReadonlyMap<string, string>, known: readonly Migration[]) {
  for (const [name, checksum] of applied) {
    const migration = known.find(candidate => candidate.name === name)
    if (!migration)
      throw new MigrationRefused(
        `The database already has ${name}, which this version does not know. Start the newer version.`,
      )
    if (migration.checksum !== checksum)
      throw new MigrationRefused(
        `${name} was changed after it was applied. Restore the file; changes go into a new one.`,
      )
  }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration) {
  try {
    await client.query(`set local lock_timeout = '5s'`)
    await client.query(sql)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
  } catch (error) {
    throw failed(name, sql, error as pg.DatabaseError)
  }
}

/** Somebody else holds what it needs, or the database went away: worth another try. */
const PASSING = /^(55P03|57014|40|08|57P)/

function failed(name: string, sql: string, error: pg.DatabaseError): Error {
  const line = error.position ? ` at line ${sql.slice(0, Number(error.position)).split('\n').length}` : ''
  const sentence = `The migration ${name} failed${line}, and nothing of it was applied: ${error.message}`
  const isPassing = error.code === undefined || PASSING.test(error.code)
  return new (isPassing ? Error : MigrationRefused)(sentence, { cause: error })
}
