import * as z from 'zod'
import { AUDIENCE_FIELDS, audienceFields, MAX_AUDIENCE, MAX_PASTED, pastedNumbers } from '#engines/audience/model.ts'
import { MAX_VARIABLES, VARIABLE_KINDS } from '#engines/message/model.ts'
import {
  choice,
  flag,
  id,
  instant,
  lines,
  longText,
  money,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { sampled } from './sample.model.ts'

const count = () => number(0, MAX_AUDIENCE)
/** What somebody put into a hole of the template. */
const filledHole = z.strictObject({ name: z.string().max(30), value: z.string().trim().min(1).max(100) })

/** One text message to many members: its words, whom it goes to, and what became of it. */
export const resource = defineResource({
  screen: area.screens.campaign,
  table: 'campaign',
  record: z.strictObject({
    id: id(),
    name: text(100),
    templateId: ref('message-template'),
    body: longText(2_000),
    filled: lines(filledHole, MAX_VARIABLES),
    ...audienceFields,
    members: count(),
    repeated: number(0, MAX_PASTED),
    invalid: number(0, MAX_PASTED),
    strangers: number(0, MAX_PASTED),
    toSend: count(),
    underWay: count(),
    sent: count(),
    delivered: count(),
    failed: count(),
    unknown: count(),
    withheld: count(),
    cancelled: count(),
    costFen: money(),
    spentFen: money(),
    needsApproval: flag(),
    approverId: optional(ref('staff')),
    status: choice({
      DRAFT: 'attention',
      SCHEDULED: 'special',
      SENDING: 'busy',
      PAUSED: 'attention',
      DONE: 'done',
      CANCELLED: 'idle',
    }),
    startAt: optional(instant()),
    startedAt: optional(instant()),
    endedAt: optional(instant()),
    sampledAt: optional(instant()),
    authorId: ref('staff'),
    ownerId: ref('staff'),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'members', 'toSend', 'withheld', 'costFen', 'authorId'],
  evidence: ['body', ...AUDIENCE_FIELDS],
  list: {
    columns: [
      'name',
      'status',
      'members',
      'delivered',
      'failed',
      'withheld',
      'spentFen',
      'toSend',
      'sent',
      'unknown',
      'costFen',
      'templateId',
      'startAt',
      'ownerId',
      'createdAt',
    ],
    below: { costFen: 'spentFen', sent: 'toSend', unknown: 'failed' },
    filters: ['status', 'createdAt', 'templateId', 'startAt', 'ownerId'],
    sort: ['createdAt', 'startAt'],
    tabs: 'status',
    search: ['name'],
  },
  create: ['name', 'templateId', 'filled', ...AUDIENCE_FIELDS],
  asks: pastedNumbers,
  actions: ['list', 'detail', 'create', 'export'],
  scope: 'owned',
})
export type Campaign = RecordOf<typeof resource>

type Person = { readonly id: string }

/** Above the limit one writes it and another says yes. */
export function whyNotApproved(
  { needsApproval, approverId, authorId, toSend }: Campaign,
  actor: Person,
): Refusal | undefined {
  if (!needsApproval) return refuse('approval-not-needed')
  if (approverId !== null) return refuse('approved-already')
  if (authorId === actor.id) return refuse('own-campaign')
  return nobodyLeft({ toSend })
}

function whyNotScheduled({ needsApproval, approverId, toSend }: Campaign): Refusal | undefined {
  if (needsApproval && approverId === null) return refuse('approval-missing')
  return nobodyLeft({ toSend })
}

function nobodyLeft({ toSend }: Pick<Campaign, 'toSend'>): Refusal | undefined {
  if (toSend === 0) return refuse('nobody-to-send-to')
}

/** Those it failed to reach get another try; of whom nobody knows, nobody gets it a second time. */
export function whyNotAgain({ failed }: Pick<Campaign, 'failed'>): Refusal | undefined {
  if (failed === 0) return refuse('nobody-failed')
}

/** With other tries it may come to cost more, beyond what somebody agreed to, than one person decides alone. */
export function whyNotPaidAgain(
  { spentFen, costFen, approverId }: Pick<Campaign, 'spentFen' | 'costFen' | 'approverId'>,
  againFen: number,
  approvalFen: number,
): Refusal | undefined {
  const agreedFen = approverId === null ? 0 : costFen
  if (spentFen + againFen - agreedFen > approvalFen) return refuse('again-above-limit')
}

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['DRAFT', 'SENDING', 'DONE'],
  path: () => ['status.DRAFT', 'status.SCHEDULED', 'status.SENDING', 'status.DONE'],
  steps: {
    approve: {
      from: ['DRAFT'],
      guard: whyNotApproved,
      awaits: true,
      shows: ['audienceBy', 'costFen', 'body'],
      back: 'undo',
    },
    schedule: {
      from: ['DRAFT'],
      to: 'SCHEDULED',
      guard: whyNotScheduled,
      alone: true,
      input: { startAt: optional(instant()) },
      amount: 'costFen',
      shows: ['body'],
      back: 'stays',
    },
    resume: {
      from: ['PAUSED'],
      to: {
        among: ['SCHEDULED', 'SENDING'],
        by: ({ startedAt }) => (startedAt === null ? 'SCHEDULED' : 'SENDING'),
      },
      amount: null,
      back: 'undo',
    },
    sample: {
      from: ['DRAFT', 'SCHEDULED', 'PAUSED'],
      guard: nobodyLeft,
      alone: true,
      aside: true,
      input: sampled,
      shows: ['body'],
      back: 'stays',
    },
    sendAgain: {
      from: ['DONE'],
      to: 'SENDING',
      guard: whyNotAgain,
      alone: true,
      amount: null,
      shows: ['failed', 'unknown', 'spentFen'],
      back: 'stays',
    },
    pause: { from: ['SCHEDULED', 'SENDING'], to: 'PAUSED', amount: null, back: 'undo' },
    cancel: {
      from: ['DRAFT', 'SCHEDULED', 'PAUSED'],
      to: 'CANCELLED',
      reason: true,
      danger: true,
      aside: true,
      amount: null,
      back: 'stays',
    },
  },
})

export const reference = defineReference({
  name: 'campaign',
  table: 'campaign',
  label: { name: 'name', note: null, tone: 'status' },
  search: ['name'],
  scope: 'owned',
})

/** What so many parts cost, at a price by the hundred. */
export const costOf = (parts: number, hundredFen: number): number => Math.ceil((parts * hundredFen) / 100)

/** Whom it would reach, and why not the others: told before it is written, and kept with it. */
export const reach = z.strictObject({
  members: z.int(),
  repeated: z.int(),
  invalid: z.int(),
  strangers: z.int(),
  noConsent: z.int(),
  listNotAgreed: z.int(),
  optedOut: z.int(),
  lately: z.int(),
  toSend: z.int(),
  costFen: z.int(),
  needsApproval: z.boolean(),
})
export type Reach = z.infer<typeof reach>

export const templateView = z.strictObject({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  variables: z.array(z.strictObject({ name: z.string(), kind: z.enum(VARIABLE_KINDS), sample: z.string() })),
})
export type TemplateView = z.infer<typeof templateView>

/** The hole every member's own name is put into. */
export const NAME_HOLE = 'name'
