import type { Scope } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type Database, QUERY_CANCELLED, type Row, sqlState } from '../database/database.ts'
import { isKnown } from './departments.ts'
import type { ListQuery } from './list-query.ts'
import { binder, boundsSql, scopeSql } from './scope.ts'

/** Totals are exact as of `at`: kept ones at most this old, counted ones up to ten seconds (docs/architecture.md). */
const KEPT_LIFE_MS = 1_000
const COUNTED_LIFE_MS = 10_000
const MAX_REMEMBERED = 5_000
/** A table of some ten thousand rows. */
const SMALL_BYTES = 32 * 1024 * 1024

export type Total = { readonly total: number; readonly at: Date }

type Where = (bind: (value: unknown) => string) => string

export type Counts = {
  total(resource: Resource, scope: Scope, query: ListQuery, where: Where): Promise<Total>
  byState(resource: Resource, scope: Scope, departments?: readonly string[]): Promise<Record<string, number>>
  /** Rows of each department, with the place of that in the tree. */
  byDepartment(resource: Resource, scope: Scope): Promise<readonly { readonly path: string; readonly n: number }[]>
  /** Of what a condition leaves; nothing when that cannot be counted in time. */
  byStateWithin(resource: Resource, where: Where): Promise<Record<string, number> | null>
  sum(resource: Resource, field: string, where: Where): Promise<number>
  /** Called after a write of this instance, so that the writer sees the new total at once. */
  drop(table: string): void
}

/** Big tables keep their counts as they are written (`start_keeping_count` in the migrations); others are counted. */
export async function openCounts(db: Database): Promise<Counts> {
  const kept = new Map(
    (
      await db.read.rows(
        // The trigger's first argument is the state column; arguments are stored as text ended by a zero byte.
        `select c.relname as table, split_part(encode(t.tgargs, 'escape'), '\\000', 1) as state
       from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'keep_count_insert'`,
        [],
      )
    ).map(row => [String(row.table), String(row.state)]),
  )
  const remembered = new Remembered()

  const states = (
    resource: Resource,
    scope: Scope,
    departments?: readonly string[],
  ): Promise<{ at: Date; states: Record<string, number> }> => {
    const key = `${resource.table}|states|${JSON.stringify([partOf(resource), scope, departments])}`
    return remembered.get(resource.table, key, KEPT_LIFE_MS, async () => {
      const { bind, values } = binder()
      const rule = keptRule(resource, scope, bind)
      const within = departments ? ` and k.org_id = any(${bind(departments)}::bigint[])` : ''
      const rows = await db.read.rows(
        `select k.state, sum(k.n)::int as n from kept_count k where ${rule}${within} group by k.state`,
        values,
      )
      const counts = Object.fromEntries(rows.map(row => [String(row.state), Number(row.n)]))
      return { states: counts, at: new Date() }
    })
  }

  const keeps = (resource: Resource) => {
    const { tabs, only = {} } = resource.list
    // Where a part has no states, the counts are those of the parts.
    if (tabs === undefined) return Object.keys(only).some(field => kept.get(resource.table) === columnOf(field))
    return partOf(resource) === undefined
      ? kept.get(resource.table) === columnOf(tabs) && Object.keys(only).every(field => field === tabs)
      : kept.get(resource.table) === PART_STATE
  }

  /** Of the kept states, those that are the screen's. */
  const own = (resource: Resource, counts: Record<string, number>): Record<string, number> => {
    const { tabs, only } = resource.list
    const part = partOf(resource)
    if (part !== undefined)
      return Object.fromEntries(Object.entries(counts).map(([state, n]) => [state.slice(part.length + 1), n]))
    const states = tabs && only?.[tabs]
    return states ? Object.fromEntries(states.map(state => [state, counts[state] ?? 0])) : counts
  }

  /** A small table is counted in time unless the machine is held up: then it is asked again with time, and not called too big. */
  const ask = async (table: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    try {
      return await db.count.planned(text, values)
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELLED) throw error
      const [found] = await db.read.rows('select pg_relation_size($1::regclass) < $2 as small', [table, SMALL_BYTES])
      if (!found?.small) throw error
      return db.read.planned(text, values)
    }
  }

  const counted = async (resource: Resource, where: Where): Promise<Record<string, number>> => {
    const { bind, values } = binder()
    const state = `t.${columnOf(resource.list.tabs as string)}`
    const rows = await ask(
      resource.table,
      `select ${state} as state, count(*)::int as n from ${resource.table} t ${where(bind)} group by 1`,
      values,
    )
    return Object.fromEntries(rows.map(row => [String(row.state), Number(row.n)]))
  }

  return {
    async total(resource, scope, query, where) {
      if (query.tabOnly && keeps(resource) && isKnown(query.departments)) {
        const { states: all, at } = await states(resource, scope, query.departments?.all)
        const counts = own(resource, all)
        const picked = query.tabOnly.length === 0 ? Object.keys(counts) : query.tabOnly
        return { at, total: picked.reduce((sum, state) => sum + (counts[state] ?? 0), 0) }
      }
      const key = JSON.stringify([
        resource.table,
        resource.list.only,
        scope,
        query.conditions.map(condition => condition.key),
        query.search,
        query.departments,
      ])
      return remembered.get(resource.table, key, COUNTED_LIFE_MS, async () => {
        const { bind, values } = binder()
        const text = `select count(*)::int as n from ${resource.table} t ${where(bind)}`
        const [row] = await inTime(() => ask(resource.table, text, values))
        return { total: Number(row?.n ?? 0), at: new Date() }
      })
    },
    async byState(resource, scope, departments) {
      if (resource.list.tabs === undefined) return {}
      return keeps(resource)
        ? own(resource, (await states(resource, scope, departments)).states)
        : inTime(() => counted(resource, bind => withRule(boundsSql(resource, scope, bind))))
    },
    byDepartment(resource, scope) {
      const key = `${resource.table}|departments|${JSON.stringify([partOf(resource), scope])}`
      return remembered.get(resource.table, key, KEPT_LIFE_MS, async () => {
        const { bind, values } = binder()
        const rule = keptRule(resource, scope, bind)
        const rows = await db.read.rows(
          `select o.path, sum(k.n)::int as n from kept_count k join org o on o.id = k.org_id where ${rule} group by o.path`,
          values,
        )
        return rows.map(({ path, n }) => ({ path: String(path), n: Number(n) }))
      })
    },
    async byStateWithin(resource, where) {
      if (resource.list.tabs === undefined) return {}
      try {
        return await counted(resource, where)
      } catch (error) {
        if (sqlState(error) === QUERY_CANCELLED) return null
        throw error
      }
    },
    async sum(resource, field, where) {
      const { bind, values } = binder()
      const text = `select coalesce(sum(t.${columnOf(field)}), 0) as sum from ${resource.table} t ${where(bind)}`
      const [row] = await inTime(() => ask(resource.table, text, values))
      return Number(row?.sum ?? 0)
    },
    drop: table => remembered.drop(table),
  }
}

