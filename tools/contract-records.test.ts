import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Child } from '../src/kit/model/child.ts'
import { bare, choicesOf, columnOf, fieldMeta, isOptional } from '../src/kit/model/field.ts'
import type { Reference, Resource } from '../src/kit/model/resource.ts'
import type { Statistic } from '../src/kit/model/statistic.ts'
import { openTestInstance } from './testing/instance.ts'

type Column = { type: string; nullable: boolean; checks: string[]; foreign: string | null }
type Index = { columns: string[]; classes: string[]; unique: boolean; partial: boolean; pairs: boolean }
type Table = { columns: Map<string, Column>; indexes: Index[] }

const TYPES: Readonly<Record<string, string>> = {
  id: 'bigint',
  text: 'text',
  'long-text': 'text',
  code: 'text',
  choice: 'text',
  dictionary: 'text',
  personal: 'text',
  colour: 'text',
  number: 'integer',
  version: 'integer',
  flag: 'boolean',
  money: 'bigint',
  instant: 'timestamp with time zone',
  day: 'date',
  reference: 'bigint',
  files: 'uuid[]',
  lines: 'jsonb',
  tags: 'text[]',
}
/** Found by the beginning of the text: an index serves that only with this class, unless the database sorts by bytes. */
const PREFIXED = new Set(['text', 'code'])

let tables: Map<string, Table>
let resources: Resource[]
let children: readonly Child[]
let references: Reference[]
let statistics: Statistic[]

beforeAll(async () => {
  const { app } = await openTestInstance()
  resources = app.catalogue.slices.flatMap(({ resource }) => resource ?? [])
  children = app.catalogue.children
  references = [...app.catalogue.references.values()]
  statistics = app.catalogue.slices.flatMap(({ statistic }) => statistic ?? [])
  const names = new Set(
    [...resources, ...children.map(child => child.resource), ...references].map(({ table }) => table),
  )
  tables = new Map()
  for (const name of names) tables.set(name, await readTable(app.db.read.pool, name))
})

type Pool = { query(sql: string, values: unknown[]): Promise<{ rows: Record<string, never>[] }> }

async function readTable(pool: Pool, name: string): Promise<Table> {
  const columns = await pool.query(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
       array(select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'c' and a.attnum = any(k.conkey)) as checks,
       (select k.confrelid::regclass::text from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'f' and k.conkey = array[a.attnum]) as foreign
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [name],
  )
  const indexes = await pool.query(
    `select i.indisunique as unique, i.indpred is not null as partial, pg_get_indexdef(i.indexrelid) like '%gin (name_pairs(name))' as pairs,
       array(select a.attname::text from unnest(i.indkey::int[]) with ordinality k(n, o) join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n order by o) as columns,
       array(select c.opcname::text from unnest(i.indclass) with ordinality k(n, o) join pg_opclass c on c.oid = k.n order by o) as classes
     from pg_index i where i.indrelid = $1::regclass`,
    [name],
  )
  return {
    columns: new Map(columns.rows.map(row => [String(row.name), row as unknown as Column])),
    indexes: indexes.rows as unknown as Index[],
  }
}

const tableOf = (name: string) => tables.get(name) as Table

/** What the wire and the storage disagree about, one line each. */
function differences(resource: Resource): string[] {
  const { columns } = tableOf(resource.table)
  return Object.entries(resource.record.shape).flatMap(([field, schema]) => {
    const meta = fieldMeta(schema)
    if (meta.kind === 'detail') return []
    const column = columns.get(columnOf(field))
    if (!column) return [`${field}: the table has no ${columnOf(field)}`]
    const found: string[] = []
    if (TYPES[meta.kind] !== column.type)
      found.push(`${field}: ${meta.kind} is ${TYPES[meta.kind]}, the column ${column.type}`)
    if (isOptional(schema) !== column.nullable)
      found.push(
        `${field}: ${isOptional(schema) ? 'may' : 'may not'} be missing, the column ${column.nullable ? 'may' : 'may not'}`,
      )
    found.push(
      ...lengthDifference(field, schema, column),
      ...choiceDifference(field, schema, column),
      ...rangeDifference(field, schema, column),
    )
    const target = meta.kind === 'reference' ? references.find(({ name }) => name === meta.to)?.table : undefined
    if (meta.kind === 'reference' && column.foreign !== target)
      found.push(`${field}: points at ${target}, the column at ${column.foreign}`)
    return found
  })
}

