import * as z from 'zod'
import {
  anyReference,
  choice,
  day,
  id,
  instant,
  lines,
  money,
  number,
  optional,
  permille,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MAX_PRODUCTS = 100

const WRITABLE = [
  'name',
  'kind',
  'amountFen',
  'permille',
  'thresholdFen',
  'scope',
  'productIds',
  'validity',
  'validFrom',
  'validTo',
  'validDays',
  'total',
  'perPerson',
] as const

/** Money off under conditions, in a limited number. What a member holds is a copy with the rule of that day. */
export const resource = defineResource({
  screen: area.screens.coupon,
  table: 'coupon',
  record: z.strictObject({
    id: id(),
    name: text(100),
    kind: choice({ CASH: 'idle', DISCOUNT: 'special' }),
    // CASH: taken off. DISCOUNT: the most that is taken off.
    amountFen: money(1),
    // DISCOUNT: what is left to pay, 880 for 88 %.
    permille: optional(permille(1, 999)),
    thresholdFen: money(),
    scope: choice({ ALL: 'idle', PRODUCTS: 'busy' }),
    productIds: lines(anyReference('product'), MAX_PRODUCTS),
    validity: choice({ FIXED: 'idle', AFTER_TAKING: 'busy' }),
    validFrom: optional(day()),
    validTo: optional(day()),
    validDays: optional(number(1, 3_650)),
    total: number(1, 10_000_000),
    taken: number(0, 10_000_000),
    used: number(0, 10_000_000),
    perPerson: number(1, 1_000),
    status: choice({ ACTIVE: 'done', STOPPED: 'idle' }),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'kind', 'amountFen', 'taken', 'used'],
  list: {
    columns: [
      'name',
      'status',
      'amountFen',
      'thresholdFen',
      'validity',
      'taken',
      'total',
      'used',
      'kind',
      'perPerson',
      'scope',
      'validFrom',
      'validTo',
      'createdAt',
    ],
    below: { used: 'taken', kind: 'amountFen' },
    filters: ['kind', 'scope', 'validTo', 'status', 'validity', 'thresholdFen', 'total', 'taken', 'used'],
    sort: ['thresholdFen', 'total', 'taken', 'used'],
    tabs: 'status',
    search: ['name'],
  },
  create: WRITABLE,
  edit: WRITABLE,
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
export type Coupon = RecordOf<typeof resource>

/** States of a member's copy. */
export const HELD_TONES = { UNUSED: 'busy', USED: 'done', EXPIRED: 'idle', RECALLED: 'failed' } as const
export type HeldState = keyof typeof HELD_TONES

/** Issuing answers with a list, which no step does: a call of its own. */
export const actions = ['issue'] as const

type CouponFacts = { readonly today: string }

export const workflow = defineWorkflowWith<CouponFacts>()(resource)({
  field: 'status',
  arrivals: ['ACTIVE'],
  steps: {
    stop: { aside: true, from: ['ACTIVE'], to: 'STOPPED', danger: true, back: 'undo' },
    resume: { from: ['STOPPED'], to: 'ACTIVE', guard: notOver, back: 'undo' },
    recall: {
      reason: true,
      danger: true,
      guard: somethingOut,
      input: { memberId: optional(ref('member')) },
      back: 'stays',
    },
  },
})

/** Its last day has passed: nobody can take one any more. */
export const isOver = ({ validTo }: Pick<Coupon, 'validTo'>, today: string): boolean =>
  validTo !== null && validTo < today

function notOver(row: Pick<Coupon, 'validTo'>, _actor: unknown, { today }: CouponFacts): Refusal | undefined {
  if (isOver(row, today)) return refuse('coupon-over')
}

function somethingOut({ taken, used }: Pick<Coupon, 'taken' | 'used'>): Refusal | undefined {
  if (taken === used) return refuse('nothing-out')
}

export const reference = defineReference({
  name: 'coupon',
  table: 'coupon',
  label: { name: 'name', note: { column: 'valid_to', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['ACTIVE'], until: 'valid_to' },
  search: ['name'],
  scope: 'shared',
})
