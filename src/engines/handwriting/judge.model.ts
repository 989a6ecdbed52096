import { distanceAt, wayOf } from './field.model.ts'
import { type Fit, fitNear, fitOf, inkToModel, modelToInk } from './fit.model.ts'
import { CELL } from './ink.model.ts'
import type { Shape } from './shape.model.ts'
import type { Template } from './template.model.ts'

/** What is measured of a character. Places are shares of the cell, sizes factors of the model's, the tilt degrees to the right. */
export type Measures = {
  readonly dx: number
  readonly dy: number
  readonly size: number
  /** How much wider than high, against the model. */
  readonly aspect: number
  readonly tilt: number
  /** Length of what is written, against the model's at this size. */
  readonly density: number
  /** How much of model and writing lies on each other, 0 to 1. */
  readonly overlap: number
  /** Dots by which model and writing are apart, both ways, the worst stroke left out. */
  readonly apart: number
  /** For each stroke, how much of it is there, 0 to 1. */
  readonly strokes: readonly number[]
}

/** Dots: ink so near is of this stroke. */
const NEAR = 2.2
/** Dots by which a stroke may lie elsewhere than the model has it. */
const LOCAL = 4
const DOT_LOCAL = 6
const LOCAL_STEP = 2
/** Ink beside a stroke may be a neighbour's: what counts more is ink that is nobody else's. */
const BESIDE_SHARE = 0.35
/** Dots: ink further away is nobody's. */
const OWNED_WITHIN = 6

export function measure(template: Template, shape: Shape): Measures & { readonly fit: Fit } {
  const fit = fitOf(template, shape)
  const [dx, dy, logWide, logHigh, turn] = fit
  const size = Math.exp((logWide + logHigh) / 2)
  const model = new Float32Array(template.points.count)
  const ink = new Float32Array(shape.points.count)
  modelToInk(template, shape, fit, 1, model)
  const inkApart = inkToModel(template, shape, fit, 1, ink)
  const strokes = coverage(template, shape, fit)
  const worst = strokes.indexOf(Math.min(...strokes))
  const others = model.filter((_, i) => template.strokes[i] !== worst)
  // What is written larger strays by as much more.
  const grown = Math.max(1, size)
  const [drawn, meant] = [nearShare(model, NEAR * grown), nearShare(ink, NEAR * grown)]
  return {
    fit,
    dx: dx / CELL,
    dy: dy / CELL,
    size,
    aspect: Math.exp(logWide - logHigh),
    tilt: (turn * 180) / Math.PI,
    density: shape.points.count / (template.length * size),
    overlap: (2 * drawn * meant) / (drawn + meant || 1),
    apart: (inkApart + others.reduce((sum, far) => sum + far, 0) / (others.length || 1)) / grown,
    strokes,
  }
}

const nearShare = (distances: Float32Array, near: number): number =>
  distances.filter(far => far <= near).length / distances.length

/** Dots by which a template and the ink are apart, both ways, where it fits best near this fit. */
export function apartNear(template: Template, shape: Shape, near: Fit): number {
  const fit = fitNear(template, shape, near)
  return modelToInk(template, shape, fit) + inkToModel(template, shape, fit)
}

/** How much of each stroke is there: by ink beside it, and by ink that is no other stroke's. */
function coverage(template: Template, shape: Shape, fit: Fit): number[] {
  const laid = laidOf(template, fit)
  const isOwner = ownersOf(template, shape, laid)
  return Array.from({ length: template.strokeCount }, (_, stroke) => {
    const own = [...template.strokes.keys()].filter(i => template.strokes[i] === stroke)
    if (own.length === 0) return 1
    // People put dots where they like, and of what is drawn of them thinning leaves but half.
    const isDot = Number.isNaN(template.points.angles[own[0] as number])
    const local = isDot ? DOT_LOCAL : LOCAL
    let beside = 0
    for (let dy = -local; dy <= local; dy += LOCAL_STEP)
      for (let dx = -local; dx <= local; dx += LOCAL_STEP) {
        let near = 0
        for (const i of own) {
          const far = distanceAt(
            shape.field,
            laid.ways[i] as number,
            (laid.xs[i] as number) + dx,
            (laid.ys[i] as number) + dy,
          )
          if (far <= NEAR) near += 1
        }
        beside = Math.max(beside, near / own.length)
      }
    const reach = isDot ? 1 : 0
    const owned = own.filter((_, k) => own.slice(Math.max(0, k - reach), k + reach + 1).some(i => isOwner[i] === 1))
    return BESIDE_SHARE * beside + (1 - BESIDE_SHARE) * (owned.length / own.length)
  })
}

type Laid = { readonly xs: Float32Array; readonly ys: Float32Array; readonly ways: Uint8Array }

/** The points of a template where they lie on the writing. */
function laidOf({ points }: Template, [dx, dy, logWide, logHigh, turn]: Fit): Laid {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const [wide, high] = [Math.exp(logWide), Math.exp(logHigh)]
  const at = (i: number) => [(points.xs[i] as number) * wide, (points.ys[i] as number) * high] as const
  return {
    xs: points.xs.map((_, i) => dx + at(i)[0] * cos - at(i)[1] * sin),
    ys: points.ys.map((_, i) => dy + at(i)[0] * sin + at(i)[1] * cos),
    ways: Uint8Array.from(points.angles, angle => wayOf(angle + turn)),
  }
}

/** Which points of the template have ink of their own: each dot of it is given to the nearest point that goes its way. */
function ownersOf({ points }: Template, shape: Shape, { xs, ys }: Laid): Uint8Array {
  const isOwner = new Uint8Array(points.count)
  const most = Math.cos((40 * Math.PI) / 180)
  for (let k = 0; k < shape.points.count; k += 1) {
    const x = shape.points.xs[k] as number
    const y = shape.points.ys[k] as number
    const angle = shape.points.angles[k] as number
    let [best, near] = [-1, OWNED_WITHIN * OWNED_WITHIN]
    for (let i = 0; i < points.count; i += 1) {
      const far = ((xs[i] as number) - x) ** 2 + ((ys[i] as number) - y) ** 2
      if (far >= near) continue
      // Neither a crossing nor a dot goes a way of its own.
      const turned = angle - (points.angles[i] as number)
      if (!Number.isNaN(turned) && Math.abs(Math.cos(turned)) < most) continue
      best = i
      near = far
    }
    if (best >= 0) isOwner[best] = 1
  }
  return isOwner
}
