import * as z from 'zod'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import { Refused } from '#kit/model/refusal.ts'
import { metaOf } from '#kit/model/resource.ts'
import {
  type Asked,
  askedQuery,
  type Bucket,
  bucketsOf,
  INTERVALS,
  previousOf,
  readAsked,
  type Statistic,
  type StatisticAnswer,
  type StatisticRow,
  type Totals,
  type Values,
  whyNotPeriod,
} from '#kit/model/statistic.ts'
import { addDays, dayOf, startOfDay, ZONE } from '#kit/model/time.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { record } from '../change/audit.ts'
import { dictionaryEntries } from '../choice/dictionary.ts'
import type { Row } from '../database/database.ts'
import { requireReference } from '../declared.ts'
import { type Routes, route } from '../http/route.ts'
import { readListQuery } from '../list/list-query.ts'
import { binder, scopeSql } from '../list/scope.ts'
import { labelColumns, readLabel } from '../list/select.ts'
import { statisticSheet } from './sheet.ts'

/** Rows that are summed up. Tables have owner_id and org_id: a sum is of what its viewer has in scope. In SQL they are `t`. */
export type Source = {
  readonly table: string
  /** Basis → column of the instant that decides the period. */
  readonly time: Readonly<Record<string, string>>
  readonly where?: string
  /** Name → SQL of a sum. */
  readonly sums: Readonly<Record<string, string>>
  /** Dimension → its column, here or in a table of parts. Beside rows of a dimension it does not know, the whole stands. */
  readonly by: Readonly<Record<string, string | { readonly table: string; readonly column: string }>>
  /** Filters it knows by a column of the same name; to any other it is deaf. */
  readonly filters: readonly string[]
}

/** What the sources gave for one row; nothing where a source has no rows for it. */
type Sums<S extends Readonly<Record<string, Source>>> = {
  readonly [N in keyof S]: { readonly [K in keyof S[N]['sums']]: number | null }
}

export type Counting<S extends Readonly<Record<string, Source>>> = {
  readonly sources: S
  /** The measures of one row, out of its sums. */
  values(sums: Sums<S>): Values
}

