import type * as z from 'zod'
import { choicesOf, fieldMeta, isOptional } from '#kit/model/field.ts'
import { LANGUAGES } from '#kit/model/language.ts'
import { holdsNumber, mask, parsePhone } from '#kit/model/mask.ts'
import { parseYuan } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { refusalOf } from '../change/field-refusal.ts'
import { wordsOfEntries } from '../choice/dictionary.ts'
import type { Import, ImportRow, RowError } from './definition.ts'

/** Column of the file for each field. */
export type Mapping = Readonly<Record<string, number>>
export type RowReading = { readonly row: ImportRow; readonly errors?: never } | { readonly errors: readonly RowError[] }

/** Reads what stands in a cell, or says what is wrong with it. */
type CellReader = (text: string) => { readonly value: unknown } | { readonly refusal: Refusal }

/** How the cells of a file become the fields of the import, with the dictionaries of this moment. */
export async function rowReader(
  app: App,
  { screen, columns }: Import,
  mapping: Mapping,
): Promise<(no: number, cells: readonly string[]) => RowReading> {
  const dictionaries = await wordsOfDictionaries(app, columns)
  const readers = Object.entries(columns).map(([field, schema]): [string, number | undefined, CellReader] => [
    field,
    mapping[field],
    fieldReader(schema, wordsOf(app, screen.name, field, schema, dictionaries)),
  ])
  return (no, cells) => {
    const values: Record<string, unknown> = {}
    const errors: RowError[] = []
    for (const [field, column, read] of readers) {
      const cell = read(tidy(column === undefined ? '' : (cells[column] ?? '')))
      if ('refusal' in cell) errors.push({ ...cell.refusal, field })
      else values[field] = cell.value
    }
    return errors.length > 0 ? { errors } : { row: { no, values } as ImportRow }
  }
}

/** Full-width letters and digits as people mean them; most cells hold none. */
const tidy = (text: string): string => (/[^ -~]/.test(text) ? text.normalize('NFKC') : text).trim()

function fieldReader(schema: z.ZodType, words: ReadonlyMap<string, unknown>): CellReader {
  const parse = parserOf(schema, words)
  return text => {
    if (text === '') return emptyValue(schema)
    const parsed = parse(text)
    if ('refusal' in parsed) return parsed
    const result = schema.safeParse(parsed.value, { reportInput: true })
    if (result.success) return { value: result.data }
    const [issue] = result.error.issues
    return { refusal: issue ? refusalOf(issue, fieldMeta(schema)) : refuse('kit:field-invalid') }
  }
}

function emptyValue(schema: z.ZodType): ReturnType<CellReader> {
  if (isOptional(schema)) return { value: null }
  const result = schema.safeParse('')
  return result.success ? { value: result.data } : { refusal: refuse('kit:field-missing') }
}

const INVALID = { refusal: refuse('kit:field-invalid') }
/** "1.38E+10": a spreadsheet that took a number people copy for one people count with, and forgot its last digits. */
const SHORTENED = /^\d(\.\d+)?e\+?\d+$/i

function parserOf(schema: z.ZodType, words: ReadonlyMap<string, unknown>): CellReader {
  const meta = fieldMeta(schema)
  const known = <T>(value: T | undefined) => (value === undefined ? INVALID : { value })
  switch (meta.kind) {
    case 'number':
      return text => (/^-?\d{1,15}$/.test(text) ? { value: Number(text) } : INVALID)
    case 'money':
      return text => known(parseYuan(text.replace(/^¥/, '')))
    case 'day':
      return text => known(parseDay(text))
    case 'flag':
    case 'choice':
    case 'dictionary':
      return text => {
        const value = words.get(text.toLowerCase())
        return value === undefined ? { refusal: refuse('kit/server/import:word-unknown', { word: text }) } : { value }
      }
    case 'personal':
      if (meta.personal === 'phone')
        return text => unlessShortened(text, typed => parsePhone(typed), 'kit:phone-invalid')
      return value => ({ value })
    case 'code':
      return text => unlessShortened(text, typed => typed, '')
    default:
      return value => ({ value })
  }
}

