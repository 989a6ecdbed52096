import { sql } from 'kysely'
import type { Consent } from '#engines/message/model.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { forgets, personErased } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Act, outweighs, type Purpose, type Said } from './model.ts'

/** Nobody may rely on it any more: whatever rested on it ends in the same transaction. */
export const consentEnded = defineAnnouncement<{ readonly memberId: string; readonly purpose: Purpose }>(
  'consent-ended',
)

/** Writes down what was said; the caller has locked the member, so that one word on a purpose comes after another. */
export async function keepWord(change: Change, said: Said): Promise<void> {
  for (const purpose of new Set(said.purposes)) await keepOne(change, purpose, said)
}

async function keepOne(change: Change, purpose: Purpose, said: Said): Promise<void> {
  const { tx, now, call } = change
  const { memberId, act, happenedAt } = said
  const before = await standingWord(tx, memberId, purpose)
  const stands = outweighs({ act, happenedAt }, before)
  if (stands && before) await tx.updateTable('consent').set({ stands: false }).where('id', '=', before.id).execute()
  await tx
    .insertInto('consent')
    .values({
      member_id: memberId,
      purpose,
      act,
      stands,
      way: said.way,
      said_by: said.saidBy,
      text_version: said.textVersion,
      evidence: said.evidence,
      happened_at: happenedAt,
      staff_id: call.actor?.id ?? null,
      created_at: now,
    })
    .execute()
  if (!stands) return
  if (act === 'WITHDRAWN') await announce(change, consentEnded, { memberId, purpose })
  else if (purpose === 'MARKETING') await acceptNumber(tx, said.phone, happenedAt)
}

async function standingWord(tx: Tx, memberId: string, purpose: Purpose) {
  const found = await tx
    .selectFrom('consent')
    .select(['id', 'act', 'happened_at'])
    .where('member_id', '=', memberId)
    .where('purpose', '=', purpose)
    .where('stands', '=', true)
    .forUpdate()
    .executeTakeFirst()
  return found && { id: found.id, act: found.act as Act, happenedAt: new Date(found.happened_at) }
}

/** Whoever refused advertising by an answer and agrees to it later wants it at that number. */
const acceptNumber = (tx: Tx, phone: string, at: Date) =>
  sql`delete from refused_number where phone = ${phone} and since <= ${at}`.execute(tx)

/** The number is written to no more, whoever has it. */
export const refuseNumber = (tx: Tx, phone: string, since: Date) =>
  sql`
    insert into refused_number (phone, since) values (${phone}, ${since})
    on conflict (phone) do update set since = greatest(refused_number.since, excluded.since)`.execute(tx)

/** What stands of each purpose somebody ever spoke about. */
export async function standingOf(db: Queries, memberId: string): Promise<ReadonlyMap<Purpose, Act>> {
  const rows = await db
    .selectFrom('consent')
    .select(['purpose', 'act'])
    .where('member_id', '=', memberId)
    .where('stands', '=', true)
    .execute()
  return new Map(rows.map(({ purpose, act }) => [purpose as Purpose, act as Act]))
}

/** Which of these members a purpose was agreed to for. */
export async function agreedFor(
  db: Pick<Tx, 'selectFrom'>,
  purpose: Purpose,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (memberIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('consent')
    .select('member_id')
    .where('member_id', 'in', [...new Set(memberIds)])
    .where('purpose', '=', purpose)
    .where('act', '=', 'GIVEN')
    .where('stands', '=', true)
    .execute()
  return new Set(rows.map(row => row.member_id))
}

/** As `agreedFor` for one member, and so that nobody takes it back before this transaction has ended. */
export async function agreedToHold(tx: Tx, purpose: Purpose, memberId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('consent')
    .select('id')
    .where('member_id', '=', memberId)
    .where('purpose', '=', purpose)
    .where('act', '=', 'GIVEN')
    .where('stands', '=', true)
    .forShare()
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a guardian wants advertising, and whether the number takes it. */
export async function advertisingConsent(tx: Tx, memberId: string, phone: string): Promise<Consent> {
  const refused = await tx.selectFrom('refused_number').select('phone').where('phone', '=', phone).executeTakeFirst()
  const act = (await standingOf(tx, memberId)).get('MARKETING')
  if (refused || act === 'WITHDRAWN') return 'OPTED_OUT'
  return act === 'GIVEN' ? 'GIVEN' : 'NONE'
}

/** That it was agreed to, and when, stays; who said it and what shows it does not. */
export const listeners = [
  forgets({
    table: 'consent',
    becomes: { said_by: "'-'", evidence: "case when evidence is not null then '-' end" },
    known: ['said_by'],
  }),
  listen(personErased, async ({ tx }, { phones }) => {
    await sql`delete from refused_number where phone = any(${phones}::text[])`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'of what was said about a purpose the last word stands',
    query: `
      select member_id, purpose from consent group by 1, 2
      having count(*) filter (where stands) <> 1
        or max(happened_at) filter (where stands) <> max(happened_at)`,
  },
]
