import * as z from 'zod'
import { orderLine } from '#areas/orders/order/model.ts'
import type { Actor } from '#kit/model/actor.ts'
import {
  choice,
  code,
  dictionary,
  files,
  id,
  inDetail,
  instant,
  longText,
  money,
  names,
  optional,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { byAnother } from '#kit/model/four-eyes.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** What should make an examiner look twice. */
export const FLAGS = [
  'ABOVE_LIST',
  'BELOW_PRICE',
  'PRICE_ZERO',
  'OFF_SALE',
  'PROOF_SEEN',
  'OWNER_CHANGED',
  'SHARED',
] as const
export type Flag = (typeof FLAGS)[number]

type Flagged = {
  readonly amountFen: number
  readonly listFen: number
  /** What was due: the price of the day, less a coupon. */
  readonly beforeFen: number
  readonly isOffSale: boolean
  readonly isProofSeen: boolean
  readonly isOwnerChanged: boolean
  readonly isShared: boolean
}

export const flagsOf = (given: Flagged): Flag[] => {
  const isTrue: Readonly<Record<Flag, boolean>> = {
    ABOVE_LIST: given.amountFen > given.listFen,
    BELOW_PRICE: given.amountFen < Math.min(given.beforeFen, given.listFen),
    PRICE_ZERO: given.amountFen === 0,
    OFF_SALE: given.isOffSale,
    PROOF_SEEN: given.isProofSeen,
    OWNER_CHANGED: given.isOwnerChanged,
    SHARED: given.isShared,
  }
  return FLAGS.filter(flag => isTrue[flag])
}

/** Another order the same transfer pays. */
const sharedOrder = z.strictObject({ orderNo: z.string(), amountFen: z.int(), status: z.string() })

/** Money taken by hand, or another price than the product's: a second person looks before it counts. */
export const resource = defineResource({
  screen: area.screens.examination,
  table: 'order_examination',
  record: z.strictObject({
    id: id(),
    orderId: ref('order'),
    memberId: ref('member'),
    kind: choice({ OFFLINE: 'busy', PRICE: 'special' }),
    amountFen: money(),
    beforeFen: money(),
    listFen: money(),
    payChannel: optional(dictionary('PAY_CHANNEL')),
    transactionNo: optional(code(64)),
    transferFen: optional(money()),
    proof: files('image', 3),
    flags: names(),
    note: longText(500),
    status: choice({ WAITING: 'attention', APPROVED: 'done', REJECTED: 'failed' }),
    applicantId: ref('staff'),
    decidedBy: optional(ref('staff')),
    decidedAt: optional(instant()),
    createdAt: instant(),
    lines: inDetail(z.array(orderLine)),
    sharing: inDetail(z.array(sharedOrder)),
    version: version(),
  }),
  title: 'orderId',
  brief: ['orderId', 'memberId', 'kind', 'amountFen', 'beforeFen', 'listFen', 'payChannel'],
  evidence: ['flags', 'proof', 'lines', 'sharing', 'note'],
  list: {
    columns: [
      'orderId',
      'memberId',
      'amountFen',
      'flags',
      'status',
      'kind',
      'listFen',
      'proof',
      'transactionNo',
      'applicantId',
      'createdAt',
    ],
    below: { kind: 'orderId', applicantId: 'status' },
    filters: ['status', 'kind', 'applicantId', 'createdAt', 'memberId', 'orderId', 'amountFen'],
    sort: ['amountFen', 'createdAt'],
    tabs: 'status',
    search: ['orderId', 'memberId', 'transactionNo'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
  clock: { since: 'createdAt' },
  asked: { by: 'applicantId', state: 'status' },
})
export type Examination = RecordOf<typeof resource>

/** Nobody passes the money he says he took. */
const notTheApplicant = byAnother('applicantId', 'own-order')

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['WAITING'],
  path: () => ['status.WAITING', 'status.APPROVED'],
  steps: {
    approve: {
      from: ['WAITING'],
      to: 'APPROVED',
      guard: mayApprove,
      amount: 'amountFen',
      tells: 'kind',
      awaits: true,
      shows: ['transactionNo', 'transferFen', 'proof', 'flags'],
      back: 'stays',
    },
    reject: {
      from: ['WAITING'],
      to: 'REJECTED',
      guard: notTheApplicant,
      tells: 'kind',
      reason: true,
      danger: true,
      back: 'stays',
    },
  },
})

/** What somebody says was paid is seen by two, and on a picture. */
function mayApprove(
  row: Pick<Examination, 'applicantId' | 'kind' | 'proof'>,
  actor: Pick<Actor, 'id'>,
): Refusal | undefined {
  if (row.kind === 'OFFLINE' && row.proof.length === 0) return refuse('proof-missing')
  return notTheApplicant(row, actor)
}
