import { defineAnnouncement } from '#kit/server/change/announce.ts'
import { defineQuestion } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'

/** Locks a member before anything of hers changes: sums are made from rows nobody else is changing. */
export const holderLocked = defineQuestion<{ tx: Tx; memberId: string }, void>('entitlement-holder-locked')

export type Holdings = {
  readonly memberId: string
  readonly coins: number
  readonly membershipEndsOn: string | null
  /** Days of membership were given once, though they may all have been taken back. */
  readonly everMember: boolean
}
/** What a member holds is other than before: whoever shows it in lists keeps it beside the member. */
export const holdingsChanged = defineAnnouncement<Holdings>('entitlement-holdings-changed')

/** What pupils of a course who begin now learn by; nothing before it is published. */
export const newestEdition = defineQuestion<{ tx: Tx; packageId: string }, string | undefined>('course-newest-edition')
