import pg from 'pg'
import { inject } from 'vitest'
import { openEmbedded } from '../src/kit/server/database/embedded/embedded.ts'

/** The console's own database, beside the console: for what no journey can wait for. */
export async function openDatabase(): Promise<pg.Client> {
  const url = process.env.DATABASE_URL ?? (await openEmbedded(inject('dataDir'), () => {})).url
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
