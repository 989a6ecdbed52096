import type { Insertable } from 'kysely'
import { type Row, run, type Tx } from '#kit/server/database.ts'
import type { Schema } from '#kit/server/schema.gen.ts'

/** Stores many rows in one statement, in their order, and answers the named columns of what was stored. All rows have the same fields. */
export async function insertRows<T extends keyof Schema>(
  tx: Tx,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  returning: readonly (keyof Schema[T] & string)[] = [],
): Promise<Row[]> {
  const fields = Object.keys(rows[0] ?? {})
  if (fields.length === 0) return []
  const answer = returning.length > 0 ? `returning ${returning.join(', ')}` : ''
  return run(
    tx,
    // The table's own row type reads the JSON, so that each value gets its column's type.
    `insert into ${table} (${fields.join(', ')})
     select ${fields.map(field => `r.${field}`).join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb) r ${answer}`,
    [JSON.stringify(rows)],
  )
}

/** The id of each stored row by the column that names it. */
export const idsBy = (rows: readonly Row[], column: string): ReadonlyMap<string, string> =>
  new Map(rows.map(row => [String(row[column]), String(row.id)]))

export function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the demo business names ${name}, which was not stored`)
  return id
}
