import type { Point } from '#engines/stroke/glyph.model.ts'
import { seen } from '#engines/stroke/plane.model.ts'
import type { Grid } from './grid.model.ts'
import { paperLevel } from './light.model.ts'
import type { Seen } from './lines.model.ts'

/** Dots of a cell once the page lies flat. */
export const CELL = 96
/** Around the page: what is written over its outer lines. */
const MARGIN = 16

/** The page as if it lay flat: 1 is bare paper, ink is dark, coloured lines are hardly seen. */
export type Sheet = { readonly width: number; readonly height: number; readonly dots: Float32Array }
/** What is written in one cell. Places are dots of the sheet, from the upper left of the cell, and may lie outside it. */
export type Cell = {
  readonly column: number
  readonly row: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** Dots of ink, as pairs of x and y. */
  readonly dots: Int16Array
}

const placeOf = (cell: number): number => MARGIN + cell * CELL

export function flatSheet({ width, height, high, highPaper }: Seen, grid: Grid): Sheet {
  const [wide, tall] = [grid.columns * CELL + 2 * MARGIN, grid.rows * CELL + 2 * MARGIN]
  const dots = new Float32Array(wide * tall).fill(1)
  const [a, b, c, d, e, f, g, h] = grid.view as [number, number, number, number, number, number, number, number]
  let paper = 1
  // Without an object for any dot: there are a million.
  for (let y = 0; y < tall; y += 1) {
    const v = (y + 0.5 - MARGIN) / CELL
    for (let x = 0; x < wide; x += 1) {
      const u = (x + 0.5 - MARGIN) / CELL
      const depth = g * u + h * v + 1
      const px = (a * u + b * v + c) / depth
      const py = (d * u + e * v + f) / depth
      if (px < 0 || py < 0 || px >= width - 1 || py >= height - 1) continue
      const left = Math.floor(px)
      const top = Math.floor(py)
      // The paper changes slowly.
      if (x % 8 === 0) paper = paperLevel(highPaper, left, top)
      const fx = px - left
      const fy = py - top
      const at = top * width + left
      const upper = (high.dots[at] as number) * (1 - fx) + (high.dots[at + 1] as number) * fx
      const below = at + width
      const lower = (high.dots[below] as number) * (1 - fx) + (high.dots[below + 1] as number) * fx
      dots[y * wide + x] = (upper * (1 - fy) + lower * fy) / paper
    }
  }
  return { width: wide, height: tall, dots }
}

type Tones = { readonly dark: number; readonly line: number }

/** Of all dots: so few are ink even where a page has but one character. */
const DARK_SHARE = 0.002
/** Of the dots along the lines of the grid. */
const LINE_SHARE = 0.35

/** How dark ink is, and how dark the lines of the grid are where ink is looked for. */
export function tonesOf({ width, height, dots }: Sheet, { columns, rows }: Grid): Tones {
  const along: number[] = []
  const darkest = (x: number, y: number, dx: number, dy: number) => {
    let found = 1
    for (let k = -2; k <= 2; k += 1) found = Math.min(found, dots[(y + k * dy) * width + x + k * dx] ?? 1)
    along.push(found)
  }
  for (let row = 0; row <= rows; row += 1)
    for (let x = MARGIN; x < width - MARGIN; x += 3) darkest(x, placeOf(row), 0, 1)
  for (let column = 0; column <= columns; column += 1)
    for (let y = MARGIN; y < height - MARGIN; y += 3) darkest(placeOf(column), y, 1, 0)
  return { dark: shareOf(dots, DARK_SHARE), line: shareOf(Float32Array.from(along), LINE_SHARE) }
}

/** The value below which this share of them lies. */
function shareOf(values: Float32Array, share: number): number {
  const steps = 200
  const counts = new Uint32Array(steps + 1)
  for (const value of values) {
    const step = Math.max(0, Math.min(steps, Math.round(value * steps)))
    counts[step] = (counts[step] as number) + 1
  }
  let left = values.length * share
  for (let step = 0; step <= steps; step += 1) {
    left -= counts[step] as number
    if (left <= 0) return step / steps
  }
  return 1
}

/** Darker than this is ink: nearer to ink than to paper, and nearer to ink than to the lines. */
export const inkBelow = ({ dark, line }: Tones): number =>
  Math.min(0.62, dark + 0.42 * (1 - dark), dark + 0.6 * Math.max(0, line - dark))

/** Dots: fewer are noise. */
const LEAST_PART = 10
/** Of a cell: what is wider or taller belongs to several characters that touch. */
const MOST_PART = 1.15
/** Of a cell's dots: with less ink it is empty. */
const LEAST_INK = 0.004

