import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import { Refused } from '#kit/model/refusal.ts'
import {
  type Asked,
  askedQuery,
  bucketsOf,
  INTERVALS,
  numbersAt,
  previousOf,
  readAsked,
  type Statistic,
  type StatisticAnswer,
  type StatisticColumn,
  type Totals,
  treeOf,
  type Values,
  whyNotPeriod,
} from '#kit/model/statistic.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import type { Row } from '../database/database.ts'
import { type Routes, route } from '../http/route.ts'
import { bucketLabel, labelsOf } from './labels.ts'
import { statisticSheet } from './sheet.ts'
import { type Source, SumReader } from './sum-reader.ts'
import { inTreeOrder } from './tree-order.ts'

type Sources = Readonly<Record<string, Source>>

/** What the sources gave for one row; nothing where a source has no rows for it. */
type Sums<S extends Sources> = {
  readonly [N in keyof S]: { readonly [K in keyof S[N]['sums']]: number | null }
}

export type Counting<S extends Sources> = {
  readonly sources: S
  /** The measures of one row, out of its sums. */
  values(sums: Sums<S>): Values
}

/** Gives `values` the types of what the sources sum up. */
export const defineCounting = <const S extends Sources>(counting: Counting<S>): Counting<S> => counting

/** The calls of a statistic: the numbers, and the table as a sheet. Scope, filters, periods and dimensions are put into SQL here. */
export const serveStatistic =
  <const S extends Sources>(statistic: Statistic, counting: Counting<S>): Routes =>
  app => {
    requireAdding(statistic, counting)
    const { name, key } = statistic.screen
    const query = () => askedQuery(statistic)
    const count = (call: Call, given: z.infer<ReturnType<typeof query>>) =>
      readStatistic(app, statistic, counting, call, given)
    return [
      route({
        method: 'GET',
        path: `/${numbersAt(statistic)}`,
        texts: name,
        access: { page: key, action: 'list' },
        query,
        answer: () => answerSchema(statistic),
        summary: 'The numbers of a period, those of the period before, and their rows by one dimension.',
        handle: (call, { query: given }) => count(call, given),
      }),
      route({
        method: 'GET',
        path: `/${numbersAt(statistic)}/download`,
        texts: name,
        access: { page: key, action: 'export' },
        query,
        answer: 'file',
        summary: 'The table of the statistic as xlsx.',
        async handle(call, { query: given }) {
          const answer = await count(call, given)
          const diff = { rows: [null, answer.rows.length], filter: [null, call.search] } as const
          await record(app.db.query, call, { page: key, action: 'export', diff })
          return statisticSheet(app, statistic, call, answer)
        },
      }),
    ]
  }

function answerSchema(statistic: Statistic) {
  const byBasis = <T extends z.ZodType>(schema: T) =>
    z.strictObject(Object.fromEntries(Object.keys(statistic.bases).map(basis => [basis, schema])))
  const values = z.strictObject(
    Object.fromEntries(Object.keys(statistic.measures).map(measure => [measure, z.number().nullable()])),
  )
  const range = { from: z.iso.date(), to: z.iso.date() }
  const named = { key: z.string().nullable(), label: z.string() }
  return z.strictObject({
    ...range,
    interval: z.enum(INTERVALS),
    dimension: z.string(),
    across: z.string().optional(),
    basis: z.string(),
    filters: z.record(z.string(), z.array(z.string())),
    asOf: z.iso.datetime(),
    previous: z.strictObject(range),
    totals: byBasis(z.strictObject({ now: values, before: values })),
    columns: z.array(z.strictObject({ ...named, isRest: z.boolean(), values })),
    rows: z.array(
      z.strictObject({
        ...named,
        level: z.int().optional(),
        ...range,
        values: byBasis(values),
        cells: z.array(values),
      }),
    ),
  })
}

