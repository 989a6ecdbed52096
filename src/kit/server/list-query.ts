import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#kit/model/contract.ts'
import { bare, columnOf, type FieldMeta } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { addDays, startOfDay } from '#kit/model/time.ts'
import type { Call } from './route.ts'

export type Sort = { readonly field: string; readonly descending: boolean }

/** One condition: SQL is written by the engine; `bind` gives the place of a value. */
export type Condition = {
  readonly field: string
  readonly sql: (bind: (value: unknown) => string) => string
  readonly key: string
}

export type ListQuery = {
  readonly current: number
  readonly size: number
  readonly sort: Sort
  readonly conditions: readonly Condition[]
  /** The values of the tab's field, when that is all that is asked: such totals are kept, not counted. */
  readonly tabOnly: readonly string[] | undefined
  readonly search: string | undefined
}

const MAX_CURRENT = 1_000_000
const MAX_SEARCH = 100

/** Reads a list's address: paging, sort, filters and search, each from the declaration's allow-list and nothing else. */
export function readListQuery(resource: Resource, given: Call['search']): ListQuery {
  const { current, size, sort, query, ...filters } = given
  const conditions = Object.entries(filters).map(([name, value]) => readFilter(resource, name, listOf(name, value)))
  const tab = resource.list.tabs
  const search = readSearch(resource, scalar('query', query))
  const tabbed = tab !== undefined && conditions.every(({ field }) => field === tab)
  return {
    current: readNumber('current', current, 1, MAX_CURRENT, 1),
    size: readSize(size),
    sort: readSort(resource, scalar('sort', sort)) ?? usualSort(resource, conditions),
    conditions,
    tabOnly:
      search === undefined && (conditions.length === 0 || tabbed)
        ? listOf('', tab ? filters[tab] : undefined)
        : undefined,
    search,
  }
}

export const badParameter = (name: string): Refused =>
  new Refused(refuse('kit:parameter-unknown', { name }), 'parameter')
const badValue = (name: string): Refused => new Refused(refuse('kit:parameter-invalid', { name }), 'parameter')

function readNumber(
  name: string,
  value: string | string[] | undefined,
  min: number,
  max: number,
  fallback: number,
): number {
  if (value === undefined) return fallback
  if (typeof value !== 'string' || !/^\d{1,7}$/.test(value)) throw badValue(name)
  const number = Number(value)
  if (number < min || number > max) throw badValue(name)
  return number
}

function readSize(value: string | string[] | undefined): number {
  const size = readNumber('size', value, 1, 100, DEFAULT_PAGE_SIZE)
  if (!PAGE_SIZES.some(option => option === size)) throw badValue('size')
  return size
}

/** The list's own order; where days were asked for, the newest by those: an index on them finds the page without reading what is newer. */
function usualSort(resource: Resource, conditions: readonly Condition[]): Sort {
  const dated = conditions.find(({ field }) => ['instant', 'day'].includes(metaOf(resource, field).kind))
  if (dated) return { field: dated.field, descending: true }
  return readSort(resource, resource.list.usual) ?? { field: 'id', descending: true }
}

function readSort(resource: Resource, value: string | undefined): Sort | undefined {
  if (value === undefined) return undefined
  const match = /^([A-Za-z]{1,40}):(asc|desc)$/.exec(value)
  const [, field = '', direction] = match ?? []
  if (field !== 'id' && !resource.list.sort.includes(field)) throw badValue('sort')
  return { field, descending: direction === 'desc' }
}

function readSearch(resource: Resource, value: string | undefined): string | undefined {
  const typed = value?.trim().normalize('NFKC')
  if (!typed) return undefined
  if (resource.list.search.length === 0) throw badParameter('query')
  if (typed.length > MAX_SEARCH) throw badValue('query')
  // A phone number never stands in an address, where proxies and histories keep it: it is looked up by a call of its own.
  if (parsePhone(typed)) throw new Refused(refuse('kit:phone-in-address'), 'parameter')
  return typed
}

