import type { Point } from '#engines/stroke/glyph.model.ts'

/** Millimetres of a sheet of A4, from its upper left corner. */
export const PAPER = { width: 210, height: 297 } as const

/** A closed shape in thousandths of its em, whose middle is 0 0: told once, placed as often as it is needed. */
export type Figure = string
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** What lies on a sheet, in millimetres. */
export type Mark =
  | {
      readonly kind: 'figures'
      readonly figures: readonly Figure[]
      readonly at: Point
      readonly em: number
      readonly colour: string
    }
  | { readonly kind: 'boxes'; readonly boxes: readonly Box[]; readonly colour: string }
  | {
      readonly kind: 'lines'
      readonly frames: readonly Box[]
      readonly lines: readonly (readonly [Point, Point])[]
      readonly colour: string
      readonly width: number
      readonly isBroken: boolean
    }
export type Page = readonly Mark[]

/** How a character is drawn: its strokes in their order, or one shape of a font where nobody has told the order. */
export type Drawn = { readonly figures: readonly Figure[]; readonly isOrdered: boolean }
/** A code to be read by telephones: its dark squares, row by row. */
export type Code = readonly (readonly boolean[])[]

/** On and off, of lines that only guide. */
export const BROKEN = [0.9, 0.7] as const

/** Half of what a fine printer can set: at the largest cell, nobody sees what is left out. */
const TOLERANCE = 0.0012

/** The shape of closed lines in an em of 1 around 0 0, without the points that change nothing one could see. */
export const figureOf = (contours: readonly (readonly Point[])[]): Figure =>
  contours
    .map(simplified)
    .filter(points => points.length > 2)
    .map(points => `M${points.map(([x, y]) => `${Math.round(x * 1000)} ${Math.round(y * 1000)}`).join('L')}Z`)
    .join('')

function simplified(points: readonly Point[]): Point[] {
  const [first] = points
  if (!first) return []
  const far = points.reduce(
    (best, point, at) => (apart(point, first) > apart(points[best] as Point, first) ? at : best),
    0,
  )
  return [...thinned(points.slice(0, far + 1)), ...thinned([...points.slice(far), first])]
}

const apart = ([x1, y1]: Point, [x2, y2]: Point): number => Math.hypot(x1 - x2, y1 - y2)

/** Without its last point, which begins the next part. */
function thinned(line: readonly Point[]): Point[] {
  const [from, to] = [line[0] as Point, line.at(-1) as Point]
  if (line.length < 3) return [from]
  let [worst, at] = [0, 0]
  for (let i = 1; i < line.length - 1; i += 1) {
    const away = beside(line[i] as Point, from, to)
    if (away > worst) [worst, at] = [away, i]
  }
  if (worst <= TOLERANCE) return [from]
  return [...thinned(line.slice(0, at + 1)), ...thinned(line.slice(at))]
}

function beside(point: Point, from: Point, to: Point): number {
  const length = apart(from, to)
  if (length === 0) return apart(point, from)
  return Math.abs((to[0] - from[0]) * (from[1] - point[1]) - (from[0] - point[0]) * (to[1] - from[1])) / length
}