function unlessShortened(text: string, parse: (text: string) => string | undefined, code: string) {
  if (SHORTENED.test(text)) return { refusal: refuse('kit/server/import:number-shortened') }
  const value = parse(text)
  return value === undefined ? { refusal: refuse(code) } : { value }
}

/** "2026-3-1", "2026/03/01", "2026年3月1日", also with a midnight behind it, as spreadsheets write days. */
function parseDay(text: string): string | undefined {
  const [, year, month = '', day = ''] =
    /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?: 0{1,2}:00(?::00)?)?$/.exec(text) ?? []
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

type Dictionaries = ReadonlyMap<string, readonly { readonly v: string; readonly words: readonly string[] }[]>

async function wordsOfDictionaries(app: App, columns: Import['columns']): Promise<Dictionaries> {
  const metas = Object.values(columns).map(fieldMeta)
  const codes = metas.flatMap(meta => (meta.kind === 'dictionary' ? [meta.code] : []))
  const entries = (await wordsOfEntries(app, codes)).filter(({ enabled }) => enabled)
  return Map.groupBy(entries, ({ code }) => code)
}

/** What people write for each value, in lower case: its stored form, and what it is called in any of the languages. */
function wordsOf(
  app: App,
  namespace: string,
  field: string,
  schema: z.ZodType,
  dictionaries: Dictionaries,
): ReadonlyMap<string, unknown> {
  const meta = fieldMeta(schema)
  const words = new Map<string, unknown>()
  const add = (word: string, value: unknown) => words.set(word.normalize('NFKC').trim().toLowerCase(), value)
  if (meta.kind === 'flag') {
    for (const language of LANGUAGES) {
      add(app.texts.text(language, 'kit/server/file', 'yes'), true)
      add(app.texts.text(language, 'kit/server/file', 'no'), false)
    }
    for (const [yes, no] of [
      ['true', 'false'],
      ['1', '0'],
    ] as const) {
      add(yes, true)
      add(no, false)
    }
  }
  for (const value of choicesOf(schema)) {
    add(value, value)
    for (const language of LANGUAGES) add(app.texts.text(language, namespace, `${field}.${value}`), value)
  }
  if (meta.kind === 'dictionary') {
    // The last word counts: what an entry is called in one language may be what another is stored as.
    const entries = dictionaries.get(meta.code) ?? []
    for (const { v, words: called } of entries) for (const word of called) add(word, v)
    for (const { v } of entries) add(v, v)
  }
  return words
}

/** A head as people vary it: without stars, spaces and brackets around it. */
const bareHead = (head: string): string =>
  head
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Which column is which field: as this person had it last time, else by what the field is called in any language. */
export function guessMapping(
  app: App,
  { screen, columns }: Import,
  head: readonly string[],
  remembered: Readonly<Record<string, string>>,
): Mapping {
  const heads = head.map(bareHead)
  const mapping: Record<string, number> = {}
  const taken = new Set<number>()
  for (const field of Object.keys(columns)) {
    const names = [
      ...(remembered[field] === undefined ? [] : [remembered[field]]),
      ...LANGUAGES.map(language => app.texts.text(language, screen.name, `field.${field}`)),
      field,
    ].map(bareHead)
    const column = names.map(name => heads.findIndex((bare, at) => bare === name && !taken.has(at))).find(at => at >= 0)
    if (column === undefined) continue
    mapping[field] = column
    taken.add(column)
  }
  return mapping
}

/** Enough of a cell to tell what its column holds: what leads to a person is masked there as everywhere. */
export function inSample(cell: string): string {
  const shown = inRow(cell)
  if (shown !== cell) return shown
  return holdsNumber(cell) ? '***' : /^[^@\s]+@[^@\s]+$/.test(cell) ? mask('email', cell) : cell
}

/** A cell beside what is wrong with its row: the number of the row tells whoever has the file which number it was. */
export function inRow(cell: string): string {
  const phone = parsePhone(cell)
  return phone ? mask('phone', phone) : cell
}
