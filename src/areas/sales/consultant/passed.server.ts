import { sql } from 'kysely'
import type { App } from '#kit/server/app.ts'
import type { PassedOver } from './rules.model.ts'

/** What is kept names people by their ids. */
export async function namePassed(app: App, rows: readonly { readonly passed: readonly PassedOver[] }[]) {
  const ids = [...new Set(rows.flatMap(({ passed }) => passed.map(({ id }) => id)))]
  const found = await sql<{ id: string; name: string }>`
    select id, name from staff where id = any(${ids}::bigint[])`.execute(app.db.query)
  const names = new Map(found.rows.map(({ id, name }) => [id, name]))
  return rows.map(({ passed }) => ({ passed: passed.map(one => ({ ...one, name: names.get(one.id) ?? '' })) }))
}
