import { allowanceOf, bookGift, giftOf, unitsOf } from '#areas/members/member/giving.server.ts'
import type { Gift } from '#areas/members/member/model.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Application } from './model.ts'

const MAX_NOTE = 200

/** Nobody is asked for what the applicant may give alone. */
export async function giftAsked(op: Operation, application: Application): Promise<Partial<Application>> {
  const gift = giftOf({ ...application, giftKind: application.giftKind as Gift })
  const { left } = await allowanceOf(op, gift.giftKind)
  if (unitsOf(gift) <= left) throw new Refused(refuse('gift-within-cap', { left, gift: `giftKind.${gift.giftKind}` }))
  return { allowanceLeft: left, givenLately: await givenLately(op, application) }
}

const LATELY_MS = 30 * 86_400_000

/** None of a coupon: how many of those there are is the coupon's own bound. */
async function givenLately({ tx, now }: Operation, { memberId, giftKind }: Application): Promise<number | null> {
  if (giftKind === 'COUPON') return null
  const { sum } = await tx
    .selectFrom('member_application')
    .select(eb => eb.fn.sum<string | null>('quantity').as('sum'))
    .where('member_id', '=', memberId)
    .where('gift_kind', '=', giftKind)
    .where('status', 'in', ['SUBMITTED', 'L1_APPROVED', 'APPROVED'])
    .where('created_at', '>', new Date(now.getTime() - LATELY_MS).toISOString())
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

export async function grantGift(op: Operation, application: Application): Promise<Partial<Application>> {
  await bookGift(op, {
    ...giftOf({ ...application, giftKind: application.giftKind as Gift }),
    memberId: application.memberId,
    applicationId: application.id,
    note: `${application.applicationNo} ${application.reason}`.slice(0, MAX_NOTE),
  })
  return {}
}
