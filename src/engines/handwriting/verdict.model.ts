import type { Measures } from './judge.model.ts'

export const REASON_CODES = [
  'wrong-character',
  'missing-character',
  'missing-stroke',
  'off-left',
  'off-right',
  'off-up',
  'off-down',
  'too-big',
  'too-small',
  'too-narrow',
  'too-wide',
  'too-crowded',
  'tilted-left',
  'tilted-right',
] as const
export type ReasonCode = (typeof REASON_CODES)[number]
/**
 * Why a character has less than the full score, for whoever puts it into words. `value` is a share of the cell or of the
 * model's size in percent, degrees, the number of a stroke, or 0 where nothing is counted.
 */
export type Reason = {
  readonly code: ReasonCode
  readonly value: number
  /** What it looks like instead. */
  readonly like?: string
}
/** No score where something else was written. */
export type Verdict = { readonly score: number | null; readonly reasons: readonly Reason[] }

/** Half way between how far a good hand strays and the smallest fault a teacher names (decision 060). */
const LIMIT = {
  shift: 0.085,
  big: 1.165,
  small: 0.83,
  narrow: 0.81,
  wide: 1.22,
  crowded: 1.18,
  tilt: 5.9,
  stroke: 0.36,
  overlap: 0.68,
  apart: 4,
}
/** Below this size strokes run into each other, and none is said to be missing. */
const TOO_SMALL_TO_COUNT = 0.62
/** Strokes that hardly two characters have in common, each where the other has it, and how much of each has to be there. */
const MANY_STROKES = 5
const SURELY_THERE = 0.75
/** What costs nothing, and what each unit beyond it costs. */
const COST = {
  shift: { free: 0.05, per: 250 },
  size: { free: 0.08, per: 140 },
  tilt: { free: 3, per: 2.5 },
  aspect: { free: 0.12, per: 100 },
  density: { free: 0.07, per: 40 },
  form: { free: 0.12, per: 60 },
}
const MISSING_STROKE_CAP = 60

export function verdictOf(measures: Measures, like?: string): Verdict {
  const { overlap, apart } = measures
  const isOther = overlap < LIMIT.overlap && apart > LIMIT.apart && !isWrittenOver(measures)
  const missing = isOther ? [] : missingStroke(measures)
  if (isOther || like !== undefined)
    return {
      score: null,
      reasons: [{ code: 'wrong-character', value: 0, ...(like === undefined ? {} : { like }) }, ...missing],
    }
  const reasons = [missing, ...[placeReasons, sizeReasons, formReasons, tiltReasons].map(of => of(measures))].flat()
  const score = scoreOf(measures)
  return { score: missing.length > 0 ? Math.min(MISSING_STROKE_CAP, score) : score, reasons }
}

/** All of it is there, and more: that is not another character, unless the model has so few strokes that many have them. */
const isWrittenOver = ({ density, strokes }: Measures): boolean =>
  density > LIMIT.crowded && strokes.length >= MANY_STROKES && Math.min(...strokes) >= SURELY_THERE

function missingStroke({ strokes, size }: Measures): Reason[] {
  const least = Math.min(...strokes)
  if (strokes.length < 2 || least >= LIMIT.stroke || size < TOO_SMALL_TO_COUNT) return []
  return [{ code: 'missing-stroke', value: strokes.indexOf(least) + 1 }]
}

const percent = (share: number): number => Math.round(share * 100)

/** The way it is furthest off. */
function placeReasons({ dx, dy }: Measures): Reason[] {
  const far = Math.hypot(dx, dy)
  if (far <= LIMIT.shift) return []
  const isAside = Math.abs(dx) >= Math.abs(dy)
  const code = isAside ? (dx < 0 ? 'off-left' : 'off-right') : dy < 0 ? 'off-up' : 'off-down'
  return [{ code, value: percent(far) }]
}

function sizeReasons({ size }: Measures): Reason[] {
  if (size > LIMIT.big) return [{ code: 'too-big', value: percent(size) }]
  return size < LIMIT.small ? [{ code: 'too-small', value: percent(size) }] : []
}

/** Stretched one way only, or with more ink than its strokes take. */
function formReasons({ aspect, density }: Measures): Reason[] {
  const reasons: Reason[] = []
  if (aspect < LIMIT.narrow) reasons.push({ code: 'too-narrow', value: percent(aspect) })
  if (aspect > LIMIT.wide) reasons.push({ code: 'too-wide', value: percent(aspect) })
  if (density > LIMIT.crowded) reasons.push({ code: 'too-crowded', value: percent(density) })
  return reasons
}

function tiltReasons({ tilt }: Measures): Reason[] {
  if (Math.abs(tilt) <= LIMIT.tilt) return []
  return [{ code: tilt < 0 ? 'tilted-left' : 'tilted-right', value: Math.round(Math.abs(tilt)) }]
}

/** What each measure takes from the hundred. */
export function lossesOf({
  dx,
  dy,
  size,
  tilt,
  aspect,
  density,
  overlap,
}: Measures): Readonly<Record<keyof typeof COST, number>> {
  const lost = ({ free, per }: { free: number; per: number }, amount: number) => per * Math.max(0, amount - free)
  return {
    shift: lost(COST.shift, Math.hypot(dx, dy)),
    size: lost(COST.size, Math.abs(Math.log(size))),
    tilt: lost(COST.tilt, Math.abs(tilt)),
    aspect: lost(COST.aspect, Math.abs(Math.log(aspect))),
    density: lost(COST.density, density - 1),
    form: lost(COST.form, 1 - overlap),
  }
}

const scoreOf = (measures: Measures): number =>
  Math.max(0, Math.round(100 - Object.values(lossesOf(measures)).reduce((sum, loss) => sum + loss, 0)))
