import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type Asked, type FieldDimension, previousOf, type Statistic, treeOf } from '#kit/model/statistic.ts'
import { addDays, startOfDay } from '#kit/model/time.ts'
import type { App } from '../app.ts'
import type { Row } from '../database/database.ts'
import { inTime } from '../list/count.ts'
import { belowIn } from '../list/departments.ts'
import { readListQuery } from '../list/list-query.ts'
import { binder, scopeSql } from '../list/scope.ts'
import { dayColumn, type KeptSum, keptRows, type RollUp } from './roll-up.ts'

/**
 * Rows that are summed up. Tables have owner_id and org_id, and whoever cares for the list's records where somebody does: a sum is of
 * what its viewer has in scope. In SQL they are `t`.
 */
export type Source = {
  readonly table: string
  /** The list of these records, where it is not the statistic's own: nobody is shown sums of what he may not list. */
  readonly of?: Resource
  /** The instant that decides the period, beside which the table stores its day; by basis where they differ. */
  readonly time: string | Readonly<Record<string, string>>
  readonly where?: string
  /** Name → SQL of a sum. */
  readonly sums: Readonly<Record<string, string>>
  /** Dimension → its column, here or in a table of parts. Beside rows of a dimension it does not know, the whole stands. */
  readonly by: Readonly<Record<string, string | { readonly table: string; readonly column: string }>>
  /** Filters it knows by a column of the same name; to any other it is deaf. */
  readonly filters: readonly string[]
  /** Where these sums are kept by day, and under which name each. */
  readonly kept?: { readonly rollUps: readonly RollUp[]; readonly names: Readonly<Record<string, string>> }
}

/** A source whose sums are kept by day: cells where a roll-up knows all that is asked, else the rows, by the same words. */
export function keptSource<const S extends Readonly<Record<string, string>>>(
  rollUps: readonly (RollUp & { readonly sums: Readonly<Record<S[keyof S], KeptSum>> })[],
  { sums: names, ...declared }: Pick<Source, 'of' | 'by' | 'filters'> & { readonly sums: S },
): Source & { readonly sums: { readonly [N in keyof S]: string } } {
  const [{ table, sums }] = rollUps as readonly [RollUp]
  const instants = new Set(Object.values(names).map(name => sums[name]?.at))
  const [time] = instants
  if (instants.size !== 1 || time === undefined)
    throw new Error(`${table}: the sums of one source count by one instant`)
  const inRows = Object.entries(names).map(([own, name]) => [own, `sum(${sums[name]?.of})`])
  return {
    ...declared,
    table,
    time,
    sums: Object.fromEntries(inRows) as { [N in keyof S]: string },
    kept: { rollUps, names },
  }
}

/** One of the things sums are asked by. */
type Bind = (value: unknown) => string
type Key = {
  readonly column?: string
  readonly table?: string | undefined
  /** What else is read for it. */
  join?(bind: Bind): string
  sql(day: string, bind: Bind): string
}

/** Asks the database for sums; the same question, which bases may share, is asked once. */
export class SumReader {
  private readonly app: App
  private readonly statistic: Statistic
  private readonly actor: Actor
  private readonly asked: Asked
  private readonly known = new Map<string, Promise<Row[]>>()

  constructor(app: App, statistic: Statistic, actor: Actor, asked: Asked) {
    this.app = app
    this.statistic = statistic
    this.actor = actor
    this.asked = asked
  }

  /** Whether the viewer may list what a source sums up; what nobody may list is no zero, it is not told. */
  mayList = ({ of = this.statistic.of }: Pick<Source, 'of'>): boolean => can(this.actor, of.screen.key, 'list')

  /** Of the period (`key` true) and of the one before. */
  periods(source: Source, basis: string): Promise<Row[]> {
    const key: Key = { sql: (day, bind) => `${day} >= ${bind(this.asked.from)}::date` }
    return this.read(source, basis, [key], previousOf(this.asked).from)
  }

  /** By the dimension that is asked for; nothing when the source does not know it. */
  rows(source: Source, basis: string): Promise<Row[]> | undefined {
    const key = this.keyOf(source, this.asked.dimension)
    return key && this.read(source, basis, [key], this.asked.from)
  }

  /** By both dimensions that are asked for; who declares a statistic sees to it that every source knows them. */
  crossed(source: Source, basis: string): Promise<Row[]> {
    return this.by(source, basis, [this.asked.dimension, this.asked.across ?? ''])
  }

  /** By the dimension across alone: what counts at every level of a tree adds up to too much. */
  columns(source: Source, basis: string): Promise<Row[]> {
    return this.by(source, basis, [this.asked.across ?? ''])
  }

  private by(source: Source, basis: string, dimensions: readonly string[]): Promise<Row[]> {
    const keys = dimensions.map(dimension => this.keyOf(source, dimension)).filter(key => key !== undefined)
    return this.read(source, basis, keys, this.asked.from)
  }

