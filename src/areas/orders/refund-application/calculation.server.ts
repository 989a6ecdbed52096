import type { Grant } from '#engines/entitlement/model.ts'
import type { LotPart } from '#engines/entitlement/server.ts'
import { type LotUsage, usageOf } from '#engines/entitlement/usage.server.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Database, Tx } from '#kit/server/database/database.ts'
import type { Terms } from './arithmetic.model.ts'
import type { CalculatedLine } from './calculation.model.ts'
import type { RefundApplication } from './model.ts'
import type { ClaimableLot, Known } from './suggesting.model.ts'

/** Only what was paid can be given back. */
export function requirePaid<O extends { readonly payState: string }>(order: O): O {
  if (order.payState !== 'PAID') throw new Refused(refuse('refund-order-unpaid'))
  return order
}

type Order = { readonly id: string; readonly memberId: string; readonly paidAt: Date | null }
type Asked = { readonly order: Order; readonly now: Date; readonly terms: Terms }
type Reading = Tx | Database['query']

/** What an order's lines have to say when something of them is asked back now. */
export async function known(app: App, db: Reading, { order, now, terms }: Asked): Promise<Known> {
  const rows = await db.selectFrom('order_line').selectAll().where('order_id', '=', order.id).orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  const usage = await usageOf(db, order.memberId, ids, dayOf(now))
  const claims = await claimsOn(db, order.id)
  const goods = await ask(app, goodsOfLines, { db, lineIds: ids })
  const lines = rows.map(row => ({
    lineId: row.id,
    name: row.product_name,
    paidFen: fen(row.paid_fen),
    takenFen: fen(row.reserved_fen) + fen(row.refunded_fen),
    lots: claimable(
      usage.filter(({ orderLineId }) => orderLineId === row.id),
      row.grants as Grant[],
      claims,
    ),
    ...(goods.get(row.id) ?? NO_GOODS),
  }))
  return { lines, paidOn: dayOf(order.paidAt ?? now), askedOn: dayOf(now), terms }
}

/** What refunds of the order that were paid, or may be, take of its lots. */
async function claimsOn(db: Reading, orderId: string): Promise<LotPart[]> {
  const standing = await db
    .selectFrom('refund_application')
    .select('calculation')
    .where('order_id', '=', orderId)
    .where('status', 'not in', ['REJECTED', 'WITHDRAWN'])
    .execute()
  return standing.flatMap(row => lotParts({ calculation: row.calculation as CalculatedLine[] }))
}

/**
 * The lots of a line, which were given in the order of its grants. Only coins can be owed: a day that is gone, or a lesson
 * that was given, is gone. All refunds together take what a lot gave.
 */
export const claimable = (
  usage: readonly LotUsage[],
  grants: readonly Grant[],
  claims: readonly LotPart[],
): ClaimableLot[] => {
  const shares = grants.filter(({ kind }) => kind !== 'GOODS').map(({ sharePermille }) => sharePermille)
  return usage.map((lot, index) => {
    const own = claims.filter(({ lotId }) => lotId === lot.lotId)
    const takenUnits = own.reduce((sum, { units }) => sum + units, 0)
    const owedUnits = own.reduce((sum, { debt }) => sum + debt, 0)
    const about = { ...lot, sharePermille: shares[index] ?? 0, takenUnits, owedUnits }
    if (lot.kind !== 'COINS') return { ...about, owableUnits: 0 }
    // Once something is owed the lot's balance tells no more what is there: that is what was given, less used and claimed.
    const unspent = owedUnits === 0 ? lot.leftUnits : Math.max(0, lot.totalUnits - lot.usedUnits - takenUnits)
    const leftUnits = Math.min(unspent, lot.totalUnits - takenUnits - owedUnits)
    return { ...about, leftUnits, owableUnits: Math.max(0, lot.usedUnits - owedUnits) }
  })
}

/**
 * The goods of a line: those that left and have not come back, at their value of that day, and those that have not left, at
 * today's.
 */
type LineGoods = { readonly sentFen: number; readonly unsentFen: number; readonly unsentPieces: number }
const NO_GOODS: LineGoods = { sentFen: 0, unsentFen: 0, unsentPieces: 0 }

/** By line, for those that have any: whoever sends them knows. */
export const goodsOfLines = defineQuestion<{ db: Reading; lineIds: readonly string[] }, ReadonlyMap<string, LineGoods>>(
  'order-lines-goods',
)

export const lineAmounts = ({ calculation }: Pick<RefundApplication, 'calculation'>) =>
  calculation.map(({ lineId, amountFen }) => ({ lineId, amountFen }))

export const lotParts = ({ calculation }: Pick<RefundApplication, 'calculation'>) =>
  calculation.flatMap(({ parts }) => parts.map(({ lotId, units, debt }) => ({ lotId, units, debt })))
