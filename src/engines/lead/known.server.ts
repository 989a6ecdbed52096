import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { defineQuestion } from '#kit/server/change/question.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Arrival, Owner } from './model.ts'

/** Which of these numbers are members', and whose: members know. */
export const membersByPhone = defineQuestion<
  { readonly tx: Tx; readonly phones: readonly string[] },
  ReadonlyMap<string, string>
>('lead-members-by-phone')

/** Which of these members have paid with money: members know. */
export const membersWhoPaid = defineQuestion<
  { readonly tx: Tx; readonly memberIds: readonly string[] },
  ReadonlySet<string>
>('lead-members-who-paid')

/** When its person is to be spoken to next, by what was said last: members keep what was said. */
export const nextAgreed = defineQuestion<{ readonly tx: Tx; readonly leadId: string }, string | null>(
  'lead-next-agreed',
)

/** Locks the members these leads are tied to: whoever moves a member has locked it before its leads. */
export const lockMembersOf = defineQuestion<{ readonly tx: Tx; readonly memberIds: readonly string[] }, void>(
  'lead-lock-members',
)

type NewLead = { readonly id: string; readonly owner: Owner | null; readonly cameBy: Arrival['cameBy'] }
/** Numbers nobody knew have come: each is a lead now. */
export const leadArrived = defineAnnouncement<{ readonly leads: readonly NewLead[] }>('lead-arrived')

/** Leads that wait for nobody in particular have begun to register: somebody is to be found for them now. */
export const leadBegan = defineAnnouncement<{ readonly leadIds: readonly string[] }>('lead-began')

/** More is known than a number: their people are members now, or the numbers lead nowhere. */
type SettledLeads = { readonly leadIds: readonly string[]; readonly memberId: string | null }
export const leadSettled = defineAnnouncement<SettledLeads>('lead-settled')

/** It was no mistake: these are numbers to be followed again. */
export const leadReopened = defineAnnouncement<{ readonly leadIds: readonly string[] }>('lead-reopened')

/** Somebody has spoken with the people of these leads, in the way the dictionary calls so. */
export const leadSpokenTo = defineAnnouncement<{ readonly leadIds: readonly string[]; readonly way: string }>(
  'lead-spoken-to',
)

/** The hands these leads are in have come further with them, or had not come so far as was said. */
export const leadReached = defineAnnouncement<{ readonly leadIds: readonly string[] }>('lead-reached')

/** Leads are in other hands, or their owner works elsewhere; without an owner they wait in the pool. */
type LeadsHandedOver = { readonly leadIds: readonly string[]; readonly owner: Owner | null }
export const leadHandedOver = defineAnnouncement<LeadsHandedOver>('lead-handed-over')

/** Where leads stand now that something happened to them besides what a colleague does on their own page: told to whoever keeps their history. */
export type MovedLead = { readonly id: string; readonly was: string; readonly status: string }
export const leadMoved = defineAnnouncement<{ readonly how: How; readonly leads: readonly MovedLead[] }>('lead-moved')
export type How = 'give' | 'return' | 'register' | 'deal' | 'giveUp' | 'reopen'

/** These leads came from elsewhere than was thought: whoever counts by source and channel counts them there from now on. */
export const leadCorrected = defineAnnouncement<{ readonly leadIds: readonly string[] }>('lead-corrected')

/** No number and no name is left of these: whoever has copied them forgets them too. */
export const leadForgotten = defineAnnouncement<{ readonly leadIds: readonly string[] }>('lead-forgotten')

/** What WeChat calls the person of a lead; the first one it was told stays. */
export const nameLead = ({ tx }: Pick<Change, 'tx'>, leadId: string, unionid: string) =>
  sql`update lead set unionid = ${unionid} where id = ${leadId} and unionid is null and phone is not null`.execute(tx)

/** Takes number and name out of leads that have ended. */
export async function forgetLeads(change: Change, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length === 0) return
  await sql`update lead set phone = null, name = null, unionid = null where id = any(${leadIds}::bigint[])`.execute(
    change.tx,
  )
  await announce(change, leadForgotten, { leadIds })
}

/**
 * Whoever arrives, registers or changes a number waits for whoever does so with the same one: neither sees what the other has not
 * committed, and a member's number would stay an open lead. Taken before any row, in one order.
 */
export const lockPhones = ({ tx }: Pick<Change, 'tx'>, phones: readonly string[]) =>
  sql`
    select pg_advisory_xact_lock(k) from (
      select distinct hashtextextended('lead ' || phone, 0) as k from unnest(${phones}::text[]) as phone order by k offset 0
    ) keys`.execute(tx)

/** Open leads by their numbers, which nobody changes from now on; once its person is a member, the member has the number. */
export async function openLeads(tx: Tx, phones: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; phone: string }>`
    select id, phone from lead where phone = any(${phones}::text[]) and ended_at is null and member_id is null order by id for update`.execute(
    tx,
  )
  return new Map(rows.map(({ id, phone }) => [phone, id]))
}