/** A length check of the table is the schema's; a text people write has one, or a pattern. */
function lengthDifference(field: string, schema: z.ZodType, { checks }: Column): string[] {
  const inner = bare(schema)
  const kind = fieldMeta(schema).kind
  if (!(inner instanceof z.ZodString) || !['text', 'long-text', 'code', 'personal'].includes(kind)) return []
  const limit = checks.map(check => /length\(\w+\) <?= (\d+)/.exec(check)?.[1]).find(found => found !== undefined)
  const max = inner.maxLength
  if (limit !== undefined) return Number(limit) === max ? [] : [`${field}: at most ${max} here, ${limit} in the table`]
  const pattern = checks.some(check => check.includes('~'))
  return pattern ? [] : [`${field}: at most ${max} here, no bound in the table`]
}

const WIDEST: Readonly<Record<string, number>> = { integer: 2_147_483_647, bigint: Number.MAX_SAFE_INTEGER }

/** What the schema takes, the column holds: by its type, and by the checks that speak of this column alone. */
function rangeDifference(field: string, schema: z.ZodType, { type, checks }: Column): string[] {
  const meta = fieldMeta(schema)
  if (meta.kind !== 'number' && meta.kind !== 'money') return []
  const widest = WIDEST[type] ?? 0
  let [least, most] = [-widest, widest]
  const compared = new RegExp(`\\(${columnOf(field)} (<=|<|>=|>) '?\\(?(-?\\d+)\\)?'?(?:::\\w+)?\\)`, 'g')
  // A check with an alternative speaks of another column too: coins may be owed, days may not.
  const alone = checks.filter(check => !check.includes(' OR '))
  for (const [, sign = '', bound] of alone.flatMap(check => [...check.matchAll(compared)])) {
    const edge = Number(bound) + (sign === '>' ? 1 : sign === '<' ? -1 : 0)
    if (sign.startsWith('>')) least = Math.max(least, edge)
    else most = Math.min(most, edge)
  }
  return meta.min >= least && meta.max <= most
    ? []
    : [`${field}: ${meta.min} to ${meta.max} here, ${least} to ${most} in the table`]
}

