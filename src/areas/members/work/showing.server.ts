import type { Purpose } from '#engines/consent/model.ts'
import { agreedFor, agreedToHold, consentEnded } from '#engines/consent/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import type { Medium, Work, WorkFacts } from './fields.model.ts'
import { RESOURCES } from './resources.model.ts'

/** What a guardian has to have agreed to before a work is shown: on a film the child is seen as well. */
const NEEDED: Readonly<Record<Medium, readonly Purpose[]>> = { PICTURE: ['DISPLAY'], VIDEO: ['DISPLAY', 'VIDEO'] }

/** Which of these works of one medium may be shown. */
export async function shownFacts(
  db: Parameters<typeof agreedFor>[0],
  medium: Medium,
  rows: readonly Pick<Work, 'id' | 'memberId'>[],
): Promise<Map<string, WorkFacts>> {
  const memberIds = rows.map(({ memberId }) => memberId)
  const agreed = await Promise.all(NEEDED[medium].map(purpose => agreedFor(db, purpose, memberIds)))
  return new Map(rows.map(({ id, memberId }) => [id, { mayBeShown: agreed.every(members => members.has(memberId)) }]))
}

/** The consent is held until the mark stands: whoever takes it back at the same moment waits, and takes the mark along. */
export async function markShown(op: Operation, { memberId, medium }: Work): Promise<Partial<Work>> {
  for (const purpose of NEEDED[medium])
    if (!(await agreedToHold(op.tx, purpose, memberId))) throw new Refused(refuse('not-to-be-shown'))
  return { isExcellent: true }
}

/** A guardian no longer wants them shown: none is, from this moment. */
async function showNoMore(change: Change, memberId: string, medium: Medium): Promise<void> {
  const shown = await change.tx
    .selectFrom('work')
    .select('id')
    .where('member_id', '=', memberId)
    .where('medium', '=', medium)
    .where('is_excellent', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id } of shown)
    await writeChange(change, RESOURCES[medium], { id, isExcellent: true }, { isExcellent: false }, 'unmarkExcellent')
}

const MEDIA = Object.keys(NEEDED) as Medium[]

export const listeners: readonly Listener[] = [
  listen(consentEnded, async (change, { memberId, purpose }) => {
    for (const medium of MEDIA) if (NEEDED[medium].includes(purpose)) await showNoMore(change, memberId, medium)
  }),
]

export const invariants: readonly Invariant[] = MEDIA.flatMap(medium =>
  NEEDED[medium].map(purpose => ({
    name: `no work is shown whose guardian has not agreed to it (${medium}, ${purpose})`,
    query: `
      select w.id from work w left join consent c on c.member_id = w.member_id and c.purpose = '${purpose}' and c.stands
      where w.is_excellent and w.medium = '${medium}' and coalesce(c.act, '') <> 'GIVEN'`,
  })),
)
