import type { Point } from '#engines/stroke/glyph.model.ts'
import { cellLines } from './cells.model.ts'
import { type Drawn, type Mark, PAPER } from './drawing.model.ts'
import type { SheetWords } from './head.model.ts'
import { type Letters, RISE, textMarks } from './letters.model.ts'
import { COLOURS, WIDTHS } from './look.model.ts'
import type { Grid } from './order.model.ts'

type Strip = {
  readonly shape: Drawn
  readonly reading: string
  readonly letters: Letters
  readonly words: Pick<SheetWords, 'unordered' | 'strokes'>
  readonly left: number
  readonly grid: Grid
}

/** Four lines for the reading, as it is learned; beside them small cells, one more stroke in each. */
const READING = { width: 24, height: 9, letters: 5.6 }
const NOTE = { width: 11, size: 2.7 }
/** Smaller where that keeps all strokes on one line, but never too small to be seen. */
const SMALL = { most: 9, least: 7 }
/** In a small cell a character takes more of it, to be seen. */
const EM_OF_SMALL = 0.88
const BELOW = 1.4

type Fit = { readonly size: number; readonly perLine: number }

function fitOf({ figures }: Drawn, left: number): Fit {
  const room = PAPER.width - 2 * left - READING.width - NOTE.width
  const size = Math.max(SMALL.least, Math.min(SMALL.most, room / figures.length))
  // Shares of a length do not always make it up again.
  return { size, perLine: Math.floor(room / size + 1e-6) }
}

/** How much of the page it takes, with what is left free below it. */
export function stripHeight(shape: Drawn, left: number): number {
  const { size, perLine } = fitOf(shape, left)
  const lines = shape.isOrdered ? Math.ceil(shape.figures.length / perLine) : 1
  return Math.max(READING.height, lines * size) + BELOW
}

export function stripMarks(strip: Strip, top: number): Mark[] {
  const { shape, letters, words, left, reading } = strip
  const note = shape.isOrdered ? words.strokes(shape.figures.length) : words.unordered
  const at: Point = [left + READING.width + NOTE.width / 2, top + READING.height / 2]
  return [
    ...fourLines(left, top),
    // Letters stand on the third line: what rises above them reaches the first, what hangs below them the fourth.
    ...textMarks(letters, reading, {
      at: [left + READING.width / 2, top + (READING.height * 2) / 3 - READING.letters * RISE],
      size: READING.letters,
      colour: COLOURS.words,
      align: 'middle',
    }),
    ...textMarks(letters, note, { at, size: NOTE.size, colour: COLOURS.note, align: 'middle' }),
    ...(shape.isOrdered ? orderMarks(strip, top) : []),
  ]
}

function fourLines(left: number, top: number): Mark[] {
  const line = (nth: number): readonly [Point, Point] => {
    const y = top + (nth * READING.height) / 3
    return [
      [left, y],
      [left + READING.width, y],
    ]
  }
  const drawn = { kind: 'lines', frames: [], colour: COLOURS.guide, width: WIDTHS.rule, isBroken: false } as const
  return [{ ...drawn, lines: [0, 1, 2, 3].map(line) }]
}

/** One cell for each stroke: those written before, and the new one in a colour of its own. */
function orderMarks({ shape, left, grid }: Strip, top: number): Mark[] {
  const from = left + READING.width + NOTE.width
  const { size, perLine } = fitOf(shape, left)
  const corners = shape.figures.map(
    (_, at): Point => [from + (at % perLine) * size, top + Math.floor(at / perLine) * size],
  )
  const strokes = corners.flatMap(([x, y], at): Mark[] => {
    const placed = { kind: 'figures', at: [x + size / 2, y + size / 2], em: size * EM_OF_SMALL } as const
    const before = shape.figures.slice(0, at)
    return [
      ...(before.length > 0 ? [{ ...placed, figures: before, colour: COLOURS.before }] : []),
      { ...placed, figures: shape.figures.slice(at, at + 1), colour: COLOURS.current },
    ]
  })
  return [...cellLines(grid === 'FANG' ? 'FANG' : 'TIAN', corners, size), ...strokes]
}
