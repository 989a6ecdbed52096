// Loaded before the server (node --import), for looking only: no process that is measured has it.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

const place = process.env.BENCH_STATEMENTS
const { query } = pg.Client.prototype

type Asked = string | { readonly text?: string; readonly values?: unknown[] }

// A statement comes as text, as a named configuration, or as a cursor; each has its text and values.
function recorded(this: pg.Client, ...given: [Asked, ...unknown[]]): unknown {
  const [asked, second] = given
  const text = typeof asked === 'string' ? asked : asked.text
  const values = (typeof asked === 'string' ? undefined : asked.values) ?? (Array.isArray(second) ? second : [])
  if (place !== undefined && text !== undefined) appendFileSync(place, `${JSON.stringify({ text, values })}\n`)
  return (query as (...given: unknown[]) => unknown).apply(this, given)
}
pg.Client.prototype.query = recorded as typeof query
