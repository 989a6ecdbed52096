import type { Point } from './glyph.model.ts'

/** How one plane is seen on another: nine numbers, row by row, the last of them 1. */
export type View = readonly number[]

export function seen(view: View, [x, y]: Point): Point {
  const [a, b, c, d, e, f, g, h] = view as [number, number, number, number, number, number, number, number]
  const depth = g * x + h * y + 1
  return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth]
}

/** The view that brings four points or more where they were seen, with the least squares of what is left over. */
export function viewOf(pairs: readonly (readonly [from: Point, to: Point])[]): View {
  const from = norm(pairs.map(([point]) => point))
  const to = norm(pairs.map(([, point]) => point))
  const sums = Array.from({ length: 8 }, () => new Array<number>(9).fill(0))
  for (const [source, target] of pairs) {
    const [x, y] = from.put(source)
    const [u, v] = to.put(target)
    addSquare(sums, [x, y, 1, 0, 0, 0, -u * x, -u * y, u])
    addSquare(sums, [0, 0, 0, x, y, 1, -v * x, -v * y, v])
  }
  return scaled(times(to.back, times([...solve(sums), 1], from.there)))
}

export function inverseOf(view: View): View {
  const [a, b, c, d, e, f, g, h, i] = view as [number, number, number, number, number, number, number, number, number]
  return scaled([
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ])
}

const scaled = (view: View): View => view.map(value => value / (view[8] as number))

const times = (left: View, right: View): View =>
  Array.from({ length: 9 }, (_, at) => {
    const [row, column] = [Math.floor(at / 3) * 3, at % 3]
    return [0, 1, 2].reduce((sum, k) => sum + (left[row + k] as number) * (right[3 * k + column] as number), 0)
  })

/** Numbers about 1 keep the squares exact. */
function norm(points: readonly Point[]): { put: (point: Point) => Point; there: View; back: View } {
  const cx = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const cy = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const size = points.reduce((sum, [x, y]) => sum + Math.hypot(x - cx, y - cy), 0) / points.length || 1
  return {
    put: ([x, y]) => [(x - cx) / size, (y - cy) / size],
    there: [1 / size, 0, -cx / size, 0, 1 / size, -cy / size, 0, 0, 1],
    back: [size, 0, cx, 0, size, cy, 0, 0, 1],
  }
}

function addSquare(sums: number[][], equation: readonly number[]): void {
  for (const [i, row] of sums.entries())
    for (let j = 0; j < 9; j += 1) row[j] = (row[j] as number) + (equation[i] as number) * (equation[j] as number)
}

/** Gauss with the largest pivot. */
function solve(rows: number[][]): number[] {
  const size = rows.length
  for (let column = 0; column < size; column += 1) {
    let best = column
    for (let r = column + 1; r < size; r += 1)
      if (Math.abs(rows[r]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = r
    const pivot = rows[best] as number[]
    rows[best] = rows[column] as number[]
    rows[column] = pivot
    for (const [r, row] of rows.entries()) {
      if (r === column) continue
      const factor = (row[column] as number) / (pivot[column] as number)
      for (let j = column; j <= size; j += 1) row[j] = (row[j] as number) - factor * (pivot[j] as number)
    }
  }
  return rows.map((row, i) => (row[size] as number) / (row[i] as number))
}
