import { listen } from '#kit/server/change/announce.ts'
import { personErased } from '#kit/server/change/erasure.ts'

export const listeners = [
  listen(personErased, async ({ tx }, { memberId }) => {
    await tx.deleteFrom('member_identity').where('member_id', '=', memberId).execute()
  }),
]
