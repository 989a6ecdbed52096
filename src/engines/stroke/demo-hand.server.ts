import type { Random } from '#demo/builders.server.ts'
import { EM_OF_CELL, type Glyph, type Point, pacedOf, type Stroke } from './glyph.model.ts'
import { fillContours, type Mask, stampDisc } from './raster.model.ts'

/** How a character differs from its model: places are shares of the cell, sizes factors, the tilt degrees to the right. */
export type Writing = {
  readonly dx: number
  readonly dy: number
  readonly size: number
  readonly aspect: number
  readonly tilt: number
  /** The stroke that was forgotten. */
  readonly missing?: number
  /** So large a share of its strokes was written a second time, beside where they were. */
  readonly again?: number
}
export type Tool = 'pen' | 'brush'
export type Place = { readonly middle: Point; readonly cell: number }
/** Puts a character into a mask; `false` when it could not be drawn as it was asked for. */
export type Draw = (mask: Mask, place: Place, writing: Writing, chance: Random) => boolean

export const FAULTS = ['shift', 'big', 'small', 'tilt', 'missing', 'wrong'] as const
/** Faults of the form as a whole: stretched one way only, and strokes over strokes. */
export const FORM_FAULTS = ['narrow', 'wide', 'crowded'] as const
export type Fault = (typeof FAULTS)[number] | (typeof FORM_FAULTS)[number]

export const between = (chance: Random, low: number, high: number): number => low + (high - low) * chance.fraction()
const bell = (chance: Random, spread: number): number =>
  spread * Math.sqrt(-2 * Math.log(1 - chance.fraction())) * Math.cos(2 * Math.PI * chance.fraction())

/** As far from the model as a good hand is. */
export const goodWriting = (chance: Random): Writing => ({
  dx: between(chance, -0.04, 0.04),
  dy: between(chance, -0.04, 0.04),
  size: between(chance, 0.92, 1.08),
  aspect: between(chance, 0.96, 1.04),
  tilt: between(chance, -3, 3),
})

/** One fault, and all else as in a good hand. `amount`, 0 to 1, is how bad it is; a character of the wrong kind is drawn by whoever asks. */
export function faultyWriting(fault: Fault, strokes: number, chance: Random, amount = chance.fraction()): Writing {
  const good = goodWriting(chance)
  const side = chance.chance(0.5) ? 1 : -1
  switch (fault) {
    case 'shift': {
      const way = between(chance, 0, 2 * Math.PI)
      const far = 0.12 + 0.08 * amount
      return { ...good, dx: far * Math.cos(way), dy: far * Math.sin(way) }
    }
    case 'big':
      return { ...good, size: 1.25 + 0.15 * amount }
    case 'small':
      return { ...good, size: 0.75 - 0.15 * amount }
    case 'tilt':
      return { ...good, tilt: side * (8 + 7 * amount) }
    case 'narrow':
      return { ...good, aspect: 0.7 - 0.1 * amount }
    case 'wide':
      return { ...good, aspect: 1.4 + 0.2 * amount }
    case 'crowded':
      return { ...good, again: 0.7 + 0.3 * amount }
    case 'missing':
      return { ...good, missing: chance.whole(0, strokes - 1) }
    case 'wrong':
      return good
  }
}

export type Move = (point: Point) => Point

/** From the em of the model into the mask. */
export function placement({ middle, cell }: Place, { dx, dy, size, aspect, tilt }: Writing): Move {
  const [cos, sin] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)]
  const em = cell * EM_OF_CELL * size
  const [wide, high] = [em * Math.sqrt(aspect), em / Math.sqrt(aspect)]
  return ([x, y]) => [
    middle[0] + dx * cell + wide * x * cos - high * y * sin,
    middle[1] + dy * cell + wide * x * sin + high * y * cos,
  ]
}

