import { withConnection } from '../src/kit/server/database/connection.ts'

type Column = {
  table: string
  column: string
  type: string
  nullable: boolean
  generated: boolean
  defaulted: boolean
  list: string[] | null
}

const TYPES: Readonly<Record<string, string>> = {
  bigint: 'string',
  integer: 'number',
  text: 'string',
  boolean: 'boolean',
  'timestamp with time zone': 'string',
  date: 'string',
  uuid: 'string',
  jsonb: 'unknown',
  bytea: 'Buffer',
  bit: 'string',
  ARRAY: 'string[]',
}
/** What may be written where reading gives text. */
const WRITES: Readonly<Record<string, string>> = {
  bigint: 'string | number',
  'timestamp with time zone': 'Date | string',
}

/** The kysely types of a migrated database: the text of src/kit/server/database/schema.gen.ts. */
export async function schemaTypes(url: string): Promise<string> {
  const columns = await readColumns(url)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const body = tables.map(table => {
    const lines = columns
      .filter(column => column.table === table)
      .map(column => `    ${column.column}: ${typeOf(column)}`)
    return `  ${table}: {\n${lines.join('\n')}\n  }`
  })
  return [
    '// Generated from the migrated database by `npm run generate`; a test keeps it equal.',
    "import type { ColumnType, GeneratedAlways } from 'kysely'",
    '',
    `export type Schema = {\n${body.join('\n')}\n}`,
    '',
  ].join('\n')
}

function typeOf({ type, nullable, generated, defaulted, list }: Column): string {
  const read = list ? list.map(value => `'${value}'`).join(' | ') : TYPES[type]
  if (!read) throw new Error(`no TypeScript type for ${type}`)
  const selected = nullable ? `${read} | null` : read
  if (generated) return `GeneratedAlways<${selected}>`
  const written = WRITES[type] ?? read
  const update = nullable ? `${written} | null` : written
  const insert = nullable || defaulted ? `${update} | undefined` : update
  return insert === selected ? selected : `ColumnType<${selected}, ${insert}, ${update}>`
}

async function readColumns(url: string): Promise<Column[]> {
  return withConnection({ connectionString: url }, async client => {
    const { rows } = await client.query(`
      select c.table_name as table, c.column_name as column, c.data_type as type, c.is_nullable = 'YES' as nullable,
             (c.is_identity = 'YES' and c.identity_generation = 'ALWAYS') or c.is_generated = 'ALWAYS' as generated, c.column_default is not null as defaulted,
             (select pg_get_constraintdef(k.oid) from pg_constraint k
               where k.conrelid = format('%I', c.table_name)::regclass and k.contype = 'c'
                 and k.conkey = array[c.ordinal_position::smallint] and pg_get_constraintdef(k.oid) like '%ANY (ARRAY[%' limit 1) as list
      from information_schema.columns c where c.table_schema = 'public' order by 1, c.ordinal_position`)
    return rows.map(row => ({
      ...row,
      list: row.list ? [...row.list.matchAll(/'([^']+)'::text/g)].map(match => match[1]) : null,
    }))
  })
}
