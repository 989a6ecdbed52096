import { agreedToHold, consentEnded } from '#engines/consent/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { resource, type Work } from './model.ts'

/** The consent is held until the mark stands: whoever takes it back at the same moment waits, and takes the mark along. */
export async function markShown(op: Operation, { memberId }: Work): Promise<Partial<Work>> {
  if (!(await agreedToHold(op.tx, 'DISPLAY', memberId))) throw new Refused(refuse('not-to-be-shown'))
  return { isExcellent: true }
}

/** A guardian no longer wants works shown: none is, from this moment. */
async function showNoMore(change: Change, memberId: string): Promise<void> {
  const shown = await change.tx
    .selectFrom('work')
    .select('id')
    .where('member_id', '=', memberId)
    .where('is_excellent', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id } of shown)
    await writeChange(change, resource, { id, isExcellent: true }, { isExcellent: false }, 'unmarkExcellent')
}

export const listeners: readonly Listener[] = [
  listen(consentEnded, async (change, { memberId, purpose }) => {
    if (purpose === 'DISPLAY') await showNoMore(change, memberId)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'no work is shown whose guardian has not agreed to it',
    query: `
      select w.id from work w left join consent c on c.member_id = w.member_id and c.purpose = 'DISPLAY' and c.stands
      where w.is_excellent and coalesce(c.act, '') <> 'GIVEN'`,
  },
]
