import { settings } from '../../src/areas/orders/refund-application/settings.model.ts'
import { nextNumber } from '../../src/engines/sequence/server.ts'
import { defaultsOf } from '../../src/kit/model/setting.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { placeOrder } from './records.ts'

/** What a form sends that asks for a refund. */
export const refundBody = (orderId: string, amountFen: number, more: object = {}) => ({
  orderId,
  amountFen,
  deviation: 'agreed',
  reason: 'NO_TIME',
  route: 'ORIGINAL',
  payee: null,
  payeeName: null,
  payeeAccount: null,
  note: '',
  unsent: [],
  ...more,
})

/** By bank, to whoever paid. */
export const BY_BANK = { route: 'OFFLINE', payee: 'PAYER', payeeName: '王女士', payeeAccount: '6222021234567890123' }

export type Sold = {
  paidAt: string
  paidFen: number
  seller: { id: string; orgId: string }
  channel?: string
  lines?: [string, number][]
}

/** An order as it was sold; its lines share what was paid. */
export async function sold(
  instance: Instance,
  { paidAt, paidFen, seller, channel = 'DOUYIN', lines = [['年度会员', paidFen]] }: Sold,
): Promise<string> {
  const id = await placeOrder(instance, { paidFen, ownerId: seller.id, orgId: seller.orgId })
  const { query } = instance.app.db
  await query
    .updateTable('sales_order')
    .set({ paid_at: paidAt, sold_by: seller.id, sold_org_id: seller.orgId, channel })
    .where('id', '=', id)
    .execute()
  await query.deleteFrom('order_line').where('order_id', '=', id).execute()
  for (const [name, fen] of lines)
    await query
      .insertInto('order_line')
      .values({ order_id: id, product_name: name, quantity: 1, list_fen: fen, amount_fen: fen, paid_fen: fen })
      .execute()
  return id
}

export type Refunded = {
  askedAt: string
  endedAt?: string
  status: 'PAID' | 'REJECTED' | 'WITHDRAWN' | 'SUBMITTED'
  reason?: string
  route?: 'ORIGINAL' | 'OFFLINE'
  hasFailed?: boolean
  /** Fen of each line, in their order. */
  amounts: number[]
}

/** A refund as it would stand after its steps, with the books that go with it. */
export async function refunded(instance: Instance, orderId: string, given: Refunded): Promise<void> {
  const { askedAt, endedAt = null, status, reason = 'NO_TIME', route = 'ORIGINAL', hasFailed = false, amounts } = given
  await instance.app.db.write(async tx => {
    const order = await tx.selectFrom('sales_order').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
    const lines = await tx.selectFrom('order_line').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
    const taken = lines.flatMap((line, index) => (amounts[index] ? [{ ...line, fen: amounts[index] ?? 0 }] : []))
    const amount = amounts.reduce((sum, fen) => sum + fen, 0)
    const { id } = await tx
      .insertInto('refund_application')
      .values({
        refund_no: await nextNumber({ app: instance.app, now: new Date(askedAt) }, 'R'),
        order_id: orderId,
        member_id: order.member_id,
        amount_fen: amount,
        reason,
        route,
        status,
        applicant_id: order.owner_id ?? '',
        owner_id: order.owner_id,
        org_id: order.org_id,
        terms: JSON.stringify(defaultsOf(settings)),
        created_at: askedAt,
        paid_at: status === 'PAID' ? endedAt : null,
        ended_at: endedAt,
        pay_failed: hasFailed,
        order_paid_at: order.paid_at,
        sold_by: order.sold_by,
        sold_org_id: order.sold_org_id,
        channel: order.channel,
        days_since_paid: Math.floor((Date.parse(askedAt) - Date.parse(order.paid_at ?? '')) / 86_400_000),
        products: [...new Set(taken.map(line => line.product_name))],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const books = status === 'PAID' ? 'refunded_fen' : 'reserved_fen'
    const isOpen = status === 'PAID' || status === 'SUBMITTED'
    for (const line of taken) {
      await tx
        .insertInto('refund_line')
        .values({ refund_id: id, order_line_id: line.id, amount_fen: line.fen })
        .execute()
      if (isOpen)
        await tx
          .updateTable('order_line')
          .set(eb => ({ [books]: eb(books, '+', String(line.fen)) }))
          .where('id', '=', line.id)
          .execute()
    }
    if (isOpen)
      await tx
        .updateTable('sales_order')
        .set(eb => ({
          [books]: eb(books, '+', String(amount)),
          ...(status === 'PAID'
            ? { refund_state: Number(order.refunded_fen) + amount >= Number(order.paid_fen) ? 'FULL' : 'PARTIAL' }
            : {}),
        }))
        .where('id', '=', orderId)
        .execute()
  })
}
