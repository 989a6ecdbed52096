import { fen } from '#kit/model/money.ts'
import type { App } from '#kit/server/app.ts'
import type { OrderLine } from './model.ts'

/** What an order is made of, and each line's own part of the money. */
export async function linesOf({ db }: Pick<App, 'db'>, orderId: string): Promise<OrderLine[]> {
  const lines = await db.query
    .selectFrom('order_line')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  return lines.map(line => ({
    id: line.id,
    productName: line.product_name,
    quantity: line.quantity,
    listFen: fen(line.list_fen),
    amountFen: fen(line.amount_fen),
    paidFen: fen(line.paid_fen),
    reservedFen: fen(line.reserved_fen),
    refundedFen: fen(line.refunded_fen),
    grants: line.grants as OrderLine['grants'],
  }))
}
