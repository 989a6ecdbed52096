import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { refundsUnderWay } from '#areas/members/member/server.ts'
import { lockOrderOf } from '#areas/orders/order/paying.server.ts'
import { type FoundOrder, lockOrder, REFUNDS_WITHIN_PAID, reserveRefund } from '#areas/orders/order/refunds.server.ts'
import { daysBetween } from '#engines/entitlement/model.ts'
import { freeze } from '#engines/entitlement/server.ts'
import { runsOf } from '#engines/rule/server.ts'
import { nextNumber, numbersKept } from '#engines/sequence/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { InputsOf } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { answer } from '#kit/server/change/question.ts'
import type { Rules } from '#kit/server/change/rules.ts'
import type { Row } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { choicesOf, requireRoute } from './asking.server.ts'
import type { UnsentLine } from './calculation.model.ts'
import { known, lineAmounts, lotParts, requirePaid } from './calculation.server.ts'
import type { RefundFacts } from './deciding.model.ts'
import { effectDelivery, effectsOf, repeatEffects } from './effects.server.ts'
import { forgotten } from './forgetting.server.ts'
import { refundInvariants } from './invariants.server.ts'
import { needsWhy, reasonsToAsk } from './judging.server.ts'
import { type RefundApplication, resource, workflow } from './model.ts'
import { pay, listeners as payingListeners, paymentOf, recordPaid, requireNumber } from './paying.server.ts'
import { reopen } from './reopening.server.ts'
import { refundSubmitted, listeners as riskListeners, stuckOf, waitsForChain } from './risk.server.ts'
import { judged, reasonsNow, listeners as termsListeners } from './second-approval.server.ts'
import { settings } from './settings.model.ts'
import { divide } from './suggesting.model.ts'
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

type Input = RefundApplication & { readonly unsent: readonly UnsentLine[] }

/** Asking sets the money aside and holds what would be taken back. */
async function submit(
  op: Operation,
  given: RefundApplication,
  _before: unknown,
  write: (fields: Row) => Promise<string>,
) {
  const { unsent, ...input } = given as Input
  const order = await lockPaidOrder(op, input.orderId)
  await requireRoute(op, order.id, input)
  const terms = await settingsOf(op.app, settings, op.tx)
  const facts = await known(op.app, op.tx, { order, now: op.now, terms })
  const divided = divide(facts, input.amountFen, choicesOf(facts, unsent))
  if (!divided) throw onField('amountFen', refuse('refund-over-paid'))
  const { calculation, lines } = divided
  const { suggestedFen } = calculation
  if (needsWhy(input.amountFen, input.deviation, calculation)) throw onField('deviation', refuse('refund-why'))
  const asking = { amountFen: input.amountFen, payee: input.payee, lines, calculation }
  const l2Reasons = await reasonsToAsk(op.tx, { order, known: facts, now: op.now }, asking)
  const taken = { calculation: [...lines] }
  await reserveRefund(op, order.id, lineAmounts(taken), 1)
  await freeze(op, order.memberId, lotParts(taken), 1)
  const id = await write({
    ...input,
    ...taken,
    terms,
    refundNo: await nextNumber(op, 'R'),
    memberId: order.memberId,
    applicantId: op.actor.id,
    suggestedFen,
    needsL2: l2Reasons.length > 0,
    l2Reasons,
    ...(await orderFacts(op, order.id)),
    provider: input.route === 'ORIGINAL' ? (await paymentOf(op.tx, order.id))?.provider : null,
    products: [...new Set(lines.map(({ name }) => name))],
    // Whoever may see the order may see what is asked on it.
    ownerId: order.ownerId,
    orgId: order.orgId,
  })
  await op.tx
    .insertInto('refund_line')
    .values(lines.map(line => ({ refund_id: id, order_line_id: line.lineId, amount_fen: line.amountFen })))
    .execute()
  await waitsForChain(op, id)
  return id
}

async function lockPaidOrder(op: Operation, id: string): Promise<FoundOrder> {
  const found = await op.tx.selectFrom('sales_order').select('member_id').where('id', '=', id).executeTakeFirst()
  if (found) await lockMember(op.tx, found.member_id)
  return requirePaid(await lockOrder(op, id))
}

/** What refunds are counted by and found by: frozen on the order, and so on what is asked of it. */
async function orderFacts({ tx, now }: Operation, orderId: string) {
  const order = await tx
    .selectFrom('sales_order')
    .select(['paid_at as orderPaidAt', 'sold_by as soldBy', 'sold_org_id as soldOrgId', 'channel'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const paidOn = dayOf(order.orderPaidAt === null ? now : new Date(order.orderPaidAt))
  return { ...order, daysSincePaid: Math.max(0, daysBetween(paidOn, dayOf(now))) }
}

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
