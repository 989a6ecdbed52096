/** Within a character: its em is 1 wide and high, y goes downward, and the middle of the em is 0, 0. */
export type Point = readonly [x: number, y: number]
export type Stroke = {
  /** The edge of what a brush leaves, closed. */
  readonly outline: readonly Point[]
  /** The way of the pen, from where it is set down to where it is lifted. */
  readonly median: readonly Point[]
}
/** A character as it is to be written: its strokes in their order. */
export type Glyph = { readonly character: string; readonly strokes: readonly Stroke[] }

/** What the stroke data says of a character: paths of 1024 units with y upward, of which 900 lie above the base line. */
export type StrokeData = { readonly strokes: readonly string[]; readonly medians: readonly (readonly Point[])[] }
const UNITS = 1024
const ABOVE_BASE = 900
/** Steps of a curve: half a thousandth of the em beside the true one is less than anybody draws or sees. */
const CURVE_STEPS = 8

const placed = ([x, y]: Point): Point => [x / UNITS - 0.5, (ABOVE_BASE - y) / UNITS - 0.5]

export const glyphOf = (character: string, { strokes, medians }: StrokeData): Glyph => ({
  character,
  strokes: strokes.map((path, index) => ({
    outline: (contoursOf(path)[0] ?? []).map(placed),
    median: (medians[index] ?? []).map(placed),
  })),
})

/** The closed lines of a path of M, L, Q, C and Z with absolute places, its curves as short straight lines. */
export function contoursOf(path: string): Point[][] {
  const contours: Point[][] = []
  let current: Point[] = []
  for (const [, command, rest] of path.matchAll(/([MLQCZ])([^MLQCZ]*)/g)) {
    const numbers = (rest?.match(/-?\d+(\.\d+)?/g) ?? []).map(Number)
    const points = Array.from(
      { length: numbers.length >> 1 },
      (_, i): Point => [numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0],
    )
    if (command === 'M') {
      current = [...points]
      contours.push(current)
    } else if (command !== 'Z') addCurve(current, points)
  }
  return contours
}

/** A Bézier curve of one, two or three further points, by its weights. */
function addCurve(line: Point[], points: readonly Point[]): void {
  const from = line.at(-1)
  if (!from) return
  const all = [from, ...points]
  const steps = points.length === 1 ? 1 : CURVE_STEPS
  for (let step = 1; step <= steps; step += 1) {
    let level: Point[] = all
    const t = step / steps
    while (level.length > 1)
      level = level.slice(1).map(([x, y], i): Point => {
        const [px, py] = level[i] as Point
        return [px + (x - px) * t, py + (y - py) * t]
      })
    line.push(level[0] as Point)
  }
}

/** Points along a line, `gap` apart, each with the direction in which the line goes there. */
export function pacedOf(line: readonly Point[], gap: number): { at: Point; angle: number }[] {
  const found: { at: Point; angle: number }[] = []
  let left = gap / 2
  for (let i = 1; i < line.length; i += 1) {
    const [[x1, y1], [x2, y2]] = [line[i - 1] as Point, line[i] as Point]
    const length = Math.hypot(x2 - x1, y2 - y1)
    const angle = Math.atan2(y2 - y1, x2 - x1)
    for (; left < length; left += gap)
      found.push({ at: [x1 + ((x2 - x1) * left) / length, y1 + ((y2 - y1) * left) / length], angle })
    left -= length
  }
  return found
}

export const lengthOf = (line: readonly Point[]): number =>
  line.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - (line[i] as Point)[0], y - (line[i] as Point)[1]), 0)

export type Lines = 'none' | 'cross' | 'star'
/** Share of a cell that the em of a model character takes: even written 40 % too big it stays within. */
export const EM_OF_CELL = 0.8