/** `{field}`, `{field}Begin`, `{field}End`: flat parameters, arrays repeated (docs/architecture.md). */
function readFilter(resource: Resource, name: string, values: readonly string[]): Condition {
  const [, stem = '', edge] = /^(.*?)(Begin|End)?$/.exec(name) ?? []
  const field = resource.list.filters.includes(name) ? name : stem
  if (!resource.list.filters.includes(field) || values.length === 0 || values.length > 100) throw badParameter(name)
  const meta = metaOf(resource, field)
  if (RANGED.has(meta.kind)) {
    if (edge === undefined || field === name || values.length !== 1) throw badParameter(name)
    return range(field, meta, edge as 'Begin' | 'End', values[0] as string)
  }
  if (field !== name) throw badParameter(name)
  return equal(resource, field, meta, values)
}

const RANGED: ReadonlySet<FieldMeta['kind']> = new Set(['instant', 'day', 'money', 'number'])

function range(field: string, meta: FieldMeta, edge: 'Begin' | 'End', value: string): Condition {
  const column = `t.${columnOf(field)}`
  const begins = edge === 'Begin'
  const key = `${field}${edge}=${value}`
  if (meta.kind === 'instant') {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value))) throw badValue(field + edge)
    // The last day counts whole: the range ends before the day after it begins.
    const instant = startOfDay(begins ? value : addDays(value, 1)).toISOString()
    return { field, key, sql: bind => `${column} ${begins ? '>=' : '<'} ${bind(instant)}` }
  }
  const valid = meta.kind === 'day' ? /^\d{4}-\d{2}-\d{2}$/.test(value) : /^-?\d{1,15}$/.test(value)
  if (!valid) throw badValue(field + edge)
  return { field, key, sql: bind => `${column} ${begins ? '>=' : '<='} ${bind(value)}` }
}

function equal(resource: Resource, field: string, meta: FieldMeta, values: readonly string[]): Condition {
  const column = `t.${columnOf(field)}`
  const key = `${field}=${values.join(',')}`
  if (meta.kind === 'text' || meta.kind === 'code') {
    if (values.length !== 1) throw badValue(field)
    return { field, key, sql: bind => `${column} like ${bind(prefix(values[0] as string))}` }
  }
  // Personal data is found by a call of its own, never by a filter that stands in an address.
  if (meta.kind === 'personal') throw badParameter(field)
  if (meta.kind === 'flag') {
    if (!values.every(value => value === 'true' || value === 'false')) throw badValue(field)
    return { field, key, sql: bind => `${column} = any(${bind(values)}::boolean[])` }
  }
  if (meta.kind === 'tags') return { field, key, sql: bind => `${column} && ${bind(values)}::text[]` }
  const schema = bare(resource.record.shape[field] as never)
  if (!values.every(value => schema.safeParse(value).success)) throw badValue(field)
  const type = meta.kind === 'reference' || meta.kind === 'id' ? 'bigint' : 'text'
  // One value as an equality, so that an index on (field, id) gives the order too.
  return {
    field,
    key,
    sql: bind =>
      values.length === 1 ? `${column} = ${bind(values[0])}::${type}` : `${column} = any(${bind(values)}::${type}[])`,
  }
}

/** What a person typed is text: its wildcards stand for themselves. */
const prefix = (typed: string): string => `${typed.replace(/[\\%_]/g, character => `\\${character}`)}%`

/** Pinyin and accounts are stored in lower case; names as people write them. */
export const beginsWith = (column: string, typed: string, bind: (value: unknown) => string): string =>
  `${column} like ${bind(prefix(/pinyin|account/.test(column) ? typed.toLowerCase() : typed))}`

function scalar(name: string, value: string | string[] | undefined): string | undefined {
  if (Array.isArray(value)) throw badValue(name)
  return value
}

const listOf = (_name: string, value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]
