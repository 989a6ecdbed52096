import type * as z from 'zod'
import type { Purpose } from '#engines/consent/model.ts'
import type { Screen } from '#kit/model/area.ts'
import {
  choice,
  code,
  colleague,
  files,
  flag,
  id,
  instant,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import { WRONG_STATE } from '#kit/model/workflow.ts'
import { MAX_PICTURES, MAX_SECONDS } from './comment.model.ts'

/** What a pupil hands in for a teacher to look at. Two screens stand on it: what was photographed, and what was filmed. */
export const workFields = {
  id: id(),
  no: code(),
  opusId: code(),
  memberId: ref('member'),
  medium: choice({ PICTURE: 'idle', VIDEO: 'special' }),
  kind: choice({ HOMEWORK: 'busy', PRACTICE: 'idle', POSTURE: 'special', GRIP: 'special', COPYBOOK: 'attention' }),
  lesson: text(100),
  attempt: number(1, 1_000),
  beforeId: optional(id()),
  characters: optional(text()),
  characterCount: number(0, 200),
  /** Of a film its cover, where it has one. */
  picture: files('image', MAX_PICTURES),
  video: files('video', 1),
  durationSeconds: optional(number(1, MAX_SECONDS)),
  status: choice({
    SUBMITTED: 'attention',
    LEASED: 'busy',
    COMMENTED: 'busy',
    RELEASED: 'done',
    RETURNED: 'failed',
    HIDDEN: 'idle',
  }),
  holderId: optional(ref('staff')),
  leasedUntil: optional(instant()),
  assigneeId: optional(ref('staff')),
  score: optional(number(0, 100)),
  commenterId: optional(ref('staff')),
  commentedAt: optional(instant()),
  returnedFor: optional(text()),
  review: choice({ NONE: 'idle', DUE: 'attention', PASSED: 'done', OVERTURNED: 'failed' }),
  isExcellent: flag(),
  rewardCoins: number(0, 10_000),
  submittedAt: instant(),
  ownerId: optional(ref('staff')),
  /** Whose the member was when it was handed in. */
  ownerThen: optional(ref('staff')),
  teacherId: optional(ref('staff')),
  version: version(),
}
export type Work = z.infer<z.ZodObject<typeof workFields>>
export type WorkResource = Resource<typeof workFields>
export type Medium = Work['medium']

/** What is the same of both screens, besides the fields. */
export const WORK_SCREEN = {
  table: 'work',
  title: 'no',
  brief: ['no', 'memberId', 'kind', 'lesson', 'score'],
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  carer: 'teacherId',
  clock: { since: 'submittedAt', hours: { SUBMITTED: 24, LEASED: 24 } },
} as const

/** What both lists are searched and sorted by. */
export const WORK_FILTERS = [
  'kind',
  'submittedAt',
  'teacherId',
  'score',
  'attempt',
  'characterCount',
  'memberId',
  'lesson',
  'holderId',
  'assigneeId',
  'commenterId',
  'review',
  'isExcellent',
  'status',
  'ownerId',
  'ownerThen',
] as const

/** Nobody takes from somebody's desk what lies on it. */
const whyNotHis = ({ status, holderId }: Pick<Work, 'status' | 'holderId'>, actor: { id: string }) =>
  status === 'LEASED' && holderId !== actor.id ? refuse('held-by-another') : undefined

/** What was handed to somebody is that person's, and an overturned comment is not its author's to mend. */
export function whyNotTaken(
  { assigneeId, review, commenterId }: Pick<Work, 'assigneeId' | 'review' | 'commenterId'>,
  actor: { id: string },
): Refusal | undefined {
  if (assigneeId !== null && assigneeId !== actor.id) return refuse('handed-to-another')
  if (review === 'OVERTURNED' && commenterId === actor.id) return refuse('own-comment')
}

/** A second look is another person's. */
function whyNotReviewed(
  { review, commenterId }: Pick<Work, 'review' | 'commenterId'>,
  actor: { id: string },
): Refusal | undefined {
  // No news: most comments are looked at once.
  if (review !== 'DUE') return refuse(WRONG_STATE, { state: `review.${review}` })
  if (commenterId === actor.id) return refuse('own-comment')
}

/** What photographs show of which the child is seen. */
export const SEEN: readonly Work['kind'][] = ['POSTURE', 'GRIP']

/** What has to be agreed to before a work is shown: on a film, and on a photograph of how it sits, the child is seen as well. */
export function neededFor({ medium, kind }: Pick<Work, 'medium' | 'kind'>): readonly Purpose[] {
  if (medium === 'VIDEO') return ['DISPLAY', 'VIDEO']
  return SEEN.includes(kind) ? ['DISPLAY', 'PICTURE'] : ['DISPLAY']
}

/** What others know of a work: what has not been agreed to that showing it needs. */
export type WorkFacts = { readonly lacks: Purpose | null }

/** Excellent works are there to be shown: a child's only where that was agreed to by who may (decisions 067, 075). */
export function whyNotShown({ isExcellent }: Pick<Work, 'isExcellent'>, _actor: unknown, facts: WorkFacts | undefined) {
  if (isExcellent) return refuse('is-excellent')
  const lacks = facts ? facts.lacks : 'DISPLAY'
  if (lacks) return refuse(`lacks.${lacks}`)
}

/** Where a hidden work comes back to: what it was is told by what it holds. What was overturned is still to be said anew. */
export function shownAs({ returnedFor, score, review }: Pick<Work, 'returnedFor' | 'score' | 'review'>) {
  if (returnedFor !== null) return 'RETURNED'
  return score !== null && review !== 'OVERTURNED' ? 'RELEASED' : 'SUBMITTED'
}

/** The way of a work, whatever it was handed in as. */
export const workWay = (screen: Pick<Screen, 'name' | 'key'>) =>
  ({
    field: 'status',
    // Taken, commented on, sent back and released at the desk.
    arrivals: ['SUBMITTED', 'LEASED', 'COMMENTED', 'RELEASED', 'RETURNED'],
    steps: {
      // Whoever may take one has a desk, and everything that is done there.
      take: { from: ['SUBMITTED'], to: 'LEASED', guard: whyNotTaken, alone: true, awaits: true, back: 'undo' },
      handOver: {
        from: ['SUBMITTED', 'LEASED'],
        to: 'SUBMITTED',
        guard: whyNotHis,
        input: { toId: colleague(screen, 'take') },
        aside: true,
        back: 'stays',
      },
      passReview: {
        from: ['RELEASED'],
        guard: whyNotReviewed,
        awaits: true,
        only: { review: ['DUE'] },
        back: 'undo',
      },
      overturn: {
        from: ['RELEASED'],
        to: 'SUBMITTED',
        guard: whyNotReviewed,
        reason: true,
        danger: true,
        alone: true,
        back: 'stays',
      },
      askReview: {
        from: ['RELEASED'],
        guard: ({ review }: Pick<Work, 'review'>) => (review === 'DUE' ? refuse('review-due') : undefined),
        aside: true,
        back: 'undo',
      },
      markExcellent: { from: ['RELEASED'], guard: whyNotShown, aside: true, back: 'undo' },
      unmarkExcellent: {
        from: ['RELEASED'],
        guard: ({ isExcellent }: Pick<Work, 'isExcellent'>) => (isExcellent ? undefined : refuse('not-excellent')),
        aside: true,
        back: 'undo',
      },
      hide: {
        from: ['SUBMITTED', 'RELEASED', 'RETURNED'],
        to: 'HIDDEN',
        reason: true,
        danger: true,
        aside: true,
        back: 'undo',
      },
      showAgain: {
        from: ['HIDDEN'],
        to: { among: ['SUBMITTED', 'RELEASED', 'RETURNED'], by: shownAs },
        reason: true,
        aside: true,
        back: 'undo',
      },
    },
  }) as const
