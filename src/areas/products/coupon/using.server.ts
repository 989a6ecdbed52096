import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/operation.ts'
import { type Bought, covers, discountOf, type Rule } from './rule.model.ts'

export type CouponUse = {
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
export async function spendCoupon(
  change: Change,
  given: { memberCouponId: string; memberId: string; lines: readonly Bought[] },
): Promise<CouponUse> {
  const held = await lockHeld(change, given.memberCouponId)
  // Somebody else's is not told apart from none at all.
  if (held?.member_id !== given.memberId) throw new Refused(refuse('products/coupon:coupon-missing'))
  if (held.status !== 'UNUSED') throw new Refused(refuse(`products/coupon:held-${held.status}`))
  // The job that marks expired ones may lag: the day decides.
  const today = dayOf(change.now)
  if (today < held.valid_from) throw new Refused(refuse('products/coupon:coupon-not-yet', { day: held.valid_from }))
  if (today > held.valid_to) throw new Refused(refuse('products/coupon:held-EXPIRED'))
  const rule = held.rule as Rule
  const off = discountOf(rule, given.lines)
  if (typeof off !== 'number') throw new Refused(off)
  return {
    discountFen: off,
    weights: given.lines.map(line => (covers(rule, line) ? line.amountFen : 0)),
    markUsed: orderId => markUsed(change, held, orderId),
  }
}

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
  return tx
    .selectFrom('member_coupon')
    .select(['id', 'coupon_id', 'member_id', 'status', 'rule', 'valid_from', 'valid_to'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
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
      .set({ status: held.valid_to < dayOf(now) ? 'EXPIRED' : 'UNUSED', order_id: null, used_at: null })
      .where('id', '=', id)
      .execute()
    await sql`update coupon set used = used - 1 where id = ${held.coupon_id}`.execute(tx)
    released += 1
  }
  return released
}
