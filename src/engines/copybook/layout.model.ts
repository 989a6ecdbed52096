import { EM_OF_CELL, type Point } from '#engines/stroke/glyph.model.ts'
import { cellLines } from './cells.model.ts'
import { type Code, type Drawn, figureOf, type Mark, PAPER, type Page } from './drawing.model.ts'
import { footMarks, headMarks, type SheetWords } from './head.model.ts'
import { type Letters, textMarks } from './letters.model.ts'
import { COLOURS, EDGE } from './look.model.ts'
import { CELL_MM, DOT, isHan, isMark, type SheetOrder, verseLines } from './order.model.ts'
import { stripHeight, stripMarks } from './strip.model.ts'

type SheetParts = {
  readonly order: SheetOrder
  readonly words: SheetWords
  /** What each character that is practised looks like. */
  readonly drawn: ReadonlyMap<string, Drawn>
  /** How the characters of the name are read, one for each. */
  readonly readings: readonly string[]
  readonly letters: Letters
  readonly code: Code | undefined
}

type Cell = { readonly character: string; readonly colour: string }
type Row = readonly (Cell | undefined)[]
/** What is kept together on one page, with its height and how it is drawn from there on. */
type Block = { readonly height: number; readonly marks: (top: number) => readonly Mark[] }

const GAP = 3.2
const BOTTOM = PAPER.height - 14
/** Where the first block of a page begins that has no head. */
const TOP = 14

/** The pages of a copybook: head, a block for each character of the name, the verse, and rows of the whole name to the end. */
export function layOut(parts: SheetParts): Page[] {
  const head = headMarks(parts, leftOf(cellOf(parts)))
  const pages: Mark[][] = [[...head.marks]]
  let y = head.height
  for (const { height, marks } of [...nameBlocks(parts), ...verseBlocks(parts)]) {
    if (y + height > BOTTOM) {
      pages.push([])
      y = TOP
    }
    pages.at(-1)?.push(...marks(y))
    y += height + GAP
  }
  pages.at(-1)?.push(...nameRows(parts, y))
  return pages.map((page, at) => [...page, ...footMarks(parts.words, parts.letters, at + 1, pages.length)])
}

const cellOf = ({ order }: SheetParts): number => CELL_MM[order.age]
/** Cells side by side; what is left over stands on both sides. */
export const columnsOf = (cell: number): number => Math.floor((PAPER.width - 2 * EDGE) / cell)
const leftOf = (cell: number): number => (PAPER.width - columnsOf(cell) * cell) / 2

/** Reading and order of strokes above a row with the model, what is traced, getting paler, and what is left to write. */
function nameBlocks(parts: SheetParts): Block[] {
  const { order, drawn, readings, letters, words } = parts
  const cell = cellOf(parts)
  const [columns, left] = [columnsOf(cell), leftOf(cell)]
  const told = new Set<string>()
  return [...order.name].flatMap((character, at) => {
    const shape = drawn.get(character)
    if (!isHan(character) || !shape || told.has(character)) return []
    told.add(character)
    const strip = { shape, reading: readings[at] ?? '', letters, words, left, grid: order.grid }
    const above = stripHeight(shape, left)
    const first: Row = filled(columns, [
      { character, colour: COLOURS.model },
      ...tracing(Math.ceil(columns / 2) - 1).map(colour => ({ character, colour })),
    ])
    const next: Row = filled(columns, [{ character, colour: COLOURS.traced[1] }])
    const rows = Array.from({ length: order.lines }, (_, row) => (row === 0 ? first : next))
    const marks = (top: number) => [
      ...stripMarks(strip, top),
      ...rows.flatMap((row, i) => rowMarks(parts, row, top + above + i * cell)),
    ]
    return [{ height: above + rows.length * cell, marks }]
  })
}

const filled = (columns: number, cells: Row): Row => Array.from({ length: columns }, (_, at) => cells[at])

/** Paler from cell to cell: what the hand no longer needs goes last. */
const tracing = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const step = Math.floor((at * COLOURS.traced.length) / count)
    return COLOURS.traced[step] as string
  })

/** Each line of a verse to be traced, and an empty one below to be written. */
function verseBlocks(parts: SheetParts): Block[] {
  const cell = cellOf(parts)
  const columns = columnsOf(cell)
  return verseLines(parts.order.verse).flatMap(line =>
    rowsOfVerse(line, columns).map(part => {
      const row = filled(
        columns,
        part.map(character => ({ character, colour: COLOURS.traced[0] })),
      )
      const marks = (top: number) => [...rowMarks(parts, row, top), ...rowMarks(parts, filled(columns, []), top + cell)]
      return { height: 2 * cell, marks }
    }),
  )
}

/** Phrases side by side while they fit whole; one that is longer than a row goes on in the next. */
function rowsOfVerse(line: string, columns: number): string[][] {
  const phrases = (line.match(PHRASE) ?? []).map(phrase => [...phrase])
  const rows: string[][] = []
  for (const phrase of phrases) {
    const last = rows.at(-1)
    if (last && last.length + phrase.length <= columns) last.push(...phrase)
    else rows.push(...chunks(phrase, columns))
  }
  return rows
}
/** Up to the marks that end it, or to the end. */
const PHRASE = /[^，。！？、；：]+[，。！？、；：》”]*|[，。！？、；：》”]+/gu

const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** The whole name down to the end of the page: once as it is to be, then traced, with room to write it beside. */
function nameRows(parts: SheetParts, from: number): Mark[] {
  const cell = cellOf(parts)
  const columns = columnsOf(cell)
  const parted = chunks([...parts.order.name], columns)
  const marks: Mark[] = []
  for (let [top, at] = [from, 0]; top + parted.length * cell <= BOTTOM; top += parted.length * cell, at += 1)
    for (const [i, part] of parted.entries()) {
      const colour = at === 0 ? COLOURS.model : COLOURS.traced[1]
      const row = filled(
        columns,
        part.map(character => ({ character, colour })),
      )
      marks.push(...rowMarks(parts, row, top + i * cell))
    }
  return marks
}

function rowMarks(parts: SheetParts, row: Row, top: number): Mark[] {
  const cell = cellOf(parts)
  const left = leftOf(cell)
  const corners = row.map((_, at): Point => [left + at * cell, top])
  const inked = row.flatMap((entry, at) =>
    entry ? inCell(parts, entry, [left + (at + 0.5) * cell, top + cell / 2]) : [],
  )
  return [...cellLines(parts.order.grid, corners, cell), ...inked]
}

/** The dot between the parts of a name. */
const ROUND = figureOf([
  Array.from(
    { length: 24 },
    (_, at): Point => [0.05 * Math.cos((at * Math.PI) / 12), 0.05 * Math.sin((at * Math.PI) / 12)],
  ),
])

function inCell({ drawn, letters, order }: SheetParts, { character, colour }: Cell, at: Point): Mark[] {
  const cell = CELL_MM[order.age]
  if (character === DOT) return [{ kind: 'figures', figures: [ROUND], at, em: cell, colour }]
  if (isMark(character)) return textMarks(letters, character, { at, size: cell * 0.6, colour, align: 'middle' })
  const shape = drawn.get(character)
  return shape ? [{ kind: 'figures', figures: shape.figures, at, em: cell * EM_OF_CELL, colour }] : []
}