/** The calls of a statistic: the numbers, and the table as a sheet. Scope, filters, periods and dimensions are put into SQL here. */
export const serveStatistic =
  <const S extends Readonly<Record<string, Source>>>(statistic: Statistic, counting: Counting<S>): Routes =>
  app => {
    const { name, key } = statistic.screen
    const query = () => askedQuery(statistic)
    const count = (call: Call, given: z.infer<ReturnType<typeof query>>) =>
      compute(app, statistic, counting as unknown as Counting<Record<string, Source>>, call, given)
    return [
      route({
        method: 'GET',
        path: `/${name}`,
        texts: name,
        access: { page: key, action: 'list' },
        query,
        answer: () => answerSchema(statistic),
        summary: 'The numbers of a period, those of the period before, and their rows by one dimension.',
        handle: (call, { query: given }) => count(call, given),
      }),
      route({
        method: 'GET',
        path: `/${name}/download`,
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
  return z.strictObject({
    ...range,
    interval: z.enum(INTERVALS),
    dimension: z.string(),
    basis: z.string(),
    filters: z.record(z.string(), z.array(z.string())),
    asOf: z.iso.datetime(),
    previous: z.strictObject(range),
    totals: byBasis(z.strictObject({ now: values, before: values })),
    rows: z.array(z.strictObject({ key: z.string().nullable(), label: z.string(), ...range, values: byBasis(values) })),
  })
}

async function compute(
  app: App,
  statistic: Statistic,
  counting: Counting<Record<string, Source>>,
  call: Call,
  given: Row,
): Promise<StatisticAnswer> {
  const asked = readAsked(statistic, given as never, dayOf(call.now))
  const refusal = whyNotPeriod(asked)
  if (refusal) throw new Refused(refusal, 'parameter')
  const buckets = bucketsOf(asked)
  const reader = new SumReader(app, statistic, call.actor as Actor, asked)
  const bases = Object.keys(statistic.bases)
  const totals = await Promise.all(bases.map(basis => totalsOf(reader, counting, basis)))
  const byKey = await Promise.all(
    bases.map((basis, index) => rowsOf(reader, counting, basis, (totals[index] as Summed).sums)),
  )
  return {
    ...asked,
    asOf: call.now.toISOString(),
    previous: previousOf(asked),
    totals: Object.fromEntries(bases.map((basis, index) => [basis, (totals[index] as Summed).totals])),
    rows: await labelled(
      app,
      statistic,
      asked,
      buckets,
      call.language,
      (key: string | null) => Object.fromEntries(bases.map((basis, index) => [basis, (byKey[index] as Rows).of(key)])),
      new Set(byKey.flatMap(({ keys }) => keys)),
    ),
  }
}

type Summed = { readonly totals: Totals; readonly sums: Readonly<Record<string, Row>> }

async function totalsOf(reader: SumReader, counting: Counting<Record<string, Source>>, basis: string): Promise<Summed> {
  const names = Object.keys(counting.sources)
  const found = await Promise.all(names.map(name => reader.periods(counting.sources[name] as Source, basis)))
  const of = (isNow: boolean) =>
    Object.fromEntries(names.map((name, index) => [name, found[index]?.find(row => row.key === isNow) ?? {}]))
  return {
    totals: { now: valuesOf(counting, of(true)), before: valuesOf(counting, of(false)) },
    sums: of(true),
  }
}

type Rows = { readonly keys: readonly (string | null)[]; of(key: string | null): Values }

async function rowsOf(
  reader: SumReader,
  counting: Counting<Record<string, Source>>,
  basis: string,
  whole: Readonly<Record<string, Row>>,
): Promise<Rows> {
  const found = await Promise.all(
    Object.entries(counting.sources).map(async ([name, source]) => {
      const rows = await reader.rows(source, basis)
      return { name, rows: rows && new Map(rows.map(row => [row.key as string | null, row])) }
    }),
  )
  return {
    keys: found.flatMap(({ rows }) => [...(rows?.keys() ?? [])]),
    of: key =>
      valuesOf(
        counting,
        Object.fromEntries(found.map(({ name, rows }) => [name, (rows ? rows.get(key) : whole[name]) ?? {}])),
      ),
  }
}

/** Sums come as text from the database; what is not there is nothing, not zero. */
function valuesOf({ sources, values }: Counting<Record<string, Source>>, given: Readonly<Record<string, Row>>): Values {
  const sums = Object.entries(sources).map(([name, source]) => [
    name,
    Object.fromEntries(
      Object.keys(source.sums).map(sum => {
        const value = given[name]?.[sum]
        return [sum, value == null ? null : Number(value)]
      }),
    ),
  ])
  return values(Object.fromEntries(sums))
}

/** Asks the database for sums; the same question, which bases may share, is asked once. */
class SumReader {
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

  /** Of the period (`key` true) and of the one before. */
  periods(source: Source, basis: string): Promise<Row[]> {
    const { bind, values } = binder()
    const time = `t.${source.time[basis]}`
    const key = `${time} >= ${bind(startOfDay(this.asked.from))}`
    return this.read(source, { bind, values, time, key, table: source.table, from: previousOf(this.asked).from })
  }

  /** By the dimension that is asked for; nothing when the source does not know it. */
  rows(source: Source, basis: string): Promise<Row[]> | undefined {
    const { dimension, from } = this.asked
    const declared = this.statistic.dimensions[dimension]
    const { bind, values } = binder()
    const time = `t.${source.time[basis]}`
    if (declared === 'time') {
      const unit = this.asked.interval
      const key = `to_char(date_trunc('${unit}', ${time} at time zone '${ZONE}'), 'YYYY-MM-DD')`
      return this.read(source, { bind, values, time, key, table: source.table, from })
    }
    const by = source.by[dimension]
    if (!declared || by === undefined) return undefined
    const { table, column } = typeof by === 'string' ? { table: source.table, column: by } : by
    const key = declared.bands ? bandSql(`t.${column}`, declared.bands) : `t.${column}::text`
    return this.read(source, { bind, values, time, key, table, from })
  }

  private read(source: Source, wanted: Wanted): Promise<Row[]> {
    const { bind, values, time, key, table, from } = wanted
    const { of, screen } = this.statistic
    const conditions = readListQuery(of, mutable(this.asked.filters)).conditions.filter(({ field }) =>
      source.filters.includes(field),
    )
    // Within what the person may count and what the person may list: a number leads to its rows.
    const scopes = [screen.key, of.screen.key].map(page =>
      scopeSql({ scope: 'owned' }, scopeOf(this.actor, page), bind),
    )
    const where = [
      `${time} >= ${bind(startOfDay(from))}`,
      `${time} < ${bind(startOfDay(addDays(this.asked.to, 1)))}`,
      source.where ?? '',
      ...scopes,
      ...conditions.map(condition => condition.sql(bind)),
    ].filter(part => part !== '')
    const sums = Object.entries(source.sums).map(([name, sql]) => `${sql} as "${name}"`)
    const text = `select ${key} as key, ${sums.join(', ')} from ${table} t where ${where.join(' and ')} group by 1`
    const name = JSON.stringify([text, values])
    const known = this.known.get(name) ?? this.app.db.read.planned(text, values)
    this.known.set(name, known)
    return known
  }
}

type Wanted = {
  bind(value: unknown): string
  values: unknown[]
  time: string
  key: string
  table: string
  from: string
}

const mutable = (filters: Asked['filters']): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, [...values]]))

