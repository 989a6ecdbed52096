import type { Instance } from '../../src/kit/server/start/start.ts'

/** Written when the console's own clock says so, whatever a test does. */
const OF_ITSELF = ['log_seal', 'log_head']

/** A fingerprint of every table, so that a test can say "and nothing changed" and mean all of it. Made where the rows are. */
export async function fingerprints(
  instance: Instance,
  except: readonly string[] = [],
): Promise<Record<string, string>> {
  const { pool } = instance.app.db.read
  const { rows: tables } = await pool.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const print = (name: string) =>
    `select '${name}' as name, count(*) || ' rows ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as print from ${name} t`
  const asked = tables.map(({ name }) => String(name)).filter(name => ![...except, ...OF_ITSELF].includes(name))
  const { rows } = await pool.query(asked.map(print).join(' union all '))
  return Object.fromEntries(rows.map(row => [row.name, row.print]))
}
