import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Pause } from './model.ts'

/** When a membership stood still, stands still or will, oldest first. */
export const pausesOf = (db: Reading, memberId: string): Promise<Pause[]> =>
  db
    .selectFrom('entitlement_pause')
    .select(['starts_on as startsOn', 'ends_on as endsOn'])
    .where('member_id', '=', memberId)
    .orderBy('starts_on')
    .execute()

export const invariants: readonly Invariant[] = [
  {
    name: 'a membership is not paused twice on one day',
    query: `
      select a.member_id, a.id, b.id as other from entitlement_pause a
      join entitlement_pause b on b.member_id = a.member_id and b.id > a.id
      where a.starts_on <= b.ends_on and b.starts_on <= a.ends_on`,
  },
]
