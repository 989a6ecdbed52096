import * as z from 'zod'
import type { Screen } from './area.ts'
import { formatCount, formatYuan } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'
import { metaOf, type Resource, type Shape } from './resource.ts'
import { addDays, isDay, isInNoCalendar } from './time.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Filters of a list, as they stand in its address. */
export type Filters = Readonly<Record<string, readonly string[]>>

/** Money is in fen, a rate is a share of one, hours may have parts. */
export type MeasureKind = 'count' | 'money' | 'rate' | 'hours'
export type Measure = {
  readonly kind: MeasureKind
  /** Whether more of it is good news. */
  readonly good: 'more' | 'less' | 'neither'
  /** Which rows of the list the number is made of, besides those of the period. */
  readonly rows?: Filters
  /** The list, where it is another than the statistic's own. */
  readonly of?: Resource
  /** The instant of the list's record that decides the period, where it is not that of the basis. */
  readonly at?: string
  /** What its list calls a field that is counted by, where it is called otherwise there; or the one value all its records have. */
  readonly called?: Readonly<Record<string, string | { readonly is: string }>>
  /** Measures it is reckoned from, where no one list holds its rows: theirs are offered. */
  readonly madeOf?: readonly string[]
  /** A step that is told nowhere else. */
  readonly only?: 'funnel'
}

/** A field of the list whose values make the rows; bands are ranges of a number, both ends included. */
export type FieldDimension = {
  readonly field: string
  readonly bands?: Readonly<Record<string, readonly [from: number, to: number | null]>>
  /** The text that says what has no value in it, where "none" says too little. */
  readonly none?: string
}
export type Dimension = 'time' | FieldDimension

export type Statistic = {
  readonly screen: Screen & { readonly key: string }
  /** The records behind the numbers: a click opens their list, and nobody is shown numbers of what he may not list there. */
  readonly of: Resource
  readonly measures: Readonly<Record<string, Measure>>
  readonly dimensions: Readonly<Record<string, Dimension>>
  /** Name → the instant of the list's record that decides which period it belongs to. */
  readonly bases: Readonly<Record<string, string>>
  readonly filters: readonly string[]
  /** Dimensions a table may have across, beside those it has down: their sums add up over both. */
  readonly across?: readonly string[]
  /** Measures of one course, each a part of the one before. */
  readonly funnel?: readonly string[]
  readonly actions: readonly ['list', 'export']
}

type Declared<S extends Shape> = Omit<Statistic, 'screen' | 'of' | 'bases' | 'filters' | 'actions'> & {
  screen: Screen
  of: Resource<S>
  bases: Readonly<Record<string, Extract<keyof S, string>>>
  filters: readonly Extract<keyof S, string>[]
}

/** Declares what a screen counts; calls, page, definitions, drill-down and export are derived from it. */
export function defineStatistic<S extends Shape>({ screen, of, ...declared }: Declared<S>): Statistic {
  const { key } = screen
  if (key === null) throw new Error(`${screen.name}: a statistic needs a screen with a permission key`)
  for (const [name, { rows, madeOf }] of Object.entries(declared.measures))
    if ((rows === undefined) === (madeOf === undefined))
      throw new Error(`${screen.name}: ${name} opens rows of its own, or those of what it is made of`)
  return { ...declared, screen: { ...screen, key }, of, actions: ['list', 'export'] }
}

/** What is asked: the first dimension and basis unless told, the last thirty days, in steps that give a readable line. */
export type Asked = {
  readonly from: string
  readonly to: string
  readonly interval: Interval
  readonly dimension: string
  /** The dimension of the columns, where there are any. */
  readonly across?: string | undefined
  readonly basis: string
  readonly filters: Filters
}

const oneOf = (names: Readonly<Record<string, unknown>>) => z.enum(Object.keys(names) as [string, ...string[]])

export const askedQuery = (statistic: Statistic) =>
  z.strictObject({
    // Judged as a period (`whyNotPeriod`), which says what to do.
    from: z.string().optional(),
    to: z.string().optional(),
    interval: z.enum(INTERVALS).optional(),
    dimension: oneOf(statistic.dimensions).optional(),
    basis: oneOf(statistic.bases).optional(),
    ...(statistic.across && { across: z.enum(statistic.across).optional() }),
    ...Object.fromEntries(
      statistic.filters.map(field => [
        field,
        z.union([z.string().max(100), z.array(z.string().max(100)).max(100)]).optional(),
      ]),
    ),
  })

const DEFAULT_DAYS = 30

