import * as z from 'zod'
import { giftKind, giftQuantity, resource as member } from '#areas/members/member/model.ts'
import { settings } from '#areas/members/member/settings.model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import { code, day, files, instant, number, optional, personal, reference as ref } from '#kit/model/field.ts'
import { refuse } from '#kit/model/refusal.ts'
import { defineRequests, REQUEST_WORKFLOW, requestFields } from '#kit/model/request.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow, WRONG_STATE } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { MAX_PAUSE_DAYS } from './pausing.model.ts'

/** What somebody asks for on behalf of a member and may not do alone. */
export const resource = defineResource({
  screen: area.screens.application,
  table: 'member_application',
  record: z.strictObject({
    ...requestFields({ GIFT: 'special', PHONE: 'busy', PAUSE: 'idle', CLOSE: 'failed' }),
    applicationNo: code(14),
    memberId: ref('member'),
    giftKind: optional(giftKind),
    quantity: optional(giftQuantity()),
    couponId: optional(ref('coupon')),
    allowanceLeft: optional(number(0, 10_000_000)),
    /** Of the same, for this member, in the thirty days before: asked for, and not refused. */
    givenLately: optional(number(0, 1_000_000)),
    newPhone: optional(personal('phone', 40)),
    pauseFrom: optional(day()),
    pauseDays: optional(number(1, MAX_PAUSE_DAYS)),
    /** The last day it is paused, or was: less than was asked for where it was ended before. */
    pausedUntil: optional(day()),
    pauseOverAt: optional(instant()),
    proof: files('image', 3),
    /** When an account that is to be closed is erased; until then it can be taken back. */
    closesAt: optional(instant()),
    closedAt: optional(instant()),
  }),
  title: 'applicationNo',
  brief: [
    'applicationNo',
    'kind',
    'memberId',
    'giftKind',
    'quantity',
    'couponId',
    'newPhone',
    'pauseFrom',
    'pauseDays',
  ],
  evidence: ['reason', 'proof'],
  list: {
    columns: [
      'applicationNo',
      'status',
      'kind',
      'memberId',
      'giftKind',
      'quantity',
      'pauseDays',
      'pausedUntil',
      'reason',
      'applicantId',
      'createdAt',
      'couponId',
      'newPhone',
      'needsL2',
      'pauseFrom',
      'pauseOverAt',
      'expiresAt',
      'closesAt',
      'closedAt',
    ],
    filters: ['status', 'kind', 'applicantId', 'memberId', 'createdAt'],
    below: {
      quantity: 'giftKind',
      pauseDays: 'kind',
      pausedUntil: 'kind',
      applicantId: 'memberId',
      createdAt: 'applicationNo',
    },
    sort: ['createdAt'],
    tabs: 'status',
    search: ['applicationNo', 'memberId'],
    ending: numbersEnding('A'),
  },
  create: [
    'kind',
    'memberId',
    'giftKind',
    'quantity',
    'couponId',
    'newPhone',
    'pauseFrom',
    'pauseDays',
    'proof',
    'reason',
  ],
  actions: ['list', 'detail', 'create', 'export', 'reveal'],
  isKeptLong: true,
  scope: 'owned',
  // Whoever asked sees it too, whoever the member belongs to; and whoever leads that person decides.
  carer: 'applicantId',
  asked: { by: 'applicantId', state: 'status' },
  clock: { since: 'stateSince', hours: { SUBMITTED: 24, L1_APPROVED: 24 } },
})
export type Application = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  ...REQUEST_WORKFLOW,
  steps: {
    ...REQUEST_WORKFLOW.steps,
    resume: {
      from: ['APPROVED'],
      reason: true,
      alone: true,
      back: 'stays',
      shows: ['pausedUntil'],
      guard: ({ kind, pauseOverAt }: Pick<Application, 'kind' | 'pauseOverAt'>) => {
        if (kind !== 'PAUSE') return refuse(WRONG_STATE, { state: 'status.APPROVED' })
        return pauseOverAt === null ? undefined : refuse('pause-is-over')
      },
    },
    keepAccount: {
      from: ['APPROVED'],
      to: 'WITHDRAWN',
      reason: true,
      alone: true,
      back: 'stays',
      guard: ({ closesAt, closedAt }: Pick<Application, 'closesAt' | 'closedAt'>) =>
        closesAt === null || closedAt !== null ? refuse(WRONG_STATE, { state: 'status.APPROVED' }) : undefined,
    },
  },
})

export const requests = defineRequests(resource, {
  always: ['memberId', 'reason'],
  settings,
  kinds: {
    // More than one's own monthly allowance holds (decision 012).
    GIFT: {
      asks: entered => (entered.giftKind === 'COUPON' ? ['giftKind', 'couponId'] : ['giftKind', 'quantity']),
      by: { page: member.screen.key, action: 'gift' },
      // Judged by the sum, as refunds are: who asks in parts asks for all of it.
      levels({ giftKind, quantity, givenLately }, bounds) {
        const sum = Number(quantity) + (givenLately ?? 0)
        return (giftKind === 'DAYS' && sum > bounds.l2Days) || (giftKind === 'COINS' && sum > bounds.l2Coins) ? 2 : 1
      },
      days: 7,
    },
    // Whoever holds the number signs in to the app: a second person looks at the proof.
    PHONE: {
      asks: () => ['newPhone', 'proof'],
      by: { page: member.screen.key, action: 'update' },
      levels: () => 1,
      days: 7,
    },
    // Worth as many days as it lasts, so that nobody grants it alone.
    PAUSE: {
      asks: () => ['pauseFrom', 'pauseDays'],
      by: { page: member.screen.key, action: 'update' },
      levels: () => 1,
      days: 7,
    },
    // A guardian asks for it: what shows that is looked at by a second person.
    CLOSE: {
      asks: () => ['proof'],
      by: { page: member.screen.key, action: 'update' },
      levels: () => 1,
      days: 7,
    },
  },
})