/** What is shown across must add up: distinct things, medians and branches of a tree do not, and a source that does not know a dimension has no cells. */
function requireAdding(statistic: Statistic, { sources }: Counting<Sources>): void {
  const { screen, across = [], dimensions } = statistic
  const branching = across.find(name => treeOf(statistic, name) !== undefined)
  if (branching) throw new Error(`${screen.name}: what is by ${branching} counts at every level, and stands down alone`)
  for (const [name, { sums, by }] of across.length > 0 ? Object.entries(sources) : []) {
    const odd = Object.entries(sums).find(([, sql]) => !/^(sum|count)\((?!distinct)/.test(sql))
    if (odd) throw new Error(`${screen.name}: ${odd[0]} of ${name} does not add up over two dimensions`)
    const unknown = Object.keys(dimensions).find(dimension => dimensions[dimension] !== 'time' && !(dimension in by))
    if (unknown) throw new Error(`${screen.name}: ${name} does not know ${unknown}`)
  }
}

type Asking = { readonly reader: SumReader; readonly statistic: Statistic; readonly counting: Counting<Sources> }

/** The numbers somebody may see. */
export async function readStatistic<S extends Sources>(
  app: App,
  statistic: Statistic,
  given: Counting<S>,
  call: Pick<Call, 'actor' | 'now' | 'language'>,
  query: Row,
): Promise<StatisticAnswer> {
  const asked = readAsked(statistic, query as never, dayOf(call.now))
  const refusal = whyNotPeriod(asked)
  if (refusal) throw new Refused(refusal, 'parameter')
  const reader = new SumReader(app, statistic, call.actor as Actor, asked)
  const asking: Asking = { reader, statistic, counting: given as Counting<Sources> }
  const bases = Object.keys(statistic.bases)
  const totals = await Promise.all(bases.map(basis => totalsOf(asking, basis)))
  const [byKey, crossed] = await Promise.all([
    Promise.all(bases.map((basis, index) => rowsOf(asking, basis, (totals[index] as Summed).sums))),
    asked.across === undefined ? undefined : crossOf(asking, asked),
  ])
  const columns = crossed?.columns ?? []
  const columnLabel = await labelsOf(
    app,
    statistic,
    asked.across ?? '',
    columns.map(({ key }) => key),
    call.language,
  )
  const rest = app.texts.text(call.language, 'kit', 'others')
  const values = (key: string | null) =>
    Object.fromEntries(bases.map((basis, index) => [basis, (byKey[index] as Rows).of(key)]))
  const rows = await namedRows(app, statistic, asked, call, [...new Set(byKey.flatMap(({ keys }) => keys))])
  const first = Object.keys(statistic.measures)[0] as string
  const shown = rows.map(row => ({ ...row, values: values(row.key), cells: crossed?.cellsOf(row.key) ?? [] }))
  const size = (row: (typeof shown)[number]) => row.values[asked.basis]?.[first] ?? 0
  return {
    ...asked,
    asOf: call.now.toISOString(),
    previous: previousOf(asked),
    totals: Object.fromEntries(bases.map((basis, index) => [basis, (totals[index] as Summed).totals])),
    columns: columns.map(column => ({ ...column, label: column.isRest ? rest : columnLabel(column.key) })),
    rows: isOrdered(statistic, asked) ? shown : shown.sort((a, b) => size(b) - size(a) || (a.label < b.label ? -1 : 1)),
  }
}

type Summed = { readonly totals: Totals; readonly sums: Readonly<Record<string, Row>> }

async function totalsOf(asking: Asking, basis: string): Promise<Summed> {
  const { sources } = asking.counting
  const names = Object.keys(sources)
  const found = await Promise.all(names.map(name => asking.reader.periods(sources[name] as Source, basis)))
  const of = (isNow: boolean) =>
    Object.fromEntries(names.map((name, index) => [name, found[index]?.find(row => row.key === isNow) ?? {}]))
  return { totals: { now: valuesOf(asking, of(true)), before: valuesOf(asking, of(false)) }, sums: of(true) }
}

type Rows = { readonly keys: readonly (string | null)[]; of(key: string | null): Values }

async function rowsOf(asking: Asking, basis: string, whole: Readonly<Record<string, Row>>): Promise<Rows> {
  const found = await Promise.all(
    Object.entries(asking.counting.sources).map(async ([name, source]) => {
      const rows = await asking.reader.rows(source, basis)
      return { name, rows: rows && new Map(rows.map(row => [row.key as string | null, row])) }
    }),
  )
  return {
    keys: found.flatMap(({ rows }) => [...(rows?.keys() ?? [])]),
    of: key =>
      valuesOf(
        asking,
        Object.fromEntries(found.map(({ name, rows }) => [name, (rows ? rows.get(key) : whole[name]) ?? {}])),
      ),
  }
}

/** So many columns people can tell apart; what is in none of them is the last one. */
const MAX_COLUMNS = 5

type Cell = { readonly name: string; readonly row: Row }
type Crossed = {
  readonly columns: readonly Omit<StatisticColumn, 'label'>[]
  cellsOf(key: string | null): Values[]
}

/** Sums by two dimensions: added up before anything is reckoned from them, so that rates of the rest and of the sums are right too. */
async function crossOf(asking: Asking, { basis, dimension }: Asked): Promise<Crossed> {
  const { reader, statistic } = asking
  const { sources } = asking.counting
  const read = async (ask: (source: Source) => Promise<Row[]>): Promise<Cell[]> => {
    const found = Object.entries(sources).map(async ([name, source]) => (await ask(source)).map(row => ({ name, row })))
    return (await Promise.all(found)).flat()
  }
  const cells = await read(source => reader.crossed(source, basis))
  const wholes =
    treeOf(statistic, dimension) === undefined
      ? cells
      : (await read(source => reader.columns(source, basis))).map(({ name, row }) => ({
          name,
          row: { ...row, across: row.key },
        }))
  const added = (some: readonly Cell[], isWanted: (row: Row) => boolean): Values => {
    const sums: Record<string, Record<string, number>> = {}
    for (const { name, row } of some.filter(cell => isWanted(cell.row))) {
      const sum = sums[name] ?? {}
      sums[name] = sum
      for (const each of Object.keys(sources[name]?.sums ?? {}))
        if (row[each] != null) sum[each] = (sum[each] ?? 0) + Number(row[each])
    }
    return valuesOf(asking, sums)
  }
  const first = Object.keys(statistic.measures)[0] as string
  const keys = [...new Set(wholes.map(({ row }) => row.across as string | null))]
  const ranked = keys
    .map(key => ({ key, isRest: false, values: added(wholes, row => row.across === key) }))
    .sort((a, b) => (b.values[first] ?? 0) - (a.values[first] ?? 0) || String(a.key).localeCompare(String(b.key)))
  const [shown, left] = [ranked.slice(0, MAX_COLUMNS), new Set(ranked.slice(MAX_COLUMNS).map(({ key }) => key))]
  const isLeft = (row: Row) => left.has(row.across as string | null)
  const byRow = Map.groupBy(cells, ({ row }) => row.key as string | null)
  return {
    columns: [...shown, ...(left.size > 0 ? [{ key: null, isRest: true, values: added(wholes, isLeft) }] : [])],
    cellsOf(key) {
      const own = byRow.get(key) ?? []
      return [
        ...shown.map(column => added(own, row => row.across === column.key)),
        ...(left.size > 0 ? [added(own, isLeft)] : []),
      ]
    },
  }
}

/** Sums come as text from the database; what is not there is nothing, not zero, and what the viewer may not list is not told. */
function valuesOf({ reader, statistic, counting }: Asking, given: Readonly<Record<string, Row>>): Values {
  const sums = Object.entries(counting.sources).map(([name, source]) => [
    name,
    Object.fromEntries(
      Object.keys(source.sums).map(sum => {
        const value = given[name]?.[sum]
        return [sum, value == null ? null : Number(value)]
      }),
    ),
  ])
  const isTold = (name: string): boolean => {
    const measure = statistic.measures[name]
    return measure?.madeOf ? measure.madeOf.every(isTold) : reader.mayList(measure ?? {})
  }
  const values = Object.entries(counting.values(Object.fromEntries(sums)))
  return Object.fromEntries(values.map(([name, value]) => [name, isTold(name) ? value : null]))
}

/** Stretches of time and bands stand in their order, also empty ones, and a tree in its own; anything else by the first measure, the most first. */
const isOrdered = (statistic: Statistic, { dimension }: Asked): boolean => {
  const declared = statistic.dimensions[dimension]
  if (declared === undefined || declared === 'time') return true
  return declared.bands !== undefined || treeOf(statistic, dimension) !== undefined
}

async function namedRows(
  app: App,
  statistic: Statistic,
  asked: Asked,
  { language }: Pick<Call, 'language'>,
  found: readonly (string | null)[],
) {
  const dimension = statistic.dimensions[asked.dimension]
  if (dimension === undefined || dimension === 'time')
    return bucketsOf(asked).map(bucket => ({ ...bucket, label: bucketLabel(bucket, asked) }))
  const tree = treeOf(statistic, asked.dimension)
  const keys: readonly Named[] = dimension.bands
    ? Object.keys(dimension.bands).map(key => ({ key }))
    : tree === undefined
      ? found.map(key => ({ key }))
      : await inTreeOrder(app.db, tree, found)
  const label = await labelsOf(
    app,
    statistic,
    asked.dimension,
    keys.map(({ key }) => key),
    language,
  )
  return keys.map(named => ({ ...named, label: label(named.key), from: asked.from, to: asked.to }))
}

type Named = { readonly key: string | null; readonly level?: number }
