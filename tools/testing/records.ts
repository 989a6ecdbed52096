import { PHONES, phoneAt } from '../../src/demo/builders.server.ts'
import { nextNumber } from '../../src/engines/sequence/server.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'

let counter = 0

/** A number no other record of the test has. */
const next = (): number => (counter += 1)

export type OrderOptions = {
  paidFen?: number
  ownerId?: string | null
  orgId?: string | null
  memberName?: string
  phone?: string
}

/** A member and an order of that member: paid when something was paid. */
export async function placeOrder(instance: Instance, options: OrderOptions = {}): Promise<string> {
  const { ownerId = null, orgId = null, paidFen = 10_000 } = options
  return instance.app.db.write(async tx => {
    const member = await tx
      .insertInto('member')
      .values({
        name: options.memberName ?? '测试',
        phone: options.phone ?? phoneAt(PHONES.test + next()),
        source: 'APP',
        owner_id: ownerId,
        org_id: orgId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const order = await tx
      .insertInto('sales_order')
      .values({
        order_no: `${Date.now()}`.padStart(13, '0') + String(next()).padStart(5, '0'),
        member_id: member.id,
        product_name: '年度会员',
        list_fen: paidFen || 10_000,
        amount_fen: paidFen || 10_000,
        paid_fen: paidFen,
        pay_state: paidFen > 0 ? 'PAID' : 'UNPAID',
        source: 'APP',
        owner_id: ownerId,
        org_id: orgId,
        paid_at: paidFen > 0 ? instance.app.clock.now() : null,
      })
      .returning(['id', 'order_no'])
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('order_line')
      .values({
        order_id: order.id,
        product_name: '年度会员',
        quantity: 1,
        list_fen: paidFen || 10_000,
        amount_fen: paidFen || 10_000,
        paid_fen: paidFen,
      })
      .execute()
    if (paidFen > 0)
      await tx
        .insertInto('payment')
        .values({
          payment_no: await nextNumber({ app: instance.app, now: instance.app.clock.now() }, 'P'),
          provider: 'WECHAT',
          provider_no: `W${order.order_no}`,
          order_id: order.id,
          amount_fen: paidFen,
          status: 'RECEIVED',
          said_order_no: order.order_no,
          received_at: instance.app.clock.now(),
          told_at: instance.app.clock.now(),
        })
        .execute()
    return order.id
  })
}