/** A hand that is not quite steady: three slow waves over the whole character. */
export function wavesOf(chance: Random, spread: number): Move {
  const waves = Array.from({ length: 3 }, () => ({
    fx: between(chance, -1.2, 1.2),
    fy: between(chance, -1.2, 1.2),
    phase: between(chance, 0, 2 * Math.PI),
    ax: bell(chance, spread * 0.8),
    ay: bell(chance, spread * 0.8),
  }))
  return ([x, y]) => {
    let [dx, dy] = [0, 0]
    for (const { fx, fy, phase, ax, ay } of waves) {
      const wave = Math.sin(2 * Math.PI * (fx * x + fy * y) + phase)
      dx += ax * wave
      dy += ay * wave
    }
    return [x + dx, y + dy]
  }
}

/** Each stroke lies, turns and stretches a little of its own. */
function strokeMove({ median }: Stroke, chance: Random, wobble: number): Move {
  const cx = median.reduce((sum, [x]) => sum + x, 0) / median.length
  const cy = median.reduce((sum, [, y]) => sum + y, 0) / median.length
  const turn = bell(chance, (1.5 * wobble * Math.PI) / 180)
  const stretch = 1 + bell(chance, 0.03 * wobble)
  const [sx, sy] = [bell(chance, 0.009 * wobble), bell(chance, 0.009 * wobble)]
  const [cos, sin] = [stretch * Math.cos(turn), stretch * Math.sin(turn)]
  return ([x, y]) => [cx + sx + (x - cx) * cos - (y - cy) * sin, cy + sy + (x - cx) * sin + (y - cy) * cos]
}

/** Writes with a pen or a brush. `wobble` 1 is a neat adult, 2 a child. */
export const drawnFrom =
  (glyph: Glyph, tool: Tool, wobble = 1): Draw =>
  (mask, place, writing, chance) => {
    const onSheet = placement(place, writing)
    const waves = wavesOf(chance, 0.007 * wobble)
    const thickness = (between(chance, 2.1, 3.7) / 120) * place.cell
    const write = (stroke: Stroke, by: Move, beat: number) => {
      const move: Move = point => onSheet(waves(by(point)))
      if (tool === 'brush') fillContours(mask, [stroke.outline.map(move)])
      else penLine(mask, stroke.median.map(move), thickness, beat)
    }
    const beats = glyph.strokes.map((stroke, index) => {
      const own = strokeMove(stroke, chance, wobble)
      const beat = between(chance, 0, 2 * Math.PI)
      if (index !== writing.missing) write(stroke, own, beat)
      return beat
    })
    if (writing.again !== undefined)
      for (const index of someOf(glyph.strokes.length, writing.again, chance)) {
        const stroke = glyph.strokes[index] as Stroke
        write(stroke, besideIt(stroke, chance), beats[index] as number)
      }
    return true
  }

/** So many of them, at least one, in any order. */
function someOf(count: number, share: number, chance: Random): number[] {
  const left = Array.from({ length: count }, (_, index) => index)
  const wanted = Math.max(1, Math.round(share * count))
  return Array.from({ length: wanted }, () => left.splice(chance.whole(0, left.length - 1), 1)[0] as number)
}

/** Off by less than a stroke is from its neighbour, across the way it goes. */
function besideIt({ median }: Stroke, chance: Random): Move {
  const [[x1, y1], [x2, y2]] = [median[0] as Point, median.at(-1) as Point]
  const far = (between(chance, 0.07, 0.1) * (chance.chance(0.5) ? 1 : -1)) / (Math.hypot(x2 - x1, y2 - y1) || 1)
  return ([x, y]) => [x - far * (y2 - y1), y + far * (x2 - x1)]
}

/** A line whose pressure varies, and that ends thinner than it begins. */
function penLine(mask: Mask, line: readonly Point[], thickness: number, beat: number): void {
  const dots = pacedOf(line, 0.8)
  dots.forEach(({ at }, index) => {
    const ending = Math.min(1, 0.35 + (dots.length - index) / 12)
    stampDisc(mask, at, thickness * (1 + 0.15 * Math.sin(beat + index / 14)) * ending)
  })
}
