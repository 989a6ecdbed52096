import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { eraseNumber } from '#kit/server/change/erasure.ts'
import { ask } from '#kit/server/change/question.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { leadGivenUp } from './ending.server.ts'
import { forgetLeads, lockPhones, membersByPhone, openLeads } from './known.server.ts'

/**
 * Whoever asks to be forgotten and never became a member: an open lead of the number ends, and none keeps number or name. Copies
 * elsewhere are looked for by a job, for that reads whole tables. What became a member's goes with the member's account.
 */
export async function forgetNumber(change: Change, phone: string): Promise<void> {
  const { tx, now } = change
  await lockPhones(change, [phone])
  for (const leadId of (await openLeads(tx, [phone])).values()) await leadGivenUp(change, leadId, 'INVALID')
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, name from lead where phone = ${phone} and member_id is null order by id for update`.execute(tx)
  if (rows.length === 0) return
  await sql`
    insert into lead_forgetting as f (phone, known, asked_at) values (${phone}, ${rows.flatMap(({ name }) => name ?? [])}::text[], ${now})
    on conflict (phone) do update set known = f.known || excluded.known`.execute(tx)
  await forgetLeads(
    change,
    rows.map(({ id }) => id),
  )
}

type Asked = { readonly phone: string; readonly known: readonly string[] }

const AT_ONCE = 20

/** What orders of platforms, notices, events, calls, files and lines of the log still hold of whoever asked to be forgotten. */
export const forgetCopies = defineJob({
  name: 'forget-copies-of-leads',
  cron: '40 * * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const { rows } = await sql<Asked>`
      select phone, known from lead_forgetting order by asked_at, phone limit ${AT_ONCE} for update skip locked`.execute(
      change.tx,
    )
    return each(rows, async asked => {
      // Who has come again meanwhile wants to be known: what is under way for that person is not to be lost.
      if (!(await hasComeAgain(change, asked.phone))) await eraseNumber(change, asked.phone, asked.known)
      await sql`delete from lead_forgetting where phone = ${asked.phone}`.execute(change.tx)
    })
  },
})

async function hasComeAgain(change: Change, phone: string): Promise<boolean> {
  const { app, tx } = change
  await lockPhones(change, [phone])
  const members = await ask(app, membersByPhone, { tx, phones: [phone] })
  return members.has(phone) || (await openLeads(tx, [phone])).size > 0
}
