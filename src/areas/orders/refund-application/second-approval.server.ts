import { sql } from 'kysely'
import { daysBetween } from '#engines/entitlement/model.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import type { App, Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { settingTakenOver } from '#kit/server/setting/take-over.ts'
import type { Terms } from './arithmetic.model.ts'
import { OPEN_STATES, type RefundApplication } from './model.ts'
import { type L2Reason, SUM_DAYS, standingReasons, withReasons } from './second-approval.model.ts'
import { settings } from './settings.model.ts'

/** What members have been given back in the last days, or have asked for: fen by member. */
export async function sumsOf(db: Reading, memberIds: readonly string[], now: Date): Promise<Map<string, number>> {
  const since = startOfDay(addDays(dayOf(now), 1 - SUM_DAYS))
  const sums = await db
    .selectFrom('refund_application')
    .select(['member_id', eb => eb.fn.sum<string>('amount_fen').as('fen')])
    .where('member_id', 'in', ['0', ...memberIds])
    .where(eb =>
      eb.or([
        eb('status', 'in', OPEN_STATES),
        eb.and([eb('status', '=', 'PAID'), eb('paid_at', '>=', since.toISOString())]),
      ]),
    )
    .groupBy('member_id')
    .execute()
  return new Map(sums.map(row => [row.member_id, Number(row.fen)]))
}

export type Order = { readonly memberId: string; readonly paidAt: Date | null }

/** Why finance has to agree to so much more for this member, were it asked for now. */
export async function reasonsForMore(
  db: Reading,
  { memberId, paidAt }: Order,
  { now, amountFen, terms }: { now: Date; amountFen: number; terms: Terms },
): Promise<L2Reason[]> {
  const before = (await sumsOf(db, [memberId], now)).get(memberId) ?? 0
  const daysSincePaid = daysBetween(dayOf(paidAt ?? now), dayOf(now))
  return standingReasons({ sumFen: before + amountFen, daysSincePaid }, terms)
}

type Judged = Pick<RefundApplication, 'id' | 'memberId' | 'status' | 'orderPaidAt' | 'needsL2' | 'l2Reasons' | 'terms'>

/** What stands against paying by one approval alone, as things are now, by the terms it was asked for under: others may have been asked for since. */
export async function reasonsNow(app: App, db: Reading, rows: readonly Judged[]): Promise<Map<string, L2Reason[]>> {
  const now = app.clock.now()
  const open = rows.filter(({ status }) => (OPEN_STATES as readonly string[]).includes(status))
  if (open.length === 0) return new Map()
  const sums = await sumsOf(
    db,
    open.map(({ memberId }) => memberId),
    now,
  )
  return new Map(
    open.map(row => {
      // The database keeps the terms of whatever is open (refund_application_terms).
      const paidOn = dayOf(row.orderPaidAt === null ? now : new Date(row.orderPaidAt))
      const standing = { sumFen: sums.get(row.memberId) ?? 0, daysSincePaid: daysBetween(paidOn, dayOf(now)) }
      return [row.id, standingReasons(standing, row.terms as Terms)]
    }),
  )
}

/** The judgement of this moment, to be stored with a decision. */
export async function judged({ app, tx }: Change, row: Judged): Promise<Pick<Judged, 'needsL2' | 'l2Reasons'>> {
  const fresh = (await reasonsNow(app, tx, [row])).get(row.id) ?? []
  const l2Reasons = withReasons(row.l2Reasons, fresh)
  return { needsL2: row.needsL2 || l2Reasons.length > 0, l2Reasons }
}

export const listeners = [
  // What is open at the upgrade was asked for under what the environment said.
  listen(settingTakenOver, async ({ tx }, { setting: { group, name }, value }) => {
    if (group !== settings.group) return
    await sql`
      update refund_application set terms = terms || jsonb_build_object(${name}::text, ${value}::int)
      where terms is not null`.execute(tx)
  }),
]
