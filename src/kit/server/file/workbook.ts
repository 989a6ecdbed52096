import { Readable } from 'node:stream'
import { type ZipEntry, zipOf } from './zip.ts'

export type Cell = string | number | null
/** `format` is a number's, as spreadsheets write it: "#,##0.00". */
export type Column = { readonly header: string; readonly width: number; readonly format?: string }
export type Lines = AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const RELS_TYPE = 'application/vnd.openxmlformats-package.relationships+xml'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
/** Characters that are packed together. */
const CHUNK = 128 * 1024
/** A format of one's own has a number from here on. */
const FIRST_FORMAT = 164

/** Lines of a sheet, the heads among them; spreadsheets open no more. */
const MOST_LINES = 1_048_576
/** Of a text in a cell; a file with a longer one counts as damaged. */
const MOST_CHARACTERS = 32_767

/**
 * A workbook with its heads always in sight, as bytes that are made as the lines are read; what one sheet cannot hold goes on
 * in the next. Not by hucre, which reads what comes in: its writer makes an element of every cell (decision 093).
 */
export const writeWorkbook = (title: string, columns: readonly Column[], lines: Lines): Readable =>
  Readable.from(zipOf(partsOf(title, columns, lines), new Date()))

async function* partsOf(title: string, columns: readonly Column[], lines: Lines): AsyncGenerator<ZipEntry> {
  const formats = [...new Set(columns.flatMap(({ format }) => (format === undefined ? [] : [format])))]
  const styles = columns.map(({ format }) => (format === undefined ? 0 : formats.indexOf(format) + 1))
  const source = new Source(lines)
  const sheets: string[] = []
  try {
    do {
      sheets.push(`sheet${sheets.length + 1}.xml`)
      yield { name: `xl/worksheets/${sheets.at(-1)}`, content: sheetXml(columns, styles, source) }
    } while (!source.isOver)
  } finally {
    await source.close()
  }
  const of = (text: string) => Buffer.from(`${HEAD}${text}`)
  yield { name: 'xl/styles.xml', content: of(stylesOf(formats)) }
  const parts = [...sheets.map(name => ['worksheet', `worksheets/${name}`] as const), ['styles', 'styles.xml'] as const]
  yield { name: 'xl/_rels/workbook.xml.rels', content: of(relations(parts)) }
  yield { name: 'xl/workbook.xml', content: of(bookOf(title, sheets.length)) }
  yield { name: '_rels/.rels', content: of(relations([['officeDocument', 'xl/workbook.xml']])) }
  yield { name: '[Content_Types].xml', content: of(typesOf(sheets)) }
}

/** Lines that are read by one sheet after another. */
class Source {
  isOver = false
  readonly #lines: AsyncIterator<readonly Cell[]> | Iterator<readonly Cell[]>
  constructor(lines: Lines) {
    this.#lines = Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
  }
  async next(): Promise<readonly Cell[] | undefined> {
    const { done, value } = await this.#lines.next()
    this.isOver = done === true
    return done ? undefined : value
  }
  async close(): Promise<void> {
    if (!this.isOver) await this.#lines.return?.()
  }
}

async function* sheetXml(
  columns: readonly Column[],
  styles: readonly number[],
  source: Source,
): AsyncGenerator<string> {
  const write = lineWriter(styles)
  let text = `${HEAD}<worksheet xmlns="${MAIN}">${VIEW}<cols>${columns.map(widthOf).join('')}</cols><sheetData>`
  text += write(columns.map(({ header }) => header))
  for (let count = 1; count < MOST_LINES; count += 1) {
    const cells = await source.next()
    if (!cells) break
    text += write(cells)
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  yield `${text}</sheetData></worksheet>`
}

const VIEW =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>'

const widthOf = ({ width }: Column, at: number): string =>
  `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`

/** Writes one line after another, each with its number. */
function lineWriter(styles: readonly number[]): (cells: readonly Cell[]) => string {
  const names: string[] = []
  let row = 0
  return cells => {
    row += 1
    let text = `<row r="${row}">`
    for (const [at, cell] of cells.entries()) {
      if (cell === null) continue
      names[at] ??= columnName(at)
      const style = styles[at] ? ` s="${styles[at]}"` : ''
      text += `<c r="${names[at]}${row}"${style}`
      text +=
        typeof cell === 'number'
          ? `><v>${cell}</v></c>`
          : ` t="inlineStr"><is><t xml:space="preserve">${escaped(fitting(cell))}</t></is></c>`
    }
    return `${text}</row>`
  }
}

/** What is too long for a cell says that there was more, and ends with no half of a sign. */
const fitting = (text: string): string =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '')}…`

/** "A" … "Z", "AA" … */
function columnName(at: number): string {
  const before = at < 26 ? '' : columnName(Math.floor(at / 26) - 1)
  return before + String.fromCharCode(65 + (at % 26))
}

// What XML has no place for is written by its number, as spreadsheets do; two halves of a sign are one and stay.
const NEEDS = /[&<>]|[\ud800-\udbff][\udc00-\udfff]|[^\t\n -\ud7ff\ue000-\ufffd]/g
const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const numbered = (unit: string) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
const escaped = (text: string): string =>
  text.replace(NEEDS, sign => NAMED[sign] ?? (sign.length > 1 ? sign : numbered(sign)))

const attribute = (text: string): string => escaped(text).replaceAll('"', '&quot;')

function typesOf(sheets: readonly string[]): string {
  const parts = [
    ['workbook', 'sheet.main'],
    ['styles', 'styles'],
    ...sheets.map(name => [`worksheets/${name.slice(0, -4)}`, 'worksheet']),
  ]
  const each = parts.map(([name, type]) => `<Override PartName="/xl/${name}.xml" ContentType="${TYPE}.${type}+xml"/>`)
  return `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="${RELS_TYPE}"/><Default Extension="xml" ContentType="application/xml"/>${each.join('')}</Types>`
}

function bookOf(title: string, sheets: number): string {
  const each = Array.from({ length: sheets }, (_, at) => {
    const name = sheetName(title, at === 0 ? '' : `_${at + 1}`)
    return `<sheet name="${attribute(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`
  })
  return `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each.join('')}</sheets></workbook>`
}

function relations(parts: readonly (readonly [type: string, target: string])[]): string {
  const each = parts.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${RELATIONS}">${each.join('')}</Relationships>`
}

const PLAIN = 'fontId="0" fillId="0" borderId="0"'
function stylesOf(formats: readonly string[]): string {
  const ours = formats.map((format, at) => ({ id: FIRST_FORMAT + at, format: attribute(format) }))
  const own = ours.map(({ id, format }) => `<numFmt numFmtId="${id}" formatCode="${format}"/>`)
  const used = ours.map(({ id }) => `<xf numFmtId="${id}" ${PLAIN} xfId="0" applyNumberFormat="1"/>`)
  return [
    `<styleSheet xmlns="${MAIN}">`,
    own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : '',
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    `<cellStyleXfs count="1"><xf numFmtId="0" ${PLAIN}/></cellStyleXfs>`,
    `<cellXfs count="${1 + used.length}"><xf numFmtId="0" ${PLAIN} xfId="0"/>${used.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('')
}

// Excel's rules for the name of a sheet: 31 characters, and some of them never.
const sheetName = (title: string, ending: string): string =>
  (title.replace(/[[\]:*?/\\']/g, ' ').trim() || 'Export').slice(0, 31 - ending.length) + ending
