import { sql } from 'kysely'
import { endWords } from '#engines/consent/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { announce, defineAnnouncement, listen } from '#kit/server/change/announce.ts'
import { erase, forgets } from '#kit/server/change/erasure.ts'
import { writeLine } from '#kit/server/change/step.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { lockMember } from './holding.server.ts'
import { resource } from './model.ts'

/** An account is about to be closed: whoever still owes the member something, or is owed, refuses. */
export const memberClosing = defineAnnouncement<{ readonly memberId: string }>('member-closing')

/** For the `listeners` of whoever owns the table: while such rows of the member are there, the account stays. */
export const keepsAccount = (table: string, where: string, code: string): Listener =>
  listen(memberClosing, async ({ tx }, { memberId }) => {
    const [found] = await run(tx, `select count(*)::int as n from ${table} where member_id = $1 and (${where})`, [
      memberId,
    ])
    const count = Number(found?.n)
    if (count > 0) throw new Refused(refuse(code, { count }))
  })

/** What lists call whoever was a member once. */
export const NOBODY = '已注销学员'

/** Closes the account for good, where nothing is open any more. */
export async function closeMember(change: Change, memberId: string): Promise<void> {
  await lockMember(change.tx, memberId)
  await announce(change, memberClosing, { memberId })
  await eraseMember(change, memberId)
}

/** Nothing personal is left of the member, and the books stand as they did (decision 072). */
export async function eraseMember(change: Change, memberId: string): Promise<void> {
  const { tx } = change
  const before = await tx
    .selectFrom('member')
    .select(['status', 'phone'])
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before.phone === null) return
  await endConsents(change, memberId, before.phone)
  await erase(change, { memberId, phone: before.phone, phones: await numbersOf(tx, memberId) })
  await tx
    .updateTable('member')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', memberId)
    .execute()
  const diff = { status: [before.status, 'CLOSED'] as const }
  await writeLine(change, resource, { recordId: memberId, action: 'close', diff })
}

/** Whoever wants nothing kept agrees to nothing any more: what rests on a consent ends with it. */
const endConsents = (change: Change, memberId: string, phone: string): Promise<void> =>
  endWords(change, { memberId, phone, way: 'PAPER', saidAs: 'GUARDIAN', saidBy: '-', evidence: null }, () => true)

/** The member's number and those before it, except where somebody else has one by now. */
async function numbersOf(tx: Tx, memberId: string): Promise<string[]> {
  const { rows } = await sql<{ phone: string }>`
    select phone from (
      select phone from member where id = ${memberId}
      union select unnest(former_phones) from member where id = ${memberId}
      union select phone from lead where member_id = ${memberId}
      union select new_phone from member_application where member_id = ${memberId} and kind = 'PHONE' and status = 'APPROVED'
    ) known where phone is not null
      and not exists (select 1 from member other where other.phone = known.phone and other.id <> ${memberId})`.execute(
    tx,
  )
  return rows.map(({ phone }) => phone)
}

export const listeners = [
  forgets(
    {
      table: 'member',
      where: 't.id = $1',
      becomes: {
        name: `'${NOBODY}'`,
        name_pinyin: "''",
        name_initials: "''",
        guardian_name: 'null',
        birth_month: 'null',
        tags: "'{}'",
        phone: 'null',
        former_phones: "'{}'",
        status: "'CLOSED'",
      },
      known: ['name', 'guardian_name'],
    },
    { table: 'follow_up', becomes: { content: "'-'", picture: "'{}'" } },
    { table: 'member_owner_history', becomes: { reason: "''" } },
  ),
]
