import { followOwner } from '#areas/members/member/handing-over.server.ts'
import { lockOrderOf } from '#areas/orders/order/paying.server.ts'
import { type FoundOrder, lockOrder, REFUNDS_WITHIN_PAID, reserveRefund } from '#areas/orders/order/refunds.server.ts'
import { daysBetween } from '#engines/entitlement/model.ts'
import { freeze, lockMember } from '#engines/entitlement/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import { attach } from '#kit/server/file.ts'
import type { Operation } from '#kit/server/operation.ts'
import type { Routes } from '#kit/server/route.ts'
import { serve } from '#kit/server/serve.ts'
import { calculate, decidedByTwo, divide, lineAmounts, lotParts, requirePaid, termsOf } from './calculation.server.ts'
import { effectDelivery, effectsOf, repeatEffects } from './effects.server.ts'
import { refundInvariants } from './invariants.server.ts'
import { type RefundApplication, resource, workflow } from './model.ts'
import { finish, pay, listeners as payingListeners, paymentOf } from './paying.server.ts'
import { suggestion } from './suggestion.server.ts'

const served = serve(resource, {
  workflow,
  async store(op, input, _before, write) {
    const order = await lockPaidOrder(op, input.orderId)
    const calculation = await calculate(op.tx, { order, now: op.now, terms: termsOf(op.app.env) })
    const lines = divide(calculation, input.amountFen)
    if (!lines) throw onField('amountFen', 'refund-over-paid')
    if (input.amountFen !== calculation.suggestedFen && input.deviation === '') throw onField('deviation', 'refund-why')
    if (input.route === 'ORIGINAL' && !(await paymentOf(op.tx, order.id))) throw onField('route', 'refund-no-payment')
    const taken = { calculation: lines }
    await reserveRefund(op, order.id, lineAmounts(taken), 1)
    await freeze(op, order.memberId, lotParts(taken), 1)
    const id = await write({
      ...input,
      refundNo: await nextNumber(op.tx, 'R', op.now),
      memberId: order.memberId,
      applicantId: op.actor.id,
      suggestedFen: calculation.suggestedFen,
      calculation: lines,
      needsL2: decidedByTwo(input.amountFen, order, op.now, termsOf(op.app.env)),
      ...(await orderFacts(op, order.id)),
      products: [...new Set(lines.map(({ name }) => name))],
      // Whoever may see the order may see what is asked on it.
      ownerId: order.ownerId,
      orgId: order.orgId,
    })
    await op.tx
      .insertInto('refund_line')
      .values(lines.map(line => ({ refund_id: id, order_line_id: line.lineId, amount_fen: line.amountFen })))
      .execute()
    return id
  },
  lock: (op, id) => lockOrderOf(op.tx, 'refund_application', id),
  effects: {
    approve: async op => ({ l1By: op.actor.id }),
    approveL2: async op => ({ l2By: op.actor.id }),
    pay,
    retry: pay,
    async recordPaid(op, row, { transactionNo, proof }) {
      await attach(op.tx, op.actor.id, proof as string[], resource.screen.key, row.id)
      await finish(op, row)
      return {
        paidBy: op.actor.id,
        paidAt: op.now.toISOString(),
        endedAt: op.now.toISOString(),
        transactionNo: String(transactionNo),
        proof: proof as string[],
        failure: '',
      }
    },
    repeatEffects: (op, row) => repeatEffects(op, row.id),
    reject: release,
    withdraw: release,
  },
  constraints: {
    [REFUNDS_WITHIN_PAID]: { code: 'refund-over-paid', field: 'amountFen' },
    line_refunds_within_paid: { code: 'refund-over-paid', field: 'amountFen' },
    refund_application_transaction: { code: 'kit:taken', field: 'transactionNo' },
  },
  detail: async (app, row) => ({ effects: await effectsOf(app, row.id) }),
})

export const routes: Routes = app => [...served(app), suggestion(app)]

const onField = (field: string, code: string): Refused =>
  new Refused(refuse(code), 'validation', { fields: { [field]: refuse(code) } })

async function lockPaidOrder(op: Operation, id: string): Promise<FoundOrder> {
  const found = await op.tx.selectFrom('sales_order').select('member_id').where('id', '=', id).executeTakeFirst()
  if (found) await lockMember(op.tx, found.member_id)
  return requirePaid(await lockOrder(op, id))
}

/** What refunds are counted by and found by: frozen on the order, and so on what is asked of it. */
async function orderFacts({ tx, now }: Operation, orderId: string) {
  const order = await tx
    .selectFrom('sales_order')
    .select(['paid_at as orderPaidAt', 'sold_by as soldBy', 'channel'])
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

export const listeners = [followOwner('refund_application'), ...payingListeners]
export const deliveries = [effectDelivery]
export const invariants = refundInvariants