// Names and ends of bands come from the declaration.
const bandSql = (column: string, bands: Readonly<Record<string, readonly [number, number | null]>>): string =>
  `case ${Object.entries(bands)
    .map(
      ([name, [from, to]]) => `when ${column} >= ${from}${to === null ? '' : ` and ${column} <= ${to}`} then '${name}'`,
    )
    .join(' ')} end`

/** Stretches of time and bands stand in their order, also empty ones; anything else by the first measure, the most first. */
async function labelled(
  app: App,
  statistic: Statistic,
  asked: Asked,
  buckets: readonly Bucket[],
  language: Language,
  values: (key: string | null) => StatisticRow['values'],
  keys: ReadonlySet<string | null>,
): Promise<StatisticRow[]> {
  const dimension = statistic.dimensions[asked.dimension]
  if (dimension === 'time' || dimension === undefined)
    return buckets.map(bucket => ({ ...bucket, label: bucketLabel(bucket, asked), values: values(bucket.key) }))
  const shown = dimension.bands ? Object.keys(dimension.bands) : [...keys]
  const labels = dimension.bands
    ? new Map(shown.map(key => [key, app.texts.text(language, statistic.screen.name, `${asked.dimension}.${key}`)]))
    : await labelsOf(
        app,
        statistic,
        dimension.field,
        shown.filter(key => key !== null),
        language,
      )
  const none = app.texts.text(language, 'kit', 'nothing-here')
  const rows = shown.map(key => ({
    key,
    label: key === null ? none : (labels.get(key) ?? key),
    from: asked.from,
    to: asked.to,
    values: values(key),
  }))
  const first = Object.keys(statistic.measures)[0] as string
  const size = (row: StatisticRow) => row.values[asked.basis]?.[first] ?? 0
  return dimension.bands ? rows : rows.sort((a, b) => size(b) - size(a) || (a.label < b.label ? -1 : 1))
}

const bucketLabel = ({ key, from, to }: Bucket, { interval }: Asked): string =>
  interval === 'day' ? key : interval === 'month' ? key.slice(0, 7) : `${from} – ${to.slice(5)}`

async function labelsOf(
  app: App,
  { of }: Statistic,
  field: string,
  keys: readonly string[],
  language: Language,
): Promise<ReadonlyMap<string, string>> {
  const meta = metaOf(of, field)
  if (meta.kind === 'choice')
    return new Map(keys.map(key => [key, app.texts.text(language, of.screen.name, `${field}.${key}`)]))
  if (meta.kind === 'dictionary')
    return new Map((await dictionaryEntries(app, [meta.code], language)).map(({ v, k }) => [v, k]))
  if (meta.kind !== 'reference') return new Map()
  const reference = requireReference(app.catalogue, meta.to)
  const columns = labelColumns(reference, 't').map(([part, sql]) => `${sql} as "id:${part}"`)
  const rows = await app.db.read.rows(
    `select t.id, ${columns.join(', ')} from ${reference.table} t where t.id = any($1::bigint[])`,
    [keys],
  )
  return new Map(rows.map(row => [String(row.id), readLabel(reference, row, 'id').name]))
}
