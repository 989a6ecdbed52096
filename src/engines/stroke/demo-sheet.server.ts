import type { Random } from '#demo/builders.server.ts'
import type { Draw, Writing } from './demo-hand.server.ts'
import type { Lines, Point } from './glyph.model.ts'
import { emptyMask, type Mask } from './raster.model.ts'

const GRID_COLOURS = {
  red: [214, 70, 60],
  green: [70, 150, 90],
  grey: [165, 165, 165],
  black: [45, 45, 48],
} as const
export type SheetStyle = {
  readonly columns: number
  readonly rows: number
  readonly colour: keyof typeof GRID_COLOURS
  readonly lines: Lines
}
/** What somebody wrote into a cell. */
export type Entry = { readonly draw: Draw; readonly writing: Writing }
export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
export type Sheet = {
  readonly width: number
  readonly height: number
  /** Red, green and blue, dot by dot. */
  readonly dots: Uint8Array
  /** Where the ink of each cell lies; nothing where there is none. */
  readonly ink: readonly (Box | undefined)[]
}

export const SHEET_CELL = 120
const MARGIN = 70
const PAPER = [250, 247, 239] as const
const INK = [28, 32, 52] as const
/** Paper shines through. */
const INK_STRENGTH = 0.94
const HELPER = { width: 1.4, strength: 0.7, on: 6, off: 4 }
/** Room for what is written over the edge of its cell. */
const ROOM = 0.35

/** A page of practice paper, cell by cell from the upper left; a cell without an entry stays empty. */
export function drawSheet(style: SheetStyle, entries: readonly (Entry | undefined)[], chance: Random): Sheet {
  const width = style.columns * SHEET_CELL + 2 * MARGIN
  const height = style.rows * SHEET_CELL + 2 * MARGIN
  const grid = emptyMask(width, height)
  drawGrid(grid, style, 2.2 + 0.8 * chance.fraction())
  const ink = emptyMask(width, height)
  const boxes = entries.map((entry, index) => {
    const [column, row] = [index % style.columns, Math.floor(index / style.columns)]
    return entry && writeCell(ink, [MARGIN + column * SHEET_CELL, MARGIN + row * SHEET_CELL], entry, chance)
  })
  return { width, height, dots: coloured(grid, ink, GRID_COLOURS[style.colour]), ink: boxes }
}

/** The corners of a cell on the sheet. */
export const cellPlace = ({ columns }: SheetStyle, index: number): Point => [
  MARGIN + (index % columns) * SHEET_CELL,
  MARGIN + Math.floor(index / columns) * SHEET_CELL,
]

function writeCell(ink: Mask, [left, top]: Point, { draw, writing }: Entry, chance: Random): Box | undefined {
  const room = Math.round(SHEET_CELL * ROOM)
  const size = SHEET_CELL + 2 * room
  const own = emptyMask(size, size)
  if (!draw(own, { middle: [size / 2, size / 2], cell: SHEET_CELL }, writing, chance)) return undefined
  let box: Box | undefined
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const covered = own.dots[y * size + x] as number
      if (covered === 0) continue
      const [sx, sy] = [left - room + x, top - room + y]
      const at = sy * ink.width + sx
      if (covered > (ink.dots[at] ?? 255)) ink.dots[at] = covered
      if (covered < 128) continue
      box = {
        left: Math.min(box?.left ?? sx, sx),
        top: Math.min(box?.top ?? sy, sy),
        right: Math.max(box?.right ?? 0, sx + 1),
        bottom: Math.max(box?.bottom ?? 0, sy + 1),
      }
    }
  return box
}

const edge = (distance: number, width: number): number => Math.max(0, Math.min(1, width / 2 + 0.5 - distance))

function drawGrid(mask: Mask, { columns, rows, lines }: SheetStyle, border: number): void {
  const [right, bottom] = [MARGIN + columns * SHEET_CELL, MARGIN + rows * SHEET_CELL]
  const helpers = helpersOf(lines)
  const toLine = (at: number) => Math.abs(at - SHEET_CELL * Math.round(at / SHEET_CELL))
  for (let y = MARGIN - 3; y <= bottom + 3; y += 1)
    for (let x = MARGIN - 3; x <= right + 3; x += 1) {
      const line = edge(Math.min(toLine(x + 0.5 - MARGIN), toLine(y + 0.5 - MARGIN)), border)
      const isWithin = x >= MARGIN && y >= MARGIN && x < right && y < bottom
      const [cx, cy] = [(x - MARGIN) % SHEET_CELL, (y - MARGIN) % SHEET_CELL]
      const helper = isWithin ? (helpers[cy * SHEET_CELL + cx] as number) : 0
      mask.dots[y * mask.width + x] = 255 * Math.max(line, helper)
    }
}

/** The broken lines within a cell. */
function helpersOf(lines: Lines): Float32Array {
  const found = new Float32Array(SHEET_CELL * SHEET_CELL)
  const draw = (index: number, distance: number, way: number) => {
    const isOn = way % (HELPER.on + HELPER.off) < HELPER.on
    const strength = isOn ? HELPER.strength * edge(Math.abs(distance), HELPER.width) : 0
    found[index] = Math.max(found[index] as number, strength)
  }
  for (let index = 0; lines !== 'none' && index < found.length; index += 1) {
    const [x, y] = [(index % SHEET_CELL) + 0.5, Math.floor(index / SHEET_CELL) + 0.5]
    draw(index, x - SHEET_CELL / 2, y)
    draw(index, y - SHEET_CELL / 2, x)
    if (lines === 'cross') continue
    draw(index, (x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2)
    draw(index, (x + y - SHEET_CELL) * Math.SQRT1_2, (x - y + SHEET_CELL) * Math.SQRT1_2)
  }
  return found
}

function coloured(grid: Mask, ink: Mask, colour: readonly [number, number, number]): Uint8Array {
  const dots = new Uint8Array(grid.dots.length * 3)
  for (let i = 0; i < grid.dots.length; i += 1) {
    const [line, pen] = [(grid.dots[i] as number) / 255, (INK_STRENGTH * (ink.dots[i] as number)) / 255]
    for (let part = 0; part < 3; part += 1) {
      const below = (PAPER[part] as number) * (1 - line) + (colour[part] as number) * line
      dots[3 * i + part] = Math.round(below * (1 - pen) + (INK[part] as number) * pen)
    }
  }
  return dots
}
