import { sql } from 'kysely'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import { leadRegistered, type Origin, originOf } from '#engines/lead/ending.server.ts'
import { membersByPhone } from '#engines/lead/known.server.ts'
import { handOverLeads, moveLeads } from '#engines/lead/owning.server.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { answer } from '#kit/server/change/question.ts'

export const answers = [
  answer(membersByPhone, async (_app, { tx, phones }) => {
    const { rows } = await sql<{ id: string; phone: string }>`
      select id, phone from member where phone = any(${phones}::text[])`.execute(tx)
    return new Map(rows.map(({ id, phone }) => [phone, id]))
  }),
]

/** A member has this number from now on: whatever was kept under it until its person is known finds the member. */
export const memberNumbered = defineAnnouncement<{ readonly memberId: string; readonly phone: string }>(
  'member-numbered',
)

/**
 * Stores somebody under a number, new or another than before: the lead it was becomes this member, in the same transaction.
 * `store` is told where the lead came from and whose it is, and gives the member's id, or nothing where nobody was stored.
 */
export async function underNumber(
  change: Change,
  phone: string,
  store: (origin: Origin | undefined) => Promise<string | undefined>,
): Promise<string | undefined> {
  const origin = await originOf(change, phone)
  const memberId = await store(origin)
  if (memberId === undefined) return undefined
  if (origin) await leadRegistered(change, origin.leadId, memberId)
  await announce(change, memberNumbered, { memberId, phone })
  return memberId
}

export const listeners: readonly Listener[] = [
  listen(staffHandedOver, (change, { fromId, toId, orgId }) => handOverLeads(change, fromId, { id: toId, orgId })),
  listen(staffMoved, (change, { staffId, orgId }) => moveLeads(change, { id: staffId, orgId })),
]

export const invariants: readonly Invariant[] = [
  {
    name: "a member's number is no open lead",
    query: 'select l.id, m.id as member_id from lead l join member m on m.phone = l.phone where l.ended_at is null',
  },
  {
    name: 'who has left owns no lead',
    query: `select l.id, l.owner_id from lead l join staff s on s.id = l.owner_id where s.employment = 'LEFT'`,
  },
]
