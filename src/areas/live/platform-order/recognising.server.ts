import { sql } from 'kysely'
import { lockPhones } from '#engines/lead/known.server.ts'
import type { Change } from '#kit/server/app.ts'
import { type Facts, numbersOf } from './facts.model.ts'
import { hear } from './hearing.server.ts'
import { PLATFORM_OF, type Platform, type Shop } from './platforms.server.ts'
import { lockNames, lockOrderTold } from './row.server.ts'

export type By = {
  readonly platform?: Shop | undefined
  readonly orderNo?: string | undefined
  readonly unionid?: string | undefined
  readonly state?: string | undefined
}

/** The app knows whom a platform calls what: orders that wait for that person, and those still to come, are the member's. */
export async function recognise(change: Change, memberId: string, by: By, when: Date): Promise<void> {
  const { tx, now } = change
  const at = new Date(Math.min(when.getTime(), now.getTime()))
  await lockNames(tx, by)
  await keepNames(change, memberId, by, at)
  const called = await tx
    .selectFrom('platform_order')
    .select(['platform', 'order_no', 'facts'])
    // Also those that are the member's already: since when may be told only now.
    .where(eb => eb.or([eb('member_id', 'is', null), eb('member_id', '=', memberId)]))
    .where(eb => eb.or([eb('unionid', '=', by.unionid ?? ''), eb('claim_state', '=', by.state ?? '')]))
    .orderBy('id')
    .execute()
  const named = by.platform && by.orderNo ? { platform: PLATFORM_OF[by.platform], orderNo: by.orderNo } : undefined
  const orders = called.map(row => ({ platform: row.platform as Platform, orderNo: row.order_no }))
  // All of them before the first one's member: whoever tells of one of them holds it while waiting for the member.
  for (const { platform, orderNo } of named ? [...orders, named] : orders) await lockOrderTold(tx, platform, orderNo)
  await lockPhones(
    change,
    called.flatMap(({ facts }) => numbersOf(facts as Facts)),
  )
  const said = { at, facts: {}, action: 'register' }
  if (named) await hear(change, { ...said, ...named, memberId })
  for (const order of orders) await hear(change, { ...said, ...order })
}

/** What the platform calls the person, and the link a course was claimed by, are the member's from the earliest it is told of. */
async function keepNames({ tx }: Change, memberId: string, { unionid, state }: By, at: Date): Promise<void> {
  const names = [
    ['UNIONID', unionid],
    ['STATE', state],
  ] as const
  for (const [kind, value] of names) {
    if (value === undefined) continue
    await tx
      .insertInto('member_identity')
      .values({ kind, value, member_id: memberId, told_at: at })
      .onConflict(conflict =>
        conflict
          .columns(['kind', 'value'])
          .doUpdateSet({ told_at: sql`least(member_identity.told_at, excluded.told_at)` })
          .where('member_identity.member_id', '=', memberId),
      )
      .execute()
  }
}