function choiceDifference(field: string, schema: z.ZodType, { checks }: Column): string[] {
  if (fieldMeta(schema).kind !== 'choice') return []
  const stored = checks
    .filter(check => check.includes('ANY (ARRAY['))
    .flatMap(check => [...check.matchAll(/'([^']+)'::text/g)].map(match => match[1]))
  const declared = choicesOf(schema)
  return JSON.stringify([...declared].sort()) === JSON.stringify([...stored].sort())
    ? []
    : [`${field}: ${declared.join(', ')} here, ${stored.join(', ') || 'anything'} in the table`]
}

const leads = (table: string, column: string, prefixed = false): boolean =>
  tableOf(table).indexes.some(
    ({ columns, classes, partial }) =>
      !partial && columns[0] === column && (!prefixed || classes[0] === 'text_pattern_ops'),
  )

/** An index that begins with the first column and goes on with the second. */
const follows = (table: string, first: string, second: string): boolean =>
  tableOf(table).indexes.some(({ columns, partial }) => !partial && columns[0] === first && columns[1] === second)

describe('a record and its table', () => {
  test('agree on type, absence, length, range, choices and what they point at', () => {
    expect(resources.length).toBeGreaterThan(2)
    const all = [...resources, ...children.map(child => child.resource)]
    expect(all.flatMap(resource => differences(resource).map(line => `${resource.screen.name}.${line}`))).toEqual([])
  })

  test('have a version that counts edits wherever a record can be edited or steps can be taken', () => {
    for (const { record, table } of resources) {
      expect(record.shape, table).toHaveProperty('version')
      expect(tableOf(table).columns.get('version'), table).toMatchObject({ type: 'integer', nullable: false })
    }
  })

  test('have owner and department, with an index, wherever a person sees only a part', () => {
    for (const { scope, table } of [...resources, ...references].filter(({ scope }) => scope === 'owned')) {
      for (const column of ['owner_id', 'org_id']) {
        expect(tableOf(table).columns.get(column), `${table}.${column}`).toMatchObject({ type: 'bigint' })
        expect(leads(table, column), `${table}.${column}`).toBe(true)
      }
      expect(scope).toBe('owned')
    }
  })

  test('a field named by a column, a filter, a sort, a search, a title or a body exists', () => {
    for (const { list, create, edit, title, record } of resources) {
      const named = [
        ...list.columns,
        ...list.filters,
        ...list.sort,
        ...list.search,
        ...(list.tabs ? [list.tabs] : []),
        ...create,
        ...edit,
        title,
      ]
      for (const field of named) expect(record.shape).toHaveProperty(field)
    }
  })

  test('what belongs to a record is found by it, and then in the order and by the filters asked for, by an index', () => {
    const missing = children.flatMap(({ by, resource: { list, table } }) =>
      ['id', ...list.filters, ...list.sort]
        .filter(field => !follows(table, columnOf(by), columnOf(field)))
        .map(field => `${table} (${columnOf(by)}, ${columnOf(field)})`),
    )
    expect(missing).toEqual([])
  })

  test('what belongs to a record shows and asks for nothing personal, and nothing it does not have', () => {
    for (const { by, within = by, resource } of children) {
      const { columns, filters, sort, search, tabs = by } = resource.list
      for (const field of [by, within, tabs, resource.title, ...columns, ...filters, ...sort, ...search])
        expect(resource.record.shape, resource.screen.name).toHaveProperty(field)
      for (const field of [...filters, ...sort, ...search])
        expect(fieldMeta(resource.record.shape[field] as z.ZodType).kind, field).not.toBe('personal')
    }
  })

  test('every filter and every sort has an index that begins with it', () => {
    const missing = resources.flatMap(({ list, table, record }) =>
      [...new Set([...list.filters, ...list.sort])]
        .filter(field => {
          const kind = fieldMeta(record.shape[field] as z.ZodType).kind
          return !leads(table, columnOf(field), list.filters.includes(field) && PREFIXED.has(kind))
        })
        .map(field => `${table}.${columnOf(field)}`),
    )
    expect(missing).toEqual([])
  })

  test('what the search box looks in, and what a picker looks in, can be found by its beginning', () => {
    const fields = resources.flatMap(({ list, table, record }) =>
      list.search
        .filter(field => fieldMeta(record.shape[field] as z.ZodType).kind !== 'reference')
        .map(field => [table, columnOf(field)] as const),
    )
    const pickers = references.flatMap(({ table, search }) => search.map(column => [table, column] as const))
    expect(
      [...fields, ...pickers].filter(([table, column]) => !leads(table, column, true) && column !== 'account'),
    ).toEqual([])
  })

  test('a name the search box or a picker looks in can be found by any part of it', () => {
    const named = [
      ...resources.filter(({ list }) => list.search.includes('name')),
      ...references.filter(({ search }) => search.includes('name')),
    ]
    const missing = named.filter(({ table }) => !tableOf(table).indexes.some(({ pairs }) => pairs))
    expect(missing.map(({ table }) => table)).toEqual([])
  })

  test('personal data can be neither filtered, sorted nor searched by', () => {
    for (const { list, record } of resources) {
      for (const field of [...list.filters, ...list.sort, ...list.search]) {
        expect(fieldMeta(record.shape[field] as z.ZodType).kind, field).not.toBe('personal')
      }
    }
  })

  test('a label is made of columns that exist', () => {
    for (const { table, label, name } of references) {
      for (const column of [label.name, label.note?.column, label.tone].filter(name => name != null))
        expect([...tableOf(table).columns.keys()], name).toContain(column)
    }
  })
})

describe('a statistic and the list behind it', () => {
  test('agree: every dimension, basis, filter and set of rows is a filter of the list', () => {
    const missing = statistics.flatMap(({ screen, of: own, measures, dimensions, bases, filters }) =>
      Object.values(measures).flatMap(({ of = own, at, rows = {}, madeOf, called = {} }) => {
        const asked = madeOf
          ? []
          : [
              ...filters.map(field => called[field] ?? field),
              ...(at === undefined ? Object.values(bases) : [at]),
              ...Object.keys(rows).map(name => name.replace(/(Begin|End)$/, '')),
              ...Object.values(dimensions).flatMap(dimension =>
                dimension === 'time' ? [] : [called[dimension.field] ?? dimension.field],
              ),
            ]
        // What all its records have nobody filters by.
        const fields = asked.filter(field => typeof field === 'string')
        return fields.filter(field => !of.list.filters.includes(field)).map(field => `${screen.name}: ${field}`)
      }),
    )
    expect(missing).toEqual([])
  })
})
