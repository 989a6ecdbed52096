import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'

type Added = { readonly staffId: string; readonly at: Date } & (
  | { readonly how: 'LEAD'; readonly leadId: string }
  | { readonly how: 'CONTACT'; readonly contactId: string }
)

/**
 * Somebody was added with a colleague's account. Contacts are told by the platform of the company's own accounts; of the others
 * nobody tells but the colleague, who marks the lead. So each is counted once.
 */
export async function noteAdded({ tx }: Pick<Change, 'tx'>, added: Added): Promise<void> {
  const kind = added.how === 'CONTACT' ? 'WECOM' : 'WECHAT'
  const day = dayOf(added.at)
  const { rows } = await sql<{ id: string }>`
    select a.id from chat_account a join chat_account_holder h on h.account_id = a.id
    where a.kind = ${kind} and h.staff_id = ${added.staffId} and h.since <= ${added.at} and (h.until is null or h.until > ${added.at})
    order by case when a.used_on = ${day} then a.used_today >= a.day_quota else a.day_quota = 0 end, h.since, a.id
    limit 1 for update of a`.execute(tx)
  const accountId = rows[0]?.id
  if (accountId === undefined) return
  const [leadId, contactId] = added.how === 'LEAD' ? [added.leadId, null] : [null, added.contactId]
  await sql`
    insert into chat_account_add (account_id, staff_id, how, lead_id, contact_id, at)
    values (${accountId}, ${added.staffId}, ${added.how}, ${leadId}, ${contactId}, ${added.at})`.execute(tx)
  // Told late, it belongs to its own day and not to the one that is counted.
  await sql`
    update chat_account set used_today = case when used_on = ${day} then used_today + 1 else 1 end, used_on = ${day}, version = version + 1
    where id = ${accountId} and (used_on is null or used_on <= ${day})`.execute(tx)
}

/** It was a mistake: the mark of a lead is taken back. */
export async function forgetAdded(tx: Tx, leadId: string, at: Date): Promise<void> {
  const { rows } = await sql<{ accountId: string; at: string }>`
    delete from chat_account_add where lead_id = ${leadId} and at = ${at} returning account_id as "accountId", at`.execute(
    tx,
  )
  for (const { accountId } of rows)
    await sql`
      update chat_account set used_today = used_today - 1, version = version + 1
      where id = ${accountId} and used_on = ${dayOf(at)}`.execute(tx)
}

/** A new day: nobody has been added on it yet. */
export async function beginDay({ tx, now }: Change): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update chat_account set used_today = 0, used_on = null, version = version + 1 where used_on < ${dayOf(now)} returning id`.execute(
    tx,
  )
  return rows.length
}
