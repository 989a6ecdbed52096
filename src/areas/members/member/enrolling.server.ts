import { sql } from 'kysely'
import type { Newcomer } from '#engines/lead/ending.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import { spellingOf } from '#kit/server/text/pinyin.ts'
import { writeOwnerChange } from './handing-over.server.ts'
import { findMember, type KnownMember } from './known.server.ts'
import { underNumber } from './leads.server.ts'

export type Person = Newcomer & {
  readonly name: string
  readonly guardianName?: string | undefined
  readonly birthMonth?: string | null
  /** Where nobody knows better: the lead of that number does. */
  readonly source: string
  readonly channel: string
}

/** The one door by which somebody becomes a member without a colleague's form; nothing where the number is a member's already. */
export const enrol = (change: Change, person: Person): Promise<string | undefined> =>
  underNumber(change, { phone: person.phone, unionid: person.unionid }, async origin => {
    const { tx, now } = change
    const { name, phone, guardianName, birthMonth, source, channel } = person
    const made = await tx
      .insertInto('member')
      .values({
        name,
        ...(await spellingOf(name)),
        phone,
        guardian_name: guardianName ?? null,
        birth_month: birthMonth ?? null,
        source: origin?.source ?? source,
        channel: origin?.channel ?? channel,
        owner_id: origin?.owner?.id ?? null,
        org_id: origin?.owner?.orgId ?? null,
        owner_since: origin?.owner ? now : null,
        created_at: now,
      })
      .onConflict(conflict => conflict.column('phone').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made && origin?.owner)
      await writeOwnerChange(change, { memberId: made.id, fromId: null, toId: origin.owner.id, reason: '' })
    return made?.id
  })

type Lead = { phone: string | null; name: string | null; source: string; channel: string; member_id: string | null }
const TAIL = 4

/** Somebody knows that the person of this lead is a pupil: the member it has become, or becomes now by its number. */
export async function memberOfLead(change: Change, leadId: string): Promise<KnownMember> {
  const { app, tx } = change
  const { rows } = await sql<Lead>`
    select phone, name, source, channel, member_id from lead where id = ${leadId} and (ended_at is null or member_id is not null)`.execute(
    tx,
  )
  const [lead] = rows
  const { phone = null, member_id: known = null } = lead ?? {}
  if (!lead || (phone === null && known === null)) throw new Refused(refuse('members/member:lead-ended'))
  if (known === null && phone !== null) {
    const unnamed = app.texts.text(app.env.DEFAULT_LOCALE, 'members/member', 'unnamed', { tail: phone.slice(-TAIL) })
    await enrol(change, { phone, name: lead.name ?? unnamed, source: lead.source, channel: lead.channel })
  }
  const member = await findMember(tx, known === null ? { phone: phone ?? '' } : { memberId: known })
  if (!member) throw new Refused(refuse('members/member:lead-ended'))
  return member
}
