import type { Point } from '#engines/stroke/glyph.model.ts'
import type { Box, Mark } from './drawing.model.ts'
import { COLOURS, WIDTHS } from './look.model.ts'
import type { Grid } from './order.model.ts'

type Lines = readonly (readonly [Point, Point])[]
type Guides = { readonly lines: Lines; readonly frames: readonly Box[] }

const CROSS: Lines = [
  [
    [0.5, 0],
    [0.5, 1],
  ],
  [
    [0, 0.5],
    [1, 0.5],
  ],
]
const DIAGONALS: Lines = [
  [
    [0, 0],
    [1, 1],
  ],
  [
    [1, 0],
    [0, 1],
  ],
]
const THIRDS: Lines = [1 / 3, 2 / 3].flatMap(
  (at): Lines => [
    [
      [at, 0],
      [at, 1],
    ],
    [
      [0, at],
      [1, at],
    ],
  ],
)

/** What helps within a cell, as shares of it. */
const GUIDES: Readonly<Record<Grid, Guides>> = {
  TIAN: { lines: CROSS, frames: [] },
  MI: { lines: [...CROSS, ...DIAGONALS], frames: [] },
  HUI: { lines: [], frames: [{ x: 0.25, y: 0.15, width: 0.5, height: 0.7 }] },
  JIU: { lines: THIRDS, frames: [] },
  FANG: { lines: [], frames: [] },
}

/** Cells of one size by their upper left corners: what guides first, so that the frames lie above it. */
export function cellLines(grid: Grid, corners: readonly Point[], size: number): Mark[] {
  const { lines, frames } = GUIDES[grid]
  const guides = corners.flatMap(([left, top]) => {
    const placed = ([x, y]: Point): Point => [left + x * size, top + y * size]
    return lines.map(([from, to]) => [placed(from), placed(to)] as const)
  })
  const inner = corners.flatMap(([left, top]) =>
    frames.map(({ x, y, width, height }) => ({
      x: left + x * size,
      y: top + y * size,
      width: width * size,
      height: height * size,
    })),
  )
  const outer = corners.map(([x, y]) => ({ x, y, width: size, height: size }))
  const guiding = { kind: 'lines', colour: COLOURS.guide, width: WIDTHS.guide, isBroken: true } as const
  return [
    ...(guides.length + inner.length > 0 ? [{ ...guiding, frames: inner, lines: guides }] : []),
    { kind: 'lines', frames: outer, lines: [], colour: COLOURS.frame, width: WIDTHS.frame, isBroken: false },
  ]
}
