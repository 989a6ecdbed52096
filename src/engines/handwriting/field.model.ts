/** Of four ways a line may go, eighths of a full turn apart; a dot or a crossing goes none of them. */
export type Way = 0 | 1 | 2 | 3
const ANY_WAY = 4
/** Nothing is nearer than this: being wrong by more makes nothing worse. */
export const FAR = 9

/** How far it is from each place to the next point that goes the same way, and in the last map to any point. */
export type Field = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly maps: readonly Float32Array[]
}
/** Points with the way they go, as an angle; not a number where they go none. */
export type Points = {
  readonly count: number
  readonly xs: Float32Array
  readonly ys: Float32Array
  readonly angles: Float32Array
}

/** Further from a way an angle is not of it. Ways lie 45° apart, so that most angles are of two. */
const WITHIN = (35 * Math.PI) / 180
const EIGHTH = Math.PI / 4

export function wayOf(angle: number): number {
  if (Number.isNaN(angle)) return ANY_WAY
  return (((Math.round(angle / EIGHTH) % 4) + 4) % 4) as Way
}

const isOfWay = (angle: number, way: number): boolean => {
  const off = Math.abs(angle - way * EIGHTH) % Math.PI
  return Math.min(off, Math.PI - off) <= WITHIN
}

export function fieldOf({ count, xs, ys, angles }: Points): Field {
  let [left, top, right, bottom] = [0, 0, 0, 0]
  for (let i = 0; i < count; i += 1) {
    left = i === 0 ? (xs[i] as number) : Math.min(left, xs[i] as number)
    right = i === 0 ? (xs[i] as number) : Math.max(right, xs[i] as number)
    top = i === 0 ? (ys[i] as number) : Math.min(top, ys[i] as number)
    bottom = i === 0 ? (ys[i] as number) : Math.max(bottom, ys[i] as number)
  }
  left = Math.floor(left) - FAR
  top = Math.floor(top) - FAR
  const [width, height] = [Math.ceil(right) + FAR + 1 - left, Math.ceil(bottom) + FAR + 1 - top]
  const maps = Array.from({ length: ANY_WAY + 1 }, () => new Float32Array(width * height).fill(FAR))
  for (let i = 0; i < count; i += 1) {
    const at = (Math.round(ys[i] as number) - top) * width + Math.round(xs[i] as number) - left
    const angle = angles[i] as number
    for (const [way, map] of maps.entries())
      if (way === ANY_WAY || Number.isNaN(angle) || isOfWay(angle, way)) map[at] = 0
  }
  for (const map of maps) spread(map, width, height)
  return { left, top, width, height, maps }
}

/** There and back over the map; a step aside is 1, one over the corner the root of 2. */
function spread(map: Float32Array, width: number, height: number): void {
  const [down, up] = [
    [-1, -width],
    [1, width],
  ] as const
  for (let y = 1; y < height - 1; y += 1) for (let x = 1; x < width - 1; x += 1) relax(map, y * width + x, down, width)
  for (let y = height - 2; y > 0; y -= 1) for (let x = width - 2; x > 0; x -= 1) relax(map, y * width + x, up, width)
}

function relax(map: Float32Array, at: number, [aside, along]: readonly [number, number], width: number): void {
  const turn = along < 0 ? -width : width
  const straight = Math.min(map[at + aside] as number, map[at + along] as number) + 1
  const corner = Math.min(map[at + turn - 1] as number, map[at + turn + 1] as number) + Math.SQRT2
  const near = Math.min(straight, corner)
  if (near < (map[at] as number)) map[at] = near
}

export function distanceAt({ left, top, width, height, maps }: Field, way: number, x: number, y: number): number {
  const column = Math.round(x) - left
  const row = Math.round(y) - top
  if (column < 0 || row < 0 || column >= width || row >= height) return FAR
  return (maps[way] as Float32Array)[row * width + column] as number
}
