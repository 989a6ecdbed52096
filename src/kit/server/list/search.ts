import { columnOf } from '#kit/model/field.ts'
import { metaOf, type Resource } from '#kit/model/resource.ts'
import { isPartOfName, readTyped } from '#kit/model/typed.ts'
import type { Declared } from '../declared.ts'

type Bind = (value: unknown) => string

/** What a person typed is text: its wildcards stand for themselves. */
export const prefix = (typed: string): string => `${typed.replace(/[\\%_]/g, character => `\\${character}`)}%`

const SPELLED = /_(pinyin|initials)$/
/** What tells people apart by what they are called: their names, and how those are spelled. */
export const isNaming = (column: string): boolean => column === 'name' || SPELLED.test(column)

/**
 * The one answer to what somebody typed: rows of which one of these columns fits, in SQL. Names are found by any part of
 * them, everything else by its beginning, each by an index.
 */
export function fitting(columns: readonly string[], typed: string, bind: Bind, alias = 't'): string {
  const text = typed.normalize('NFKC').trim()
  return anyOf(columns.flatMap(column => columnFits(column, text, bind, `${alias}.${column}`)))
}

const anyOf = (parts: readonly string[]): string => (parts.length === 0 ? 'false' : `(${parts.join(' or ')})`)

/** So long a beginning is shared by few numbers, if any. */
const LONG_NUMBER = 14
const MOST_OF_LONG = 200

/**
 * Rows of a list's own table that fit. The planner may take a number that stands at the edge of what it sampled for the
 * beginning of a hundredth of all, and walk the list to find it; so those of a long number are looked up first, in its index.
 */
export function ownFitting(table: string, columns: readonly string[], typed: string, bind: Bind): string {
  const text = typed.normalize('NFKC').trim()
  if (text.length < LONG_NUMBER || readTyped(text)?.kind !== 'number') return fitting(columns, text, bind)
  const lookedUp = (column: string) => (fits: string) =>
    `t.id = any(array(select n.id from ${table} n where ${fits} order by n.${column} using ~<~ limit ${MOST_OF_LONG}))`
  return anyOf(columns.flatMap(column => columnFits(column, text, bind, `n.${column}`).map(lookedUp(column))))
}

function columnFits(column: string, text: string, bind: Bind, sql: string): string[] {
  const begins = (beginning: string) => `${sql} like ${bind(prefix(beginning))}`
  const lower = text.toLowerCase()
  // Spelled in letters alone: what has others is no spelling.
  if (SPELLED.test(column)) return /^[a-z ]+$/.test(lower) ? [begins(lower.replaceAll(' ', ''))] : []
  if (column === 'account') return [begins(lower)]
  if (column === 'name' && isPartOfName(text)) return [contains(sql, lower, bind)]
  const upper = text.toUpperCase()
  // A number from a paper is typed in whatever case.
  return readTyped(text)?.kind === 'number' && upper !== text ? [begins(text), begins(upper)] : [begins(text)]
}

/** Rows of which one of these columns is what was typed and nothing more; a number in whatever case. */
export function matching(columns: readonly string[], typed: string, bind: Bind): string {
  const text = typed.normalize('NFKC').trim()
  const written = bind([text, text.toUpperCase()])
  return `(${columns.map(column => `t.${column} = any(${written}::text[])`).join(' or ')})`
}

/** All pairs of neighbouring signs are in the name, which the index answers, and they stand in this order. */
function contains(sql: string, lower: string, bind: Bind): string {
  const signs = [...lower]
  const pairs = [...new Set(signs.slice(1).map((sign, index) => `${signs[index]}${sign}`))]
  return `(name_pairs(${sql}) @> ${bind(pairs)}::text[] and strpos(lower(${sql}), ${bind(lower)}) > 0)`
}

/** The columns of its own that a list is searched by: those it names, and those a picker finds the record by, such as its name in pinyin. */
export function ownColumns(catalogue: Pick<Declared, 'references'>, resource: Resource): string[] {
  const named = resource.list.search.filter(field => metaOf(resource, field).kind !== 'reference').map(columnOf)
  const picked = [...catalogue.references.values()].find(({ table }) => table === resource.table)?.search ?? []
  return [...new Set([...named, ...picked])]
}
