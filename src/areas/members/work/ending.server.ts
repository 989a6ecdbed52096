import { Refused, refuse } from '#kit/model/refusal.ts'
import { listen } from '#kit/server/change/announce.ts'
import { personErased } from '#kit/server/change/erasure.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Work } from './fields.model.ts'
import { lockWork, writeWork } from './leasing.server.ts'

const OPEN: readonly string[] = ['SUBMITTED', 'LEASED', 'COMMENTED']
const OFF_THE_DESK = { holderId: null, leasedUntil: null, assigneeId: null } as const

/** Whoever closed the account has nothing judged any more: what waits or lies on a desk leaves it, and what was said is said. */
export const endedWith = listen(personErased, async (change, { memberId }) => {
  const { tx } = change
  const open = await tx
    .selectFrom('work')
    .select('id')
    .where('member_id', '=', memberId)
    .where('status', 'in', ['SUBMITTED', 'LEASED', 'COMMENTED'])
    .orderBy('id')
    .execute()
  for (const { id } of open) {
    const row = await lockWork(tx, id)
    // Meanwhile somebody may have sent it back, or hidden it.
    if (!row || !OPEN.includes(row.status)) continue
    if (row.status === 'COMMENTED') {
      await tx
        .updateTable('work_comment')
        .set({ status: 'RELEASED' })
        .where('work_id', '=', id)
        .where('status', '=', 'HELD')
        .execute()
      await writeWork(change, row, { status: 'RELEASED' }, 'release')
      continue
    }
    if (row.status === 'LEASED') await writeWork(change, row, { status: 'SUBMITTED', ...OFF_THE_DESK }, 'leaseEnded')
    await writeWork(change, { ...row, status: 'SUBMITTED' }, { status: 'HIDDEN', assigneeId: null }, 'hide')
  }
})

/** Nothing of such a pupil is taken up again, and no reason written why. */
export async function requireOpenAccount({ tx }: { readonly tx: Tx }, { memberId }: Pick<Work, 'memberId'>) {
  const member = tx.selectFrom('member').select('status').where('id', '=', memberId)
  const { status } = await member.executeTakeFirstOrThrow()
  if (status === 'CLOSED') throw new Refused(refuse('members/member:member-closed'))
}
