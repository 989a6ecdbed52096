import { sql } from 'kysely'
import { issueCoupon } from '#areas/products/coupon/issuing.server.ts'
import { giveGrants } from '#engines/entitlement/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import type { Gift, Member, workflow } from './model.ts'
import { settings } from './settings.model.ts'

type Given = EnteredWith<typeof workflow, 'gift'>

const KINDS = { DAYS: 'MEMBER_DAYS', COINS: 'COINS' } as const

/** A gift from a colleague's own monthly allowance; gives what the member holds afterwards. */
export async function give(op: Operation, member: Member, asked: Given): Promise<Partial<Member>> {
  const gift = asked.giftKind
  if (gift === 'COUPON') await giveCoupon(op, member, String(asked.couponId))
  else await giveRights(op, member, gift, asked)
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

async function giveRights(op: Operation, member: Member, gift: 'DAYS' | 'COINS', { quantity, reason }: Given) {
  const units = Number(quantity)
  const { app } = op
  const caps = await settingsOf(app, settings, op.tx)
  const cap = gift === 'DAYS' ? caps.daysPerMonth : caps.coinsPerMonth
  await requireAllowance(op, { gift, units, cap, field: 'quantity' })
  await giveGrants(op, {
    memberId: member.id,
    source: 'GIFT',
    grants: [
      {
        kind: KINDS[gift],
        quantity: units,
        validDays: null,
        sharePermille: 1_000,
        packageId: null,
        kitId: null,
        name: app.texts.text(app.env.DEFAULT_LOCALE, 'engines/entitlement', 'source.GIFT'),
      },
    ],
    times: 1,
    note: reason ?? '',
  })
}

async function giveCoupon(op: Operation, member: Member, couponId: string): Promise<void> {
  const { couponsPerMonth: cap } = await settingsOf(op.app, settings, op.tx)
  await requireAllowance(op, { gift: 'COUPON', units: 1, cap, field: 'couponId' })
  const { over } = await issueCoupon(op, couponId, [member.id])
  if (over.length > 0) throw onField('couponId', refuse(over[0]?.why === 'LIMIT' ? 'coupon-limit' : 'coupon-used-up'))
}

type Wanted = { gift: Gift; units: number; cap: number; field: string }

/** Gifts are counted as they were booked, and one giver's gifts one after another: parallel ones cannot pass the cap. */
async function requireAllowance(op: Operation, { gift, units, cap, field }: Wanted): Promise<void> {
  const { tx, now, actor } = op
  await tx.selectFrom('staff').select('id').where('id', '=', actor.id).forNoKeyUpdate().execute()
  const month = startOfDay(`${dayOf(now).slice(0, 8)}01`)
  const { rows } = await (gift === 'COUPON'
    ? // Those issued on the coupons' own page count as well: given is given.
      sql<{ given: string }>`
        select count(*) as given from member_coupon where issued_by = ${actor.id} and taken_at >= ${month}`
    : sql<{ given: string }>`
        select coalesce(sum(e.delta), 0) as given
        from entitlement_entry e join entitlement_lot l on l.id = e.lot_id
        where e.staff_id = ${actor.id} and e.cause = 'GRANTED' and e.created_at >= ${month}
          and e.kind = ${KINDS[gift]} and l.source = 'GIFT'`
  ).execute(tx)
  const left = Math.max(0, cap - Number(rows[0]?.given ?? 0))
  if (units <= left) return
  const refusal = refuse('gift-over-cap', { cap, left, gift: `giftKind.${gift}` })
  throw onField(field, refusal)
}
