import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { columnOf, isOptional } from '#kit/model/field.ts'
import { metaOf, type Reference, type Resource, schemaIn } from '#kit/model/resource.ts'
import { aboutToLock, type Database, type Row, run, type Tx } from '../database/database.ts'
import { type Declared, requireReference } from '../declared.ts'
import type { Counts } from './count.ts'
import { departmentsSql, isKnown } from './departments.ts'
import type { ListQuery } from './list-query.ts'
import { binder, boundsSql, type KnownScope, maskedInCare, outOfCare, withGroups } from './scope.ts'
import { fitting, ownColumns, ownFitting } from './search.ts'
import { inCare, type ReadRow, type Selected, selectOf } from './select.ts'

/**
 * The one way rows leave the database for people: list, detail, export, push and statistics go through it, so that
 * scope and masking cannot be forgotten. `plain` rows carry personal data whole and never leave the server.
 */
export type ListEngine = {
  page(query: ListQuery, actor: Actor): Promise<{ rows: ReadRow[]; total: number; totalAt: Date }>
  /** `isOwn`: not as one of a group whose care it is in. */
  one(id: string, actor: Actor, isOwn?: boolean): Promise<ReadRow | undefined>
  /** SQL of the ids of the first page, for a question that is asked of many lists at once. */
  ids(query: Pick<ListQuery, 'size' | 'sort' | 'conditions'>, actor: Actor, bind: (value: unknown) => string): string
  /** Those of these rows the person sees, in no order. */
  some(ids: readonly string[], actor: Actor): Promise<ReadRow[]>
  /** SQL of everything the query matches, in its order, for a cursor. */
  all(query: ListQuery, actor: Actor): { text: string; values: unknown[]; read(row: Row): ReadRow }
  /** Locks one row for as long as the query still matches it, within the caller's transaction. */
  lockMatching(tx: Tx, query: ListQuery, actor: Actor, id: string): Promise<boolean>
  total(query: ListQuery, actor: Actor): Promise<{ total: number; at: Date }>
  /** Of a money field over everything the query matches. */
  sum(query: ListQuery, actor: Actor, field: string): Promise<number>
  /** Counts by value of the tab's field under the other filters, for the tabs; nothing where that would take too long. */
  tabs(query: ListQuery, actor: Actor): Promise<Record<string, number> | null>
}

export function openList(resource: Resource, catalogue: Declared, db: Database, counts: Counts): ListEngine {
  const shape = selectOf(resource, catalogue)
  const scoped = (actor: Actor) => scopeOf(actor, resource.screen.key)
  const readInCare = inCare(resource, shape.read)
  /** Whoever sees everything sees it by no group. */
  const reading = (actor: Actor) => (maskedInCare(resource, scoped(actor)).size > 0 ? readInCare : shape.read)
  const known = new KnownKeys()

  const all: ListEngine['all'] = (query, actor) => {
    const { bind, values } = binder()
    const where = whereOf(resource, catalogue, scoped(actor), query, bind)
    const text = `select ${shape.select} from ${resource.table} t ${shape.joins} ${where} order by ${orderOf(query)}`
    return { text, values, read: reading(actor) }
  }

  const total: ListEngine['total'] = (query, actor) =>
    counts.total(resource, scoped(actor), query, bind => whereOf(resource, catalogue, scoped(actor), query, bind))

  return {
    all,
    total,
    async lockMatching(tx, query, actor, id) {
      const { bind, values } = binder()
      const where = whereOf(resource, catalogue, scoped(actor), query, bind)
      aboutToLock(tx, resource.table, id)
      const text = `select t.id from ${resource.table} t ${where} ${where ? 'and' : 'where'} t.id = ${bind(id)}::bigint for update of t`
      return (await run(tx, text, values)).length > 0
    },
    sum: (query, actor, field) =>
      counts.sum(resource, field, bind => whereOf(resource, catalogue, scoped(actor), query, bind)),
    async page(query, actor) {
      const scope = await withGroups(db, resource, scoped(actor))
      const { conditions, search, sort, departments } = query
      const key = JSON.stringify([scope, conditions.map(condition => condition.key), search, sort, departments])
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
      return { rows: raw.map(reading(actor)), total: count, totalAt: at }
    },
    async one(id, actor, isOwn = false) {
      const { bind, values } = binder()
      const where = boundsSql(isOwn ? heldAlone(resource) : resource, scoped(actor), bind)
      const text = `select ${shape.select} from ${resource.table} t ${shape.joins} where t.id = ${bind(id)}${where && ` and ${where}`}`
      const row = (await db.read.rows(text, values))[0]
      return row && reading(actor)(row)
    },
    ids(query, actor, bind) {
      const where = whereOf(resource, catalogue, scoped(actor), { ...query, search: undefined }, bind)
      return `select t.id from ${resource.table} t ${where} order by ${orderOf(query)} limit ${query.size}`
    },
    async some(ids, actor) {
      const { bind, values } = binder()
      const where = [`t.id = any(${bind(ids)}::bigint[])`, boundsSql(resource, scoped(actor), bind)]
      const text = `select ${shape.select} from ${resource.table} t ${shape.joins} where ${where.filter(Boolean).join(' and ')}`
      return (await db.read.rows(text, values)).map(reading(actor))
    },
    tabs(query, actor) {
      const others = { ...query, conditions: query.conditions.filter(({ field }) => field !== resource.list.tabs) }
      const { departments } = query
      const isKept = others.conditions.length === 0 && query.search === undefined && isKnown(departments)
      return isKept
        ? counts.byState(resource, scoped(actor), departments?.all)
        : counts.byStateWithin(resource, bind => whereOf(resource, catalogue, scoped(actor), others, bind))
    },
  }
}

