import * as z from 'zod'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '#kit/model/contract.ts'
import { bare, columnOf, type FieldMeta, ID } from '#kit/model/field.ts'
import { formatYuan } from '#kit/model/money.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { isTimed, metaOf, type Resource, schemaIn } from '#kit/model/resource.ts'
import { isStorable } from '#kit/model/storable.ts'
import { addDays, FIRST_DAY, isDay, isInNoCalendar, LAST_DAY, startOfDay } from '#kit/model/time.ts'
import { MAX_TYPED, readTyped } from '#kit/model/typed.ts'
import { overdueSince } from '#kit/model/waiting.ts'
import type { Call } from '../call.ts'
import { belowIn, type Departments } from './departments.ts'
import { prefix } from './search.ts'

export type Sort = { readonly field: string; readonly descending: boolean }

/** One condition: SQL is written by the engine; `bind` gives the place of a value. */
export type Condition = {
  readonly field: string
  readonly sql: (bind: (value: unknown) => string) => string
  readonly key: string
  /** Of which tree it means these records and all below them. */
  readonly branches?: { readonly tree: string; readonly of: readonly string[] }
}

export type ListQuery = {
  readonly current: number
  readonly size: number
  readonly sort: Sort
  readonly conditions: readonly Condition[]
  /** The values of the tab's field, when that is all that is asked: such totals are kept, not counted. */
  readonly tabOnly: readonly string[] | undefined
  readonly search: string | undefined
  readonly departments?: Departments | undefined
}

const MAX_CURRENT = 1_000_000
const MAX_FILTERED = 100

/** Reads a list's address: paging, sort, filters and search, each from the declaration's allow-list and nothing else. */
export function readListQuery(resource: Resource, given: Call['search'], now = new Date()): ListQuery {
  const { current, size, sort, query, nobody, overdue, department, ...filters } = given
  const conditions = [
    ...Object.entries(filters).map(([name, value]) => readFilter(resource, name, listOf(name, value), filters)),
    ...readNobody(nobody),
    ...readOverdue(resource, overdue, now),
  ]
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
    departments: readDepartment(resource, department),
  }
}

/** Named, so that a page can leave it out of its address. */
const refused = (name: string, code: string, more: Refusal['params'] = {}): Refused => {
  const refusal = refuse(code, { name, ...more })
  return new Refused(refusal, 'parameter', { fields: { [name]: refusal } })
}
export const badParameter = (name: string): Refused => refused(name, 'kit:parameter-unknown')
export const badValue = (name: string): Refused => refused(name, 'kit:parameter-invalid')
const badRange = (name: string, min: string | number, max: string | number): Refused =>
  refused(name, 'kit:parameter-outside', { min, max })

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
  if (!PAGE_SIZES.some(option => option === size))
    throw refused('size', 'kit:parameter-options', { options: PAGE_SIZES.join(', ') })
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
  if (typed.length > MAX_TYPED) throw badValue('query')
  // A phone number never stands in an address, where proxies and histories keep it: it is looked up by a call of its own.
  if (readTyped(typed)?.kind === 'phone') throw new Refused(refuse('kit:phone-in-address'), 'parameter')
  return typed
}

/** A phone number was looked for that nobody has, or of which nothing was told: nothing matches, in the list and in whatever else is asked of it. */
function readNobody(value: string | string[] | undefined): Condition[] {
  if (value === undefined) return []
  if (value !== '1' && value !== 'refused') throw badValue('nobody')
  return [{ field: 'id', key: 'nobody', sql: () => 'false' }]
}

/** Of these departments and of all below them, where the list has them at its side. */
function readDepartment({ list }: Resource, value: string | string[] | undefined): Departments | undefined {
  if (value === undefined) return undefined
  if (!list.side) throw badParameter('department')
  const of = listOf('department', value)
  if (of.length > MAX_FILTERED || !of.every(id => ID.test(id))) throw badValue('department')
  return { of }
}

/** What has been in its state for longer than the declaration gives it, as of now. */
function readOverdue(resource: Resource, value: string | string[] | undefined, now: Date): Condition[] {
  if (value === undefined) return []
  const {
    clock,
    list: { tabs },
  } = resource
  if (!clock || !isTimed(resource) || tabs === undefined) throw badParameter('overdue')
  if (value !== '1') throw badValue('overdue')
  const [state, since] = [columnOf(tabs), columnOf(clock.since)]
  const late = [
    ...Object.entries(clock.hours ?? {}).map(([name, hours]) => ({ name, is: since, at: overdueSince(now, hours) })),
    ...Object.entries(clock.until ?? {}).map(([name, until]) => ({ name, is: columnOf(until), at: now })),
  ]
  return [
    {
      field: 'id',
      key: 'overdue',
      sql: bind =>
        `(${late.map(({ name, is, at }) => `(t.${state} = ${bind(name)} and t.${is} <= ${bind(at)})`).join(' or ')})`,
    },
  ]
}

