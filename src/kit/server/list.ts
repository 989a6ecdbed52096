import { type Actor, type Scope, scopeOf } from '#kit/model/actor.ts'
import { columnOf, isOptional } from '#kit/model/field.ts'
import { mask } from '#kit/model/mask.ts'
import type { Label, Reference, Resource } from '#kit/model/resource.ts'
import { metaOf } from '#kit/model/resource.ts'
import type { Catalogue } from './catalogue.ts'
import type { Counts } from './count.ts'
import type { Database, Row } from './database.ts'
import { beginsWith, type ListQuery } from './list-query.ts'

/** A row as the engine gives it: fields by their wire names, personal data masked, labels of what it points at. */
export type ReadRow = Row & { labels: Record<string, Label> }

/**
 * The one way rows leave the database for people: list, detail, export, push and statistics go through it, so that
 * scope and masking cannot be forgotten. `plain` rows carry personal data whole and never leave the server.
 */
export type ListEngine = {
  page(query: ListQuery, actor: Actor): Promise<{ rows: ReadRow[]; total: number; totalAt: Date }>
  one(id: string, actor: Actor): Promise<ReadRow | undefined>
  /** SQL of everything the query matches, in its order, for a cursor. */
  all(query: ListQuery, actor: Actor): { text: string; values: unknown[]; read(row: Row): ReadRow }
  total(query: ListQuery, actor: Actor): Promise<{ total: number; at: Date }>
  /** Counts by value of the tab's field, for the tabs. */
  tabs(actor: Actor): Promise<Record<string, number>>
}

export function openList(resource: Resource, catalogue: Catalogue, db: Database, counts: Counts): ListEngine {
  const shape = selectOf(resource, catalogue)
  const scoped = (actor: Actor) => scopeOf(actor, resource.screen.key)
  const known = new KnownKeys()

  const all: ListEngine['all'] = (query, actor) => {
    const { bind, values } = binder()
    const where = whereOf(resource, catalogue, scoped(actor), query, bind)
    const text = `select ${shape.select} from ${resource.table} t ${shape.joins} ${where} order by ${orderOf(query)}`
    return { text, values, read: shape.read }
  }

  const total: ListEngine['total'] = (query, actor) =>
    counts.total(resource, scoped(actor), query, bind => whereOf(resource, catalogue, scoped(actor), query, bind))

  return {
    all,
    total,
    async page(query, actor) {
      const scope = scoped(actor)
      const key = JSON.stringify([scope, query.conditions.map(condition => condition.key), query.search, query.sort])
      const wanted = (query.current - 1) * query.size
      const seek = canSeek(resource, query) ? known.nearest(key, wanted) : undefined
      const { bind, values } = binder()
      const where = whereOf(resource, catalogue, scope, query, bind, seek)
      const order = `order by ${orderOf(query)}`
      const pageOf = async (): Promise<Row[]> => {
        const skip = wanted - (seek?.offset ?? 0)
        if (where === '' && skip === 0) return db.read.rows(firstPage(resource, shape, order, query.size), [])
        const found = await db.read.planned(
          `select t.id from ${resource.table} t ${where} ${order} limit ${query.size} offset ${skip}`,
          values,
        )
        return found.length === 0 ? [] : db.read.rows(namedRows(resource, shape, order), [found.map(({ id }) => id)])
      }
      const [raw, { total: count, at }] = await Promise.all([pageOf(), total(query, actor)])
      if (canSeek(resource, query)) known.rememberPage(key, wanted, query.sort.field, raw)
      return { rows: raw.map(shape.read), total: count, totalAt: at }
    },
    async one(id, actor) {
      const { bind, values } = binder()
      const where = boundsSql(resource, scoped(actor), bind)
      const text = `select ${shape.select} from ${resource.table} t ${shape.joins} where t.id = ${bind(id)}${where && ` and ${where}`}`
      const row = (await db.read.rows(text, values))[0]
      return row && shape.read(row)
    },
    tabs: actor => counts.byState(resource, scoped(actor)),
  }
}

/** The first rows of everything: one plan serves everybody, and is made once. Rows are cut before labels are joined. */
const firstPage = ({ table }: Resource, { select, joins }: Selected, order: string, size: number): string =>
  `select ${select} from (select t.* from ${table} t ${order} limit ${size}) t ${joins} ${order}`

/**
 * The rows of a page whose ids are found. What finds them is planned anew for its values, for the right plan of a rare
 * state is the wrong one of a common one, and planning a few columns of one table costs a tenth of planning all its labels.
 */
const namedRows = ({ table }: Resource, { select, joins }: Selected, order: string): string =>
  `select ${select} from ${table} t ${joins} where t.id = any($1::bigint[]) ${order}`