/** What is written, cell by cell. A stroke that leaves its cell stays with the character it mostly belongs to. */
export function cellsOf(sheet: Sheet, { columns, rows }: Grid, below: number): Cell[] {
  const inks = Array.from({ length: columns * rows }, (): number[] => [])
  const put = (at: number, [column, row]: Point) => {
    if (column >= 0 && row >= 0 && column < columns && row < rows) inks[row * columns + column]?.push(at)
  }
  const cellAt = (x: number, y: number): Point => [Math.floor((x - MARGIN) / CELL), Math.floor((y - MARGIN) / CELL)]
  const parts = [...partsOf(sheet, below)].filter(({ dots }) => dots.length >= LEAST_PART)
  const homes = parts.map(part => cellAt(...middleOf(part, sheet.width)))
  for (const [i, part] of parts.entries()) {
    if (extentOf(part) > MOST_PART * CELL)
      for (const at of part.dots) put(at, cellAt(at % sheet.width, Math.floor(at / sheet.width)))
    else {
      const home = extentOf(part) < STRAY ? homeOf(i, parts, homes) : (homes[i] as Point)
      for (const at of part.dots) put(at, home)
    }
  }
  return inks.flatMap((ink, index) => {
    if (ink.length < LEAST_INK * CELL * CELL) return []
    return [cellOf(ink, index % columns, Math.floor(index / columns), sheet.width)]
  })
}

/** Dots: what is smaller may be a dot of the character beside it that was written over the line. */
const STRAY = 0.35 * CELL
/** It is, where that character is so much nearer than its own. */
const NEARER = 0.6
const NEAR_ENOUGH = 0.2 * CELL

const extentOf = ({ left, top, right, bottom }: Part): number => Math.max(right - left, bottom - top)

function homeOf(index: number, parts: readonly Part[], homes: readonly Point[]): Point {
  const [part, own] = [parts[index] as Part, homes[index] as Point]
  let [nearest, found] = [Number.POSITIVE_INFINITY, own]
  let toOwn = Number.POSITIVE_INFINITY
  for (const [i, home] of homes.entries()) {
    if (i === index || Math.abs(home[0] - own[0]) + Math.abs(home[1] - own[1]) > 1) continue
    const gap = gapOf(part, parts[i] as Part)
    if (home[0] === own[0] && home[1] === own[1]) toOwn = Math.min(toOwn, gap)
    else if (gap < nearest) [nearest, found] = [gap, home]
  }
  return nearest < NEAR_ENOUGH && nearest < NEARER * toOwn ? found : own
}

/** Between the frames of two parts. */
const gapOf = (one: Part, other: Part): number =>
  Math.hypot(
    Math.max(0, one.left - other.right, other.left - one.right),
    Math.max(0, one.top - other.bottom, other.top - one.bottom),
  )

function cellOf(ink: readonly number[], column: number, row: number, width: number): Cell {
  const dots = new Int16Array(2 * ink.length)
  let [left, top, right, bottom] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, -CELL, -CELL]
  ink.forEach((at, i) => {
    const [x, y] = [(at % width) - placeOf(column), Math.floor(at / width) - placeOf(row)]
    dots[2 * i] = x
    dots[2 * i + 1] = y
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + 1)
    bottom = Math.max(bottom, y + 1)
  })
  return { column, row, left, top, right, bottom, dots }
}

type Part = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly dots: readonly number[]
}

function middleOf({ dots }: Part, width: number): Point {
  let [x, y] = [0, 0]
  for (const at of dots) {
    x += at % width
    y += Math.floor(at / width)
  }
  return [x / dots.length, y / dots.length]
}

/** Ink that hangs together. */
function* partsOf({ width, height, dots }: Sheet, below: number): Generator<Part> {
  const isOpen = new Uint8Array(width * height)
  // The rim stays shut, so that no neighbour is looked for beyond it.
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) isOpen[y * width + x] = (dots[y * width + x] as number) < below ? 1 : 0
  const around = [-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1]
  for (let from = width; from < isOpen.length - width; from += 1) {
    if (isOpen[from] === 0) continue
    isOpen[from] = 0
    const found = [from]
    let [left, top, right, bottom] = [width, height, 0, 0]
    for (let i = 0; i < found.length; i += 1) {
      const at = found[i] as number
      const x = at % width
      const y = Math.floor(at / width)
      left = Math.min(left, x)
      top = Math.min(top, y)
      right = Math.max(right, x + 1)
      bottom = Math.max(bottom, y + 1)
      for (const step of around) {
        if (isOpen[at + step] === 0) continue
        isOpen[at + step] = 0
        found.push(at + step)
      }
    }
    yield { left, top, right, bottom, dots: found }
  }
}

export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }

/** Where a part of a cell, in dots of it, is seen in the picture. */
export function boxInPicture({ view }: Grid, column: number, row: number, box: Box): Box {
  const corners = [
    [box.left, box.top],
    [box.right, box.top],
    [box.right, box.bottom],
    [box.left, box.bottom],
  ] as const
  const places = corners.map(([x, y]) => seen(view, [column + x / CELL, row + y / CELL]))
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}
