import { memberRecognised } from '#engines/identity/names.server.ts'
import { lockPhones } from '#engines/lead/known.server.ts'
import { listen } from '#kit/server/change/announce.ts'
import { type Facts, numbersOf } from './facts.model.ts'
import { hear } from './hearing.server.ts'
import { PLATFORM_OF, type Platform, type Shop } from './platforms.server.ts'
import { lockOrderTold } from './row.server.ts'

/** The app knows whom a platform calls what: orders that wait for that person, and those still to come, are the member's. */
export const recognised = listen(memberRecognised, async (change, { memberId, unionid, state, at, order }) => {
  const { tx } = change
  const called = await tx
    .selectFrom('platform_order')
    .select(['platform', 'order_no', 'facts'])
    // Also those that are the member's already: since when may be told only now.
    .where(eb => eb.or([eb('member_id', 'is', null), eb('member_id', '=', memberId)]))
    .where(eb => eb.or([eb('unionid', '=', unionid ?? ''), eb('claim_state', '=', state ?? '')]))
    .orderBy('id')
    .execute()
  const named = order && { platform: PLATFORM_OF[order.shop as Shop], orderNo: order.orderNo }
  const orders = called.map(row => ({ platform: row.platform as Platform, orderNo: row.order_no }))
  // All of them before the first one's member: whoever tells of one of them holds it while waiting for the member.
  for (const { platform, orderNo } of named ? [...orders, named] : orders) await lockOrderTold(tx, platform, orderNo)
  await lockPhones(
    change,
    called.flatMap(({ facts }) => numbersOf(facts as Facts)),
  )
  const said = { at, facts: {}, action: 'register' }
  if (named) await hear(change, { ...said, ...named, memberId })
  for (const one of orders) await hear(change, { ...said, ...one })
})
