import type { Readable } from 'node:stream'
import type { Actor } from '#kit/model/actor.ts'
import { choicesOf, type FieldMeta } from '#kit/model/field.ts'
import type { Language } from '#kit/model/language.ts'
import { formatShare } from '#kit/model/money.ts'
import { type Label, metaOf, type Resource, schemaIn } from '#kit/model/resource.ts'
import { addDays, formatInstant } from '#kit/model/time.ts'
import type { App } from '../app.ts'
import { dictionaryEntries } from '../choice/dictionary.ts'
import type { ReadRow } from '../list/select.ts'
import { type Cell, type Column, writeWorkbook } from './workbook.ts'

/** How a list looks on paper: the columns of the list in its order, each value as people see it. */
export type Sheet = { readonly title: string; readonly columns: Column[]; cells(row: ReadRow): Cell[] }

type Reader = (value: unknown, row: ReadRow) => Cell

const YUAN = '#,##0.00'
const WIDTHS: Partial<Record<FieldMeta['kind'], number>> = {
  money: 14,
  instant: 20,
  day: 12,
  reference: 26,
  code: 22,
  flag: 8,
}
const DEFAULT_WIDTH = 18

export async function sheetOf(app: App, resource: Resource, language: Language): Promise<Sheet> {
  const { name } = resource.screen
  const dictionaries = await dictionaryLabels(app, resource, language)
  const columns = resource.list.columns.map((field): Column => {
    const { kind } = metaOf(resource, field)
    const header = app.texts.text(language, name, `field.${field}`)
    return { header, width: WIDTHS[kind] ?? DEFAULT_WIDTH, ...(kind === 'money' ? { format: YUAN } : {}) }
  })
  const readers = resource.list.columns.map((field): [string, Reader] => [
    field,
    readerOf(app, resource, field, language, dictionaries),
  ])
  const inWords = app.namings.get(name)
  return {
    title: app.texts.text(language, name, 'title'),
    columns,
    cells(row) {
      const words = inWords?.(row, language) ?? {}
      return readers.map(([field, read]) => {
        const said = words[field]
        return said === undefined ? (row[field] == null ? null : read(row[field], row)) : harmless(said)
      })
    },
  }
}

/** Code → value → label, in the language of the sheet. */
async function dictionaryLabels(
  app: App,
  resource: Resource,
  language: Language,
): Promise<Map<string, Map<string, string>>> {
  const metas = resource.list.columns.map(field => metaOf(resource, field))
  const codes = metas.flatMap(meta => (meta.kind === 'dictionary' || meta.kind === 'tags' ? [meta.code] : []))
  const labels = new Map(codes.map(code => [code, new Map<string, string>()]))
  for (const { code, v, k } of await dictionaryEntries(app, codes, language)) labels.get(code)?.set(v, k)
  return labels
}

function readerOf(
  app: App,
  resource: Resource,
  field: string,
  language: Language,
  dictionaries: Map<string, Map<string, string>>,
): Reader {
  const meta = metaOf(resource, field)
  const said = (key: string) => app.texts.text(language, resource.screen.name, key)
  switch (meta.kind) {
    case 'money':
      // Whole fen divided by 100 is the double nearest to the two decimals people read.
      return value => Number(value) / 100
    case 'number':
      return meta.isShare ? value => formatShare(Number(value)) : Number
    case 'version':
      return value => Number(value)
    case 'flag': {
      const [yes, no] = ['yes', 'no'].map(key => app.texts.text(language, 'kit/server/file', key))
      return value => (value === true ? yes : no) as string
    }
    case 'instant':
      return value => shownInstant(String(value))
    case 'choice': {
      const labels = new Map(choicesOf(schemaIn(resource, field)).map(value => [value, said(`${field}.${value}`)]))
      return value => harmless(labels.get(String(value)) ?? String(value))
    }
    case 'dictionary': {
      const labels = dictionaries.get(meta.code)
      return value => harmless(labels?.get(String(value)) ?? String(value))
    }
    case 'tags': {
      const labels = dictionaries.get(meta.code)
      return value => harmless((value as string[]).map(tag => labels?.get(tag) ?? tag).join(', '))
    }
    case 'lines':
      return value => harmless((value as Line[]).map(lineText).join(', '))
    case 'reference':
      return (value, row) => harmless(labelText(row.labels[field]) ?? String(value))
    case 'files':
      return value => (Array.isArray(value) ? value.length : 0)
    default:
      return value => harmless(String(value))
  }
}

type Line = { readonly name?: string; readonly title?: string; readonly quantity?: number }

/** Lines say what they are by a name, and mostly how many. */
const lineText = ({ name, title, quantity }: Line): string =>
  `${name ?? title ?? ''}${quantity === undefined ? '' : ` × ${quantity}`}`

const SHOWN_HOURS = 8
let known = { day: '', next: '' }

/** `formatInstant` for the text the database gives ("2026-11-15T06:03:09.5Z"): a sheet holds hundreds of thousands. */
export function shownInstant(text: string): string {
  const day = text.slice(0, 10)
  const hour = Number(text.slice(11, 13)) + SHOWN_HOURS
  if (hour < 24) return `${day} ${hour < 10 ? '0' : ''}${hour}${text.slice(13, 19)}`
  if (known.day !== day) known = { day, next: addDays(day, 1) }
  return `${known.next} ${hour < 34 ? '0' : ''}${hour - 24}${text.slice(13, 19)}`
}

const labelText = (label: Label | undefined): string | undefined =>
  label && (label.note ? `${label.name} (${label.note})` : label.name)

const FORMULA = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\0]/

/** Text that reads back as it is: `_x003D_` is how xlsx writes "=", so typed text of that form is escaped. */
export const literal = (text: string): string =>
  text.replace(/[\uFFFE\uFFFF]/g, '').replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')

/**
 * Text that stays text wherever the sheet is carried: cells are strings and never formulas here, but a sheet saved as CSV
 * and opened again would run what begins like one.
 */
export function harmless(text: string): string {
  const plain = literal(text)
  return FORMULA.test(plain) ? `'${plain}` : plain
}

/** Who took the data out and when, readable by whoever is handed the sheet. */
export const watermarkOf = (app: App, language: Language, actor: Actor, at: Date, requestId: string): string =>
  harmless(
    app.texts.text(language, 'kit/server/file', 'watermark', {
      name: actor.name,
      account: actor.account,
      at: formatInstant(at),
      request: requestId,
    }),
  )

/** The workbook as bytes, made as they are read: nothing but the rows at hand is in memory. The watermark is the last row. */
export function workbookOf(sheet: Sheet, batches: AsyncIterable<readonly ReadRow[]>, watermark: string): Readable {
  async function* lines(): AsyncGenerator<Cell[]> {
    for await (const rows of batches) for (const row of rows) yield sheet.cells(row)
    yield [watermark]
  }
  return writeWorkbook(sheet.title, sheet.columns, lines())
}

/** "订单列表-20261115-140309" */
export const exportTitle = (title: string, at: Date): string =>
  `${title}-${formatInstant(at).replace(/[-:]/g, '').replace(' ', '-')}`