/** Where several screens stand on one table, each on the rows of one value, that value stands before the state in this column. */
const PART_STATE = 'part_state'

/** The one value of another field than the state whose rows are the screen's; nothing where it has the whole table. */
function partOf({ list: { tabs, only = {} } }: Resource): string | undefined {
  const [other, ...more] = Object.entries(only).filter(([field]) => field !== tabs)
  return other && more.length === 0 && other[1]?.length === 1 ? other[1][0] : undefined
}

/** The kept counts of a table within a scope, in SQL. */
function keptRule(resource: Resource, scope: Scope, bind: (value: unknown) => string): string {
  // Whatever the table calls its carer, the counts have one column for it.
  const { scope: kind, care } = resource
  const whose = { scope: kind, ...(resource.carer === undefined ? {} : { carer: 'carer_id' }), ...(care && { care }) }
  const part = partOf(resource)
  const of =
    part === undefined
      ? ''
      : resource.list.tabs === undefined
        ? ` and k.state = ${bind(part)}`
        : ` and starts_with(k.state, ${bind(`${part} `)})`
  const table = `k.table_name = ${bind(resource.table)}${of}`
  const rule = scopeSql(whose, scope, bind, 'k')
  return rule ? `${table} and ${rule}` : table
}

const withRule = (rule: string): string => rule && `where ${rule}`

/** What the database cannot answer within its time is refused with what to do. */
export async function inTime<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELLED) throw new Refused(refuse('kit:narrow-the-filter'))
    throw error
  }
}

/** Answers kept for a while; callers of the same question share one query. */
class Remembered {
  private readonly entries = new Map<string, { table: string; until: number; value: Promise<unknown> }>()

  get<T>(table: string, key: string, lifeMs: number, ask: () => Promise<T>): Promise<T> {
    const entry = this.entries.get(key)
    if (entry && entry.until > Date.now()) return entry.value as Promise<T>
    const value = ask()
    this.entries.delete(key)
    this.entries.set(key, { table, until: Date.now() + lifeMs, value })
    // A failure is not an answer: the next caller asks again.
    value.catch(() => this.entries.delete(key))
    const oldest = this.entries.keys().next().value
    if (this.entries.size > MAX_REMEMBERED && oldest !== undefined) this.entries.delete(oldest)
    return value
  }

  drop(table: string): void {
    for (const [key, entry] of this.entries) if (entry.table === table) this.entries.delete(key)
  }
}
