import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import {
  choice,
  code,
  dictionary,
  files,
  flag,
  id,
  instant,
  longText,
  money,
  optional,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

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
    proof: files('image', 3),
    proofSeen: flag(),
    note: longText(500),
    status: choice({ WAITING: 'attention', APPROVED: 'done', REJECTED: 'failed' }),
    applicantId: ref('staff'),
    decidedBy: optional(ref('staff')),
    decidedAt: optional(instant()),
    createdAt: instant(),
    version: version(),
  }),
  title: 'orderId',
  list: {
    columns: [
      'orderId',
      'memberId',
      'kind',
      'amountFen',
      'listFen',
      'proof',
      'proofSeen',
      'transactionNo',
      'status',
      'applicantId',
      'createdAt',
    ],
    filters: ['status', 'kind', 'applicantId', 'createdAt', 'memberId', 'orderId', 'amountFen'],
    sort: ['amountFen', 'createdAt'],
    tabs: 'status',
    search: ['orderId', 'memberId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
})
export type Examination = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['WAITING'],
  steps: {
    approve: { from: ['WAITING'], to: 'APPROVED', guard: notTheApplicant },
    reject: { from: ['WAITING'], to: 'REJECTED', guard: notTheApplicant, reason: true, danger: true },
  },
})

/** Four eyes: nobody passes the money he says he took. */
function notTheApplicant(row: Pick<Examination, 'applicantId'>, actor: Pick<Actor, 'id'>): Refusal | undefined {
  if (row.applicantId === actor.id) return refuse('own-order')
}
