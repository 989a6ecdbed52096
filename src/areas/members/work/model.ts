import * as z from 'zod'
import { numbersEnding } from '#engines/sequence/model.ts'
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
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith, WRONG_STATE } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { MAX_PICTURES } from './comment.model.ts'

/** What a pupil hands in for a teacher to look at. */
export const resource = defineResource({
  screen: area.screens.work,
  table: 'work',
  record: z.strictObject({
    id: id(),
    no: code(),
    opusId: code(),
    memberId: ref('member'),
    kind: choice({ HOMEWORK: 'busy', PRACTICE: 'idle', POSTURE: 'special', GRIP: 'special', COPYBOOK: 'attention' }),
    lesson: text(100),
    attempt: number(1, 1_000),
    beforeId: optional(id()),
    characters: optional(text()),
    characterCount: number(0, 200),
    picture: files('image', MAX_PICTURES),
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
    teacherId: optional(ref('staff')),
    version: version(),
  }),
  title: 'no',
  brief: ['no', 'memberId', 'kind', 'lesson', 'score'],
  evidence: ['picture'],
  list: {
    columns: [
      'picture',
      'memberId',
      'lesson',
      'kind',
      'status',
      'submittedAt',
      'score',
      'attempt',
      'characterCount',
      'teacherId',
      'holderId',
      'leasedUntil',
      'assigneeId',
      'commenterId',
      'commentedAt',
      'returnedFor',
      'review',
      'isExcellent',
      'rewardCoins',
      'no',
      'opusId',
      'ownerId',
    ],
    below: { kind: 'lesson', attempt: 'score' },
    filters: [
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
    ],
    sort: ['submittedAt', 'score'],
    usual: 'submittedAt:desc',
    tabs: 'status',
    search: ['no', 'memberId', 'lesson'],
    ending: numbersEnding('W'),
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  carer: 'teacherId',
  clock: { since: 'submittedAt', hours: { SUBMITTED: 24, LEASED: 24 } },
  internal: ['beforeId'],
})
export type Work = RecordOf<typeof resource>

/** Nobody takes from somebody's desk what lies on it. */
export const whyNotHis = ({ status, holderId }: Pick<Work, 'status' | 'holderId'>, actor: { id: string }) =>
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
export function whyNotReviewed(
  { review, commenterId }: Pick<Work, 'review' | 'commenterId'>,
  actor: { id: string },
): Refusal | undefined {
  // No news: most comments are looked at once.
  if (review !== 'DUE') return refuse(WRONG_STATE, { state: `review.${review}` })
  if (commenterId === actor.id) return refuse('own-comment')
}

/** What others know of a work: whether the pupil's guardian agreed to have works shown. */
export type WorkFacts = { readonly mayBeShown: boolean }

/** Excellent works are there to be shown: a child's only where the guardian agreed (decision 067). */
export function whyNotShown({ isExcellent }: Pick<Work, 'isExcellent'>, _actor: unknown, facts: WorkFacts | undefined) {
  if (isExcellent) return refuse('is-excellent')
  if (!facts?.mayBeShown) return refuse('not-to-be-shown')
}

export const workflow = defineWorkflowWith<WorkFacts>()(resource)({
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
      input: { toId: colleague(area.screens.work, 'take') },
      aside: true,
      back: 'stays',
    },
    passReview: { from: ['RELEASED'], guard: whyNotReviewed, awaits: true, back: 'undo' },
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
      guard: ({ review }) => (review === 'DUE' ? refuse('review-due') : undefined),
      aside: true,
      back: 'undo',
    },
    markExcellent: {
      from: ['RELEASED'],
      guard: whyNotShown,
      aside: true,
      back: 'undo',
    },
    unmarkExcellent: {
      from: ['RELEASED'],
      guard: ({ isExcellent }) => (isExcellent ? undefined : refuse('not-excellent')),
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
  },
})
