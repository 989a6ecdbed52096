import type { Point } from '#engines/stroke/glyph.model.ts'
import { seen, type View, viewOf } from '#engines/stroke/plane.model.ts'
import { type Line, linesOf, type Seen } from './lines.model.ts'

/** Cells of a page, and how they are seen: the view goes from cells (1 is the width of one) to dots of the picture. */
export type Grid = { readonly columns: number; readonly rows: number; readonly view: View; readonly cell: number }
export type GridFault = 'no-grid' | 'dark-grid' | 'too-far' | 'bent'

/** The broken lines within cells have less than half of it. */
const SOLID_SHARE = 0.62
/** Of a cell: how far from its place a line may be and still be one of the grid. */
const OFF_PLACE = 0.22
/** Of a cell: how far crossings may lie from where a flat page has them. */
const MOST_BENT = 0.12
/** Of the picture's length: strokes that happen to lie in one line are shorter. Lines as dark as ink cannot be told from it. */
const INKED = 0.4
const INKED_LINES = 3
/** Dots: strokes of smaller cells run into each other. */
const LEAST_CELL = 56

export function gridOf(picture: Seen): Grid | GridFault {
  const lines = [linesOf(picture, 'level'), linesOf(picture, 'upright')] as const
  if (lines.flat().filter(({ inked }) => inked > INKED).length >= INKED_LINES) return 'dark-grid'
  const [level, upright] = [placed(solid(lines[0])), placed(solid(lines[1]))]
  if (level.length < 2 || upright.length < 2) return 'no-grid'
  const crossings = level.flatMap(([row, across]) =>
    upright.map(([column, along]): readonly [Point, Point] => [[column, row], crossing(picture, across, along)]),
  )
  const view = viewOf(crossings)
  const off = crossings.map(([from, to]) => distance(seen(view, from), to))
  const columns = (upright.at(-1) as Placed)[0]
  const rows = (level.at(-1) as Placed)[0]
  const cell = cellSize(view, columns, rows)
  if (!(cell >= LEAST_CELL)) return 'too-far'
  if (Math.max(...off) > MOST_BENT * cell) return 'bent'
  return { columns, rows, view, cell }
}

type Placed = readonly [index: number, line: Line]

/** Whole lines and not broken ones: they are as dark for as long as the strongest are. */
function solid(lines: readonly Line[]): Line[] {
  const [, second = 0, third = 0] = lines.map(({ weight }) => weight).sort((a, b) => b - a)
  const usual = third > SOLID_SHARE * second ? third : second
  return lines.filter(({ weight }) => weight > SOLID_SHARE * usual)
}

/** Counts the lines of the grid from 0; one that nobody saw leaves its number out, one beside its place is none of the grid. */
function placed(lines: readonly Line[]): Placed[] {
  const gaps = lines.slice(1).map(({ offset }, i) => offset - (lines[i] as Line).offset)
  const usual = [...gaps].sort((a, b) => a - b)[gaps.length >> 1]
  if (usual === undefined) return []
  const off = gaps.map(gap => Math.abs(gap - usual))
  const start = off.indexOf(Math.min(...off))
  const before = counted(lines.slice(0, start + 1).reverse(), usual)
  const after = counted(lines.slice(start), usual)
  const first = before.at(-1)?.[0] ?? 0
  return [
    ...before
      .slice(1)
      .reverse()
      .map(([index, line]): Placed => [first - index, line]),
    ...after.map(([index, line]): Placed => [first + index, line]),
  ]
}

/** From the first line outward, with a gap that may grow or shrink as perspective has it. */
function counted([begin, ...others]: readonly Line[], usual: number): Placed[] {
  if (!begin) return []
  const found: Placed[] = [[0, begin]]
  let gap = usual
  for (const line of others) {
    const [index, last] = found.at(-1) as Placed
    const way = Math.abs(line.offset - last.offset)
    const cells = Math.round(way / gap)
    if (cells === 0 || Math.abs(way / gap - cells) > OFF_PLACE) continue
    found.push([index + cells, line])
    gap = way / cells
  }
  return found
}

/** Where a level line meets an upright one. */
function crossing({ width, height }: Seen, level: Line, upright: Line): Point {
  const y0 = level.offset - (level.slope * width) / 2
  const x0 = upright.offset - (upright.slope * height) / 2
  const y = (y0 + level.slope * x0) / (1 - level.slope * upright.slope)
  return [x0 + upright.slope * y, y]
}

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by)

/** The smaller side of the cell in the middle of the page. */
function cellSize(view: View, columns: number, rows: number): number {
  const middle: Point = [columns / 2, rows / 2]
  const at = seen(view, middle)
  return Math.min(
    distance(at, seen(view, [middle[0] + 1, middle[1]])),
    distance(at, seen(view, [middle[0], middle[1] + 1])),
  )
}