export function readAsked(
  statistic: Statistic,
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
  today: string,
): Asked {
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined)
  const to = text('to') ?? today
  // An address may say anything: what is no day is left for `whyNotPeriod` to refuse.
  const from = text('from') ?? (isStatisticDay(to) ? addDays(to, 1 - DEFAULT_DAYS) : to)
  const filters = statistic.filters.flatMap((field): [string, readonly string[]][] => {
    const value = given[field]
    return value === undefined ? [] : [[field, typeof value === 'string' ? [value] : value]]
  })
  const dimension = text('dimension') ?? (Object.keys(statistic.dimensions)[0] as string)
  // By the same thing twice is by it once.
  const across = text('across') === dimension ? undefined : text('across')
  return {
    from,
    to,
    interval: (text('interval') as Interval | undefined) ?? intervalFor(from, to),
    dimension,
    ...(across !== undefined && { across }),
    basis: text('basis') ?? (Object.keys(statistic.bases)[0] as string),
    filters: Object.fromEntries(filters),
  }
}

const FIRST = '2000-01-01'
const LAST = '2100-12-31'
/** Three years, and no more points than a line can show. */
const MAX_DAYS = 1_100
export const MAX_BUCKETS = 400

/** A day that may be asked for. */
const isStatisticDay = (day: string): boolean => isDay(day, FIRST, LAST)

/** Why these numbers cannot be had, with what to ask for instead; nothing when they can. */
export function whyNotPeriod(asked: Pick<Asked, 'from' | 'to' | 'interval'>): Refusal | undefined {
  const none = [asked.from, asked.to].find(isInNoCalendar)
  if (none !== undefined) return refuse('kit:period-no-day', { day: none })
  if (!isStatisticDay(asked.from) || !isStatisticDay(asked.to))
    return refuse('kit:period-outside', { first: FIRST, last: LAST })
  const days = daysOf(asked)
  if (days < 1) return refuse('kit:period-turned-round')
  if (days > MAX_DAYS) return refuse('kit:period-too-long', { max: MAX_DAYS })
  if (asked.interval === 'day' && days > MAX_BUCKETS) return refuse('kit:statistic-too-fine')
}

const DAY_MS = 86_400_000
/** How many days a range has, both ends counted. */
export const daysOf = ({ from, to }: Pick<Asked, 'from' | 'to'>): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

const intervalFor = (from: string, to: string): Interval => {
  const days = daysOf({ from, to })
  return days <= 62 ? 'day' : days <= 200 ? 'week' : 'month'
}

/** As many days, right before: what a period is compared with. */
export const previousOf = (range: Pick<Asked, 'from' | 'to'>): { from: string; to: string } => ({
  from: addDays(range.from, -daysOf(range)),
  to: addDays(range.from, -1),
})

/** A stretch of the range: `key` is the day its week or month begins, which may lie before the range does. */
export type Bucket = { readonly key: string; readonly from: string; readonly to: string }

export function bucketsOf({ from, to, interval }: Pick<Asked, 'from' | 'to' | 'interval'>): Bucket[] {
  const buckets: Bucket[] = []
  for (let day = from; day <= to; ) {
    if (buckets.length === MAX_BUCKETS) throw new RangeError(`more than ${MAX_BUCKETS} ${interval}s`)
    const last = endOf(day, interval)
    buckets.push({ key: beginningOf(day, interval), from: day, to: last < to ? last : to })
    day = addDays(last, 1)
  }
  return buckets
}

/** Weeks begin on Monday. */
function beginningOf(day: string, interval: Interval): string {
  if (interval === 'day') return day
  if (interval === 'month') return `${day.slice(0, 8)}01`
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
}

function endOf(day: string, interval: Interval): string {
  if (interval === 'day') return day
  if (interval === 'week') return addDays(beginningOf(day, 'week'), 6)
  return addDays(beginningOf(addDays(beginningOf(day, 'month'), 31), 'month'), -1)
}

export type StatisticRow = {
  /** Nothing for what has no value in this dimension, an order nobody sold say. */
  readonly key: string | null
  readonly label: string
  /** How deep it stands below others, where the dimension is a tree: it counts with all below it. */
  readonly level?: number | undefined
  readonly from: string
  readonly to: string
  /** By basis, then by measure. */
  readonly values: Readonly<Record<string, Values>>
  /** By the chosen basis, one for each column. */
  readonly cells: readonly Values[]
}
/** A value of the dimension across, with what all rows have of it. */
export type StatisticColumn = {
  readonly key: string | null
  readonly label: string
  /** All values that have no column of their own. */
  readonly isRest: boolean
  readonly values: Values
}
export type Values = Readonly<Record<string, number | null>>
export type Totals = { readonly now: Values; readonly before: Values }
export type StatisticAnswer = Asked & {
  readonly asOf: string
  readonly previous: { readonly from: string; readonly to: string }
  readonly totals: Readonly<Record<string, Totals>>
  readonly columns: readonly StatisticColumn[]
  readonly rows: readonly StatisticRow[]
}

