import * as z from 'zod'
import {
  choice,
  day,
  dictionary,
  files,
  id,
  inDetail,
  instant,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { addDays } from '#kit/model/time.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MAX_SCREENSHOTS = 3

/** Coins are given once a week: the Monday of the week a day is of. */
export const weekOf = (on: string): string => addDays(on, -((new Date(`${on}T00:00:00Z`).getUTCDay() + 6) % 7))

/** Another share with the same screenshot. */
const likeShare = z.strictObject({
  id: z.string(),
  poster: z.string(),
  submittedAt: z.string(),
  status: z.enum(['SUBMITTED', 'APPROVED', 'REJECTED']),
  isSameMember: z.boolean(),
  picture: z.array(z.uuid()),
})

/** A member has shown one of our posters to others, and sends a screenshot as proof. */
export const resource = defineResource({
  screen: area.screens.share,
  table: 'poster_share',
  record: z.strictObject({
    id: id(),
    memberId: ref('member'),
    poster: text(100),
    platform: dictionary('SHARE_PLATFORM'),
    picture: files('image', MAX_SCREENSHOTS),
    likeness: choice({ NONE: 'idle', PENDING: 'busy', NEW: 'done', ALIKE: 'attention', SAME: 'failed' }),
    likeId: optional(id()),
    period: day(),
    status: choice({ SUBMITTED: 'attention', APPROVED: 'done', REJECTED: 'failed' }),
    rewardCoins: number(0, 10_000),
    rejectedFor: optional(text()),
    decidedBy: optional(ref('staff')),
    decidedAt: optional(instant()),
    submittedAt: instant(),
    ownerId: optional(ref('staff')),
    teacherId: optional(ref('staff')),
    like: optional(inDetail(likeShare)),
    version: version(),
  }),
  title: 'poster',
  brief: ['poster', 'memberId', 'platform', 'period'],
  evidence: ['picture', 'like'],
  list: {
    columns: [
      'picture',
      'memberId',
      'poster',
      'platform',
      'status',
      'likeness',
      'period',
      'rewardCoins',
      'submittedAt',
      'rejectedFor',
      'decidedBy',
      'decidedAt',
      'teacherId',
      'ownerId',
    ],
    below: { platform: 'poster', decidedAt: 'decidedBy' },
    filters: ['status', 'period', 'memberId', 'likeness', 'platform', 'poster', 'submittedAt', 'teacherId', 'ownerId'],
    sort: ['submittedAt'],
    usual: 'submittedAt:desc',
    tabs: 'status',
    search: ['memberId', 'poster'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  carer: 'teacherId',
  clock: { since: 'submittedAt', hours: { SUBMITTED: 48 } },
  internal: ['likeId'],
})
export type Share = RecordOf<typeof resource>

/** Coins follow from it: nobody gives them for what cannot be seen, nor before it is known whether it was seen before. */
export function whyNotApproved({ likeness }: Pick<Share, 'likeness'>): Refusal | undefined {
  if (likeness === 'NONE') return refuse('no-screenshot')
  if (likeness === 'PENDING') return refuse('being-compared')
}

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['SUBMITTED'],
  path: () => ['status.SUBMITTED', 'status.APPROVED'],
  steps: {
    approve: {
      from: ['SUBMITTED'],
      to: 'APPROVED',
      guard: whyNotApproved,
      awaits: true,
      shows: ['picture', 'likeness'],
      back: 'stays',
    },
    reject: { from: ['SUBMITTED'], to: 'REJECTED', reason: true, danger: true, back: 'undo' },
  },
})
