import { createHash } from 'node:crypto'
import type { Instance } from '../../src/kit/server/start/start.ts'

/** Written when the console's own clock says so, whatever a test does. */
const OF_ITSELF = ['log_seal', 'log_head']

/** A fingerprint of every table, so that a test can say "and nothing changed" and mean all of it. */
export async function fingerprints(
  instance: Instance,
  except: readonly string[] = [],
): Promise<Record<string, string>> {
  const { pool } = instance.app.db.read
  const { rows } = await pool.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const prints: Record<string, string> = {}
  for (const { name } of rows) {
    if ([...except, ...OF_ITSELF].includes(name)) continue
    const { rows: content } = await pool.query(`select t::text as line from ${name} t order by 1`)
    prints[name] =
      `${content.length} rows ${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 12)}`
  }
  return prints
}
