import type { Point } from './glyph.model.ts'

/** How much of each dot is covered, 0 to 255. */
export type Mask = { readonly width: number; readonly height: number; readonly dots: Uint8Array }

export const emptyMask = (width: number, height: number): Mask => ({
  width,
  height,
  dots: new Uint8Array(width * height),
})

/** Lines within a dot at which an edge is looked at. */
const SUBLINES = 4

/**
 * Covers what lies within these closed lines, in dots of the mask; what lies within two of them lies within. What was
 * covered more stays so: strokes that cross do not darken each other.
 */
export function fillContours(mask: Mask, contours: readonly (readonly Point[])[]): void {
  const ys = contours.flatMap(contour => contour.map(([, y]) => y))
  const first = Math.max(0, Math.floor(Math.min(...ys)))
  const last = Math.min(mask.height - 1, Math.floor(Math.max(...ys)))
  const row = new Float32Array(mask.width + 1)
  for (let y = first; y <= last; y += 1) {
    row.fill(0)
    for (let sub = 0; sub < SUBLINES; sub += 1)
      for (const [from, to] of insideAt(contours, y + (sub + 0.5) / SUBLINES)) coverSpan(row, from, to, mask.width)
    for (let x = 0; x < mask.width; x += 1) {
      const covered = Math.min(255, Math.round(((row[x] as number) * 255) / SUBLINES))
      if (covered > (mask.dots[y * mask.width + x] as number)) mask.dots[y * mask.width + x] = covered
    }
  }
}

/** Where a level line is within, by how often the edges wind around it. */
function insideAt(contours: readonly (readonly Point[])[], y: number): [number, number][] {
  const crossings: { x: number; turn: number }[] = []
  for (const contour of contours)
    for (let i = 0; i < contour.length; i += 1) {
      const [x1, y1] = contour[i] as Point
      const [x2, y2] = contour[(i + 1) % contour.length] as Point
      if (y1 <= y === y2 <= y) continue
      crossings.push({ x: x1 + ((y - y1) * (x2 - x1)) / (y2 - y1), turn: y2 > y1 ? 1 : -1 })
    }
  crossings.sort((a, b) => a.x - b.x)
  const spans: [number, number][] = []
  let winds = 0
  crossings.forEach(({ x, turn }, i) => {
    winds += turn
    const next = crossings[i + 1]
    if (winds !== 0 && next) spans.push([x, next.x])
  })
  return spans
}

function coverSpan(row: Float32Array, from: number, to: number, width: number): void {
  const [begin, end] = [Math.max(0, from), Math.min(width, to)]
  for (let x = Math.floor(begin); x < end; x += 1)
    row[x] = (row[x] as number) + Math.min(x + 1, end) - Math.max(x, begin)
}

/** A round dot of ink with a soft edge. */
export function stampDisc(mask: Mask, [cx, cy]: Point, radius: number): void {
  const reach = radius + 0.5
  for (let y = Math.max(0, Math.floor(cy - reach)); y <= Math.min(mask.height - 1, cy + reach); y += 1)
    for (let x = Math.max(0, Math.floor(cx - reach)); x <= Math.min(mask.width - 1, cx + reach); x += 1) {
      const covered = 255 * Math.min(1, Math.max(0, reach - Math.hypot(x + 0.5 - cx, y + 0.5 - cy)))
      if (covered > (mask.dots[y * mask.width + x] as number)) mask.dots[y * mask.width + x] = covered
    }
}
