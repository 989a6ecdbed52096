import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../src/kit/server/database/embedded/embedded.ts'
import { migrate } from '../src/kit/server/database/migrate.ts'
import { readEnv } from '../src/kit/server/process/env.ts'
import { openLog } from '../src/kit/server/process/log.ts'
import { openInstance } from '../src/kit/server/start/start.ts'
import { closedPickers } from './pickers.ts'
import { routesDoc } from './routes-doc.ts'
import { schemaTypes } from './schema.ts'
import { schemaSql } from './schema-sql.ts'
import { databaseUrl, onServer } from './testing/database.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Path → text of every file that is written from the code and the migrated database, and what no reader of it would see. */
async function generate(url: string, dataDir: string): Promise<{ files: Map<string, string>; closed: string[] }> {
  await migrate(url)
  const types = await schemaTypes(url)
  const sql = await schemaSql(url)
  const env = readEnv({ DATABASE_URL: url, DATA_DIR: dataDir, SIMULATE: 'off' })
  const instance = await openInstance({ env, url, log: openLog('silent') })
  try {
    const { routes, app } = instance
    return {
      files: new Map([
        ['src/kit/server/database/schema.gen.ts', types],
        ['docs/generated/schema.sql', sql],
        ['docs/generated/routes.md', routesDoc(routes, app.catalogue)],
      ]),
      closed: closedPickers(app.catalogue, routes),
    }
  } finally {
    await instance.close()
  }
}

/** An empty database for a while: on DATABASE_URL's server when that is set, else on one of our own. */
async function withEmptyDatabase<T>(work: (url: string, dataDir: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'inkstone-generate-'))
  const given = process.env.DATABASE_URL
  const embedded = given ? undefined : await startEmbedded(folder, () => {})
  const server = given ?? embedded?.url ?? ''
  const name = `inkstone_generate_${process.pid}`
  try {
    await onServer(server, client => client.query(`create database ${name}`))
    return await work(databaseUrl(server, name), folder)
  } finally {
    await onServer(server, client => client.query(`drop database if exists ${name} with (force)`))
    await embedded?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function differing(files: ReadonlyMap<string, string>): Promise<string[]> {
  const found: string[] = []
  for (const [path, text] of files)
    if ((await readFile(join(ROOT, path), 'utf8').catch(() => '')) !== text) found.push(path)
  return found
}

const { files, closed } = await withEmptyDatabase(generate)
const stale = await differing(files)
if (process.argv.includes('--check')) {
  for (const path of stale) console.error(`${path} is not what the code and the migrations give. Run: npm run generate`)
  for (const picker of closed) console.error(picker)
  process.exitCode = stale.length + closed.length === 0 ? 0 : 1
} else {
  for (const path of stale) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true })
    await writeFile(join(ROOT, path), files.get(path) as string)
    console.log(`written: ${path}`)
  }
}
