import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/kit/server/database/embedded/embedded.ts'
import { migrate } from '../../src/kit/server/database/migrate.ts'
import { openRunFolder } from './run-folder.mjs'

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
  const folder = given ? undefined : openRunFolder('inkstone-test')
  const embedded = folder ? await startEmbedded(folder.path, () => {}) : undefined
  const server = given ?? embedded?.url ?? ''
  await onServer(server, async client => {
    if (embedded) await trustThePlug(client)
    await client.query(`drop database if exists ${TEMPLATE} with (force)`)
    await client.query(`create database ${TEMPLATE}`)
  })
  const template = databaseUrl(server, TEMPLATE)
  await migrate(template)
  await addFirstRows(template)
  project.provide('templateUrl', template)
  return async () => {
    if (given)
      await onServer(server, async client => {
        for (const name of [TEMPLATE, demoName(template)])
          await client.query(`drop database if exists ${name} with (force)`)
      })
    // A database that does not stop is a fault, and the run says so; the folder ends what is left in it all the same.
    await embedded?.stop().finally(() => folder?.close())
  }
}

/** What the demo business that all files of a run share is called, beside the template it is made from. */
export const demoName = (template: string): string => `${new URL(template).pathname.slice(1)}_demo`

/** Tests do not pull the plug; the crash tests start clusters of their own. */
export async function trustThePlug(client: pg.Client): Promise<void> {
  for (const safety of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await client.query(`alter system set ${safety} = off`)
  await client.query('select pg_reload_conf()')
}

/** What every start adds, so that clones have it. In a process of its own: Vite cannot read all server code here. */
const addFirstRows = (url: string) => promisify(execFile)(process.execPath, [FIRST_ROWS, url])
const FIRST_ROWS = fileURLToPath(new URL('./first-rows.ts', import.meta.url))

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
