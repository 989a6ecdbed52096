import * as z from 'zod'
import { choice, code, id, instant, longText, money, optional, reference as ref, version } from '#kit/model/field.ts'
import { byAnother } from '#kit/model/four-eyes.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** Money no record explains: somebody says what becomes of it, somebody else confirms that. */
export const resource = defineResource({
  screen: area.screens['payment-exception'],
  table: 'payment_exception',
  record: z.strictObject({
    id: id(),
    subject: code(150),
    kind: choice({
      STRAY: 'attention',
      SAME_NUMBER: 'failed',
      REFUND_TWICE: 'failed',
      REFUND_AMOUNT: 'failed',
      REFUND_UNKNOWN: 'failed',
      EVENT: 'special',
      CALL: 'special',
    }),
    cause: optional(
      choice({
        CLOSED: 'idle',
        TWICE: 'failed',
        AMOUNT: 'attention',
        EXAMINING: 'busy',
        UNAVAILABLE: 'attention',
        RECORDED: 'special',
        UNKNOWN: 'idle',
      }),
    ),
    amountFen: optional(money()),
    provider: optional(choice({ WECHAT: 'idle', ALIPAY: 'idle', PLATFORM: 'idle' })),
    providerNo: optional(code(64)),
    saidOrderNo: optional(code(64)),
    orderId: optional(ref('order')),
    memberId: optional(ref('member')),
    detail: longText(500),
    status: choice({ OPEN: 'attention', PROPOSED: 'attention', DONE: 'done' }),
    proposal: optional(choice({ ORDER: 'busy', GIVE_BACK: 'special', SETTLED: 'idle' })),
    proposedOrderId: optional(ref('order')),
    proposalNote: longText(500),
    proposedBy: optional(ref('staff')),
    confirmedBy: optional(ref('staff')),
    createdAt: instant(),
    /** When it goes back by itself, unless somebody decides. */
    returnsAt: optional(instant()),
    endedAt: optional(instant()),
    version: version(),
  }),
  title: 'subject',
  brief: ['subject', 'cause', 'amountFen', 'memberId', 'orderId', 'proposal', 'proposedOrderId', 'kind', 'provider'],
  list: {
    columns: [
      'subject',
      'kind',
      'amountFen',
      'status',
      'orderId',
      'cause',
      'memberId',
      'proposal',
      'proposalNote',
      'proposedBy',
      'confirmedBy',
      'provider',
      'providerNo',
      'saidOrderNo',
      'createdAt',
    ],
    below: { cause: 'kind', memberId: 'subject', proposal: 'status' },
    filters: ['status', 'kind', 'createdAt', 'provider', 'amountFen', 'orderId'],
    sort: ['status', 'amountFen', 'createdAt'],
    // By the alphabet of the states: what waits for a second yes, what waits for anybody, and then what is over.
    usual: 'status:desc',
    tabs: 'status',
    search: ['subject', 'saidOrderNo', 'providerNo'],
  },
  actions: ['list', 'detail', 'export'],
  scope: 'shared',
  clock: { since: 'createdAt' },
  asked: { steps: ['proposeOrder', 'proposeReturn', 'proposeSettled'], answers: ['confirm', 'decline'] },
})
export type PaymentException = RecordOf<typeof resource>

/** Nobody confirms what he proposed. */
const notTheProposer = byAnother('proposedBy', 'own-proposal')

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['OPEN'],
  path: () => ['status.OPEN', 'status.PROPOSED', 'status.DONE'],
  steps: {
    confirm: {
      from: ['PROPOSED'],
      to: 'DONE',
      guard: notTheProposer,
      amount: 'amountFen',
      tells: 'proposal',
      awaits: true,
      shows: ['saidOrderNo', 'proposalNote'],
      back: 'stays',
    },
    // Most of it was paid twice or too late; what a platform collected can only be put to an order.
    proposeReturn: { from: ['OPEN'], to: 'PROPOSED', guard: canGoBack, reason: true, back: 'undo' },
    proposeOrder: {
      from: ['OPEN'],
      to: 'PROPOSED',
      guard: isStray,
      alone: true,
      reason: true,
      shows: ['saidOrderNo'],
      input: { proposedOrderId: ref('order') },
      back: 'undo',
    },
    // What another system said is done again rather than recorded as done.
    tryAgain: { from: ['OPEN'], to: 'DONE', guard: canTryAgain, reason: true, back: 'stays' },
    proposeSettled: { from: ['OPEN'], to: 'PROPOSED', reason: true, awaits: true, back: 'undo' },
    decline: { from: ['PROPOSED'], to: 'OPEN', aside: true, reason: true, danger: true, back: 'undo' },
  },
})

function isStray({ kind }: Pick<PaymentException, 'kind'>): Refusal | undefined {
  if (kind !== 'STRAY') return refuse('no-payment')
}

/** What a platform collected goes back there. */
function canGoBack(row: Pick<PaymentException, 'kind' | 'provider'>): Refusal | undefined {
  return isStray(row) ?? (row.provider === 'PLATFORM' ? refuse('platform-gives-back') : undefined)
}

function canTryAgain({ kind }: Pick<PaymentException, 'kind'>): Refusal | undefined {
  if (kind !== 'EVENT' && kind !== 'CALL') return refuse('no-event')
}
