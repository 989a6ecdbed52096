import { distanceAt, type Points, wayOf } from './field.model.ts'
import type { Shape } from './shape.model.ts'
import type { Template } from './template.model.ts'

/** How a template has to be moved, stretched and turned to lie on what is written: dots, logarithms of factors, and an angle. */
export type Fit = readonly [dx: number, dy: number, logWide: number, logHigh: number, turn: number]

/** Points of each side that are looked at while a fit is searched for. */
const LOOKED_AT = 100
/** A hand hardly stretches one way only, nor moves, turns or grows without need: else what is left of a character would be taken for a small one. */
const PENALTY = { stretch: 6, turn: 0.4, size: 1, place: 0.0015 }
const SCALES = [-0.15, 0, 0.15]
const TURNS = [-0.19, -0.095, 0, 0.095, 0.19]
/** The first steps of the search: dots, logarithms and an angle; each round halves them. */
const STEPS: Fit = [3, 3, 0.06, 0.06, 0.06]
const ROUNDS = 4
/** From a fit that is nearly right. */
const CLOSE_ROUNDS = 3
const CLOSE_STEPS: Fit = [1.5, 1.5, 0.03, 0.03, 0.03]
/** Fits from which the search goes on. */
const KEPT = 2

/** Where a stroke is missing, middle and size of the ink mislead; the place of the model does not. */
const AS_MODEL: Fit = [0, 0, 0, 0, 0]

/** The best of several beginnings. */
export function fitOf(template: Template, shape: Shape): Fit {
  const [from, to] = [spreadOf(template.points), spreadOf(shape.points)]
  const size = Math.log(to.radius / from.radius)
  const begins = SCALES.flatMap(scale =>
    TURNS.map((turn): Fit => {
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
      const factor = Math.exp(size + scale)
      const dx = to.x - factor * (from.x * cos - from.y * sin)
      const dy = to.y - factor * (from.x * sin + from.y * cos)
      return [dx, dy, size + scale, size + scale, turn]
    }),
  )
  const sides = sidesOf(template, shape)
  const judged = begins.map(fit => ({ fit, cost: costOf(sides, fit) })).sort((a, b) => a.cost - b.cost)
  const ends = [AS_MODEL, ...judged.slice(0, KEPT).map(({ fit }) => fit)].map(fit => descend(sides, fit, STEPS, ROUNDS))
  return ends.reduce((best, end) => (end.cost < best.cost ? end : best)).fit
}

/** From where another template of nearly the same form lay. */
export const fitNear = (template: Template, shape: Shape, near: Fit): Fit =>
  descend(sidesOf(template, shape), near, CLOSE_STEPS, CLOSE_ROUNDS).fit

function spreadOf({ count, xs, ys }: Points): { x: number; y: number; radius: number } {
  const x = xs.reduce((sum, value) => sum + value, 0) / count
  const y = ys.reduce((sum, value) => sum + value, 0) / count
  let squares = 0
  for (let i = 0; i < count; i += 1) squares += ((xs[i] as number) - x) ** 2 + ((ys[i] as number) - y) ** 2
  return { x, y, radius: Math.sqrt(squares / count) || 1 }
}

type Sides = {
  readonly template: Template
  readonly shape: Shape
  readonly everyModel: number
  readonly everyInk: number
}

const sidesOf = (template: Template, shape: Shape): Sides => ({
  template,
  shape,
  everyModel: Math.max(1, template.points.count / LOOKED_AT),
  everyInk: Math.max(1, shape.points.count / LOOKED_AT),
})

type Found = { readonly fit: Fit; readonly cost: number }

/** One number after another a step to either side, as long as it helps; then smaller steps. */
function descend(sides: Sides, begin: Fit, steps: Fit, rounds: number): Found {
  const fit: number[] = [...begin]
  let cost = costOf(sides, begin)
  for (let round = 0, share = 1; round < rounds; round += 1, share /= 2)
    for (let isBetter = true, turns = 0; isBetter && turns < 6; turns += 1) {
      isBetter = false
      for (let k = 0; k < fit.length; k += 1)
        for (const side of [share, -share]) {
          const before = fit[k] as number
          fit[k] = before + side * (steps[k] as number)
          const next = costOf(sides, fit as unknown as Fit)
          if (next < cost) {
            cost = next
            isBetter = true
            break
          }
          fit[k] = before
        }
    }
  return { fit: fit as unknown as Fit, cost }
}

function costOf({ template, shape, everyModel, everyInk }: Sides, fit: Fit): number {
  const [dx, dy, logWide, logHigh, turn] = fit
  const penalty =
    PENALTY.stretch * (logWide - logHigh) ** 2 +
    PENALTY.turn * turn ** 2 +
    PENALTY.size * (logWide + logHigh) ** 2 +
    PENALTY.place * (dx * dx + dy * dy)
  return modelToInk(template, shape, fit, everyModel) + inkToModel(template, shape, fit, everyInk) + penalty
}

/** How far the template is from the ink, on average; with `out`, for each of its points. */
export function modelToInk({ points }: Template, shape: Shape, fit: Fit, every = 1, out?: Float32Array): number {
  const [dx, dy, logWide, logHigh, turn] = fit
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  const wide = Math.exp(logWide)
  const high = Math.exp(logHigh)
  let sum = 0
  let count = 0
  for (let place = 0; place < points.count; place += every) {
    const i = Math.floor(place)
    const x = (points.xs[i] as number) * wide
    const y = (points.ys[i] as number) * high
    const way = wayOf((points.angles[i] as number) + turn)
    const far = distanceAt(shape.field, way, dx + x * cos - y * sin, dy + x * sin + y * cos)
    if (out) out[i] = far
    sum += far
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

/** How far the ink is from the template, in dots of the cell. */
export function inkToModel(template: Template, { points }: Shape, fit: Fit, every = 1, out?: Float32Array): number {
  const [dx, dy, logWide, logHigh, turn] = fit
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  const wide = Math.exp(-logWide)
  const high = Math.exp(-logHigh)
  const size = Math.exp((logWide + logHigh) / 2)
  let sum = 0
  let count = 0
  for (let place = 0; place < points.count; place += every) {
    const i = Math.floor(place)
    const x = (points.xs[i] as number) - dx
    const y = (points.ys[i] as number) - dy
    const way = wayOf((points.angles[i] as number) - turn)
    const far = size * distanceAt(template.field, way, (x * cos + y * sin) * wide, (y * cos - x * sin) * high)
    if (out) out[i] = far
    sum += far
    count += 1
  }
  return count === 0 ? 0 : sum / count
}
