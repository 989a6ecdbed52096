import { type RawBuilder, sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import {
  type How,
  leadHandedOver,
  leadMoved,
  leadReached,
  leadSpokenTo,
  lockMembersOf,
  type MovedLead,
} from './known.server.ts'
import type { Got, Left, Noted, Owner } from './model.ts'

/** Locks an open lead before what hangs on it. */
export const lockLead = ({ tx }: Pick<Change, 'tx'>, leadId: string) =>
  tx.selectFrom('lead').select('id').where('id', '=', leadId).forUpdate().execute()

/** A lead, whose row is locked, came by a sales link. Says whether it is the first one it came by: that one it keeps. */
export async function tieToLink({ tx }: Pick<Change, 'tx'>, leadId: string, linkId: string): Promise<boolean> {
  const { rows } = await sql`
    update lead set link_id = ${linkId}, version = version + 1 where id = ${leadId} and link_id is null returning id`.execute(
    tx,
  )
  return rows.length > 0
}

/** Puts open leads into somebody's hands; those already there stay as they are. A new owner begins at the beginning. */
export async function giveLeads(change: Change, leadIds: readonly string[], owner: Owner, got: Got): Promise<void> {
  await pass(change, await lockOthers(change, leadIds, owner.id), owner, got)
}

async function pass(change: Change, moved: readonly string[], owner: Owner, got: Got): Promise<void> {
  if (moved.length === 0) return
  await writeMoved(
    change,
    'give',
    moved,
    sql`owner_id = ${owner.id}, org_id = ${owner.orgId}, owner_since = ${change.now},
      status = case when l.member_id is null then 'ASSIGNED' else 'TRIAL' end`,
  )
  await passOn(change, moved, owner, got)
}

/** Writes what has become of leads, and tells where they stand now; gives those that were changed. */
export async function writeMoved(
  change: Change,
  how: How,
  leadIds: readonly string[],
  set: RawBuilder<unknown>,
): Promise<readonly (MovedLead & { readonly memberId: string | null })[]> {
  const { rows } = await sql<MovedLead & { memberId: string | null }>`
    update lead l set ${set}, version = l.version + 1 from (select id, status from lead where id = any(${leadIds}::bigint[])) before
    where l.id = before.id returning l.id, before.status as was, l.status, l.member_id as "memberId"`.execute(change.tx)
  const leads = rows.filter(({ was, status }) => was !== status).map(({ id, was, status }) => ({ id, was, status }))
  if (leads.length > 0) await announce(change, leadMoved, { how, leads })
  return rows
}

/** What follows when leads, whose rows are locked, come into somebody's hands: the spans tell it, and whoever hangs on them hears it. */
export async function passOn(change: Change, leadIds: readonly string[], owner: Owner, got: Got): Promise<void> {
  const { tx, now, call } = change
  await endSpans(change, leadIds, got === 'HANDED_OVER' ? 'HANDED_OVER' : 'MOVED', null)
  await sql`
    insert into lead_owner (lead_id, owner_id, org_id, since, got, by_id, source, channel)
    select id, ${owner.id}, ${owner.orgId}, ${beginningOf(now)}, ${got}, ${call.actor?.id ?? null}, source, channel
    from lead where id = any(${leadIds}::bigint[])`.execute(tx)
  await announce(change, leadHandedOver, { leadIds, owner })
}

/** Spans follow one another, also where whoever waited for the last one began before it: from when on a lead is in new hands. */
export const beginningOf = (now: Date): RawBuilder<unknown> => sql`
  greatest(${now}::timestamptz, (select max(until) from lead_owner where lead_id = lead.id))`

/** How a lead leaves somebody's hands for a pool: given back, taken back because its time was up, or given by mistake. */
export type Returned = {
  readonly left: Extract<Left, 'MOVED' | 'RETURNED' | 'EXPIRED'>
  readonly reason: string | null
  /** The usual one, where nothing is said. */
  readonly poolId?: string | null
}

/** Puts open leads back into the pool: they are nobody's, and it is known whose they were and why they are no longer. */
export async function returnLeads(
  change: Change,
  leadIds: readonly string[],
  { left, reason, poolId = null }: Returned,
): Promise<void> {
  const moved = await lockOthers(change, leadIds, null)
  if (moved.length === 0) return
  // What was given by mistake and taken back has not been returned by anybody.
  const isReturn = left !== 'MOVED'
  await writeMoved(
    change,
    'return',
    moved,
    sql`previous_owner_id = case when ${isReturn} then l.owner_id else l.previous_owner_id end,
      times_returned = l.times_returned + ${isReturn ? 1 : 0},
      return_reason = case when ${isReturn} then ${reason}::text else l.return_reason end,
      status = case when ${isReturn} or l.times_returned > 0 then 'RETURNED' else 'UNASSIGNED' end,
      owner_id = null, org_id = null, owner_since = null, next_at = null, pool_id = ${poolId}, pooled_at = ${change.now}`,
  )
  await putBack(change, moved, { left, reason })
}

/** What follows when leads, whose rows are locked, are nobody's any more. */
export async function putBack(change: Change, leadIds: readonly string[], { left, reason }: Returned): Promise<void> {
  await endSpans(change, leadIds, left, reason)
  await announce(change, leadHandedOver, { leadIds, owner: null })
}

/** Whoever has the member has spoken with the member: what is followed of them was not left alone. */
export async function spokenTo(change: Change, memberId: string, way: string, nextAt: string | null): Promise<void> {
  const { tx, now } = change
  const { rows } = await sql<{ id: string }>`
    update lead set first_contact_at = coalesce(first_contact_at, ${now}), last_contact_at = ${now}, next_at = ${nextAt}, version = version + 1
    where member_id = ${memberId} and ended_at is null returning id`.execute(tx)
  for (const { id } of rows) await noteContacted(change, id, way)
}

/** Whoever has the lead has spoken with its person. */
export async function noteContacted(change: Change, leadId: string, way: string): Promise<void> {
  await noteReached(change, leadId, 'CONTACTED')
  await announce(change, leadSpokenTo, { leadIds: [leadId], way })
}

const AT = { CONTACTED: 'contacted_at', ADDED: 'added_at', TRIAL: 'tried_at', INTENT: 'keen_at' } as const

/** Whoever has the lead has come so far with it; the first time counts. */
export async function noteReached(change: Change, leadId: string, reached: Noted): Promise<void> {
  const at = sql.ref(AT[reached])
  await sql`
    update lead_owner set ${at} = ${change.now}, version = version + 1
    where lead_id = ${leadId} and until is null and ${at} is null`.execute(change.tx)
  await announce(change, leadReached, { leadIds: [leadId] })
}

/** It was a mistake, made at that time: in these hands it was not reached. */
export async function forgetReached(change: Change, leadId: string, reached: Noted, then: Date): Promise<void> {
  const at = sql.ref(AT[reached])
  await sql`
    update lead_owner set ${at} = null, version = version + 1
    where lead_id = ${leadId} and until is null and ${at} = ${then}`.execute(change.tx)
  await announce(change, leadReached, { leadIds: [leadId] })
}

/** Locks the members of open leads, as everybody does before the leads. */
async function lockTheirMembers({ app, tx }: Change, leadIds: readonly string[]): Promise<void> {
  const members = await sql<{ id: string }>`
    select distinct member_id as id from lead where id = any(${leadIds}::bigint[]) and member_id is not null and ended_at is null`.execute(
    tx,
  )
  const memberIds = members.rows.map(({ id }) => id)
  if (memberIds.length > 0) await ask(app, lockMembersOf, { tx, memberIds })
}

/** Locks leads: whatever is asked of them from now on stays so until the end. */
export async function lockLeads(change: Change, leadIds: readonly string[]): Promise<void> {
  await lockTheirMembers(change, leadIds)
  await sql`select from lead where id = any(${leadIds}::bigint[]) order by id for update`.execute(change.tx)
}

/**
 * Of these leads the open ones that are not this person's, locked; their members before them, as everybody locks them. Where it is
 * said whose they are to be still, what somebody else was given meanwhile is none of them.
 */
async function lockOthers(
  change: Change,
  leadIds: readonly string[],
  ownerId: string | null,
  fromId: string | null = null,
): Promise<string[]> {
  // First, and by itself: a row that was waited for is read anew, what is joined to it is not.
  await lockLeads(change, leadIds)
  // By the spans: they are written before anybody hears of it, the row of a step only after.
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l left join lead_owner o on o.lead_id = l.id and o.until is null
    where l.id = any(${leadIds}::bigint[]) and l.ended_at is null and o.owner_id is distinct from ${ownerId}::bigint
      and (${fromId}::bigint is null or o.owner_id = ${fromId})
    order by l.id`.execute(change.tx)
  return rows.map(({ id }) => id)
}

export const endSpans = (
  { tx, now, call }: Change,
  leadIds: readonly string[],
  left: Left,
  reason: string | null,
  dealFen: number | null = null,
) =>
  sql`
    update lead_owner set until = greatest(since, ${now}::timestamptz), end_kind = ${left}, end_reason = ${reason}, ended_by_id = ${call.actor?.id ?? null},
      deal_fen = ${dealFen}, version = version + 1
    where lead_id = any(${leadIds}::bigint[]) and until is null`.execute(tx)

/** Leads go along with the members they became, into somebody's hands or back into the pool; ended ones are seen by whoever has the member. */
export async function followMembers(change: Change, memberIds: readonly string[], owner: Owner | null): Promise<void> {
  const { tx, now } = change
  const open = await sql<{ id: string }>`
    select id from lead where member_id = any(${memberIds}::bigint[]) and ended_at is null order by id`.execute(tx)
  const leadIds = open.rows.map(({ id }) => id)
  if (owner) await giveLeads(change, leadIds, owner, 'ASSIGNED')
  else await returnLeads(change, leadIds, { left: 'MOVED', reason: null })
  const [ownerId, orgId] = [owner?.id ?? null, owner?.orgId ?? null]
  // Of open ones the department too, where their owner works elsewhere from now on.
  const { rows } = await sql<{ id: string }>`
    update lead set owner_id = ${ownerId}, org_id = ${orgId}, owner_since = case when ${owner !== null} then coalesce(owner_since, ${now}) end
    where member_id = any(${memberIds}::bigint[]) and (ended_at is not null or owner_id = ${ownerId})
      and (owner_id, org_id) is distinct from (${ownerId}::bigint, ${orgId}::bigint) returning id`.execute(tx)
  if (rows.length > 0) await announce(change, leadHandedOver, { leadIds: rows.map(({ id }) => id), owner })
}

/** All open leads of whoever leaves become somebody else's; ended ones are seen by whoever has the records from now on. */
export async function handOverLeads(change: Change, fromId: string, owner: Owner): Promise<void> {
  await handOnLeads(change, fromId, owner)
  const { rows } = await sql<{ id: string }>`
    update lead set owner_id = ${owner.id}, org_id = ${owner.orgId} where owner_id = ${fromId} returning id`.execute(
    change.tx,
  )
  if (rows.length > 0) await announce(change, leadHandedOver, { leadIds: rows.map(({ id }) => id), owner })
}

/** Somebody's open leads become another's while both go on working: what has ended stays with whoever had it. */
export async function handOnLeads(change: Change, fromId: string, owner: Owner): Promise<void> {
  const open = await leadsOf(change.tx, fromId)
  await pass(change, await lockOthers(change, open, owner.id, fromId), owner, 'HANDED_OVER')
}

/** What somebody owns is seen by the department that person works in from now on. */
export async function moveLeads(change: Change, { id, orgId }: Owner): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update lead set org_id = ${orgId} where owner_id = ${id} returning id`.execute(change.tx)
  if (rows.length > 0)
    await announce(change, leadHandedOver, { leadIds: rows.map(lead => lead.id), owner: { id, orgId } })
}

const leadsOf = async (tx: Tx, ownerId: string): Promise<string[]> => {
  const rows = await tx
    .selectFrom('lead')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
