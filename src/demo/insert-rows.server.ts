import type { Insertable } from 'kysely'
import { type Row, run, type Tx } from '#kit/server/database/database.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'

/** A row as it is stored. Under an id of its own where other rows have to name it. */
export type NewRow<T extends keyof Schema> = Written<Insertable<Schema[T]>> & { readonly id?: number }
/** Rows travel as JSON: bytes are written as PostgreSQL reads them from text. */
type Written<R> = { [Field in keyof R]: R[Field] extends Buffer ? string : R[Field] }

/** Stores many rows in one statement, in their order, and answers the named columns of what was stored. All rows have the same fields. */
export async function insertRows<T extends keyof Schema>(
  tx: Tx,
  table: T,
  rows: readonly NewRow<T>[],
  returning: readonly (keyof Schema[T] & string)[] = [],
): Promise<Row[]> {
  const fields = Object.keys(rows[0] ?? {})
  if (fields.length === 0) return []
  // The first row's fields are everybody's: what only a later one has would be left out without a word.
  const odd = rows.find(row => Object.keys(row).length !== fields.length || fields.some(field => !(field in row)))
  if (odd) throw new Error(`rows of ${table} have different fields: ${fields} and ${Object.keys(odd)}`)
  const own = fields.includes('id') ? 'overriding system value' : ''
  const answer = returning.length > 0 ? `returning ${returning.join(', ')}` : ''
  return run(
    tx,
    // The table's own row type reads the JSON, so that each value gets its column's type.
    `insert into ${table} (${fields.join(', ')}) ${own}
     select ${fields.map(field => `r.${field}`).join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb) r ${answer}`,
    [JSON.stringify(rows)],
  )
}

/** Gives out ids before the rows are stored, so that rows can name one another. */
export type Ids = {
  next(table: keyof Schema): number
  /** The id of what has this name, whether its own story has made it yet or not. */
  named(table: keyof Schema, name: string): number
  /** Tells the tables which ids are taken. */
  keep(tx: Tx): Promise<void>
}

export async function openIds(tx: Tx): Promise<Ids> {
  const lasts = await run(
    tx,
    `select table_name as name, coalesce(pg_sequence_last_value(pg_get_serial_sequence(table_name, 'id')::regclass), 0) as id
     from information_schema.columns where table_schema = 'public' and column_name = 'id' and is_identity = 'YES'`,
    [],
  )
  const given = new Map(lasts.map(({ name, id }) => [String(name), Number(id)]))
  const used = new Set<string>()
  const names = new Map<string, number>()
  const next = (table: keyof Schema): number => {
    const last = given.get(table)
    if (last === undefined) throw new Error(`${table} does not number its rows`)
    given.set(table, last + 1)
    used.add(table)
    return last + 1
  }
  return {
    next,
    named(table, name) {
      const id = names.get(`${table} ${name}`) ?? next(table)
      names.set(`${table} ${name}`, id)
      return id
    },
    async keep(into) {
      // Set as given out: a backup reads how far a sequence has come from the last one it gave.
      await run(
        into,
        `select setval(pg_get_serial_sequence(t.name, 'id'), t.id) from unnest($1::text[], $2::bigint[]) as t (name, id)`,
        [[...used], [...used].map(table => given.get(table))],
      )
    },
  }
}

/** The id of each stored row by the column that names it. */
export const idsBy = (rows: readonly Row[], column: string): ReadonlyMap<string, string> =>
  new Map(rows.map(row => [String(row[column]), String(row.id)]))

export function idOf(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the demo business names ${name}, which was not stored`)
  return id
}
