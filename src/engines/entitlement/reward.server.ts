import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { REWARD_DAYS } from './model.ts'
import { giveGrants } from './server.ts'

export type Reward = {
  readonly memberId: string
  readonly coins: number
  /** What is rewarded, as `kind:id`: the database gives nothing twice for the same. */
  readonly key: string
  readonly note: string
}

/** Coins for something a pupil did. */
export const giveReward = (change: Change, { memberId, coins, key, note }: Reward): Promise<void> =>
  giveGrants(change, {
    memberId,
    source: 'REWARD',
    grants: [
      {
        kind: 'COINS',
        quantity: coins,
        validDays: REWARD_DAYS,
        sharePermille: 1_000,
        packageId: null,
        kitId: null,
        name: change.app.texts.text(change.app.env.DEFAULT_LOCALE, 'engines/entitlement', 'source.REWARD'),
      },
    ],
    times: 1,
    rewardKey: key,
    note,
  })

/** For the `invariants` of a slice whose records are rewarded, under keys of this kind; `coins` is the column that says how much. */
export const rewardedAsSaid = (kind: string, { table, coins }: { table: string; coins: string }): Invariant => ({
  name: `${table}: rewarded exactly as often and as much as it says`,
  query: `
    select r.id, r.${coins}, l.quantity from
      (select id, member_id, ${coins} from ${table} where ${coins} > 0) r
      full join (select member_id, quantity, substr(reward_key, ${kind.length + 2})::bigint as id from entitlement_lot
        where reward_key like '${kind}:%') l on l.id = r.id
    where (r.member_id, r.${coins}) is distinct from (l.member_id, l.quantity)`,
})
