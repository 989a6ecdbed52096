import * as z from 'zod'
import { audienceFields, pastedNumbers } from '#engines/audience/model.ts'
import {
  choice,
  day,
  files,
  id,
  inDetail,
  instant,
  longText,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MAX_PROOFS = 6
/** How often a task may want something done. */
export const MAX_TARGET = 1_000
export const MAX_COINS = 1_000

/** Whom a task is for: asked for when it is given, and kept as the rows it becomes. */
export const audience = z.strictObject({ ...audienceFields, ...pastedNumbers })

/** How many have been given the task together, and how many of those are still to get it. */
export const together = z.strictObject({ members: z.int(), awaiting: z.int() })

/** Another task that was proved with the same picture. */
export const likeTask = z.strictObject({
  id: z.string(),
  title: z.string(),
  submittedAt: z.string().nullable(),
  status: z.enum(['OPEN', 'SUBMITTED', 'DONE', 'OVERDUE', 'CANCELLED']),
  isSameMember: z.boolean(),
  picture: z.array(z.uuid()),
})

/** What one member has been given to do: a task for many is as many of these. */
export const resource = defineResource({
  screen: area.screens.task,
  table: 'member_task',
  record: z.strictObject({
    id: id(),
    title: text(100),
    note: longText(500),
    memberId: ref('member'),
    dueOn: day(),
    target: number(1, MAX_TARGET),
    progress: number(0, MAX_TARGET),
    picture: files('image', MAX_PROOFS),
    likeness: choice({ NONE: 'idle', PENDING: 'busy', NEW: 'done', ALIKE: 'attention', SAME: 'failed' }),
    likeId: optional(id()),
    words: optional(text()),
    status: choice({ OPEN: 'busy', SUBMITTED: 'attention', DONE: 'done', OVERDUE: 'failed', CANCELLED: 'idle' }),
    rewardCoins: number(0, MAX_COINS),
    earnedCoins: number(0, MAX_COINS),
    returnedFor: optional(text()),
    submittedAt: optional(instant()),
    creatorId: ref('staff'),
    createdAt: instant(),
    ownerId: optional(ref('staff')),
    teacherId: optional(ref('staff')),
    together: inDetail(together),
    like: optional(inDetail(likeTask)),
    version: version(),
  }),
  title: 'title',
  brief: ['title', 'memberId', 'dueOn', 'progress', 'rewardCoins'],
  evidence: ['picture', 'like', 'words'],
  list: {
    columns: [
      'title',
      'memberId',
      'status',
      'dueOn',
      'progress',
      'picture',
      'likeness',
      'rewardCoins',
      'earnedCoins',
      'submittedAt',
      'returnedFor',
      'creatorId',
      'createdAt',
      'teacherId',
      'ownerId',
    ],
    below: { likeness: 'picture', createdAt: 'creatorId' },
    filters: [
      'title',
      'status',
      'dueOn',
      'memberId',
      'likeness',
      'submittedAt',
      'creatorId',
      'createdAt',
      'teacherId',
      'ownerId',
    ],
    sort: ['dueOn', 'submittedAt', 'createdAt'],
    tabs: 'status',
    search: ['memberId', 'title'],
  },
  create: ['title', 'dueOn', 'note', 'target', 'rewardCoins'],
  asks: audience.shape,
  actions: ['list', 'detail', 'create', 'export', 'reveal'],
  scope: 'owned',
  carer: 'teacherId',
  clock: { since: 'createdAt' },
  internal: ['likeId'],
})
export type Task = RecordOf<typeof resource>

/** Coins follow from it: nobody gives them before it is known whether the pictures were seen before. */
export const whyNotApproved = ({ likeness }: Pick<Task, 'likeness'>): Refusal | undefined =>
  likeness === 'PENDING' ? refuse('being-compared') : undefined

export const workflow = defineWorkflow(resource)({
  field: 'status',
  // Proof comes from the app, and days pass by themselves.
  arrivals: ['OPEN', 'SUBMITTED', 'OVERDUE'],
  outside: ['OPEN'],
  path: () => ['status.OPEN', 'status.SUBMITTED', 'status.DONE'],
  steps: {
    approve: {
      from: ['SUBMITTED'],
      to: 'DONE',
      guard: whyNotApproved,
      awaits: true,
      shows: ['picture', 'likeness', 'words'],
      back: 'stays',
    },
    sendBack: { from: ['SUBMITTED'], to: 'OPEN', reason: true, danger: true, back: 'undo' },
    cancel: {
      from: ['OPEN', 'SUBMITTED', 'OVERDUE'],
      to: 'CANCELLED',
      reason: true,
      danger: true,
      aside: true,
      back: 'undo',
    },
  },
})

/** A day is over for a task when the next has begun in Shanghai; what waits for us is not late by our doing. */
export const isOverdue = ({ status, dueOn }: Pick<Task, 'status' | 'dueOn'>, today: string): boolean =>
  status === 'OPEN' && dueOn < today

/** Whom a task would be given to, and why not to others: told before it is. */
export const reach = z.strictObject({ members: z.int(), repeated: z.int(), invalid: z.int(), strangers: z.int() })
export type Reach = z.infer<typeof reach>
