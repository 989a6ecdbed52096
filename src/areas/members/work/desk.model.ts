import * as z from 'zod'
import { mark, scores } from './comment.model.ts'

export const LEASE_MS = 30 * 60_000
/** One is looked at while the picture of the next is on its way. */
export const MAX_HELD = 2
/** How long a comment can be taken back before the pupil sees it. */
export const TAKE_BACK_MS = 2 * 60_000

const MINUTE_MS = 60_000
/** Minutes until an instant, the one that has begun among them; 0 once it is over. */
export const leftOf = (until: string, now: Date): number =>
  Math.max(0, Math.ceil((new Date(until).getTime() - now.getTime()) / MINUTE_MS))

const comment = z.strictObject({
  id: z.string(),
  by: z.string(),
  at: z.string(),
  status: z.enum(['HELD', 'RELEASED', 'TAKEN_BACK', 'OVERTURNED']),
  marks: z.array(mark),
  scores,
  score: z.int(),
  /** What the scorer had suggested, where it could. */
  suggested: z.int().nullable(),
  words: z.string(),
  voice: z.array(z.string()),
})
export type CommentView = z.infer<typeof comment>
export const commentViews = z.array(comment)

const attempt = z.strictObject({
  no: z.string(),
  submittedAt: z.string(),
  score: z.int().nullable(),
  pictures: z.array(z.string()),
  words: z.string().nullable(),
  marks: z.array(mark),
})

/** A work as whoever holds it has it on the desk. Pictures and films are links that live for five minutes. */
const deskWork = z.strictObject({
  id: z.string(),
  no: z.string(),
  kind: z.enum(['HOMEWORK', 'PRACTICE', 'POSTURE', 'GRIP', 'COPYBOOK']),
  lesson: z.string(),
  attempt: z.int(),
  characters: z.string().nullable(),
  submittedAt: z.string(),
  leasedUntil: z.string(),
  pupil: z.strictObject({ id: z.string(), name: z.string(), works: z.int(), average: z.int().nullable() }),
  isOwnPupil: z.boolean(),
  pictures: z.array(z.string()),
  video: z.string().nullable(),
  durationSeconds: z.int().nullable(),
  before: attempt.nullable(),
  comments: commentViews,
  /** Codes of the phrases the pupil was told lately, the latest first. */
  heard: z.array(z.string()),
})
export type DeskWork = z.infer<typeof deskWork>

/** What somebody has said just now, and until when it can be taken back. */
const justSaid = z.strictObject({
  id: z.string(),
  no: z.string(),
  lesson: z.string(),
  score: z.int(),
  until: z.string(),
})
export type JustSaid = z.infer<typeof justSaid>

/** Everything on one person's desk. */
export const desk = z.strictObject({
  held: z.array(deskWork),
  waiting: z.strictObject({ mine: z.int(), department: z.int() }),
  said: z.array(justSaid),
})
export type Desk = z.infer<typeof desk>
