import * as z from 'zod'
import type { Measures } from '#engines/handwriting/judge.model.ts'
import { lossesOf, REASON_CODES, type Reason, type ReasonCode } from '#engines/handwriting/verdict.model.ts'
import { choosePhrases, type Phrase } from '#engines/phrase/model.ts'
import { type Kind, MAX_POINTS, type Mark, RUBRIC, type Scores, scores } from './comment.model.ts'

const box = z.strictObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })

/** What was measured of a character: off centre to the right and down in per cent of the cell, all else of the model's; degrees to the right. */
const figures = z.strictObject({
  across: z.int(),
  down: z.int(),
  size: z.int(),
  aspect: z.int(),
  tilt: z.int(),
  density: z.int(),
  overlap: z.int(),
})

/** One character of a page: where it stands in the picture, and what was found. */
const character = z.strictObject({
  char: z.string(),
  box: box.nullable(),
  score: z.int().nullable(),
  // Pages that were read before these were kept have none.
  figures: figures.optional(),
  reasons: z.array(z.strictObject({ code: z.enum(REASON_CODES), value: z.number(), like: z.string().optional() })),
})
export type ReadCharacter = Readonly<z.infer<typeof character>>

const page = z.strictObject({
  characters: z.array(character),
  /** Why nothing could be read on it, as the scorer calls it. */
  fault: z.string().nullable(),
})
export const pages = z.array(page)
export type ReadPages = z.infer<typeof pages>

/** What is suggested of a work: a picture's characters in the order of its pictures, and points; none where nothing was read. */
export const suggestion = z.strictObject({ pages, scores: scores.nullable(), score: z.int().nullable() })
export type Suggestion = Readonly<z.infer<typeof suggestion>>
export const NOTHING_READ: Suggestion = { pages: [], scores: null, score: null }

type Written = Extract<Kind, 'HOMEWORK' | 'PRACTICE' | 'COPYBOOK'>
export const isWritten = (kind: Kind): kind is Written => 'strokes' in RUBRIC[kind]

type Parts = Record<'strokes' | 'structure' | 'layout', number>
type Judged = {
  readonly char: string | null
  readonly score: number | null
  readonly reasons: readonly Reason[]
  readonly measures: Measures | null
}

/** What a character loses of each criterion; all of it where it is missing or another. */
function lostOf({ measures, score, reasons }: Judged, weights: Readonly<Parts>): Parts {
  if (!measures || score === null) return { ...weights }
  const { form, density, size, aspect, tilt, shift } = lossesOf(measures)
  const [strokes, structure] = [form + density, size + aspect + tilt]
  const isShort = reasons.some(({ code }) => code === 'missing-stroke')
  // A stroke too few costs at least what the scorer's cap takes.
  const least = isShort ? Math.max(strokes, 100 - score - structure - shift) : strokes
  return { strokes: least, structure, layout: shift }
}

/**
 * Points by the rubric of the kind: what is lost of the hundred is taken from the criterion it belongs to, so that the points
 * come to the score of the pages.
 */
export function suggestedScores(kind: Written, characters: readonly Judged[]): Scores | null {
  const judged = characters.filter(
    ({ char, score, reasons }) => char !== null && (score !== null || reasons.length > 0),
  )
  if (judged.length === 0) return null
  const weights = RUBRIC[kind]
  const lost = judged.map(one => lostOf(one, weights))
  const points = (name: keyof Parts) => {
    const mean = lost.reduce((sum, one) => sum + Math.min(one[name], weights[name]), 0) / lost.length
    return Math.round(MAX_POINTS * (1 - mean / weights[name]))
  }
  return { strokes: points('strokes'), structure: points('structure'), layout: points('layout') }
}

const percent = (share: number): number => Math.round(share * 100)

export const figuresOf = ({ dx, dy, size, aspect, tilt, density, overlap }: Measures): z.infer<typeof figures> => ({
  ...{ across: percent(dx), down: percent(dy), size: percent(size), aspect: percent(aspect) },
  ...{ tilt: Math.round(tilt), density: percent(density), overlap: percent(overlap) },
})

/** What phrases call it; what stands before the first line between is what teachers call it. */
const TOPIC_OF: Readonly<Record<ReasonCode, string>> = {
  'wrong-character': 'WRONG',
  'missing-character': 'WRONG',
  'missing-stroke': 'WRONG_STROKE',
  'off-left': 'CENTRE',
  'off-right': 'CENTRE',
  'off-up': 'CENTRE',
  'off-down': 'CENTRE',
  'too-big': 'SIZE_BIG',
  'too-small': 'SIZE_SMALL',
  'too-narrow': 'STRUCTURE_NARROW',
  'too-wide': 'STRUCTURE_WIDE',
  'too-crowded': 'STRUCTURE_CROWDED',
  'tilted-left': 'TILT',
  'tilted-right': 'TILT',
}
const faultOf = (code: ReasonCode): string => TOPIC_OF[code].replace(/_.*/, '')

/** So many are shown to a pupil at once: more is nothing to practise by. */
export const MOST_SHOWN = 3
export type Worst = ReadCharacter & { readonly picture: number }

/** The characters with the least score that something was found of; another character before all. */
export const worstOf = ({ pages: read }: Suggestion, most = MOST_SHOWN): Worst[] =>
  read
    .flatMap(({ characters }, picture) => characters.map(one => ({ ...one, picture })))
    .filter(({ box: place, reasons }) => place !== null && reasons.length > 0)
    .sort((a, b) => (a.score ?? -1) - (b.score ?? -1))
    .slice(0, most)

/** A box around a character, with what is wrong there if teachers still have a name for it. */
export function markOf({ picture, box: place, reasons }: Worst, faults: readonly string[]): Mark {
  const { left = 0, top = 0, right = 0, bottom = 0 } = place ?? {}
  const whole = (at: number) => Math.max(0, Math.round(at))
  const fault = reasons.map(({ code }) => faultOf(code)).find(name => faults.includes(name)) ?? null
  const points: Mark['points'] = [
    [whole(left), whole(top)],
    [whole(right), whole(bottom)],
  ]
  return { picture, shape: 'BOX', points, fault, words: '' }
}

/** How many phrases a comment is made of, praise and all. */
const MOST_PHRASES = 5
const PRAISE = 'GOOD'

type Speaking = {
  readonly marks: readonly Mark[]
  readonly suggestion: Suggestion | undefined
  readonly heard: readonly string[]
  readonly seed: number
}

/** Praise first, then what the scorer found worst, then what the teacher has marked; all the others after them. */
export function phrasesFor<P extends Phrase>(phrases: readonly P[], of: Speaking): P[] {
  const { marks, suggestion: found, heard, seed } = of
  const read = found ? worstOf(found).flatMap(({ reasons }) => reasons.map(({ code }) => TOPIC_OF[code])) : []
  const marked = marks.flatMap(({ fault }) => fault ?? [])
  const chosen = choosePhrases({ phrases, topics: [PRAISE, ...read, ...marked], heard, seed, most: MOST_PHRASES })
  return [...chosen, ...phrases.filter(phrase => !chosen.includes(phrase))]
}