  private keyOf(source: Source, dimension: string): Key | undefined {
    const declared = this.statistic.dimensions[dimension]
    if (declared === 'time')
      return { sql: day => `to_char(date_trunc('${this.asked.interval}', ${day}), 'YYYY-MM-DD')` }
    const by = source.by[dimension]
    if (!declared || by === undefined) return undefined
    const { table, column } = typeof by === 'string' ? { table: undefined, column: by } : by
    const tree = treeOf(this.statistic, dimension)
    if (tree === undefined) return { table, column, sql: () => valueSql(`t.${column}`, declared) }
    const asked = this.asked.filters[declared.field]
    return { table, column, join: bind => aboveSql(tree, column, asked, bind), sql: () => 'above.top::text' }
  }

  private read(source: Source, basis: string, keys: readonly Key[], from: string): Promise<Row[]> {
    const { bind, values } = binder()
    const { screen, of } = this.statistic
    const conditions = readListQuery(of, mutable(this.asked.filters)).conditions.filter(({ field }) =>
      source.filters.includes(field),
    )
    // Within what the person may count and what the person may list, also what is only in the person's care: a number leads to its rows.
    const listed = source.of ?? of
    const scopes = [screen.key, listed.screen.key].map(page =>
      scopeSql({ ...listed, scope: 'owned' }, scopeOf(this.actor, page), bind),
    )
    const columns = conditions.map(({ field }) => columnOf(field))
    const place = placeOf(source, keys, columns) ?? rowsOf(source, basis, keys)
    const where = [
      ...place.within(bind, from, this.asked.to),
      ...scopes,
      ...conditions.map(condition => condition.sql(bind)),
    ].filter(part => part !== '')
    const asked = keys.map((key, nth) => `${key.sql(place.day, bind)} as ${nth === 0 ? 'key' : 'across'}`)
    const sums = Object.entries(place.sums).map(([name, sql]) => `${sql} as "${name}"`)
    const group = keys.map((_, nth) => nth + 1).join(', ')
    const joins = keys.map(key => key.join?.(bind) ?? '').join('')
    const text = `select ${[...asked, ...sums].join(', ')} from ${place.from} t${joins} where ${where.join(' and ')} group by ${group}${havingAny(source)}`
    const name = JSON.stringify([text, values])
    const known = this.known.get(name) ?? inTime(() => this.app.db.read.planned(text, values))
    this.known.set(name, known)
    return known

    /** Cells of what is there but adds up to nothing tell no more than rows that are not there. */
    function havingAny({ kept }: Source): string {
      return kept
        ? ` having ${Object.values(place.sums)
            .map(sql => `${sql} <> 0`)
            .join(' or ')}`
        : ''
    }
  }
}

/** Where sums are read: in SQL, what from, within which days, and the day itself. */
type Place = {
  readonly from: string
  readonly day: string
  readonly sums: Readonly<Record<string, string>>
  within(bind: Bind, from: string, to: string): string[]
}

/** The first roll-up that has every column asked for; they are declared the shortest first. One of parts is read by its parts alone: what has several counts several times there. */
function placeOf({ kept }: Source, keys: readonly Key[], filters: readonly string[]): Place | undefined {
  const columns = [...keys.flatMap(({ column }) => column ?? []), ...filters]
  const isOfParts = keys.some(({ table }) => table !== undefined)
  const rollUp = kept?.rollUps.find(
    ({ by, parts }) => (parts !== undefined) === isOfParts && columns.every(column => column in by),
  )
  if (!kept || !rollUp) return undefined
  const names = Object.entries(kept.names)
  return {
    from: keptRows(rollUp, [...new Set(['day', 'org_id', 'owner_id', ...columns, ...names.map(([, name]) => name)])]),
    day: 't.day',
    sums: Object.fromEntries(names.map(([own, name]) => [own, `sum(t.${name})`])),
    within: (bind, from, to) => [`t.day >= ${bind(from)}::date`, `t.day <= ${bind(to)}::date`],
  }
}

function rowsOf(source: Source, basis: string, keys: readonly Key[]): Place {
  const at = typeof source.time === 'string' ? source.time : (source.time[basis] as string)
  return {
    from: keys.find(({ table }) => table !== undefined)?.table ?? source.table,
    day: `t.${dayColumn(at)}`,
    sums: source.sums,
    // By the instant, which has an index.
    within: (bind, from, to) => [
      `t.${at} >= ${bind(startOfDay(from))}`,
      `t.${at} < ${bind(startOfDay(addDays(to, 1)))}`,
      source.where ?? '',
    ],
  }
}

/** Each record of a tree with all it counts for: itself and those above it, as far as they are asked for. */
function aboveSql(tree: string, column: string, asked: readonly string[] | undefined, bind: Bind): string {
  const within = asked ? ` where top.id = any(array(${belowIn(tree)}(${bind(asked)}::bigint[])))` : ''
  const pairs = `select below.id, top.id as top from ${tree} below join ${tree} top on starts_with(below.path, top.path)`
  return ` left join (${pairs}${within}) above on above.id = t.${column}`
}

const mutable = (filters: Asked['filters']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, [...values]]))

// Names and ends of bands come from the declaration.
const valueSql = (column: string, { bands }: FieldDimension): string =>
  bands === undefined
    ? `${column}::text`
    : `case ${Object.entries(bands)
        .map(
          ([name, [from, to]]) =>
            `when ${column} >= ${from}${to === null ? '' : ` and ${column} <= ${to}`} then '${name}'`,
        )
        .join(' ')} end`
