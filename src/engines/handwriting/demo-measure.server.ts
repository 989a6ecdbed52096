import type { Cut } from './cutting.server.ts'
import type { PracticePage, Written } from './demo-page.server.ts'
import type { Box } from './ink.model.ts'

/** Boxes that share less of their area are not of the same character. */
const SAME_BOX = 0.7

const areaOf = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top)

/** What two boxes share, of what they cover together. */
export function sharedBy(one: Box, other: Box): number {
  const both = areaOf({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  })
  return both / (areaOf(one) + areaOf(other) - both)
}

/** Which characters of a page were not found in their cell, and how many cells were taken for written that are empty. */
export function missedOn({ style, written }: PracticePage, { columns, rows, cells }: Cut) {
  const isSame = columns === style.columns && rows === style.rows
  const found = new Map(cells.map(cell => [cell.row * columns + cell.column, cell]))
  const missed = written.filter(({ index, box }: Written) => {
    const cell = found.get(index)
    return !isSame || !cell || sharedBy(box, cell.box) < SAME_BOX
  })
  return { missed, extra: Math.max(0, cells.length - written.length) }
}
