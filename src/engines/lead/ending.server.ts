import { type RawBuilder, sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import {
  leadCorrected,
  leadReached,
  leadReopened,
  leadSettled,
  lockPhones,
  membersByPhone,
  membersWhoPaid,
  nextAgreed,
  openLeads,
} from './known.server.ts'
import { advanced, type End, FURTHEST, type Furthest, type Owner } from './model.ts'
import { beginningOf, endSpans, giveLeads, noteReached, returnLeads, writeMoved } from './owning.server.ts'

export type Origin = {
  readonly leadId: string
  readonly phone: string
  readonly owner: Owner | null
  readonly ownerSince: Date | null
  readonly source: string
  readonly channel: string
}

/** Who is about to be stored as a member: by the number, and what WeChat calls the person, whose name is locked then. */
export type Newcomer = { readonly phone: string; readonly unionid?: string | undefined }

/**
 * What a member who is about to be stored begins with: the open lead of that number, or else the first one of that person, who
 * left another number then. Nobody changes it until the member stands.
 */
export async function originOf(change: Change, { phone, unionid }: Newcomer): Promise<Origin | undefined> {
  const others = unionid === undefined ? [] : await phonesNamed(change, unionid)
  await lockPhones(change, [phone, ...others])
  const found = await openLeadOf(change, sql`phone = ${phone}`)
  if (found || unionid === undefined) return found
  return openLeadOf(change, sql`unionid = ${unionid} and phone = any(${others}::text[])`)
}

async function phonesNamed({ tx }: Change, unionid: string): Promise<string[]> {
  const { rows } = await sql<{ phone: string }>`
    select phone from lead where unionid = ${unionid} and phone is not null and ended_at is null and member_id is null`.execute(
    tx,
  )
  return rows.map(({ phone }) => phone)
}

type OpenLead = Pick<Origin, 'leadId' | 'phone' | 'source' | 'channel'> & {
  readonly ownerId: string | null
  readonly orgId: string | null
  readonly ownerSince: string | null
}

/** The first of them that is no member's yet, locked. */
async function openLeadOf({ tx }: Change, which: RawBuilder<unknown>): Promise<Origin | undefined> {
  const { rows } = await sql<OpenLead>`
    select id as "leadId", phone, source, channel, owner_id as "ownerId", org_id as "orgId", owner_since as "ownerSince"
    from lead where ${which} and ended_at is null and member_id is null order by id limit 1 for update`.execute(tx)
  const [found] = rows
  if (!found) return undefined
  const { ownerId, orgId, ownerSince, ...lead } = found
  const owner = ownerId === null || orgId === null ? null : { id: ownerId, orgId }
  return { ...lead, owner, ownerSince: ownerSince === null ? null : new Date(ownerSince) }
}

/** Its person is a member now: the two are tied for good, and it is followed on by whoever has the member. */
export async function leadRegistered(
  change: Change,
  leadId: string,
  member: { readonly id: string; readonly owner: Owner | null },
): Promise<void> {
  const { tx, now } = change
  if (member.owner) await giveLeads(change, [leadId], member.owner, 'ASSIGNED')
  else await returnLeads(change, [leadId], { left: 'MOVED', reason: null })
  const { status } = await tx.selectFrom('lead').select('status').where('id', '=', leadId).executeTakeFirstOrThrow()
  const reached = advanced(status, 'TRIAL')
  await writeMoved(
    change,
    'register',
    [leadId],
    sql`member_id = ${member.id}, registered_at = ${now}, status = ${reached}, furthest = ${furtherThan('REGISTERED')}`,
  )
  await noteReached(change, leadId, 'TRIAL')
  await announce(change, leadSettled, { leadIds: [leadId], memberId: member.id })
}

/**
 * The member these leads became came from elsewhere than was thought: what is counted by source and channel follows, what they came by
 * stays as it was told. Not of a number that was a member's already.
 */
export async function correctLeads(
  change: Change,
  memberId: string,
  { source, channel }: Pick<Origin, 'source' | 'channel'>,
): Promise<void> {
  const { tx } = change
  const { rows } = await sql<{ id: string }>`
    update lead set source = ${source}, channel = ${channel}, version = version + 1
    where member_id = ${memberId} and coalesce(end_reason, '') <> 'KNOWN_MEMBER' returning id`.execute(tx)
  if (rows.length === 0) return
  const leadIds = rows.map(({ id }) => id)
  await sql`
    update lead_owner set source = ${source}, channel = ${channel}, version = version + 1
    where lead_id = any(${leadIds}::bigint[])`.execute(tx)
  await announce(change, leadCorrected, { leadIds })
}

/** Its member has taken part in a lesson, or handed in a work: also where nobody follows it any more, it has been tried. */
export const leadsTried = ({ tx }: Pick<Change, 'tx'>, memberId: string) =>
  sql`
    update lead l set furthest = 'TRIED' where member_id = ${memberId} and furthest <> ${furtherThan('TRIED')}`.execute(
    tx,
  )

/** As far as it had come, or this far. */
const furtherThan = (reached: Furthest) => {
  const before = FURTHEST.slice(0, FURTHEST.indexOf(reached))
  return sql`case when l.furthest = any(${before}::text[]) then ${reached}::text else l.furthest end`
}

/** Its member has paid with money: what was followed is a deal, and nothing else makes one. */
export async function leadsDealt(change: Change, memberId: string, paidFen: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from lead where member_id = ${memberId} and ended_at is null order by id for update`.execute(change.tx)
  for (const { id } of rows) await end(change, id, 'DEAL', null, paidFen)
}

/** The number leads nowhere, or its person does not want to. */
export async function leadGivenUp(
  change: Change,
  leadId: string,
  status: Exclude<End, 'DEAL'>,
  reason: string | null = null,
): Promise<void> {
  const isNumber = await end(change, leadId, status, reason)
  if (isNumber) await announce(change, leadSettled, { leadIds: [leadId], memberId: null })
}

/** Says whether no more than the number was known. */
async function end(
  change: Change,
  leadId: string,
  status: End,
  reason: string | null,
  paidFen: number | null = null,
): Promise<boolean> {
  const open = change.tx.selectFrom('lead').select('id').where('id', '=', leadId).where('ended_at', 'is', null)
  if (!(await open.forUpdate().executeTakeFirst())) return false
  await endSpans(change, [leadId], status, reason, paidFen)
  const came = status === 'DEAL' ? sql`, furthest = ${furtherThan('PAID')}` : sql``
  const set = sql`status = ${status}, end_reason = ${reason}, ended_at = ${change.now}, next_at = null${came}`
  const [lead] = await writeMoved(change, status === 'DEAL' ? 'deal' : 'giveUp', [leadId], set)
  return lead?.memberId === null
}

/**
 * It was no mistake after all: as far as it had come in the hands it goes on in, with what was agreed next. Says whether it is open
 * again: what it waited for may have come meanwhile.
 */
export async function reopenLead(change: Change, leadId: string): Promise<boolean> {
  if (await followAgain(change, leadId)) return false
  const nextAt = await ask(change.app, nextAgreed, { tx: change.tx, leadId })
  const reached = sql`case when l.member_id is not null and o.reached in ('ASSIGNED', 'CONTACTED', 'ADDED') then 'TRIAL' else o.reached end`
  const set = sql`
    status = coalesce((select ${reached} from lead_owner o where o.lead_id = l.id and o.until is null), 'UNASSIGNED'),
    next_at = case when l.owner_id is not null then ${nextAt}::timestamptz end, ended_at = null, end_reason = null,
    owner_since = (select since from lead_owner where lead_id = l.id and until is null)`
  await writeMoved(change, 'reopen', [leadId], set)
  return true
}

/** Meanwhile somebody with the number has come, or the member has paid: there is nothing left to follow. */
type WhyNotAgain = 'number-came-again' | 'member-paid'

/** What follows when a lead that was given up, whose row is locked with its member's, is followed again; or why it cannot be. */
export async function followAgain(change: Change, leadId: string): Promise<WhyNotAgain | undefined> {
  const { app, tx, now, call } = change
  const lead = await tx
    .selectFrom('lead')
    .select(['phone', 'member_id'])
    .where('id', '=', leadId)
    .where('status', 'in', ['INVALID', 'LOST'])
    .executeTakeFirst()
  if (!lead) return 'number-came-again'
  if (lead.member_id !== null) {
    const paid = await ask(app, membersWhoPaid, { tx, memberIds: [lead.member_id] })
    if (paid.has(lead.member_id)) return 'member-paid'
  } else {
    if (lead.phone === null) return 'number-came-again'
    await lockPhones(change, [lead.phone])
    const members = await ask(app, membersByPhone, { tx, phones: [lead.phone] })
    if (members.has(lead.phone) || (await openLeads(tx, [lead.phone])).size > 0) return 'number-came-again'
    await announce(change, leadReopened, { leadIds: [leadId] })
  }
  if (!(await goesOn(tx, leadId)))
    await sql`
      insert into lead_owner (lead_id, owner_id, org_id, since, got, by_id, source, channel)
      select id, owner_id, org_id, ${beginningOf(now)}, 'ASSIGNED', ${call.actor?.id ?? null}, source, channel
      from lead where id = ${leadId} and owner_id is not null`.execute(tx)
  await announce(change, leadReached, { leadIds: [leadId] })
  return undefined
}

/** In the hands it was in, as if it had never left them, unless it is somebody else's since: what was got once counts once. */
async function goesOn(tx: Tx, leadId: string): Promise<boolean> {
  const { rows } = await sql`
    update lead_owner o set until = null, end_kind = null, end_reason = null, ended_by_id = null, version = o.version + 1
    from lead l where l.id = ${leadId} and o.owner_id = l.owner_id and o.end_kind in ('LOST', 'INVALID')
      and o.id = (select max(id) from lead_owner where lead_id = l.id) returning o.id`.execute(tx)
  return rows.length > 0
}

/**
 * Takes leads back as if they had never come; those that were touched since stay, and are named: also by what happened before and
 * was told only since. What the console did by itself is no touch: the rules deal a list out as soon as it is in, or once somebody has
 * put others in force. What was spent on them stays spent.
 */
export async function takeBackLeads({ tx }: Change, leadIds: readonly string[]): Promise<readonly string[]> {
  // First: whoever gets one in this moment is waited for, and only what is asked afterwards knows of it.
  await sql`select from lead where id = any(${leadIds}::bigint[]) order by id for update`.execute(tx)
  const { rows } = await sql<{ phone: string | null; touched: boolean }>`
    select phone,
      status not in ('UNASSIGNED', 'ASSIGNED') or furthest <> 'CAME' or times_returned > 0
        or coalesce(first_contact_at, last_contact_at, next_at) is not null or coalesce(level, link_id::text) is not null
        or (select sum(t.times) from lead_touch t where t.lead_id = l.id) > 1
        or exists (select from lead_owner o where o.lead_id = l.id and o.by_id is not null and o.got <> 'ALLOCATED') as touched
    from lead l where id = any(${leadIds}::bigint[]) order by id`.execute(tx)
  const touched = rows.flatMap(lead => (lead.touched ? [lead.phone ?? ''] : []))
  if (touched.length > 0) return touched
  await keepSpent(tx, leadIds)
  await sql`delete from lead where id = any(${leadIds}::bigint[])`.execute(tx)
  return []
}

/** What somebody was given counts for the day it was given on, though nothing else tells of it any more. */
const keepSpent = (tx: Tx, leadIds: readonly string[]) =>
  sql`
    insert into lead_taken_back as t (owner_id, day, received)
    select owner_id, since_day, count(*) from lead_owner where lead_id = any(${leadIds}::bigint[]) and got = 'ALLOCATED'
    group by 1, 2 order by 1, 2
    on conflict (owner_id, day) do update set received = t.received + excluded.received`.execute(tx)
