import { type Field, fieldOf, type Points } from './field.model.ts'
import { CELL, type Cell } from './ink.model.ts'

/** What is written in a cell as the way its pen went: lines one dot wide, from the middle of the cell. */
export type Shape = { readonly points: Points; readonly field: Field }

/** Dots of ink around which the line is looked at to tell which way it goes. */
const REACH = 4
/** A line is so much longer than wide; a crossing is not. */
const ROUND = 0.28

export function shapeOf({ left, top, right, bottom, dots }: Cell): Shape {
  // Two dots of room, so that neighbours need not be asked whether they exist.
  const [width, height] = [right - left + 4, bottom - top + 4]
  const ink = new Uint8Array(width * height)
  for (let i = 0; i < dots.length; i += 2)
    ink[((dots[i + 1] as number) - top + 2) * width + (dots[i] as number) - left + 2] = 1
  thin(ink, width)
  const places: number[] = []
  ink.forEach((dot, at) => {
    if (dot === 1) places.push(at)
  })
  const points = {
    count: places.length,
    xs: Float32Array.from(places, at => (at % width) - 2 + left + 0.5 - CELL / 2),
    ys: Float32Array.from(places, at => Math.floor(at / width) - 2 + top + 0.5 - CELL / 2),
    angles: Float32Array.from(places, at => angleAt(ink, width, at)),
  }
  return { points, field: fieldOf(points) }
}

/** Takes away the rim until lines are one dot wide, by the rule of Zhang and Suen. */
function thin(ink: Uint8Array, width: number): void {
  const around = [-width, -width + 1, 1, width + 1, width, width - 1, -1, -width - 1]
  const near = new Uint8Array(9)
  let open: number[] = []
  ink.forEach((dot, at) => {
    if (dot === 1) open.push(at)
  })
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (const isSecond of [false, true]) {
      const gone = open.filter(at => {
        for (let k = 0; k < 8; k += 1) near[k] = ink[at + (around[k] as number)] as number
        return isRim(near, isSecond)
      })
      if (gone.length === 0) continue
      isDone = false
      for (const at of gone) ink[at] = 0
      open = open.filter(at => ink[at] === 1)
    }
  }
}

/** Neighbours clockwise from above. */
function isRim(near: Uint8Array, isSecond: boolean): boolean {
  let [sum, turns] = [0, 0]
  for (let k = 0; k < 8; k += 1) {
    sum += near[k] as number
    if (near[k] === 0 && near[(k + 1) % 8] === 1) turns += 1
  }
  if (sum < 2 || sum > 6 || turns !== 1) return false
  const [above, right, below, left] = [near[0], near[2], near[4], near[6]]
  if (isSecond) return !(above && right && left) && !(above && below && left)
  return !(above && right && below) && !(right && below && left)
}

/** The longer axis of the dots around it. */
function angleAt(ink: Uint8Array, width: number, at: number): number {
  let [n, x, y, xx, yy, xy] = [0, 0, 0, 0, 0, 0]
  const row = Math.floor(at / width)
  for (let dy = -REACH; dy <= REACH; dy += 1)
    for (let dx = -REACH; dx <= REACH; dx += 1) {
      const place = at + dy * width + dx
      // Beyond the end of a row the next one begins.
      if (ink[place] !== 1 || Math.floor(place / width) !== row + dy) continue
      n += 1
      x += dx
      y += dy
      xx += dx * dx
      yy += dy * dy
      xy += dx * dy
    }
  const [a, b, c] = [xx / n - (x / n) ** 2, yy / n - (y / n) ** 2, xy / n - (x * y) / n ** 2]
  const root = Math.sqrt(((a - b) / 2) ** 2 + c * c)
  const [long, short] = [(a + b) / 2 + root, (a + b) / 2 - root]
  if (n < 3 || short > ROUND * long) return Number.NaN
  return 0.5 * Math.atan2(2 * c, a - b)
}
