import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/kit/server/embedded.ts'
import { migrate } from '../../src/kit/server/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A server with a migrated template database; each test file clones its own. */
    templateUrl: string
  }
}

// Runs that share a server do not share a template.
const TEMPLATE = `inkstone_template_${process.pid}`

/** One PostgreSQL for the run: DATABASE_URL's when set, else an embedded one of its own. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  const folder = given ? undefined : await mkdtemp(join(tmpdir(), 'inkstone-test-'))
  // As root, PostgreSQL's own user has to enter the folder; else the cluster would be left behind in a shelter.
  if (folder) await chmod(folder, 0o755)
  const embedded = folder ? await startEmbedded(folder, () => {}) : undefined
  const server = given ?? embedded?.url ?? ''
  await onServer(server, async client => {
    // Tests do not pull the plug; the crash tests start clusters of their own.
    if (embedded) {
      await client.query('alter system set fsync = off')
      await client.query('select pg_reload_conf()')
    }
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE}`)
  })
  const template = databaseUrl(server, TEMPLATE)
  await migrate(template)
  project.provide('templateUrl', template)
  return async () => {
    if (given) await onServer(server, client => client.query(`drop database if exists ${TEMPLATE} with (force)`))
    await embedded?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(url, 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
