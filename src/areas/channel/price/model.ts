import * as z from 'zod'
import { EVENT_KINDS } from '#engines/settlement/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import {
  choice,
  day,
  id,
  instant,
  money,
  number,
  optional,
  permille,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { MAX_PRICE_FEN } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { agreedFields, agreement, NOT_AGREED } from '#kit/model/request.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** What a partner is paid for what happens from a day on. It is agreed to before that day and never changed: another one follows it. */
export const resource = defineResource({
  screen: area.screens.price,
  table: 'settlement_price',
  record: z.strictObject({
    id: id(),
    partnerId: ref('app-channel'),
    kind: choice(EVENT_KINDS),
    priceFen: optional(money(1, MAX_PRICE_FEN)),
    sharePermille: optional(permille(1, 1_000)),
    windowDays: optional(number(1, 730)),
    freezeDays: number(0, 180),
    monthlyCap: optional(number(1, 1_000_000)),
    deductionPermille: permille(0, 500),
    validFrom: day(),
    validTo: optional(day()),
    reason: text(200),
    status: choice({ SUBMITTED: 'attention', APPROVED: 'done', ...NOT_AGREED }),
    ...agreedFields(),
    createdAt: instant(),
    version: version(),
  }),
  title: 'partnerId',
  brief: ['partnerId', 'kind', 'priceFen', 'sharePermille', 'validFrom'],
  evidence: ['reason'],
  list: {
    columns: [
      'partnerId',
      'kind',
      'status',
      'priceFen',
      'sharePermille',
      'validFrom',
      'validTo',
      'freezeDays',
      'monthlyCap',
      'deductionPermille',
      'windowDays',
      'applicantId',
      'l1By',
      'createdAt',
    ],
    filters: ['partnerId', 'kind', 'validFrom', 'status', 'applicantId', 'createdAt'],
    sort: ['validFrom', 'createdAt'],
    usual: 'validFrom:desc',
    tabs: 'status',
    search: ['partnerId'],
  },
  create: [
    'partnerId',
    'kind',
    'priceFen',
    'sharePermille',
    'validFrom',
    'windowDays',
    'freezeDays',
    'monthlyCap',
    'deductionPermille',
    'reason',
  ],
  actions: ['list', 'detail', 'create', 'export'],
  scope: 'shared',
  clock: { since: 'createdAt' },
  asked: { by: 'applicantId', state: 'status' },
})
export type Price = RecordOf<typeof resource>

/** Days in which somebody else agrees to a price. */
export const DAYS_TO_DECIDE = 30

export type Today = { readonly today: string }

const { approve, ...refusals } = agreement({ waits: 'SUBMITTED', done: 'APPROVED' })

/** What has happened is paid for by the price of its day: none begins in the past. */
export const whyNotFrom = (validFrom: string, today: string): Refusal | undefined =>
  validFrom > today ? undefined : refuse('begins-too-early', { day: today })

export const workflow = defineWorkflowWith<Today>()(resource)({
  field: 'status',
  arrivals: ['SUBMITTED', 'EXPIRED'],
  path: () => ['status.SUBMITTED', 'status.APPROVED'],
  steps: {
    approve: {
      ...approve,
      guard: (row: Price, actor: Pick<Actor, 'id'>, { today }: Today) =>
        approve.guard(row, actor) ?? whyNotFrom(row.validFrom, today),
      shows: ['priceFen', 'sharePermille', 'validFrom', 'freezeDays', 'monthlyCap', 'deductionPermille', 'reason'],
    },
    ...refusals,
    end: {
      from: ['APPROVED'],
      guard: notOver,
      input: { validTo: day() },
      reason: true,
      alone: true,
      aside: true,
      danger: true,
      back: 'stays',
    },
  },
})

function notOver({ validTo }: Pick<Price, 'validTo'>, _actor: unknown, { today }: Today): Refusal | undefined {
  return validTo !== null && validTo < today ? refuse('is-over', { day: validTo }) : undefined
}

/** It was ended before its first day: nothing is paid by it. */
export const hasNeverBegun = ({ validFrom, validTo }: Pick<Price, 'validFrom' | 'validTo'>): boolean =>
  validTo !== null && validTo < validFrom

/** A price ends today at the earliest, where it has not begun before it ever does, and never later than was said before. */
export function whyNotTo(row: Pick<Price, 'validTo'>, validTo: string, today: string): Refusal | undefined {
  if (validTo < today) return refuse('ends-too-early', { day: today })
  return row.validTo !== null && validTo > row.validTo ? refuse('only-earlier', { day: row.validTo }) : undefined
}

type Entered = Pick<Price, 'kind' | 'priceFen' | 'sharePermille' | 'windowDays'>

/** What makes no sense for what is paid for is left out; what it is paid by must be there. */
export function sensible<P extends Entered>(
  price: P,
): P | { readonly field: keyof Entered; readonly refusal: Refusal } {
  const isShare = price.kind === 'SHARE'
  if (isShare && price.sharePermille === null) return { field: 'sharePermille', refusal: refuse('share-missing') }
  if (!isShare && price.priceFen === null) return { field: 'priceFen', refusal: refuse('price-missing') }
  return {
    ...price,
    priceFen: isShare ? null : price.priceFen,
    sharePermille: isShare ? price.sharePermille : null,
    windowDays: price.kind === 'REGISTERED' ? null : price.windowDays,
  }
}