/** `{field}`, `{field}Begin`, `{field}End`: flat parameters, arrays repeated (docs/architecture.md). */
function readFilter(
  resource: Resource,
  name: string,
  values: readonly string[],
  beside: Readonly<Record<string, unknown>>,
): Condition {
  const [, stem = '', edge] = /^(.*?)(Begin|End)?$/.exec(name) ?? []
  const field = resource.list.filters.includes(name) ? name : stem
  if (!resource.list.filters.includes(field) || values.length === 0) throw badParameter(name)
  if (values.length > MAX_FILTERED) throw refused(name, 'kit:parameter-too-many', { max: MAX_FILTERED })
  const meta = metaOf(resource, field)
  if (RANGED.has(meta.kind)) {
    if (edge === undefined || field === name || values.length !== 1) throw badParameter(name)
    const [begins, value] = [edge === 'Begin', values[0] as string]
    return range(field, meta, { begins, value, isSame: beside[field + (begins ? 'End' : 'Begin')] === value })
  }
  if (field !== name) throw badParameter(name)
  return equal(resource, field, meta, values)
}

const RANGED: ReadonlySet<FieldMeta['kind']> = new Set(['instant', 'day', 'money', 'number'])

type Edge = {
  readonly begins: boolean
  readonly value: string
  /** The other edge says the same. */
  readonly isSame: boolean
}

function range(field: string, meta: FieldMeta, { begins, value, isSame }: Edge): Condition {
  const column = `t.${columnOf(field)}`
  const edge = begins ? 'Begin' : 'End'
  const key = `${field}${edge}=${value}`
  if (meta.kind === 'number' || meta.kind === 'money') {
    // Zero is asked for where a field begins at one, too; beyond its bounds a field holds nothing.
    const min = Math.min(0, meta.min)
    const shown = (bound: number) => (meta.kind === 'money' ? formatYuan(bound) : bound)
    if (!/^-?\d{1,15}$/.test(value)) throw badValue(field + edge)
    if (Number(value) < min || Number(value) > meta.max) throw badRange(field + edge, shown(min), shown(meta.max))
  } else if (isInNoCalendar(value)) throw refused(field + edge, 'kit:period-no-day', { day: value })
  else if (!isDay(value)) throw badRange(field + edge, FIRST_DAY, LAST_DAY)
  if (meta.kind === 'instant') {
    // The last day counts whole: the range ends before the day after it begins.
    const instant = startOfDay(begins ? value : addDays(value, 1)).toISOString()
    return { field, key, sql: bind => `${column} ${begins ? '>=' : '<'} ${bind(instant)}` }
  }
  // What is just so is found by an index in the list's own order; what lies between two figures is not.
  const is = isSame ? '=' : begins ? '>=' : '<='
  return { field, key, sql: bind => `${column} ${is} ${bind(value)}` }
}

function equal(resource: Resource, field: string, meta: FieldMeta, values: readonly string[]): Condition {
  const column = `t.${columnOf(field)}`
  const key = `${field}=${values.join(',')}`
  const schema = bare(schemaIn(resource, field))
  if (meta.kind === 'text' || meta.kind === 'code') {
    const most = (schema instanceof z.ZodString ? schema.maxLength : null) ?? MAX_TYPED
    if (values.length !== 1 || !values[0] || values[0].length > most) throw badValue(field)
    return { field, key, sql: bind => `${column} like ${bind(prefix(values[0] as string))}` }
  }
  // Personal data is found by a call of its own, never by a filter that stands in an address.
  if (meta.kind === 'personal') throw badParameter(field)
  if (meta.kind === 'flag') {
    if (!values.every(value => value === 'true' || value === 'false')) throw badValue(field)
    return { field, key, sql: bind => `${column} = any(${bind(values)}::boolean[])` }
  }
  if (meta.kind === 'tags' && !schema.safeParse(values.slice(0, 1)).success) throw badValue(field)
  if (meta.kind === 'tags') return { field, key, sql: bind => `${column} && ${bind(values)}::text[]` }
  if (!values.every(value => schema.safeParse(value).success)) throw badValue(field)
  if (meta.kind === 'reference' && meta.treeOf !== undefined) {
    const tree = meta.treeOf
    // As an array, looked up first: a subquery would be asked row by row.
    const sql: Condition['sql'] = bind => `${column} = any(array(${belowIn(tree)}(${bind(values)}::bigint[])))`
    return { field, key, sql, branches: { tree, of: values } }
  }
  const type = meta.kind === 'reference' || meta.kind === 'id' ? 'bigint' : 'text'
  // One value as an equality, so that an index on (field, id) gives the order too.
  return {
    field,
    key,
    sql: bind =>
      values.length === 1 ? `${column} = ${bind(values[0])}::${type}` : `${column} = any(${bind(values)}::${type}[])`,
  }
}

function scalar(name: string, value: string | string[] | undefined): string | undefined {
  if (Array.isArray(value)) throw badValue(name)
  return value
}

/** Half a sign and a zero byte stand in no text column. */

function listOf(name: string, value: string | string[] | undefined): readonly string[] {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
  if (!values.every(isStorable)) throw badValue(name)
  return values
}
