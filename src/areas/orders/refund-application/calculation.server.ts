import { sql } from 'kysely'
import type { Grant } from '#engines/entitlement/model.ts'
import type { LotPart } from '#engines/entitlement/server.ts'
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
  readonly lots: readonly ClaimableLot[]
}
/** What no refund has claimed of a lot as yet: units that are there, and spent ones that can still be owed. */
type ClaimableLot = LotUsage & { readonly owableUnits: number }

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
  const usage = claimable(await usageOf(db, order.memberId, ids, dayOf(now)), await claimsOn(db, order.id))
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

/** What refunds of the order that were paid, or may be, take of its lots. */
async function claimsOn(db: Tx | Database['query'], orderId: string): Promise<LotPart[]> {
  const standing = await db
    .selectFrom('refund_application')
    .select('calculation')
    .where('order_id', '=', orderId)
    .where('status', 'not in', ['REJECTED', 'WITHDRAWN'])
    .execute()
  return standing.flatMap(row => lotParts({ calculation: row.calculation as CalculatedLine[] }))
}

/** Only coins can be owed: a day that is gone, or a lesson that was given, is gone. All refunds together take what a lot gave. */
export const claimable = (usage: readonly LotUsage[], claims: readonly LotPart[]): ClaimableLot[] =>
  usage.map(lot => {
    if (lot.kind !== 'COINS') return { ...lot, owableUnits: 0 }
    const own = claims.filter(({ lotId }) => lotId === lot.lotId)
    const units = own.reduce((sum, claim) => sum + claim.units, 0)
    const debt = own.reduce((sum, claim) => sum + claim.debt, 0)
    // Once something is owed the lot's balance tells no more what is there: that is what was given, less used and claimed.
    const unspent = debt === 0 ? lot.leftUnits : Math.max(0, lot.totalUnits - lot.usedUnits - units)
    const leftUnits = Math.min(unspent, lot.totalUnits - units - debt)
    return { ...lot, leftUnits, owableUnits: Math.max(0, lot.usedUnits - debt) }
  })

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
      const { lotId, kind, name, usedUnits, totalUnits } = lot
      const taken = takeFrom(lot, { amountFen: part, suggestedFen: line.suggestedFen, leftFen })
      return { lotId, kind, name, usedUnits, totalUnits, ...taken }
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
