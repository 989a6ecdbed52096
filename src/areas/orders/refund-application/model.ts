import * as z from 'zod'
import type { Actor } from '#kit/model/actor.ts'
import {
  choice,
  code,
  dictionary,
  id,
  inDetail,
  instant,
  longText,
  money,
  reference as ref,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Somebody asks to give money back on an order. Asking sets the money aside; a colleague decides. */
export const resource = defineResource({
  screen: area.screens['refund-application'],
  table: 'refund_application',
  record: z.strictObject({
    id: id(),
    refundNo: code(14),
    orderId: ref('order'),
    memberId: ref('member'),
    amountFen: money(1),
    reason: dictionary('REFUND_REASON'),
    note: longText(500),
    status: choice({ SUBMITTED: 'attention', L1_APPROVED: 'busy', REJECTED: 'failed', WITHDRAWN: 'idle' }),
    applicantId: ref('staff'),
    createdAt: instant(),
    /** The order's money as it stands, for whoever decides. */
    money: inDetail(z.strictObject({ paidFen: z.int(), reservedFen: z.int(), refundedFen: z.int() })),
    version: version(),
  }),
  title: 'refundNo',
  list: {
    columns: ['refundNo', 'orderId', 'memberId', 'amountFen', 'reason', 'status', 'applicantId', 'createdAt'],
    filters: ['status', 'reason', 'createdAt', 'applicantId', 'memberId', 'orderId', 'amountFen'],
    sort: ['amountFen', 'createdAt'],
    tabs: 'status',
    search: ['refundNo', 'orderId', 'memberId'],
  },
  create: ['orderId', 'amountFen', 'reason', 'note'],
  actions: ['list', 'detail', 'create', 'export', 'reveal'],
  scope: 'owned',
})
export type RefundApplication = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['SUBMITTED'],
  steps: {
    approve: { from: ['SUBMITTED'], to: 'L1_APPROVED', guard: notTheApplicant },
    reject: { from: ['SUBMITTED', 'L1_APPROVED'], to: 'REJECTED', guard: notTheApplicant, reason: true, danger: true },
    withdraw: { from: ['SUBMITTED', 'L1_APPROVED'], to: 'WITHDRAWN', guard: onlyTheApplicant },
  },
})

/** Four eyes: nobody decides on what he asked for himself. */
function notTheApplicant(row: Pick<RefundApplication, 'applicantId'>, actor: Pick<Actor, 'id'>): Refusal | undefined {
  if (row.applicantId === actor.id) return refuse('refund-own-application')
}

function onlyTheApplicant(row: Pick<RefundApplication, 'applicantId'>, actor: Pick<Actor, 'id'>): Refusal | undefined {
  if (row.applicantId !== actor.id) return refuse('refund-not-yours')
}
