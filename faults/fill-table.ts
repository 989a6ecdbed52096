import type pg from 'pg'
import { BIG } from './plan.ts'

/** Over how long copies are spread, up to now. */
const SPREAD = `interval '700 days'`

/**
 * Makes a table as large as years of trade make it, where the bulk load leaves it small. Copies of its rows come at other
 * times, in the order of time, with numbers of their day, for other members and orders and by others: what the planner knows of a
 * column is as in life, while the records as a whole are not. For reading plans only.
 */
export async function fillTable(client: pg.Client, table: string, wanted: number): Promise<void> {
  const { rows } = await client.query(`select count(*)::int as n from ${table}`)
  const there: number = rows[0].n
  if (there === 0) throw new Error(`${table} has no row to copy`)
  if (there < wanted) await copyRows(client, table, Math.ceil(wanted / there))
  // Also where the bulk load has left enough of them: how many there are now is not known to who plans, nor to who judges plans.
  await client.query(`vacuum (analyze) ${table}`)
}

async function copyRows(client: pg.Client, table: string, times: number): Promise<void> {
  const columns = await columnsOf(client, table)
  for (const statement of await loosened(client, table)) await client.query(statement)
  await client.query('select setseed(0.5)')
  // What hangs on a row is neither asked for nor told: nobody looks at more than plans, and it is most of what copies cost.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
     select ${columns.map(column => copied(table, column, sinceOf(columns))).join(', ')}
     from (
       select t.*, row_number() over (order by t.${sinceOf(columns)} - t.shift) as nth
       from (select t.*, ${lastPast(columns)} - now() + random() * ${SPREAD} as shift from ${table} t, generate_series(2, $1::int)) t
     ) t order by t.nth`,
    [times],
  )
  await client.query('reset session_replication_role')
}

/** Whose a record is, whatever has become of it: else one teacher would have all that wait, and the next none. */
const WHOSE: ReadonlySet<string> = new Set(['owner_id', 'org_id', 'teacher_id'])
const INSTANT = 'timestamp with time zone'
/** When figures were counted last is no part of what a row went through: old or new, that was lately. */
const COUNTED = 'counted_at'
type Column = { readonly name: string; readonly type: string; readonly big: string | null; readonly single: boolean }

/** `big` is the table a column refers to, where that has many rows; `single`, that no two rows have the same in it. */
async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query(
    `select format('%I', a.attname) as name, format_type(a.atttypid, null) as type,
       (select c.confrelid::regclass::text from pg_constraint c join pg_class r on r.oid = c.confrelid
        where c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum] and r.reltuples > $2) as big,
       exists (select from pg_index i where i.indrelid = a.attrelid and i.indisunique and i.indpred is null and i.indkey::text = a.attnum::text) as single
     from pg_attribute a
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = '' order by a.attnum`,
    [table, BIG],
  )
  return rows
}

/** The latest of a row's past: copies are spread up to now by it, for nothing of what has happened happens tomorrow. */
const lastPast = (columns: readonly Column[]): string =>
  `greatest(${columns
    .filter(({ name, type }) => type === INSTANT && name !== COUNTED)
    .map(({ name }) => `case when t.${name} <= now() then t.${name} end`)
    .join(', ')})`

/** When a row came, by whatever its table calls that. */
const sinceOf = (columns: readonly Column[]): string =>
  ['created_at', 'submitted_at'].find(name => columns.some(column => column.name === name)) ??
  columns.find(({ type }) => type === INSTANT)?.name ??
  'id'

function copied(table: string, { name, type, big, single }: Column, since: string): string {
  if (type === INSTANT && name !== COUNTED) return `t.${name} - t.shift`
  if (WHOSE.has(name)) return inTurn(`select array_agg(${name} order by id) from ${table}`)
  if (big !== null) return `case when t.${name} is not null then ${oneOf(`select array_agg(id) from ${big}`)} end`
  // What people named is named differently each time, with two signs of the same words.
  if (name === 'name' && type === 'text')
    return `substr(t.name, 1 + floor(random() * greatest(1, length(t.name) - 1))::int, 2) || floor(random() * 100000)::text`
  if (!/^(?:.*_)?no$/.test(name) || type !== 'text')
    // A code made by chance is so from its second sign on: copies that all began like their few originals would be no such codes.
    return single && type === 'text' ? `left(t.${name}, 1) || substr(md5(random()::text), 1, 9)` : `t.${name}`
  const ours = `left(t.${name}, 1) || to_char(t.${since} - t.shift, 'YYYYMMDD') || lpad(floor(random() * 100000)::text, 5, '0')`
  // Another's number, however it is made, is one of its own for each record too.
  const theirs = `regexp_replace(t.${name}, '\\d{6}$', lpad(floor(random() * 1000000)::text, 6, '0'))`
  return `case when t.${name} ~ '^[A-Z][0-9]{13}$' then ${ours} else ${theirs} end`
}

const oneOf = (array: string): string => `((${array}))[1 + floor(random() * cardinality((${array})))::int]`

/** One after the other: by chance a stretch would be without the rows of who has few, and a plan be called bad for that. */
const inTurn = (array: string): string => `((${array}))[1 + t.nth % cardinality((${array}))]`

/** Each unique index but the primary key becomes one of the same columns that is not, and no check says what goes together. */
async function loosened(client: pg.Client, table: string): Promise<string[]> {
  const checks = await client.query(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
     where conrelid = $1::regclass and contype = 'c'`,
    [table],
  )
  const { rows } = await client.query(
    `select case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       replace(pg_get_indexdef(i.indexrelid), 'UNIQUE ', '') as make
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'u'
     where i.indrelid = $1::regclass and i.indisunique and not i.indisprimary`,
    [table],
  )
  return [...checks.rows.map(({ drop }) => drop), ...rows.flatMap(({ drop, make }) => [drop, make])]
}
