import { formatFen } from '#kit/model/money.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** In what a reward consists. */
export const REWARD_KINDS = { GIFT: 'done', COURSE: 'busy', CASH: 'attention' } as const
type RewardKind = keyof typeof REWARD_KINDS

/** How much a teacher may be given in a year, and how much of it was given in this one. */
export type Rewarding = { readonly yearFen: number; readonly givenFen: number }

/** Why nothing may be given to anybody, or to this teacher, at all: nothing is, until the business says how much. */
export function whyNoReward({ yearFen, givenFen }: Rewarding): Refusal | undefined {
  if (yearFen === 0) return refuse('rewards-off')
  if (givenFen >= yearFen) return refuse('reward-used-up', { most: formatFen(yearFen) })
}

type Reward = { readonly rewardKind: RewardKind; readonly valueFen: number }

/** Why not this: no money to whoever serves at a school, however little, and nothing above what is left of the year. */
export function whyNotThisReward(
  { hasLeft }: { readonly hasLeft: boolean },
  { rewardKind, valueFen }: Reward,
  { yearFen, givenFen }: Rewarding,
): { readonly field: keyof Reward; readonly refusal: Refusal } | undefined {
  if (!hasLeft && rewardKind === 'CASH') return { field: 'rewardKind', refusal: refuse('no-cash') }
  const leftFen = yearFen - givenFen
  if (valueFen > leftFen) return { field: 'valueFen', refusal: refuse('reward-over', { left: formatFen(leftFen) }) }
}
