import type { Tx } from '#kit/server/database/database.ts'

/** When the member was last seen to practise or to hand something in; what is told late does not turn it back. */
export const markSeen = (tx: Tx, memberId: string, column: 'last_check_in_at' | 'last_work_at', at: Date) =>
  tx
    .updateTable('member')
    .set({ [column]: at })
    .where('id', '=', memberId)
    .where(eb => eb.or([eb(column, 'is', null), eb(column, '<', at.toISOString())]))
    .execute()
