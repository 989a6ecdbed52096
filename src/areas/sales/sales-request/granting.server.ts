import { sql } from 'kysely'
import { allowanceOf, bookGift, giftOf, unitsOf } from '#areas/members/member/giving.server.ts'
import type { Gift } from '#areas/members/member/model.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import type { SalesRequest } from './model.ts'
import { settings } from './settings.model.ts'

/** Nobody plans claims further ahead. */
const MOST_DAYS_AHEAD = 30

/** More claims on a day, of a pool one may claim from. */
export async function quotaAsked(op: Operation, { poolId, quotaDay }: SalesRequest): Promise<Partial<SalesRequest>> {
  const today = dayOf(op.now)
  if (String(quotaDay) < today || String(quotaDay) > addDays(today, MOST_DAYS_AHEAD))
    throw onField('quotaDay', refuse('quota-day', { from: today, to: addDays(today, MOST_DAYS_AHEAD) }))
  const { rows } = await sql`
    select from lead_pool_member m join lead_pool p on p.id = m.pool_id
    where m.pool_id = ${poolId} and m.staff_id = ${op.actor.id} and p.is_open`.execute(op.tx)
  if (rows.length === 0) throw onField('poolId', refuse('not-in-pool'))
  return {}
}

export async function grantQuota(op: Operation, request: SalesRequest): Promise<Partial<SalesRequest>> {
  const { id, poolId, quotaDay, extraClaims, applicantId } = request
  if (String(quotaDay) < dayOf(op.now)) throw new Refused(refuse('quota-past'))
  await sql`
    insert into lead_pool_extra (request_id, pool_id, staff_id, day, extra)
    values (${id}, ${poolId}, ${applicantId}, ${quotaDay}, ${extraClaims})`.execute(op.tx)
  return {}
}

/** Below what the product costs today, which is kept with it. */
export async function discountAsked(
  op: Operation,
  { productId, priceFen }: SalesRequest,
): Promise<Partial<SalesRequest>> {
  const { price_fen } = await op.tx
    .selectFrom('product')
    .select('price_fen')
    .where('id', '=', String(productId))
    .executeTakeFirstOrThrow()
  const listFen = Number(price_fen) as NonNullable<SalesRequest['listFen']>
  if (Number(priceFen) >= listFen) throw onField('priceFen', refuse('no-discount'))
  return { listFen }
}

/** From now on a link can be made at that price, once. */
export async function grantDiscount(op: Operation): Promise<Partial<SalesRequest>> {
  const { discountDays } = await settingsOf(op.app, settings, op.tx)
  return { usableUntil: addDays(dayOf(op.now), discountDays) }
}

/** Given from the allowance of whoever says yes. */
export async function grantGift(op: Operation, request: SalesRequest): Promise<Partial<SalesRequest>> {
  const memberId = String(request.giftToId)
  const { status } = await op.tx
    .selectFrom('member')
    .select('status')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  if (status !== 'ACTIVE') throw new Refused(refuse('member-not-active'))
  const gift = giftOf({ ...request, giftKind: request.giftKind as Gift })
  const { left } = await allowanceOf(op, gift.giftKind)
  if (unitsOf(gift) > left) throw new Refused(refuse('gift-over-allowance', { left }))
  await bookGift(op, { ...gift, memberId, note: `${request.requestNo} ${request.reason}`.slice(0, 200) })
  return {}
}
