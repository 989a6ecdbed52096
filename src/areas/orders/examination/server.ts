import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { payNothing } from '#areas/orders/order/coupons.server.ts'
import { linesOf } from '#areas/orders/order/lines.server.ts'
import { resource as orderResource } from '#areas/orders/order/model.ts'
import { lockOrderOf, orderClosed, shareNewPrice } from '#areas/orders/order/paying.server.ts'
import { UNPAID_MS } from '#areas/orders/order/placing.server.ts'
import { receivePayment } from '#engines/payment/server.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { type Examination, resource, workflow } from './model.ts'
import { sharingOf, transferInvariants } from './transfer.server.ts'

export const routes = serve(resource, {
  workflow,
  // Passing it pays the order and gives to the member.
  lock: (op, id) => lockOrderOf(op.tx, 'order_examination', id),
  effects: {
    async approve(op, row) {
      if (row.kind === 'PRICE') await setPrice(op, row)
      else await payOffline(op, row)
      return decided(op)
    },
    async reject(op, row) {
      if (row.kind === 'PRICE') await waitForMoney(op, row)
      else {
        await moveOrder(op, row, { payState: 'CLOSED', closedAt: op.now }, 'close')
        await announce(op, orderClosed, { orderId: row.orderId })
      }
      return decided(op)
    },
  },
  detail: async (app, row) => ({ lines: await linesOf(app, row.orderId), sharing: await sharingOf(app, row) }),
})

const decided = (op: Operation) => ({ decidedBy: op.actor.id, decidedAt: op.now.toISOString() })

const moveOrder = (change: Change, { orderId }: Examination, fields: Record<string, unknown>, action: string) =>
  writeChange(change, orderResource, { id: orderId, payState: 'EXAMINING' }, fields, action)

const waitForMoney = (op: Operation, row: Examination, fields: Record<string, unknown> = {}) =>
  moveOrder(op, row, { ...fields, payState: 'UNPAID', closesAt: new Date(op.now.getTime() + UNPAID_MS) }, 'examine')

/** The agreed price stands: lines share it, and the order waits for its money again. */
async function setPrice(op: Operation, row: Examination): Promise<void> {
  await shareNewPrice(op, row.orderId, row.amountFen)
  await waitForMoney(op, row, { amountFen: row.amountFen, discountFen: Math.max(0, row.listFen - row.amountFen) })
  if (row.amountFen === 0) await payNothing(op, row.orderId)
}

/** The money is there: it is booked as any other payment, and pays the order. */
async function payOffline(op: Operation, row: Examination): Promise<void> {
  await moveOrder(op, row, { payState: 'UNPAID' }, 'examine')
  if (row.amountFen === 0) return payNothing(op, row.orderId)
  const { order_no: orderNo } = await op.tx
    .selectFrom('sales_order')
    .select('order_no')
    .where('id', '=', row.orderId)
    .executeTakeFirstOrThrow()
  await receivePayment(op, {
    provider: 'OFFLINE',
    providerNo: row.transactionNo ?? '',
    orderNo,
    amountFen: row.amountFen,
    paidAt: op.now,
  })
}

export const listeners = [
  followOwner('order_examination'),
  forgets({ table: 'order_examination', becomes: { note: "''" }, keepsFiles: true }),
]
export const invariants = [seenByOwner('order_examination'), ...transferInvariants]