/** Gives each value its place in the statement. */
export function binder(): { bind: (value: unknown) => string; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: value => `$${values.push(value)}` }
}

/** The rows of this scope, in SQL; empty text for "all". A shared table has no owner to ask. */
export function scopeSql(
  resource: Pick<Reference, 'scope' | 'carer'>,
  scope: Scope,
  bind: (value: unknown) => string,
  alias = 't',
): string {
  if (resource.scope === 'shared' || scope.all) return ''
  const parts: string[] = []
  // A single owner as an equality, so that an index on (owner_id, id) gives the order too.
  if (scope.owners.length === 1) parts.push(`${alias}.owner_id = ${bind(scope.owners[0])}::bigint`)
  else if (scope.owners.length > 1) parts.push(`${alias}.owner_id = any(${bind(scope.owners)}::bigint[])`)
  if (scope.orgs.length > 0) parts.push(`${alias}.org_id = any(${bind(scope.orgs)}::bigint[])`)
  if (resource.carer !== undefined) {
    const carer = `${alias}.${columnOf(resource.carer)}`
    if (scope.owners.length > 0) parts.push(`${carer} = any(${bind(scope.owners)}::bigint[])`)
    if (scope.orgs.length > 0) {
      // As an array, looked up first: a subquery would be asked row by row.
      parts.push(`${carer} = any(array(select s.id from staff s where s.org_id = any(${bind(scope.orgs)}::bigint[])))`)
    }
  }
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`
}

/** The rows of this screen that are in this scope, in SQL; empty text for "all". */
export function boundsSql(resource: Resource, scope: Scope, bind: (value: unknown) => string): string {
  const only = Object.entries(resource.list.only ?? {}).map(
    ([field, values]) => `t.${columnOf(field)} = any(${bind(values)}::text[])`,
  )
  return [scopeSql(resource, scope, bind), ...only].filter(part => part !== '').join(' and ')
}

function whereOf(
  resource: Resource,
  catalogue: Catalogue,
  scope: Scope,
  query: ListQuery,
  bind: (value: unknown) => string,
  after?: Known,
): string {
  const parts = [boundsSql(resource, scope, bind), ...query.conditions.map(condition => condition.sql(bind))]
  if (query.search !== undefined) parts.push(searchSql(resource, catalogue, query.search, bind))
  if (after) parts.push(afterSql(query, after, bind))
  const where = parts.filter(part => part !== '').join(' and ')
  return where === '' ? '' : `where ${where}`
}

/** A search by the name of another record finds what belongs to the newest of that name, this many. */
export const MAX_LOOKED_UP = 200

function searchSql(resource: Resource, catalogue: Catalogue, typed: string, bind: (value: unknown) => string): string {
  const parts = resource.list.search.map(field => {
    const meta = metaOf(resource, field)
    if (meta.kind !== 'reference') return beginsWith(`t.${columnOf(field)}`, typed, bind)
    const { table, search } = requireReference(catalogue, meta.to)
    const found = search.map(column => beginsWith(`r.${column}`, typed, bind)).join(' or ')
    // Looked up first, as an array: a subquery beside other conditions would be asked row by row, over all rows.
    return `t.${columnOf(field)} = any(array(select r.id from ${table} r where ${found} order by r.id desc limit ${MAX_LOOKED_UP}))`
  })
  // What finds a record in a picker finds it in its own list too: a name in pinyin.
  const picked = [...catalogue.references.values()].find(({ table }) => table === resource.table)?.search ?? []
  const named = new Set(resource.list.search.map(columnOf))
  const also = picked.filter(column => !named.has(column)).map(column => beginsWith(`t.${column}`, typed, bind))
  return `(${[...parts, ...also].join(' or ')})`
}

const orderOf = ({ sort }: ListQuery): string => {
  const direction = sort.descending ? 'desc' : 'asc'
  return sort.field === 'id' ? `t.id ${direction}` : `t.${columnOf(sort.field)} ${direction}, t.id ${direction}`
}

/** A row whose place in the list is known: `offset` rows stand before what begins after it, or with it. */
type Known = { readonly offset: number; readonly sorted: unknown; readonly id: unknown; readonly inclusive: boolean }

function afterSql({ sort }: ListQuery, { sorted, id, inclusive }: Known, bind: (value: unknown) => string): string {
  const sign = `${sort.descending ? '<' : '>'}${inclusive ? '=' : ''}`
  if (sort.field === 'id') return `t.id ${sign} ${bind(id)}::bigint`
  return `(t.${columnOf(sort.field)}, t.id) ${sign} (${bind(sorted)}, ${bind(id)}::bigint)`
}

// A missing value has no place in a row comparison: such a sort is paged by offset, unless a condition leaves it out.
const canSeek = (resource: Resource, { sort, conditions }: ListQuery): boolean =>
  sort.field === 'id' ||
  conditions.some(({ field }) => field === sort.field) ||
  !isOptional(resource.record.shape[sort.field] as never)

/** Where pages began lately, so that a deep page is reached from the nearest known key instead of by a long offset. */
class KnownKeys {
  private readonly lists = new Map<string, (Known & { at: number })[]>()
  private static readonly LIFE_MS = 10_000
  private static readonly MAX_LISTS = 500
  private static readonly MAX_KEYS = 64

  nearest(key: string, wanted: number): Known | undefined {
    const fresh = Date.now() - KnownKeys.LIFE_MS
    let best: Known | undefined
    for (const entry of this.lists.get(key) ?? []) {
      if (entry.at >= fresh && entry.offset <= wanted && entry.offset > (best?.offset ?? 0)) best = entry
    }
    return best
  }

  /** Where this page begins, for whoever comes back to it, and where the next one begins. */
  rememberPage(key: string, offset: number, field: string, rows: readonly Row[]): void {
    const [first, last] = [rows[0], rows.at(-1)]
    if (first && offset > 0) this.remember(key, { offset, sorted: first[field], id: first.id, inclusive: true })
    if (last) this.remember(key, { offset: offset + rows.length, sorted: last[field], id: last.id, inclusive: false })
  }

  private remember(key: string, known: Known): void {
    const kept = (this.lists.get(key) ?? []).filter(entry => entry.offset !== known.offset).slice(-KnownKeys.MAX_KEYS)
    this.lists.delete(key)
    this.lists.set(key, [...kept, { ...known, at: Date.now() }])
    const oldest = this.lists.keys().next().value
    if (this.lists.size > KnownKeys.MAX_LISTS && oldest !== undefined) this.lists.delete(oldest)
  }
}

export const requireReference = (catalogue: Pick<Catalogue, 'references'>, name: string): Reference => {
  const reference = catalogue.references.get(name)
  if (!reference) throw new Error(`no slice declares the reference ${name}`)
  return reference
}

type Selected = { readonly select: string; readonly joins: string; readonly read: (row: Row) => ReadRow }

/** The columns of a record under their wire names, the labels of its references (not for a `bareRow`), and how a row is read. */
export function selectOf(resource: Resource, catalogue: Pick<Catalogue, 'references'>, bareRow = false): Selected {
  const columns: string[] = []
  const joins: string[] = []
  const readers: ((from: Row, to: ReadRow) => void)[] = []
  for (const field of Object.keys(resource.record.shape)) {
    const meta = metaOf(resource, field)
    if (meta.kind === 'detail') continue
    columns.push(`t.${columnOf(field)} as "${field}"`)
    readers.push(readerOf(field, meta))
    if (meta.kind !== 'reference' || bareRow) continue
    const alias = `l${joins.length}`
    const reference = requireReference(catalogue, meta.to)
    joins.push(`left join ${reference.table} ${alias} on ${alias}.id = t.${columnOf(field)}`)
    columns.push(...labelColumns(reference, alias).map(([part, sql]) => `${sql} as "${field}:${part}"`))
    readers.push((from, to) => {
      if (from[field] != null) to.labels[field] = readLabel(reference, from, field)
    })
  }
  return {
    select: columns.join(', '),
    joins: joins.join(' '),
    read(from) {
      const row: ReadRow = { labels: {} }
      for (const reader of readers) reader(from, row)
      return row
    },
  }
}

export const labelColumns = ({ label }: Reference, alias: string): [part: string, sql: string][] => [
  ['name', `${alias}.${label.name}`],
  ['note', label.note ? `${alias}.${label.note.column}` : 'null::text'],
  ['tone', label.tone ? `${alias}.${label.tone}` : 'null::text'],
]

export function readLabel(reference: Reference, from: Row, field: string): Label {
  const note = from[`${field}:note`]
  return {
    id: String(from[field]),
    name: String(from[`${field}:name`] ?? ''),
    note:
      note == null
        ? null
        : reference.label.note?.personal
          ? mask(reference.label.note.personal, String(note))
          : String(note),
    tone: (from[`${field}:tone`] as string | null) ?? null,
  }
}

function readerOf(field: string, meta: ReturnType<typeof metaOf>): (from: Row, to: ReadRow) => void {
  if (meta.kind === 'personal') {
    return (from, to) => {
      to[field] = from[field] == null ? null : mask(meta.personal, String(from[field]))
    }
  }
  if (meta.kind === 'money') {
    return (from, to) => {
      to[field] = from[field] == null ? null : Number(from[field])
    }
  }
  return (from, to) => {
    to[field] = from[field] ?? null
  }
}
