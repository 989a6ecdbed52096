import { type Grey, type Paper, paperLevel } from './light.model.ts'

/** A picture in which lines are looked for: how each dot stands against the paper. */
export type Seen = {
  readonly width: number
  readonly height: number
  /** By the darkest of red, green and blue, where lines of any colour are seen. */
  readonly flat: Float32Array
  /** By the brightest of them, where only ink is dark. */
  readonly high: Grey
  readonly highPaper: Paper
}
/** Straight, and nearly level or nearly upright: at the middle of the picture it stands at `offset`. */
export type Line = {
  readonly offset: number
  readonly slope: number
  readonly weight: number
  /** For how much of the picture's length it is as dark as ink. */
  readonly inked: number
}
type Family = 'level' | 'upright'

type Dots = {
  readonly along: Float32Array
  readonly across: Float32Array
  readonly weights: Float32Array
  readonly isInk: Uint8Array
}
/** Walks a picture along a family and across it. */
type Walk = {
  readonly length: number
  readonly breadth: number
  readonly stepAlong: number
  readonly stepAcross: number
}

/** So far beside a line both sides have to be paper: the edge of a sheet or of a shadow has but one such side. */
const BESIDE = 5
const LEAST_CONTRAST = 0.1
const MOST_CONTRAST = 0.4
/** Strokes are dark too; they may help a little where they run along a line. */
const INK_LEVEL = 0.5
const INK_WEIGHT = 0.12
/** Places along a line at which it is looked for. */
const EVERY = 3

const SLOPES = { most: 0.2, step: 0.01 }
/** Lines of a family fan out in perspective. */
const FAN = { most: 0.0432, step: 0.0018 }
const PEAK_SHARE = 0.25
/** Nothing printed is closer together. */
const APART = 14
const REFIT_WITHIN = 3
const MOST_LINES = 120

const walkOf = ({ width, height }: Seen, family: Family): Walk =>
  family === 'level'
    ? { length: width, breadth: height, stepAlong: 1, stepAcross: width }
    : { length: height, breadth: width, stepAlong: width, stepAcross: 1 }

/** All straight lines of a family, solid and broken ones, in their order. */
export function linesOf(seen: Seen, family: Family): Line[] {
  const walk = walkOf(seen, family)
  const dots = lineDots(seen, walk)
  const slope = commonSlope(dots, walk)
  return peaks(dots, walk, slope)
    .map(line => refit(dots, refit(dots, line, walk), walk))
    .filter(({ offset }) => offset >= 0 && offset < walk.breadth)
    .sort((a, b) => a.offset - b.offset)
}

/** Dots darker than both sides of them. Places along are told from the middle, so that a slope turns a line about it. */
function lineDots({ width, flat, high, highPaper }: Seen, walk: Walk): Dots {
  const { length, breadth, stepAlong, stepAcross } = walk
  const [along, across, weights, inks]: [number[], number[], number[], number[]] = [[], [], [], []]
  const far = BESIDE * stepAcross
  for (let i = 1; i < length; i += EVERY)
    for (let j = BESIDE; j < breadth - BESIDE; j += 1) {
      const at = i * stepAlong + j * stepAcross
      const value = flat[at] as number
      const contrast = Math.min(flat[at - far] as number, flat[at + far] as number) - value
      if (contrast < LEAST_CONTRAST) continue
      if (value > (flat[at - stepAcross] as number) || value >= (flat[at + stepAcross] as number)) continue
      const isInk = (high.dots[at] as number) < INK_LEVEL * paperLevel(highPaper, at % width, Math.floor(at / width))
      inks.push(isInk ? 1 : 0)
      along.push(i - length / 2)
      across.push(j)
      weights.push(isInk ? INK_WEIGHT * MOST_CONTRAST : Math.min(contrast, MOST_CONTRAST))
    }
  return {
    along: Float32Array.from(along),
    across: Float32Array.from(across),
    weights: Float32Array.from(weights),
    isInk: Uint8Array.from(inks),
  }
}

/** The slope at which dots fall most onto each other. */
function commonSlope({ along, across, weights }: Dots, { length, breadth }: Walk): number {
  const room = Math.ceil((SLOPES.most * length) / 2) + 1
  const sums = new Float32Array(breadth + 2 * room)
  let [best, found] = [0, 0]
  for (let slope = -SLOPES.most; slope <= SLOPES.most + SLOPES.step / 2; slope += SLOPES.step) {
    sums.fill(0)
    for (let k = 0; k < along.length; k += 1) {
      const place = Math.round((across[k] as number) - slope * (along[k] as number)) + room
      sums[place] = (sums[place] as number) + (weights[k] as number)
    }
    const squares = sums.reduce((sum, value) => sum + value * value, 0)
    if (squares > best) [best, found] = [squares, slope]
  }
  return found
}

/** Where many dots lie on one line of the family: the strongest first, and none beside it. */
function peaks({ along, across, weights }: Dots, { length, breadth }: Walk, slope: number): Line[] {
  const slopes = 2 * Math.round(FAN.most / FAN.step) + 1
  const room = Math.ceil(((SLOPES.most + FAN.most) * length) / 2) + 2
  const places = breadth + 2 * room
  const sums = new Float32Array(slopes * places)
  for (let s = 0; s < slopes; s += 1) {
    const own = slope - FAN.most + s * FAN.step
    const base = s * places + room
    for (let k = 0; k < along.length; k += 1) {
      const at = base + Math.round((across[k] as number) - own * (along[k] as number))
      sums[at] = (sums[at] as number) + (weights[k] as number)
    }
  }
  // What lies on two neighbouring places is one line that runs between them.
  const strongest = new Float32Array(places)
  const strongestSlope = new Uint8Array(places)
  for (let s = 0; s < slopes; s += 1)
    for (let p = 1; p < places - 1; p += 1) {
      const at = s * places + p
      const sum = (sums[at - 1] as number) + (sums[at] as number) + (sums[at + 1] as number)
      if (sum > (strongest[p] as number)) {
        strongest[p] = sum
        strongestSlope[p] = s
      }
    }
  const found: Line[] = []
  let least = 0
  while (found.length < MOST_LINES) {
    const top = strongest.reduce((best, value, p) => (value > (strongest[best] as number) ? p : best), 0)
    const weight = strongest[top] as number
    if (weight <= least || weight === 0) break
    least ||= PEAK_SHARE * weight
    found.push({
      offset: top - room,
      slope: slope - FAN.most + (strongestSlope[top] as number) * FAN.step,
      weight,
      inked: 0,
    })
    strongest.fill(0, Math.max(0, top - APART), top + APART + 1)
  }
  return found
}

/** The line of least squares through the dots beside it. */
function refit({ along, across, weights, isInk }: Dots, line: Line, { length }: Walk): Line {
  let [n, x, y, xx, xy, ink] = [0, 0, 0, 0, 0, 0]
  for (let k = 0; k < along.length; k += 1) {
    const a = along[k] as number
    const b = across[k] as number
    if (Math.abs(b - line.offset - line.slope * a) > REFIT_WITHIN) continue
    const weight = weights[k] as number
    n += weight
    ink += isInk[k] as number
    x += weight * a
    y += weight * b
    xx += weight * a * a
    xy += weight * a * b
  }
  const spread = n * xx - x * x
  if (n === 0 || spread === 0) return line
  const slope = (n * xy - x * y) / spread
  return { offset: (y - slope * x) / n, slope, weight: n, inked: (ink * EVERY) / length }
}
