import { fen } from '#kit/model/money.ts'
import type { Change } from '#kit/server/app.ts'

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

/** The earner gives back in proportion, all refunds together rounded down; the parent's money is never touched for it. Gives the sum. */
export async function reverseCommission(
  change: Change,
  refundId: string,
  lines: readonly { readonly lineId: string; readonly amountFen: number }[],
): Promise<number> {
  const { tx, now } = change
  let reversed = 0
  for (const { lineId, amountFen } of lines) {
    const earned = await earnedOn(change, lineId)
    if (!earned || earned.paidFen === 0) continue
    const backFen = amountFen + (await reversedFor(change, lineId))
    const part = shareOfCommission(earned.amountFen, backFen, earned.paidFen) - earned.reversedFen
    if (part <= 0) continue
    reversed += part
    await tx
      .insertInto('commission_entry')
      .values({
        order_line_id: lineId,
        staff_id: earned.staffId,
        cause: 'REVERSED',
        amount_fen: -part,
        refund_id: refundId,
        created_at: now,
      })
      .execute()
  }
  return reversed
}

/** What of a line's commission goes back with so much of its money. */
export const shareOfCommission = (earnedFen: number, backFen: number, paidFen: number): number =>
  Number((BigInt(earnedFen) * BigInt(backFen)) / BigInt(paidFen))

/** What a line earned somebody, and what of that has gone back. */
async function earnedOn({ tx }: Change, lineId: string) {
  const rows = await tx
    .selectFrom('commission_entry as c')
    .innerJoin('order_line as l', 'l.id', 'c.order_line_id')
    .select(['c.staff_id', 'c.cause', 'c.amount_fen', 'l.paid_fen'])
    .where('c.order_line_id', '=', lineId)
    .execute()
  const earned = rows.find(({ cause }) => cause === 'EARNED')
  if (!earned) return undefined
  return {
    staffId: earned.staff_id,
    amountFen: fen(earned.amount_fen),
    paidFen: fen(earned.paid_fen),
    reversedFen: rows.reduce((sum, row) => sum + (row.cause === 'REVERSED' ? -Number(row.amount_fen) : 0), 0),
  }
}

/** The line's money of refunds whose commission has been seen to. */
async function reversedFor({ tx }: Change, lineId: string): Promise<number> {
  const { back } = await tx
    .selectFrom('refund_line as l')
    .innerJoin('refund_effect as e', 'e.refund_id', 'l.refund_id')
    .select(eb => eb.fn.coalesce(eb.fn.sum<string>('l.amount_fen'), eb.lit(0)).as('back'))
    .where('l.order_line_id', '=', lineId)
    .where('e.name', '=', 'COMMISSION')
    .where('e.status', '=', 'DONE')
    .executeTakeFirstOrThrow()
  return Number(back)
}
