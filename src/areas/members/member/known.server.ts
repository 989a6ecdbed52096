import { type Expression, sql } from 'kysely'
import { parsePhone } from '#kit/model/mask.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Member } from './model.ts'

export type KnownMember = {
  id: string
  name: string
  status: Member['status']
  channel: string
  teacherId: string | null
  ownerId: string | null
  orgId: string | null
  /** Since when whoever has it does, if somebody else had it before: a first owner changed nothing. */
  takenOverAt: Date | null
}

/** How others name a member: by our id or by a whole phone number. */
export type Pupil = { readonly memberId?: string | undefined; readonly phone?: string | undefined }

/** The member a platform or the app speaks of. */
export async function findMember(tx: Tx, by: Pupil): Promise<KnownMember | undefined> {
  const phone = by.phone === undefined ? undefined : parsePhone(by.phone)
  if (by.memberId === undefined && phone === undefined) return undefined
  const found = await tx
    .selectFrom('member')
    .select(['id', 'name', 'status', 'channel', 'teacher_id as teacherId', 'owner_id as ownerId', 'org_id as orgId'])
    .select(eb => ['owner_since', formerOwner(eb.ref('member.id')).as('former')])
    .where(eb => (by.memberId !== undefined ? eb('id', '=', by.memberId) : eb('phone', '=', phone ?? '')))
    // Nobody is known by what was erased.
    .where('status', '<>', 'CLOSED')
    // Whose member it is must not change before what follows from it is stored. Not shared: what follows may change the
    // member too, and two who share would wait for each other.
    .forUpdate()
    .executeTakeFirst()
  if (!found) return undefined
  const { owner_since: since, former, ...member } = found
  const isTakenOver = since !== null && former !== null && former !== member.ownerId
  return { ...member, takenOverAt: isTakenOver ? new Date(since) : null }
}

/** Who had a member last before whoever has it now, also if it was nobody's in between. */
const formerOwner = (memberId: Expression<string>) => sql<string | null>`
  (select h.from_id::text from member_owner_history h where h.member_id = ${memberId} and h.from_id is not null order by h.id desc limit 1)`

/** A frozen member neither orders nor redeems. */
export function requireActive({ status, name }: Pick<KnownMember, 'status' | 'name'>): void {
  if (status === 'FROZEN') throw new Refused(refuse('members/member:member-frozen', { name }))
}
