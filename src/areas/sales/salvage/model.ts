import * as z from 'zod'
import type { Furthest } from '#engines/lead/model.ts'
import {
  choice,
  colleague,
  dictionary,
  id,
  instant,
  longText,
  number,
  optional,
  personal,
  personName,
  reference as ref,
  type Tone,
  version,
} from '#kit/model/field.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { type Claiming, whyNotClaim } from './claiming.model.ts'
import { whyNotForget } from './forgetting.model.ts'
import { LEVELS } from './levels.model.ts'
import { SAID } from './said.model.ts'
import { wayOf } from './way.model.ts'

/** The table is the engine's (`engines/lead`): whatever brings a number brings it there. */
export const resource = defineResource({
  screen: area.screens.salvage,
  table: 'lead',
  record: z.strictObject({
    id: id(),
    name: optional(personName(50)),
    phone: optional(personal('phone', 20)),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    consent: dictionary('LEAD_CONSENT'),
    /** The first sales link it came by. */
    linkId: optional(ref('link')),
    /** What its person wants, as far as what it came by names it. */
    productId: optional(ref('product')),
    level: optional(choice(LEVELS)),
    status: choice({
      UNASSIGNED: 'attention',
      RETURNED: 'attention',
      ASSIGNED: 'attention',
      CONTACTED: 'busy',
      ADDED: 'busy',
      TRIAL: 'busy',
      INTENT: 'busy',
      DEAL: 'done',
      LOST: 'failed',
      INVALID: 'idle',
    }),
    /** Whatever became of it later. */
    furthest: choice({
      CAME: 'idle',
      ADDED: 'busy',
      REGISTERED: 'busy',
      TRIED: 'special',
      PAID: 'done',
    } satisfies Record<Furthest, Tone>),
    poolId: optional(ref('lead-pool')),
    pooledAt: optional(instant()),
    timesReturned: number(0, 10_000),
    returnReason: optional(dictionary('LEAD_RETURN')),
    previousOwnerId: optional(ref('staff')),
    ownerId: optional(ref('staff')),
    ownerSince: optional(instant()),
    /** Until when its owner is to have spoken with the person, by the hours this owner works: the table reckons it. */
    answerBy: optional(instant()),
    firstContactAt: optional(instant()),
    lastContactAt: optional(instant()),
    nextAt: optional(instant()),
    /** When managers were told that nobody takes it, or answers. */
    escalatedAt: optional(instant()),
    memberId: optional(ref('member')),
    endReason: optional(dictionary('LEAD_END')),
    lastTouchAt: instant(),
    createdAt: instant(),
    endedAt: optional(instant()),
    version: version(),
  }),
  title: 'phone',
  brief: ['phone', 'name', 'memberId', 'source', 'level'],
  list: {
    columns: [
      'phone',
      'source',
      'status',
      'level',
      'ownerId',
      'nextAt',
      'returnReason',
      'timesReturned',
      'previousOwnerId',
      'poolId',
      'pooledAt',
      'memberId',
      'lastContactAt',
      'name',
      'channel',
      'createdAt',
      'ownerSince',
      'endReason',
      'linkId',
      'productId',
      'escalatedAt',
    ],
    below: {
      channel: 'source',
      returnReason: 'status',
      endReason: 'status',
      ownerSince: 'ownerId',
      poolId: 'ownerId',
      pooledAt: 'poolId',
      previousOwnerId: 'returnReason',
    },
    filters: [
      'status',
      'level',
      'source',
      'channel',
      'ownerId',
      'poolId',
      'nextAt',
      'lastContactAt',
      'returnReason',
      'previousOwnerId',
      'timesReturned',
      'createdAt',
      'furthest',
      'linkId',
      'productId',
      'escalatedAt',
      'id',
    ],
    sort: ['nextAt', 'lastContactAt', 'createdAt', 'timesReturned'],
    tabs: 'status',
    search: ['memberId', 'name'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  carer: 'poolId',
  care: { table: 'lead_pool_member', group: 'pool_id', masks: { name: 'name' } },
  clock: { since: 'ownerSince', until: { ASSIGNED: 'answerBy' }, whose: 'ownerId' },
  internal: ['endedAt', 'lastTouchAt'],
})
export type Lead = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'lead-pool',
  table: 'lead_pool',
  label: { name: 'name', note: null, tone: null },
  offered: { column: 'state', values: ['OPEN'] },
  search: ['name'],
  scope: 'shared',
})

/** Nobody's, or in somebody's hands. */
const POOLED = ['UNASSIGNED', 'RETURNED'] as const
const HELD = ['ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT'] as const

export const workflow = defineWorkflowWith<Claiming>()(resource)({
  field: 'status',
  arrivals: ['UNASSIGNED', 'ASSIGNED', 'TRIAL', 'DEAL', 'INVALID', 'RETURNED', 'LOST', 'CONTACTED'],
  outside: ['TRIAL'],
  path: wayOf,
  steps: {
    claim: {
      from: POOLED,
      to: { among: ['ASSIGNED', 'TRIAL'], by: row => (row.memberId === null ? 'ASSIGNED' : 'TRIAL') },
      guard: whyNotClaim,
      shows: ['timesReturned', 'returnReason', 'previousOwnerId'],
      back: 'stays',
    },
    contact: {
      from: ['ASSIGNED'],
      to: 'CONTACTED',
      input: SAID,
      alone: true,
      awaits: true,
      of: 'ownerId',
      back: 'stays',
    },
    followUp: { from: ['CONTACTED', 'ADDED', 'TRIAL', 'INTENT'], input: SAID, alone: true, back: 'stays' },
    markAdded: {
      from: ['ASSIGNED', 'CONTACTED'],
      to: 'ADDED',
      back: 'undo',
    },
    markIntent: {
      from: ['CONTACTED', 'ADDED', 'TRIAL'],
      to: 'INTENT',
      input: { level: choice(LEVELS) },
      back: 'undo',
    },
    assign: {
      from: [...POOLED, ...HELD],
      to: { among: ['ASSIGNED', 'TRIAL'], by: row => (row.memberId === null ? 'ASSIGNED' : 'TRIAL') },
      input: { newOwnerId: colleague(area.screens.salvage, 'claim') },
      aside: true,
      back: 'stays',
    },
    giveBack: {
      from: HELD,
      to: 'RETURNED',
      input: { returnReason: dictionary('LEAD_RETURN'), toPoolId: optional(ref('lead-pool')), note: longText(200) },
      aside: true,
      back: 'stays',
    },
    lose: {
      from: HELD,
      to: 'LOST',
      input: { endReason: dictionary('LEAD_END') },
      danger: true,
      aside: true,
      back: 'undo',
    },
    markInvalid: {
      from: [...POOLED, ...HELD],
      to: 'INVALID',
      input: { endReason: dictionary('LEAD_END') },
      danger: true,
      aside: true,
      back: 'undo',
    },
    forget: {
      from: [...POOLED, ...HELD, 'LOST', 'INVALID'],
      // What has ended ended as it did.
      to: { among: ['INVALID', 'LOST'], by: row => (row.status === 'LOST' ? 'LOST' : 'INVALID') },
      guard: whyNotForget,
      reason: true,
      danger: true,
      aside: true,
      alone: true,
      back: 'stays',
    },
  },
})
