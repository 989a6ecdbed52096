import { type Grid, type GridFault, gridOf } from './grid.model.ts'
import { type Box, boxInPicture, type Cell, cellsOf, flatSheet, inkBelow, tonesOf } from './ink.model.ts'
import { type PictureFault, readPicture } from './picture.server.ts'

export type CutFault = PictureFault | GridFault | 'empty'
export type CutCell = Cell & {
  /** Where its ink lies in the picture, as people see it. */
  readonly box: Box
}
export type Cut = { readonly columns: number; readonly rows: number; readonly cells: readonly CutCell[] }

/** A page on which nothing is darker than this, or than its lines by so much, bears no ink. */
const PALEST_INK = 0.7
const BELOW_LINES = 0.1

/** Finds what is written in the cells of a photographed page, or says why it cannot. */
export async function cutPage(bytes: Uint8Array): Promise<Cut | CutFault> {
  const picture = await readPicture(bytes)
  if (typeof picture === 'string') return picture
  const grid = gridOf(picture.seen)
  if (typeof grid === 'string') return grid
  const sheet = flatSheet(picture.seen, grid)
  const tones = tonesOf(sheet, grid)
  if (tones.dark > Math.min(PALEST_INK, tones.line - BELOW_LINES)) return 'empty'
  const cells = cellsOf(sheet, grid, inkBelow(tones))
  if (cells.length === 0) return 'empty'
  return {
    columns: grid.columns,
    rows: grid.rows,
    cells: cells.map(cell => ({ ...cell, box: boxOf(grid, cell, picture.scale) })),
  }
}

function boxOf(grid: Grid, cell: Cell, scale: number): Box {
  const box = boxInPicture(grid, cell.column, cell.row, cell)
  return {
    left: Math.round(box.left * scale),
    top: Math.round(box.top * scale),
    right: Math.round(box.right * scale),
    bottom: Math.round(box.bottom * scale),
  }
}
