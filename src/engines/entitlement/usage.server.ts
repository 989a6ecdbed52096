import type { Tx } from '#kit/server/database/database.ts'
import { daysUsed, type LotKind, periodsOf } from './model.ts'
import { pausesOf } from './pauses.server.ts'

/** How far a lot has been used: in the units its worth is told in, and how much of it may still be taken back. */
export type LotUsage = {
  readonly lotId: string
  readonly orderLineId: string
  readonly kind: LotKind
  readonly name: string
  readonly usedUnits: number
  readonly totalUnits: number
  readonly leftUnits: number
}

/** What has been used by the end of `today` of what these order lines gave, lot by lot in the order they were given. */
export async function usageOf(
  db: Pick<Tx, 'selectFrom'>,
  memberId: string,
  orderLineIds: readonly string[],
  today: string,
): Promise<LotUsage[]> {
  const lots = await db
    .selectFrom('entitlement_lot as l')
    .leftJoin('entitlement_entry as e', join =>
      join.onRef('e.lot_id', '=', 'l.id').on('e.cause', 'in', ['SPENT', 'GIVEN_BACK']),
    )
    .select([
      'l.id',
      'l.kind',
      'l.name',
      'l.order_line_id',
      'l.quantity',
      'l.remaining',
      'l.frozen',
      'l.granted_on',
      'l.expires_on',
      eb => eb.fn.sum<string | null>('e.delta').as('moved'),
    ])
    .where('l.member_id', '=', memberId)
    .where(eb => eb.or([eb('l.kind', '=', 'MEMBER_DAYS'), eb('l.order_line_id', 'in', ['0', ...orderLineIds])]))
    .groupBy('l.id')
    .orderBy('l.id')
    .execute()
  const days = lots
    .filter(({ kind }) => kind === 'MEMBER_DAYS')
    .map(({ id, granted_on: grantedOn, remaining }) => ({ id, grantedOn, remaining }))
  const pauses = await pausesOf(db, memberId)
  const periods = new Map(periodsOf(days, pauses).map(period => [period.id, period]))
  return lots.flatMap((lot): LotUsage[] => {
    if (lot.order_line_id === null || !orderLineIds.includes(lot.order_line_id)) return []
    const kind = lot.kind as LotKind
    const period = periods.get(lot.id)
    const free = Math.max(0, lot.remaining - lot.frozen)
    const about = { lotId: lot.id, orderLineId: lot.order_line_id, kind, name: lot.name }
    if (kind === 'MEMBER_DAYS') {
      const used = period ? daysUsed(period, today, pauses) : 0
      return [{ ...about, usedUnits: used, totalUnits: lot.quantity, leftUnits: Math.max(0, free - used) }]
    }
    if (kind === 'COURSE') {
      const course = { id: lot.id, startsOn: lot.granted_on, endsOn: lot.expires_on ?? lot.granted_on }
      const [used, total] =
        lot.expires_on === null ? [0, 1] : [daysUsed(course, today), daysUsed(course, course.endsOn)]
      return [{ ...about, usedUnits: used, totalUnits: total, leftUnits: free }]
    }
    return [{ ...about, usedUnits: 0 - Number(lot.moved), totalUnits: lot.quantity, leftUnits: free }]
  })
}
