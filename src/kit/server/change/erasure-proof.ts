import type pg from 'pg'
import { keyedDigest } from '../access/seal.ts'
import type { Env } from '../process/env.ts'

/** A number of somebody erased: told apart from others, and readable by nobody. */
export const phoneHash = (env: Pick<Env, 'CODE_SECRET'>, phone: string): string =>
  keyedDigest(env, 'erased-phone', phone).toString('hex')

export type Left = { readonly table: string; readonly column: string; readonly rows: number }

type Column = { readonly table: string; readonly column: string; readonly isBytes: boolean }

/** Every column that could hold a word: texts, lists of texts, JSON, bytes and names of files, whoever declares them. */
async function wordColumns(pool: pg.Pool): Promise<Column[]> {
  const { rows } = await pool.query<Column>(`
    select c.relname as table, a.attname as column, a.atttypid = 'bytea'::regtype as "isBytes" from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and a.atttypid = any(array['text', 'text[]', 'varchar', 'json', 'jsonb', 'bytea', 'uuid', 'uuid[]']::regtype[])
    order by 1, 2`)
  return rows
}

/** Where these words stand in the database, in any column of any table. */
export async function findWords(pool: pg.Pool, words: readonly string[]): Promise<Left[]> {
  const found: Left[] = []
  for (const { table, column, isBytes } of await wordColumns(pool)) {
    const within = isBytes ? `convert_to(word, 'UTF8') in "${column}"` : `word in "${column}"::text`
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from "${table}" where exists (select 1 from unnest($1::text[]) word where position(${within}) > 0)`,
      [words],
    )
    const n = rows[0]?.n ?? 0
    if (n > 0) found.push({ table, column, rows: n })
  }
  return found
}

/** Where a number stands whose hash this is: every mobile number there is in the house is asked for its own. */
export async function findNumber(pool: pg.Pool, env: Pick<Env, 'CODE_SECRET'>, hash: string): Promise<Column[]> {
  const found: Column[] = []
  for (const { table, column, isBytes } of await wordColumns(pool)) {
    if (isBytes) continue
    const { rows } = await pool.query<{ number: string }>(
      `select distinct m[1] as number from "${table}", regexp_matches("${column}"::text, '1[3-9][0-9]{9}', 'g') m`,
    )
    if (rows.some(({ number }) => phoneHash(env, number) === hash)) found.push({ table, column, isBytes })
  }
  return found
}
