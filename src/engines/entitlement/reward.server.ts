import type { Change } from '#kit/server/app.ts'
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
