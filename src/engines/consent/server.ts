import { sql } from 'kysely'
import type { Consent } from '#engines/message/model.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { forgets, personErased } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Act, outweighs, type Purpose, type Said, type Speaker, type Word } from './model.ts'

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
      said_as: said.saidAs,
      said_by: said.saidBy,
      text_version: said.textVersion,
      evidence: said.evidence,
      proof: [...(said.proof ?? [])],
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
export async function standingOf(db: Queries, memberId: string): Promise<ReadonlyMap<Purpose, Word>> {
  const rows = await db
    .selectFrom('consent')
    .select(['purpose', 'act', 'said_as', 'happened_at'])
    .where('member_id', '=', memberId)
    .where('stands', '=', true)
    .execute()
  return new Map(
    rows.map(({ purpose, act, said_as, happened_at }) => [
      purpose as Purpose,
      { act: act as Act, saidAs: said_as as Speaker, happenedAt: new Date(happened_at) },
    ]),
  )
}

type Ending = Omit<Said, 'purposes' | 'act' | 'textVersion' | 'happenedAt'>

/** Nothing rests any more on the words that stand and are meant, even on one from a clock that runs ahead of ours. */
export async function endWords(change: Change, ending: Ending, isMeant: (word: Word) => boolean): Promise<void> {
  for (const [purpose, word] of await standingOf(change.tx, ending.memberId))
    if (word.act === 'GIVEN' && isMeant(word)) {
      const happenedAt = new Date(Math.max(word.happenedAt.getTime(), change.now.getTime()))
      await keepOne(change, purpose, { ...ending, purposes: [], act: 'WITHDRAWN', textVersion: null, happenedAt })
    }
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

/** Whether these members may be advertised to, each at its number. */
export async function advertisingConsents(
  db: Queries,
  members: readonly { readonly id: string; readonly phone: string }[],
): Promise<ReadonlyMap<string, Consent>> {
  const { rows } = await sql<{ id: string; act: Act | null; isRefused: boolean }>`
    select m.id, c.act, r.phone is not null as "isRefused"
    from unnest(${members.map(({ id }) => id)}::bigint[], ${members.map(({ phone }) => phone)}::text[]) as m (id, phone)
    left join consent c on c.member_id = m.id and c.purpose = 'MARKETING' and c.stands
    left join refused_number r on r.phone = m.phone`.execute(db)
  return new Map(
    rows.map(({ id, act, isRefused }) => [
      id,
      isRefused || act === 'WITHDRAWN' ? 'OPTED_OUT' : act === 'GIVEN' ? 'GIVEN' : 'NONE',
    ]),
  )
}

/** As SQL: the words `c` are nobody's yes who was too young to give it, going by the month of birth beside them. */
export const countsAsSaid = (birthMonth: string): string => `
  (c.said_as = 'GUARDIAN' or c.act = 'WITHDRAWN' or coalesce(
    (c.happened_at at time zone 'Asia/Shanghai')::date >= to_date(${birthMonth}, 'YYYY-MM') + interval '14 years 1 month', false))`

/** That it was agreed to, and when, stays; who said it and what shows it does not. */
export const listeners = [
  forgets({
    table: 'consent',
    becomes: { said_by: "'-'", evidence: "case when evidence is not null then '-' end", proof: "'{}'" },
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
