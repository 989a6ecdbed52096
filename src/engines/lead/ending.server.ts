import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { ask } from '#kit/server/change/question.ts'
import { forgetLeads, leadClosed, leadReopened, lockPhones, membersByPhone, openLeads } from './known.server.ts'
import type { Owner } from './model.ts'

export type Origin = {
  readonly leadId: string
  readonly owner: Owner | null
  readonly ownerSince: Date | null
  readonly source: string
  readonly channel: string
}

/** What a member who is about to be stored begins with: the open lead of that number, which nobody changes until then. */
export async function originOf(change: Change, phone: string): Promise<Origin | undefined> {
  await lockPhones(change, [phone])
  const found = await change.tx
    .selectFrom('lead')
    .select(['id', 'owner_id', 'org_id', 'owner_since', 'source', 'channel'])
    .where('phone', '=', phone)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) return undefined
  const { id: leadId, owner_id, org_id, owner_since, source, channel } = found
  const owner = owner_id === null || org_id === null ? null : { id: owner_id, orgId: org_id }
  return { leadId, owner, ownerSince: owner_since === null ? null : new Date(owner_since), source, channel }
}

/** Its person is a member now: nobody has to call any more, and the two are tied for good. */
export async function leadRegistered(change: Change, leadId: string, memberId: string): Promise<void> {
  await end(change, leadId, 'REGISTERED', memberId)
  await announce(change, leadClosed, { leadIds: [leadId], memberId })
}

/** The number leads nowhere. */
export async function leadInvalid(change: Change, leadId: string): Promise<void> {
  await end(change, leadId, 'INVALID', null)
  await announce(change, leadClosed, { leadIds: [leadId], memberId: null })
}

async function end({ tx, now }: Change, leadId: string, status: string, memberId: string | null): Promise<void> {
  await sql`update lead_owner set until = ${now} where lead_id = ${leadId} and until is null`.execute(tx)
  await sql`
    update lead set status = ${status}, member_id = ${memberId}, ended_at = ${now}, next_at = null, version = version + 1
    where id = ${leadId} and ended_at is null`.execute(tx)
}

/** It was no mistake after all. Says whether it is open again: somebody with the number may have come meanwhile. */
export async function reopenLead(change: Change, leadId: string): Promise<boolean> {
  const { app, tx, now, call } = change
  const { phone } = await tx.selectFrom('lead').select('phone').where('id', '=', leadId).executeTakeFirstOrThrow()
  if (phone === null) return false
  await lockPhones(change, [phone])
  const members = await ask(app, membersByPhone, { tx, phones: [phone] })
  if (members.has(phone) || (await openLeads(tx, [phone])).size > 0) return false
  const { rows } = await sql<{ owner_id: string | null }>`
    update lead set status = case when owner_id is null then 'UNASSIGNED' else 'ASSIGNED' end, ended_at = null,
      owner_since = case when owner_id is not null then ${now}::timestamptz end, version = version + 1
    where id = ${leadId} and status = 'INVALID' returning owner_id`.execute(tx)
  if (rows[0]?.owner_id)
    await sql`
      insert into lead_owner (lead_id, owner_id, org_id, since, got, by_id)
      select id, owner_id, org_id, ${now}, 'ASSIGNED', ${call.actor?.id ?? null} from lead where id = ${leadId}`.execute(
      tx,
    )
  if (rows.length > 0) await announce(change, leadReopened, { leadIds: [leadId] })
  return rows.length > 0
}

/** Takes leads back as if they had never come; those that were touched since stay, and are named. */
export async function takeBackLeads({ tx }: Change, leadIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ phone: string | null; touched: boolean }>`
    select phone, version > 1 or ended_at is not null or next_at is not null as touched
    from lead where id = any(${leadIds}::bigint[]) order by id for update`.execute(tx)
  const touched = rows.flatMap(lead => (lead.touched ? [lead.phone ?? ''] : []))
  if (touched.length === 0) await sql`delete from lead where id = any(${leadIds}::bigint[])`.execute(tx)
  return touched
}

/** Whoever asks to be forgotten is forgotten here too: an open lead ends, and no number or name is left. */
export async function forgetNumber(change: Change, phone: string): Promise<void> {
  await lockPhones(change, [phone])
  for (const leadId of (await openLeads(change.tx, [phone])).values()) await leadInvalid(change, leadId)
  const known = await change.tx.selectFrom('lead').select('id').where('phone', '=', phone).execute()
  await forgetLeads(
    change,
    known.map(({ id }) => id),
  )
}
