import { sql } from 'kysely'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Database } from '#kit/server/database/database.ts'
import { type Bought, covers, discountOf, type Rule } from './rule.model.ts'

type CouponUse = {
  readonly discountFen: number
  /** For each line, how much of it the discount is taken from. */
  readonly weights: readonly number[]
  /** To be called in the same transaction, once the order stands. */
  markUsed(orderId: string): Promise<void>
}

/**
 * What a member's coupon takes off these lines. The coupon is locked until the order stands: of two orders that come
 * with one coupon, the second finds it used. The member has been locked before, as everywhere.
 */
export async function spendCoupon(change: Change, given: Spending): Promise<CouponUse> {
  const held = await lockHeld(change, given.memberCouponId)
  const off = takenOff(held, given, change.now)
  if (typeof off !== 'number' || !held) throw new Refused(typeof off === 'number' ? MISSING : off)
  const rule = held.rule as Rule
  return {
    discountFen: off,
    weights: given.lines.map(line => (covers(rule, line) ? line.amountFen : 0)),
    markUsed: orderId => markUsed(change, held, orderId),
  }
}

/** What a coupon would take off, or why it would not, for whoever only looks. */
export async function couponOff(
  { db, now }: { db: Database['query']; now: Date },
  given: Spending,
): Promise<number | Refusal> {
  return takenOff(await heldCoupon(db, given.memberCouponId).executeTakeFirst(), given, now)
}

type Spending = { memberCouponId: string; memberId: string; lines: readonly Bought[] }
const MISSING = refuse('products/coupon:coupon-missing')

function takenOff(held: Held | undefined, { memberId, lines }: Spending, now: Date): number | Refusal {
  // Somebody else's is not told apart from none at all.
  if (held?.member_id !== memberId) return MISSING
  if (held.status !== 'UNUSED') return refuse(`products/coupon:held-${held.status}`)
  // The job that marks expired ones may lag: the day decides.
  const today = dayOf(now)
  if (today < held.valid_from) return refuse('products/coupon:coupon-not-yet', { day: held.valid_from })
  if (today > held.valid_to) return refuse('products/coupon:held-EXPIRED')
  return discountOf(held.rule as Rule, lines)
}

const heldCoupon = (db: Database['query'] | Change['tx'], id: string) =>
  db
    .selectFrom('member_coupon')
    .select(['id', 'coupon_id', 'member_id', 'status', 'rule', 'valid_from', 'valid_to'])
    .where('id', '=', id)

type Held = {
  id: string
  coupon_id: string
  member_id: string
  status: string
  rule: unknown
  valid_from: string
  valid_to: string
}

/** The coupon before the member's copy of it, as in every change of both. */
async function lockHeld({ tx }: Change, id: string): Promise<Held | undefined> {
  const found = await tx.selectFrom('member_coupon').select('coupon_id').where('id', '=', id).executeTakeFirst()
  if (!found) return undefined
  await tx.selectFrom('coupon').select('id').where('id', '=', found.coupon_id).forUpdate().execute()
  return heldCoupon(tx, id).forUpdate().executeTakeFirst()
}

async function markUsed({ tx, now }: Change, held: Held, orderId: string): Promise<void> {
  await tx
    .updateTable('member_coupon')
    .set({ status: 'USED', order_id: orderId, used_at: now })
    .where('id', '=', held.id)
    .execute()
  await sql`update coupon set used = used + 1 where id = ${held.coupon_id}`.execute(tx)
}

/** An order that comes to nothing gives its coupon back: unused again, or expired when its time is over. Says how many. */
export async function releaseCoupon(change: Change, orderId: string): Promise<number> {
  const { tx, now } = change
  const used = await tx
    .selectFrom('member_coupon')
    .select('id')
    .where('order_id', '=', orderId)
    .orderBy('coupon_id')
    .execute()
  let released = 0
  for (const { id } of used) {
    const held = await lockHeld(change, id)
    if (held?.status !== 'USED') continue
    await tx
      .updateTable('member_coupon')
      .set({
        status: held.valid_to < dayOf(now) ? 'EXPIRED' : 'UNUSED',
        order_id: null,
        used_at: null,
        freed_from: sql`array_append(freed_from, ${orderId}::bigint)`,
      })
      .where('id', '=', id)
      .execute()
    await sql`update coupon set used = used - 1 where id = ${held.coupon_id}`.execute(tx)
    released += 1
  }
  return released
}

/**
 * A closed order is paid after all, at the price its coupon made: the coupon is used with it again, whatever its days. One
 * that somebody has used for another order since, or that was recalled, cannot make two prices.
 */
export async function spendAgain(change: Change, orderId: string, memberId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from member_coupon where member_id = ${memberId} and ${orderId}::bigint = any(freed_from)`.execute(
    change.tx,
  )
  for (const { id } of rows) {
    const held = await lockHeld(change, id)
    if (!held) continue
    if (held.status === 'USED' || held.status === 'RECALLED') throw new Refused(refuse('products/coupon:coupon-gone'))
    await markUsed(change, held, orderId)
  }
}
