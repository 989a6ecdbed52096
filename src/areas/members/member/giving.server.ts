import { sql } from 'kysely'
import { resource as application } from '#areas/members/application/model.ts'
import { issueCoupon } from '#areas/products/coupon/issuing.server.ts'
import { giveGrants } from '#engines/entitlement/server.ts'
import { can } from '#kit/model/actor.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { askInstead } from '#kit/model/request.ts'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import type { Gift, Member, workflow } from './model.ts'
import { settings } from './settings.model.ts'

type Given = EnteredWith<typeof workflow, 'gift'>

const KINDS = { DAYS: 'MEMBER_DAYS', COINS: 'COINS' } as const
const CAPS = { DAYS: 'daysPerMonth', COINS: 'coinsPerMonth', COUPON: 'couponsPerMonth' } as const

/** A gift from a colleague's own monthly allowance; gives what the member holds afterwards. */
export async function give(op: Operation, member: Member, given: Given): Promise<Partial<Member>> {
  const gift = giftOf(given)
  await requireAllowance(op, member.id, gift)
  await bookGift(op, { ...gift, memberId: member.id, note: given.reason ?? '' })
  return op.tx
    .selectFrom('member')
    .select(['coins', 'membership_ends_on as membershipEndsOn', 'level'])
    .where('id', '=', member.id)
    .executeTakeFirstOrThrow()
}

/** How much is given, or which coupon: a gift of days or coins has a figure, any other a name. */
export function requireWhole({ giftKind, couponId, quantity }: Given): void {
  const [field, value] = giftKind === 'COUPON' ? ['couponId', couponId] : ['quantity', quantity]
  if (value == null) throw onField(String(field), refuse('gift-incomplete'))
}

/** So many days or coins, or one of a coupon. */
type GiftOf =
  | { readonly giftKind: 'DAYS' | 'COINS'; readonly quantity: number }
  | { readonly giftKind: 'COUPON'; readonly couponId: string }

type Entered = { readonly giftKind: Gift; readonly quantity: number | null; readonly couponId: string | null }

export const giftOf = ({ giftKind, quantity, couponId }: Entered): GiftOf =>
  giftKind === 'COUPON' ? { giftKind, couponId: String(couponId) } : { giftKind, quantity: Number(quantity) }

export const unitsOf = (gift: GiftOf): number => (gift.giftKind === 'COUPON' ? 1 : gift.quantity)

type Booked = GiftOf & {
  readonly memberId: string
  readonly note: string
  /** Agreed to by others; none: from the giver's own allowance. */
  readonly applicationId?: string
}

/** The member holds it from now on. */
export async function bookGift(op: Operation, gift: Booked): Promise<void> {
  const { app } = op
  const { memberId, note, applicationId } = gift
  if (gift.giftKind === 'COUPON') {
    const { done, over } = await issueCoupon(op, gift.couponId, [memberId], applicationId)
    const why = over[0]?.why === 'LIMIT' ? 'members/member:coupon-limit' : 'members/member:coupon-used-up'
    if (done.length === 0) throw onField('couponId', refuse(why))
    return
  }
  await giveGrants(op, {
    memberId,
    source: 'GIFT',
    grants: [
      {
        kind: KINDS[gift.giftKind],
        quantity: gift.quantity,
        validDays: null,
        sharePermille: 1_000,
        packageId: null,
        kitId: null,
        name: app.texts.text(app.env.DEFAULT_LOCALE, 'engines/entitlement', 'source.GIFT'),
      },
    ],
    times: 1,
    note,
    ...(applicationId === undefined ? {} : { applicationId }),
  })
}

async function requireAllowance(op: Operation, memberId: string, gift: GiftOf): Promise<void> {
  const { cap, left } = await allowanceOf(op, gift.giftKind)
  if (unitsOf(gift) <= left) return
  const refusal = refuse('gift-over-cap', { cap, left, gift: `giftKind.${gift.giftKind}` })
  const field = gift.giftKind === 'COUPON' ? 'couponId' : 'quantity'
  const mayAsk = can(op.actor, application.screen.key, 'create')
  throw onField(field, refusal, mayAsk ? askInstead(application, { kind: 'GIFT', memberId, ...gift }) : undefined)
}

/**
 * What this person may give in a month, and what is left of it. Gifts are counted as they were booked, and one giver's
 * gifts one after another: parallel ones cannot pass the cap. What others agreed to is nobody's allowance.
 */
export async function allowanceOf(
  { app, tx, now, actor }: Operation,
  gift: Gift,
): Promise<{ cap: number; left: number }> {
  const { [CAPS[gift]]: cap } = await settingsOf(app, settings, tx)
  await tx.selectFrom('staff').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
  const month = startOfDay(`${dayOf(now).slice(0, 8)}01`)
  const { rows } = await (gift === 'COUPON'
    ? // Those issued on the coupons' own page count as well: given is given.
      sql<{ given: string }>`
        select count(*) as given from member_coupon
        where issued_by = ${actor.id} and taken_at >= ${month} and application_id is null`
    : sql<{ given: string }>`
        select coalesce(sum(e.delta), 0) as given
        from entitlement_entry e join entitlement_lot l on l.id = e.lot_id
        where e.staff_id = ${actor.id} and e.cause = 'GRANTED' and e.created_at >= ${month}
          and e.kind = ${KINDS[gift]} and l.source = 'GIFT' and l.application_id is null and l.order_line_id is null`
  ).execute(tx)
  return { cap, left: Math.max(0, cap - Number(rows[0]?.given ?? 0)) }
}
