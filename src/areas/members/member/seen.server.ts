import type { Tx } from '#kit/server/database/database.ts'

/** When the member was last seen to practise; what is told late does not turn it back. */
export const markCheckedIn = (tx: Tx, memberId: string, at: Date) =>
  tx
    .updateTable('member')
    .set({ last_check_in_at: at })
    .where('id', '=', memberId)
    .where(eb => eb.or([eb('last_check_in_at', 'is', null), eb('last_check_in_at', '<', at.toISOString())]))
    .execute()
