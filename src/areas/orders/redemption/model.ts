import * as z from 'zod'
import { grant } from '#engines/entitlement/model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import { choice, code, id, inDetail, instant, optional, reference as ref, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** A code that was turned into what it gives, by way of an order of nothing. */
export const resource = defineResource({
  screen: area.screens.redemption,
  table: 'redemption',
  record: z.strictObject({
    id: id(),
    redemptionNo: code(14),
    batchId: ref('code-batch'),
    last4: code(4),
    memberId: ref('member'),
    orderId: ref('order'),
    status: choice({ DONE: 'done', UNDONE: 'failed' }),
    staffId: optional(ref('staff')),
    createdAt: instant(),
    undoneAt: optional(instant()),
    grants: inDetail(z.array(grant)),
    version: version(),
  }),
  title: 'redemptionNo',
  brief: ['redemptionNo', 'memberId', 'batchId'],
  list: {
    columns: ['redemptionNo', 'memberId', 'batchId', 'status', 'last4', 'createdAt', 'orderId', 'staffId', 'undoneAt'],
    filters: ['status', 'batchId', 'createdAt', 'memberId', 'staffId', 'orderId'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['redemptionNo', 'memberId', 'orderId'],
    ending: numbersEnding('E'),
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  isKeptLong: true,
  scope: 'owned',
})
export type Redemption = RecordOf<typeof resource>

/** Redeeming and voiding begin with a code, not with a record. */
export const actions = ['redeem', 'void']

export const UNDO_HOURS = 24

/** What others know of a redemption: whether its time is over, anything of it was used, or goods are on their way. */
export type UndoFacts = { readonly late: boolean; readonly used: boolean; readonly sent: boolean }

export const workflow = defineWorkflowWith<UndoFacts>()(resource)({
  field: 'status',
  arrivals: ['DONE'],
  steps: {
    undo: { from: ['DONE'], to: 'UNDONE', guard: untouched, reason: true, aside: true, danger: true, back: 'stays' },
  },
})

function untouched(_row: Redemption, _actor: unknown, { late, used, sent }: UndoFacts): Refusal | undefined {
  if (late) return refuse('undo-late', { hours: UNDO_HOURS })
  if (sent) return refuse('undo-sent')
  if (used) return refuse('undo-used')
}

/** What the desk shows of a code before anything is done with it. */
export const foundCode = z.strictObject({
  last4: z.string(),
  status: z.enum(['UNUSED', 'REDEEMED', 'VOID']),
  batchId: z.string(),
  batchName: z.string(),
  batchStatus: z.enum(['DRAFT', 'APPROVED', 'ACTIVE', 'PAUSED', 'CLOSED']),
  validFrom: z.string(),
  validTo: z.string(),
  perPerson: z.int(),
  grants: z.array(grant),
  /** Whose it is, once it is redeemed; nobody for those who may not see that redemption. */
  holder: z.strictObject({ name: z.string(), note: z.string().nullable(), redeemedAt: z.string() }).nullable(),
  /** Why it cannot be redeemed now, in words; nothing when it can. */
  whyNot: z.string().nullable(),
})
export type FoundCode = z.infer<typeof foundCode>