/** What stands on cards and in tables. */
export const measuresOf = ({ measures }: Statistic): [string, Measure][] =>
  Object.entries(measures).filter(([, { only }]) => only === undefined)

export const funnelOf = ({ funnel = [] }: Statistic): readonly string[] => funnel

/** Where the numbers are answered: a list that is the screen's own has the screen's name. */
export const numbersAt = ({ screen, of }: Pick<Statistic, 'screen' | 'of'>): string =>
  of.screen.name === screen.name ? `${screen.name}/numbers` : screen.name

/** The table of the tree whose records a dimension is by: each counts with all below it, as a filter by it means those too. */
export function treeOf({ dimensions, of }: Pick<Statistic, 'dimensions' | 'of'>, name: string): string | undefined {
  const dimension = dimensions[name]
  if (dimension === undefined || dimension === 'time') return undefined
  const meta = metaOf(of, dimension.field)
  return meta.kind === 'reference' ? meta.treeOf : undefined
}

/** The list a measure's rows stand in. */
export const listOf = (statistic: Statistic, measure: string): Resource =>
  statistic.measures[measure]?.of ?? statistic.of

/** The filters under which the list shows what a number counts; nothing where no list can show exactly that. */
export function rowsBehind(
  statistic: Statistic,
  asked: Pick<Asked, 'from' | 'to' | 'dimension' | 'across' | 'basis' | 'filters'>,
  measure: string,
  row?: Pick<StatisticRow, 'key' | 'from' | 'to'>,
  column?: Pick<StatisticColumn, 'key' | 'isRest'>,
): Filters | undefined {
  const { rows, at = statistic.bases[asked.basis], called = {} } = statistic.measures[measure] ?? {}
  if (!rows) return undefined
  const { from, to } = row ?? asked
  const parts: (Filters | undefined)[] = [
    asked.filters,
    row ? valueFilter(statistic.dimensions[asked.dimension], row.key) : {},
    column ? (column.isRest ? undefined : valueFilter(statistic.dimensions[asked.across ?? ''], column.key)) : {},
  ].map(part => part && asCalled(part, called))
  if (parts.includes(undefined)) return undefined
  return Object.assign({}, parts[0], rows, { [`${at}Begin`]: [from], [`${at}End`]: [to] }, parts[1], parts[2])
}

/** By the names of another list; nothing where it has no such records. */
function asCalled(filters: Filters, called: NonNullable<Measure['called']>): Filters | undefined {
  const named: Record<string, readonly string[]> = {}
  for (const [field, values] of Object.entries(filters)) {
    const name = called[field] ?? field
    if (typeof name === 'string') named[name] = values
    else if (!values.includes(name.is)) return undefined
  }
  return named
}

function valueFilter(dimension: Dimension | undefined, key: string | null): Filters | undefined {
  if (!dimension || dimension === 'time') return {}
  // A list is filtered by what is there; that something is missing cannot be asked.
  if (key === null) return undefined
  const { field, bands } = dimension
  if (!bands) return { [field]: [key] }
  const [least, most] = bands[key] ?? []
  return { [`${field}Begin`]: [String(least)], ...(most == null ? {} : { [`${field}End`]: [String(most)] }) }
}

/** A part of a whole; nothing when there is no whole. */
export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** Against the period before: in percent, for rates in percentage points; nothing without anything to compare with. */
export function changeOf(kind: MeasureKind, { now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null) return null
  if (kind === 'rate') return Math.round((now - before) * 1_000) / 10
  return before === 0 ? null : Math.round(((now - before) / before) * 1_000) / 10
}

/** What stands after a number of this kind, in the head of its column or on its axis. */
export const UNITS: Readonly<Record<MeasureKind, string>> = { count: '', money: '¥', rate: '%', hours: 'h' }

/** "1,234", "1,234.50", "12.3", "26.5": the unit stands in the head. Missing is a dash, zero is 0. */
export function formatMeasure(kind: MeasureKind, value: number | null): string {
  if (value === null) return '–'
  if (kind === 'money') return formatYuan(value)
  if (kind === 'count') return formatCount(value)
  const tenths = Math.round(value * (kind === 'rate' ? 1_000 : 10))
  return `${formatCount(Math.trunc(tenths / 10))}.${Math.abs(tenths % 10)}`
}