/** Without the group whose care a record may be in. */
function heldAlone(resource: Resource): Resource {
  if (!resource.care) return resource
  const { carer: _, care: __, ...alone } = resource
  return alone
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

function whereOf(
  resource: Resource,
  catalogue: Declared,
  scope: KnownScope,
  query: Pick<ListQuery, 'conditions' | 'search' | 'sort' | 'departments'>,
  bind: (value: unknown) => string,
  after?: Known,
): string {
  const parts = [
    boundsSql(resource, scope, bind),
    departmentsSql(query.departments, bind),
    ...query.conditions.map(condition => condition.sql(bind)),
  ]
  if (query.search !== undefined) parts.push(searchSql(resource, catalogue, { typed: query.search, scope }, bind))
  if (after) parts.push(afterSql(query, after, bind))
  const where = parts.filter(part => part !== '').join(' and ')
  return where === '' ? '' : `where ${where}`
}

/** A search by the name of another record finds what belongs to the newest of that name, this many. */
export const MAX_LOOKED_UP = 200

function searchSql(
  resource: Resource,
  catalogue: Declared,
  { typed, scope }: { typed: string; scope: KnownScope },
  bind: (value: unknown) => string,
): string {
  const others = referencesSearched(catalogue, resource).map(({ field, reference }) =>
    belongsTo(field, reference, reference.search, typed, bind),
  )
  const own = ownColumns(catalogue, resource)
  const masked = maskedInCare(resource, scope)
  const parts = [
    ownFitting(
      resource.table,
      own.filter(column => !masked.has(column)),
      typed,
      bind,
    ),
    // What is masked is not found out by searching for it either.
    ...own
      .filter(column => masked.has(column))
      .map(column => `(${ownFitting(resource.table, [column], typed, bind)} and ${outOfCare(resource)})`),
  ]
  return `(${[...parts, ...others].join(' or ')})`
}

/** The records of others that a list is searched by. */
export const referencesSearched = (catalogue: Declared, resource: Resource) =>
  resource.list.search.flatMap(field => {
    const meta = metaOf(resource, field)
    return meta.kind === 'reference' ? [{ field, reference: requireReference(catalogue, meta.to) }] : []
  })

/** Rows whose field names one of the records that one of these columns finds, in SQL. */
export function belongsTo(
  field: string,
  { table }: Reference,
  columns: readonly string[],
  typed: string,
  bind: (value: unknown) => string,
): string {
  const found = fitting(columns, typed, bind, 'r')
  // Looked up first, as an array: a subquery beside other conditions would be asked row by row, over all rows.
  return `t.${columnOf(field)} = any(array(select r.id from ${table} r where ${found} order by r.id desc limit ${MAX_LOOKED_UP}))`
}

const orderOf = ({ sort }: Pick<ListQuery, 'sort'>): string => {
  const direction = sort.descending ? 'desc' : 'asc'
  return sort.field === 'id' ? `t.id ${direction}` : `t.${columnOf(sort.field)} ${direction}, t.id ${direction}`
}

/** A row whose place in the list is known: `offset` rows stand before what begins after it, or with it. */
type Known = { readonly offset: number; readonly sorted: unknown; readonly id: unknown; readonly inclusive: boolean }

function afterSql(
  { sort }: Pick<ListQuery, 'sort'>,
  { sorted, id, inclusive }: Known,
  bind: (value: unknown) => string,
): string {
  const sign = `${sort.descending ? '<' : '>'}${inclusive ? '=' : ''}`
  if (sort.field === 'id') return `t.id ${sign} ${bind(id)}::bigint`
  return `(t.${columnOf(sort.field)}, t.id) ${sign} (${bind(sorted)}, ${bind(id)}::bigint)`
}

// A missing value has no place in a row comparison: such a sort is paged by offset, unless a condition leaves it out.
const canSeek = (resource: Resource, { sort, conditions }: ListQuery): boolean =>
  sort.field === 'id' ||
  conditions.some(({ field }) => field === sort.field) ||
  !isOptional(schemaIn(resource, sort.field))

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
