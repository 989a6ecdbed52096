import type { Purpose } from '#engines/consent/model.ts'
import { agreedFor, agreedToHold, consentEnded, countsAsSaid } from '#engines/consent/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { neededFor, SEEN, type Work, type WorkFacts } from './fields.model.ts'
import { RESOURCES } from './resources.model.ts'

/** Which of these works may be shown, and what has not been agreed to of the others. */
export async function shownFacts(
  db: Parameters<typeof agreedFor>[0],
  rows: readonly Pick<Work, 'id' | 'memberId' | 'medium' | 'kind'>[],
): Promise<Map<string, WorkFacts>> {
  const memberIds = rows.map(({ memberId }) => memberId)
  const purposes = [...new Set(rows.flatMap(neededFor))]
  const agreed = new Map(
    await Promise.all(purposes.map(async purpose => [purpose, await agreedFor(db, purpose, memberIds)] as const)),
  )
  return new Map(
    rows.map(row => {
      const lacks = neededFor(row).find(purpose => !agreed.get(purpose)?.has(row.memberId)) ?? null
      return [row.id, { lacks }]
    }),
  )
}

/** The consent is held until the mark stands: whoever takes it back at the same moment waits, and takes the mark along. */
async function lacking({ tx }: Operation, work: Work): Promise<Purpose | undefined> {
  for (const purpose of neededFor(work)) if (!(await agreedToHold(tx, purpose, work.memberId))) return purpose
}

/** What may be shown is, from now on. */
export async function markShown(op: Operation, work: Work): Promise<Partial<Work>> {
  const lacks = await lacking(op, work)
  if (lacks) throw new Refused(refuse(`lacks.${lacks}`))
  return { isExcellent: true }
}

/** Its hiding is taken back: it is excellent again where it was, unless that was agreed to no longer. */
export const unhidden = async (op: Operation, work: Work, wasExcellent = false): Promise<Partial<Work>> => ({
  isExcellent: wasExcellent && !(await lacking(op, work)),
})

/** A purpose is agreed to no longer: nothing that rests on it is shown, from this moment. */
async function showNoMore(change: Change, memberId: string, purpose: Purpose): Promise<void> {
  const shown = await change.tx
    .selectFrom('work')
    .select(['id', 'medium', 'kind'])
    .where('member_id', '=', memberId)
    .where('is_excellent', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, medium, kind } of shown)
    if (neededFor({ medium, kind }).includes(purpose))
      await writeChange(change, RESOURCES[medium], { id, isExcellent: true }, { isExcellent: false }, 'unmarkExcellent')
}

export const listeners: readonly Listener[] = [
  listen(consentEnded, (change, { memberId, purpose }) => showNoMore(change, memberId, purpose)),
]

const NEEDED_SQL = `
  case when w.medium = 'VIDEO' then array['DISPLAY', 'VIDEO']
    when w.kind in (${SEEN.map(kind => `'${kind}'`).join(', ')}) then array['DISPLAY', 'PICTURE']
    else array['DISPLAY'] end`

export const invariants: readonly Invariant[] = [
  {
    name: 'no hidden work is shown as excellent',
    query: "select w.id from work w where w.status = 'HIDDEN' and w.is_excellent",
  },
  {
    name: 'no work is shown without consent: of a child under fourteen the guardian\u2019s',
    query: `
      select w.id, n.purpose from work w join member m on m.id = w.member_id cross join unnest(${NEEDED_SQL}) as n (purpose)
      left join consent c on c.member_id = w.member_id and c.purpose = n.purpose and c.stands
      where w.is_excellent and not (coalesce(c.act, '') = 'GIVEN' and ${countsAsSaid('m.birth_month')})`,
  },
]
