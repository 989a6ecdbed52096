import { EM_OF_CELL, type Glyph, lengthOf, type Point, pacedOf } from '#engines/stroke/glyph.model.ts'
import { type Field, fieldOf, type Points } from './field.model.ts'
import { CELL } from './ink.model.ts'

/** How a character is to be written, as points along its strokes from the middle of the cell. */
export type Template = {
  readonly character: string
  readonly points: Points
  /** For each point, its stroke. */
  readonly strokes: Uint8Array
  readonly strokeCount: number
  readonly field: Field
  /** Of all strokes together, in dots. */
  readonly length: number
}

/** Dots between two points of a stroke. */
const PACE = 2
/** Of a cell: people turn shorter strokes as they like. */
const DOT_LENGTH = 0.2

export function templateOf({ character, strokes }: Glyph): Template {
  const em = CELL * EM_OF_CELL
  const lines = strokes.map(({ median }) => median.map(([x, y]): Point => [x * em, y * em]))
  const paced = lines.flatMap((line, stroke) => {
    const isDot = lengthOf(line) < DOT_LENGTH * CELL
    return pacedOf(line, PACE).map(({ at, angle }) => ({ at, stroke, angle: isDot ? Number.NaN : angle }))
  })
  const points = {
    count: paced.length,
    xs: Float32Array.from(paced, ({ at }) => at[0]),
    ys: Float32Array.from(paced, ({ at }) => at[1]),
    angles: Float32Array.from(paced, ({ angle }) => angle),
  }
  return {
    character,
    points,
    strokes: Uint8Array.from(paced, ({ stroke }) => stroke),
    strokeCount: strokes.length,
    field: fieldOf(points),
    length: lines.reduce((sum, line) => sum + lengthOf(line), 0),
  }
}
