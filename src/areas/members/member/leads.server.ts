import { sql } from 'kysely'
import { staffHandedOver, staffMoved } from '#areas/organisation/staff/belongings.server.ts'
import {
  leadGivenUp,
  leadRegistered,
  leadsDealt,
  type Newcomer,
  type Origin,
  originOf,
} from '#engines/lead/ending.server.ts'
import { leadHandedOver, lockMembersOf, membersByPhone, membersWhoPaid } from '#engines/lead/known.server.ts'
import type { Owner } from '#engines/lead/model.ts'
import { handOverLeads, moveLeads } from '#engines/lead/owning.server.ts'
import { touchesBecome } from '#engines/lead/touching.server.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { answer } from '#kit/server/change/question.ts'
import { memberHandedOver, writeOwnerChange } from './handing-over.server.ts'
import { resource } from './model.ts'
import { memberPaid } from './paying.server.ts'

export const answers = [
  answer(membersByPhone, async (_app, { tx, phones }) => {
    const { rows } = await sql<{ id: string; phone: string }>`
      select id, phone from member where phone = any(${phones}::text[])`.execute(tx)
    return new Map(rows.map(({ id, phone }) => [phone, id]))
  }),
  answer(membersWhoPaid, async (_app, { tx, memberIds }) => {
    const { rows } = await sql<{ id: string }>`
      select id from member where id = any(${memberIds}::bigint[]) and first_paid_at is not null`.execute(tx)
    return new Set(rows.map(({ id }) => id))
  }),
  answer(lockMembersOf, async (_app, { tx, memberIds }) => {
    await sql`select id from member where id = any(${memberIds}::bigint[]) order by id for update`.execute(tx)
  }),
]

/** The touch of having registered in the app, as the app said it. */
export const REGISTERED = 'registered'

/** A member has this number from now on: whatever was kept under it until its person is known finds the member. */
export const memberNumbered = defineAnnouncement<{ readonly memberId: string; readonly phone: string }>(
  'member-numbered',
)

/**
 * Stores somebody under a number, new or another than before: the lead it was becomes this member, in the same transaction; also
 * one under another number, where WeChat calls both the same. `store` is told where the lead came from and whose it is, and gives
 * the member's id, or nothing where nobody was stored.
 */
export async function underNumber(
  change: Change,
  { phone, unionid }: Newcomer,
  store: (origin: Origin | undefined) => Promise<string | undefined>,
): Promise<string | undefined> {
  const origin = await originOf(change, { phone, unionid })
  const memberId = await store(origin)
  if (memberId === undefined) return undefined
  if (origin) await tie(change, origin.leadId, memberId)
  for (const number of new Set([phone, origin?.phone ?? phone])) await touchesBecome(change, number, memberId)
  await announce(change, memberNumbered, { memberId, phone })
  return memberId
}

async function tie(change: Change, leadId: string, memberId: string): Promise<void> {
  const {
    owner_id: id,
    org_id: orgId,
    first_paid_at: paidAt,
  } = await change.tx
    .selectFrom('member')
    .select(['owner_id', 'org_id', 'first_paid_at'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  await leadRegistered(change, leadId, { id: memberId, owner: id === null || orgId === null ? null : { id, orgId } })
  // Somebody who has bought long ago and only has another number now: there is nothing to sell by following.
  if (paidAt !== null) await leadGivenUp(change, leadId, 'INVALID', 'KNOWN_MEMBER')
}

/** Members go along with the lead they are tied to: claimed, given or returned. */
async function followLeads(change: Change, leadIds: readonly string[], owner: Owner | null): Promise<void> {
  const { tx, now, call } = change
  const { rows } = await sql<{ id: string; fromId: string | null }>`
    select m.id, m.owner_id as "fromId" from member m
    where m.id in (select member_id from lead where id = any(${leadIds}::bigint[]) and ended_at is null)
      and (m.owner_id, m.org_id) is distinct from (${owner?.id ?? null}::bigint, ${owner?.orgId ?? null}::bigint)
    order by m.id for update`.execute(tx)
  if (rows.length === 0) return
  const memberIds = rows.map(({ id }) => id)
  await sql`
    update member set owner_id = ${owner?.id ?? null}, org_id = ${owner?.orgId ?? null}, owner_since = ${owner ? now : null}, version = version + 1
    where id = any(${memberIds}::bigint[])`.execute(tx)
  for (const { id: memberId, fromId } of rows) {
    const toId = owner?.id ?? null
    await writeOwnerChange(change, { memberId, fromId, toId, reason: '' })
    const diff = diffOf(resource, { ownerId: fromId }, { ownerId: toId })
    await record(tx, call, { page: resource.screen.key, action: 'assignOwner', recordId: memberId, diff })
  }
  await announce(change, memberHandedOver, { memberIds, ownerId: owner?.id ?? null, orgId: owner?.orgId ?? null })
}

export const listeners: readonly Listener[] = [
  listen(leadHandedOver, (change, { leadIds, owner }) => followLeads(change, leadIds, owner)),
  listen(memberPaid, (change, { memberId, paidFen }) => leadsDealt(change, memberId, paidFen)),
  listen(staffHandedOver, (change, { fromId, toId, orgId }) => handOverLeads(change, fromId, { id: toId, orgId })),
  listen(staffMoved, (change, { staffId, orgId }) => moveLeads(change, { id: staffId, orgId })),
]

export const invariants: readonly Invariant[] = [
  {
    name: "a member's number is no open lead but the member's own",
    query: `
      select l.id, m.id as member_id from lead l join member m on m.phone = l.phone
      where l.ended_at is null and l.member_id is null`,
  },
  {
    name: 'who has left owns no lead',
    query: `select l.id, l.owner_id from lead l join staff s on s.id = l.owner_id where s.employment = 'LEFT'`,
  },
]
