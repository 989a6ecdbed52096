import { listen } from '#kit/server/change/announce.ts'
import { forgets, personErased } from '#kit/server/change/erasure.ts'

export const listeners = [
  // What WeChat calls somebody leads to them wherever it was copied; the row itself goes.
  forgets({ table: 'member_identity', becomes: { value: "'-'" }, known: ['value'] }),
  listen(personErased, async ({ tx }, { memberId }) => {
    await tx.deleteFrom('member_identity').where('member_id', '=', memberId).execute()
  }),
]
