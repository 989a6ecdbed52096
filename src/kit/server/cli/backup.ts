import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { withConnection } from '#kit/server/database/connection.ts'
import { copyFiles, hashFiles, missingIn } from './backup-files.ts'
import { FORMAT, hashFile, MANIFEST, type Manifest, readPartitions, readTables, tableFile } from './backup-format.ts'
import { type Command, readOptions, WrongUse, withDatabase } from './command.ts'
import { copyOut, OF_ANY_LENGTH } from './copy.ts'

const USAGE = 'npm run backup -- --to <new folder>'

/** Copies everything into a folder, as it stood at one instant, while the console works on. */
export const backup: Command = async (args, env) => {
  const { values } = readOptions(args, USAGE, { options: { to: { type: 'string' } } })
  if (!values.to) throw new WrongUse(`Usage: ${USAGE}`)
  const folder = values.to
  await makeEmptyFolder(folder)
  try {
    // Before and after: of what the database names at its instant, some may be thrown away later, some was new since.
    const { manifest, missing } = await withDatabase(env, async url => {
      await copyFiles(env, url, folder)
      const copied = await copyDatabase(url, folder)
      await copyFiles(env, url, folder)
      return { manifest: copied, missing: await missingIn(folder, url) }
    })
    manifest.files.push(...(await hashFiles(folder)))
    // Last: a folder without it is no backup.
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${manifest.tables.length} tables and ${manifest.files.length} files are in ${folder}.`)
    if (missing.length > 0)
      console.log(
        `${missing.length} of the files the database names ${missing.length === 1 ? 'is' : 'are'} lost and not in it, such as ${missing[0]}.`,
      )
    console.log('It holds personal data and the secrets of this installation: keep it as you keep those.')
    return 0
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function makeEmptyFolder(folder: string): Promise<void> {
  const there = await readdir(folder).catch(() => [])
  if (there.length > 0) throw new WrongUse(`The folder ${folder} is not empty. Name a new one.`)
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  await mkdir(join(folder, 'files'), { mode: 0o700 })
}

/** One snapshot for all tables: what is written meanwhile is in none of them. */
async function copyDatabase(url: string, folder: string): Promise<Manifest> {
  return withConnection({ connectionString: url, options: OF_ANY_LENGTH }, async client => {
    await client.query('begin isolation level repeatable read read only')
    const { rows: migrations } = await client.query('select name, checksum from migration order by name')
    const tables: Manifest['tables'] = []
    for (const { name, columns } of await readTables(client))
      tables.push(await copyTable(client, name, columns, folder))
    const { rows: sequences } = await client.query(
      `select schemaname || '.' || sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null order by 1`,
    )
    const partitions = await readPartitions(client)
    await client.query('commit')
    return { format: FORMAT, at: new Date().toISOString(), migrations, tables, partitions, sequences, files: [] }
  })
}

async function copyTable(
  client: pg.Client,
  name: string,
  columns: readonly string[],
  folder: string,
): Promise<Manifest['tables'][number]> {
  // Sorted where there is an id, so that two backups of the same rows are the same.
  const order = columns.includes('id') ? ' order by id' : ''
  const lines = copyOut(
    client,
    `copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)}${order}) to stdout`,
  )
  let rows = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      // In COPY's text form a line break inside a value is written as \n, so each one here ends a row.
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1
      done(null, chunk)
    },
  })
  const path = tableFile(folder, name)
  await pipeline(lines, count, createGzip(), createWriteStream(path, { mode: 0o600 }))
  return { name, columns: [...columns], rows, ...(await hashFile(path)) }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
