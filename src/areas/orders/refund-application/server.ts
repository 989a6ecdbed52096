import { lockOrder, REFUNDS_WITHIN_PAID, reserveRefund } from '#areas/orders/order/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/operation.ts'
import { serve } from '#kit/server/serve.ts'
import { type RefundApplication, resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  async store(op, input, _before, write) {
    const order = await lockOrder(op, input.orderId)
    if (order.payState !== 'PAID') throw new Refused(refuse('refund-order-unpaid'))
    await reserveRefund(op, order.id, input.amountFen)
    return write({
      ...input,
      refundNo: await nextNumber(op.tx, 'R', op.now),
      memberId: order.memberId,
      applicantId: op.actor.id,
      // Whoever may see the order may see what is asked on it.
      ownerId: order.ownerId,
      orgId: order.orgId,
    })
  },
  effects: { reject: release, withdraw: release },
  constraints: { [REFUNDS_WITHIN_PAID]: { code: 'refund-over-paid', field: 'amountFen' } },
  async detail(app, row) {
    const order = await app.db.query
      .selectFrom('sales_order')
      .select(['paid_fen', 'reserved_fen', 'refunded_fen'])
      .where('id', '=', row.orderId)
      .executeTakeFirstOrThrow()
    return {
      money: {
        paidFen: fen(order.paid_fen),
        reservedFen: fen(order.reserved_fen),
        refundedFen: fen(order.refunded_fen),
      },
    }
  },
})

/** A refund that will not be paid gives its money free at once. */
async function release(op: Operation, row: RefundApplication) {
  await reserveRefund(op, row.orderId, -row.amountFen)
}
