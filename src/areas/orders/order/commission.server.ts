import { fen } from '#kit/model/money.ts'
import type { Change } from '#kit/server/operation.ts'

/** Whoever owned the member at ordering earns a part of what a line brought in. */
export async function earnCommission(
  { tx, now }: Change,
  line: { id: string; permille: number; paidFen: number },
  staffId: string | null,
): Promise<void> {
  const amount = Math.floor((line.paidFen * line.permille) / 1_000)
  if (staffId === null || amount === 0) return
  await tx
    .insertInto('commission_entry')
    .values({ order_line_id: line.id, staff_id: staffId, cause: 'EARNED', amount_fen: amount, created_at: now })
    .execute()
}

/** The earner gives back in proportion; the parent's money is never touched for it. Gives the sum. */
export async function reverseCommission(
  { tx, now }: Change,
  refundId: string,
  lines: readonly { readonly lineId: string; readonly amountFen: number }[],
): Promise<number> {
  let reversed = 0
  for (const { lineId, amountFen } of lines) {
    const earned = await tx
      .selectFrom('commission_entry as c')
      .innerJoin('order_line as l', 'l.id', 'c.order_line_id')
      .select(['c.staff_id', 'c.amount_fen', 'l.paid_fen'])
      .where('c.order_line_id', '=', lineId)
      .where('c.cause', '=', 'EARNED')
      .executeTakeFirst()
    if (!earned || fen(earned.paid_fen) === 0) continue
    const part = Number((BigInt(earned.amount_fen) * BigInt(amountFen)) / BigInt(earned.paid_fen))
    if (part === 0) continue
    reversed += part
    await tx
      .insertInto('commission_entry')
      .values({
        order_line_id: lineId,
        staff_id: earned.staff_id,
        cause: 'REVERSED',
        amount_fen: -part,
        refund_id: refundId,
        created_at: now,
      })
      .execute()
  }
  return reversed
}
