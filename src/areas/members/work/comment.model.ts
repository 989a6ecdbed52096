import * as z from 'zod'
import { dictionary, optional } from '#kit/model/field.ts'

/** What teachers judge by, and how much each counts of a hundred, for each kind of work. */
export const RUBRIC = {
  HOMEWORK: { strokes: 40, structure: 40, layout: 20 },
  PRACTICE: { strokes: 40, structure: 40, layout: 20 },
  COPYBOOK: { strokes: 40, structure: 40, layout: 20 },
  POSTURE: { posture: 100 },
  GRIP: { grip: 100 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number>>>>
export type Kind = keyof typeof RUBRIC
const CRITERIA = ['strokes', 'structure', 'layout', 'posture', 'grip'] as const
export type Criterion = (typeof CRITERIA)[number]

/** What each is given: one key of the keyboard, 0 for ten. */
export const MAX_POINTS = 10

export const criteriaOf = (kind: Kind): readonly Criterion[] => Object.keys(RUBRIC[kind]) as Criterion[]

/** Pictures are at most so wide and high (MAX_PIXELS bounds both together). */
const MAX_PLACE = 40_000
const MAX_LINE = 400
const MAX_MARKS = 60
export const MAX_MARK_WORDS = 100
export const MAX_PICTURES = 6
/** Films are at most so long. */
export const MAX_SECONDS = 600

const point = z.tuple([z.int().min(0).max(MAX_PLACE), z.int().min(0).max(MAX_PLACE)])
export type Place = Readonly<z.infer<typeof point>>

/** A place, a line drawn by hand, a box around a character, or a moment of a film; with what is wrong there, and a word about it. */
export const mark = z
  .strictObject({
    picture: z
      .int()
      .min(0)
      .max(MAX_PICTURES - 1),
    shape: z.enum(['PIN', 'LINE', 'BOX', 'TIME']),
    points: z.array(point).max(MAX_LINE),
    second: z.number().min(0).max(MAX_SECONDS).optional(),
    fault: optional(dictionary('WORK_FAULT')),
    words: z.string().trim().max(MAX_MARK_WORDS),
  })
  .refine(({ shape, points: { length } }) =>
    shape === 'LINE' ? length >= 2 : length === { PIN: 1, BOX: 2, TIME: 0 }[shape],
  )
  .refine(({ shape, second }) => (shape === 'TIME') === (second !== undefined))
export type Mark = Readonly<z.infer<typeof mark>>

export const scores = z.partialRecord(z.enum(CRITERIA), z.int().min(0).max(MAX_POINTS))
export type Scores = Readonly<z.infer<typeof scores>>

export const MAX_WORDS = 2_000
/** What a teacher says of a work. */
export const said = z.strictObject({
  marks: z.array(mark).max(MAX_MARKS),
  scores,
  words: z.string().trim().max(MAX_WORDS),
  /** Said aloud, as one recording. */
  voice: z.array(z.uuid()).max(1).default([]),
})
export type Said = Readonly<z.infer<typeof said>>

export const isScored = (kind: Kind, given: Scores): boolean => {
  const wanted = criteriaOf(kind)
  return wanted.every(name => given[name] !== undefined) && Object.keys(given).length === wanted.length
}

/** Out of a hundred, by the weights of the kind. */
export const scoreOf = (kind: Kind, given: Scores): number =>
  Math.round(
    criteriaOf(kind).reduce((sum, name) => {
      const weights: Readonly<Partial<Record<Criterion, number>>> = RUBRIC[kind]
      return sum + ((given[name] ?? 0) * (weights[name] ?? 0)) / MAX_POINTS
    }, 0),
  )
