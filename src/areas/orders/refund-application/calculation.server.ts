import { sql } from 'kysely'
import type { Grant } from '#engines/entitlement/model.ts'
import { type LotUsage, usageOf } from '#engines/entitlement/usage.server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Database, Tx } from '#kit/server/database.ts'
import type { Env } from '#kit/server/env.ts'
import { needsSecondApproval, spread, suggestLine, type Terms, takeFrom } from './arithmetic.model.ts'
import type { CalculatedLine, RefundApplication, SuggestedLine } from './model.ts'

export const termsOf = (env: Env): Terms => ({
  windowDays: env.REFUND_WINDOW_DAYS,
  windowUsedPercent: env.REFUND_WINDOW_USED_PERCENT,
  l2Fen: env.REFUND_L2_FEN,
  l2Days: env.REFUND_L2_DAYS,
})

/** Only what was paid can be given back. */
export function requirePaid<O extends { readonly payState: string }>(order: O): O {
  if (order.payState !== 'PAID') throw new Refused(refuse('refund-order-unpaid'))
  return order
}

type Order = { readonly id: string; readonly memberId: string; readonly paidAt: Date | null }
type Asked = { readonly order: Order; readonly now: Date; readonly terms: Terms }
type Line = SuggestedLine & {
  readonly leftFen: number
  readonly lots: readonly LotUsage[]
}

export type Calculation = {
  readonly lines: readonly Line[]
  readonly suggestedFen: number
  /** All that may be asked for. */
  readonly leftFen: number
}

/** What an order should give back if it is asked for now, line by line. */
export async function calculate(db: Tx | Database['query'], { order, now, terms }: Asked): Promise<Calculation> {
  const rows = await db.selectFrom('order_line').selectAll().where('order_id', '=', order.id).orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  const usage = await usageOf(db, order.memberId, ids, dayOf(now))
  const goods = await goodsOut(db, ids)
  const [paidOn, askedOn] = [dayOf(order.paidAt ?? now), dayOf(now)]
  const lines = rows.map((row): Line => {
    const lots = usage.filter(({ orderLineId }) => orderLineId === row.id)
    // Lots were given in the order of the grants.
    const shares = (row.grants as Grant[]).filter(({ kind }) => kind !== 'GOODS').map(grant => grant.sharePermille)
    const facts = {
      paidFen: fen(row.paid_fen),
      takenFen: fen(row.reserved_fen) + fen(row.refunded_fen),
      goodsFen: goods.get(row.id) ?? 0,
      grants: lots.map((lot, index) => ({ ...lot, sharePermille: shares[index] ?? 0 })),
    }
    const { paidFen, takenFen, goodsFen } = facts
    const suggestion = suggestLine(facts, paidOn, askedOn, terms)
    return {
      lineId: row.id,
      name: row.product_name,
      paidFen,
      takenFen,
      goodsFen,
      ...suggestion,
      leftFen: paidFen - takenFen,
      lots,
    }
  })
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0)
  return { lines, suggestedFen: sum(line => line.suggestedFen), leftFen: sum(line => line.leftFen) }
}

/** List value of what was sent for each line and has not come back. What was lost on the way nobody holds. */
async function goodsOut(db: Tx | Database['query'], lineIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; fen: string }>`
    select l.order_line_id as id, sum((l.quantity - l.returned) * p.value_fen) as fen
    from shipment_line l join shipment s on s.id = l.shipment_id join base_product p on p.id = l.base_product_id
    where l.order_line_id = any(${lineIds}::bigint[]) and s.status in ('SENT', 'SIGNED', 'RETURNED') group by 1`.execute(
    db,
  )
  return new Map(rows.map(row => [row.id, fen(row.fen)]))
}

/** How an amount is taken: from which lines, and which units of the member's rights go with it. */
export function divide({ lines }: Calculation, amountFen: number): CalculatedLine[] | undefined {
  const amounts = spread(amountFen, lines)
  return amounts?.flatMap((part, index): CalculatedLine[] => {
    const line = lines[index]
    if (!line || part === 0) return []
    const { leftFen, lots, ...said } = line
    const parts = lots.map(lot => {
      const { units, debt } = takeFrom(lot, { amountFen: part, suggestedFen: line.suggestedFen, leftFen })
      const { lotId, kind, name, usedUnits, totalUnits } = lot
      // Only coins can be owed: a day that is gone, or a lesson that was given, is gone.
      return { lotId, kind, name, usedUnits, totalUnits, units, debt: kind === 'COINS' ? debt : 0 }
    })
    return [{ ...said, amountFen: part, parts }]
  })
}

export const lineAmounts = ({ calculation }: Pick<RefundApplication, 'calculation'>) =>
  calculation.map(({ lineId, amountFen }) => ({ lineId, amountFen }))

export const lotParts = ({ calculation }: Pick<RefundApplication, 'calculation'>) =>
  calculation.flatMap(({ parts }) => parts.map(({ lotId, units, debt }) => ({ lotId, units, debt })))

export const decidedByTwo = (amountFen: number, order: Order, now: Date, terms: Terms): boolean =>
  needsSecondApproval(amountFen, dayOf(order.paidAt ?? now), dayOf(now), terms)
