import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { refundsUnderWay } from '#areas/members/member/server.ts'
import { lockOrderOf } from '#areas/orders/order/paying.server.ts'
import { REFUNDS_WITHIN_PAID, reserveRefund } from '#areas/orders/order/refunds.server.ts'
import { freeze } from '#engines/entitlement/server.ts'
import { runsOf } from '#engines/rule/server.ts'
import { numbersKept } from '#engines/sequence/server.ts'
import type { InputsOf } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Rules } from '#kit/server/change/rules.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { lineAmounts, lotParts } from './calculation.server.ts'
import type { RefundFacts } from './deciding.model.ts'
import { effectDelivery, effectsOf, repeatEffects } from './effects.server.ts'
import { forgotten } from './forgetting.server.ts'
import { refundInvariants } from './invariants.server.ts'
import { type RefundApplication, resource, workflow } from './model.ts'
import { pay, listeners as payingListeners, recordPaid, requireNumber } from './paying.server.ts'
import { reopen } from './reopening.server.ts'
import { refundSubmitted, listeners as riskListeners, stuckOf } from './risk.server.ts'
import { judged, reasonsNow, listeners as termsListeners } from './second-approval.server.ts'
import { submit } from './submitting.server.ts'
import { suggestion } from './suggestion.server.ts'

const rulesOf = (app: App): Rules<RefundApplication, RefundFacts, InputsOf<typeof workflow>> => ({
  workflow,
  store: submit,
  async facts(db, rows) {
    const [reasons, stuck] = [await reasonsNow(app, db, rows), await stuckOf(app, db, rows)]
    return new Map(rows.map(({ id }) => [id, { reasons: reasons.get(id) ?? [], isStuck: stuck.has(id) }]))
  },
  lock: (op, id) => lockOrderOf(op.tx, 'refund_application', id),
  effects: {
    release: async op => ({ hold: 'RELEASED', releasedBy: op.actor.id }),
    approve: async (op, row) => ({ l1By: op.actor.id, ...(await judged(op, row)) }),
    approveL2: async (op, row) => ({ l2By: op.actor.id, ...(await judged(op, row)) }),
    pay,
    retry: pay,
    recordPaid: (op, row, { transactionNo, proof }) => recordPaid(op, row, transactionNo, proof),
    repeatEffects: (op, row) => repeatEffects(op, row.id),
    reject: release,
    withdraw: release,
  },
  undo: { reject: reopen, withdraw: reopen },
  entered: { recordPaid: requireNumber },
  constraints: {
    [REFUNDS_WITHIN_PAID]: { code: 'refund-over-paid', field: 'amountFen' },
    line_refunds_within_paid: { code: 'refund-over-paid', field: 'amountFen' },
    entitlement_lot_frozen: { code: 'reopen-spent' },
    refund_application_transaction: { code: 'kit:taken', field: 'transactionNo' },
  },
  detail: async (_app, row) => ({
    effects: await effectsOf(app, row.id),
    ruleRuns: await runsOf(app, refundSubmitted, row.id),
  }),
})

export const routes: Routes = app => [...serve(resource, rulesOf(app))(app), suggestion(app)]

/** A refund that will not be paid gives its money and what it froze free at once. */
async function release(op: Operation, row: RefundApplication): Promise<Partial<RefundApplication>> {
  await reserveRefund(op, row.orderId, lineAmounts(row), -1)
  await freeze(op, row.memberId, lotParts(row), -1)
  return { endedAt: op.now.toISOString() }
}

async function openRefundsOf({ db }: App, memberId: string) {
  const open = await db.query
    .selectFrom('refund_application')
    .select(eb => [eb.fn.countAll<string>().as('count'), eb.fn.sum<string | null>('amount_fen').as('fen')])
    .where('member_id', '=', memberId)
    .where('status', 'not in', ['PAID', 'REJECTED', 'WITHDRAWN'])
    .executeTakeFirstOrThrow()
  return { count: Number(open.count), fen: Number(open.fen ?? 0) }
}

export const answers = [answer(refundsUnderWay, (app, { memberId }) => openRefundsOf(app, memberId))]
export const listeners = [
  followOwner('refund_application'),
  ...payingListeners,
  ...termsListeners,
  ...riskListeners,
  forgotten,
]
export const deliveries = [effectDelivery]
export const invariants = [
  ...numbersKept('R', { table: 'refund_application', no: 'refund_no', givenAt: 'created_at' }),
  seenByOwner('refund_application'),
  ...refundInvariants,
]
