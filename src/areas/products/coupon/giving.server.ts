import { sql } from 'kysely'
import { defineDeed } from '#engines/rule/declared.server.ts'
import { Refused } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { issueCoupon } from './issuing.server.ts'
import { resource } from './model.ts'

/** More than people can keep in mind; a bound for what is read at once. */
const MOST = 500

/** Coupons that are issued now and mean one coupon by their name. */
async function couponsOffered(db: Queries, today: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; id: string }>`
    select name, min(id)::text as id from coupon
    where status = 'ACTIVE' and (valid_to is null or valid_to >= ${today})
    group by name having count(*) = 1 order by 2 desc limit ${MOST}`.execute(db)
  return new Map(rows.map(({ name, id }) => [name, id]))
}

export const sendCoupon = defineDeed({
  name: 'sendCoupon',
  texts: resource.screen.name,
  parameters: { coupon: 'text' },
  offers: async ({ db, clock }) => ({ coupon: [...(await couponsOffered(db.query, dayOf(clock.now()))).keys()] }),
  async act(change, { memberId }, { coupon }) {
    if (memberId === null) return 'NO_MEMBER'
    const couponId = (await couponsOffered(change.tx, dayOf(change.now))).get(coupon)
    if (couponId === undefined) return 'UNKNOWN'
    try {
      const { done, over, failed } = await issueCoupon(change, couponId, [memberId])
      return done.length > 0 ? 'DONE' : ([...over, ...failed][0]?.why ?? 'MISSING')
    } catch (error) {
      // Stopped or over since it was looked up: nothing was written yet.
      if (error instanceof Refused) return 'UNKNOWN'
      throw error
    }
  },
})
