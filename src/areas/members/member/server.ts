import * as z from 'zod'
import { PUSHES } from '#kit/model/contract.ts'
import { mask, parsePhone } from '#kit/model/mask.ts'
import type { Tx } from '#kit/server/database.ts'
import { defineEvent, type InboxEvent, type Source } from '#kit/server/live/event.ts'
import { type NewPush, push } from '#kit/server/live/push.ts'

export type KnownMember = {
  id: string
  name: string
  channel: string
  ownerId: string | null
  orgId: string | null
  ownerSince: Date | null
}

/** The member a platform or the app speaks of, by our id or by a whole phone number. */
export async function findMember(
  tx: Tx,
  by: { memberId?: string | undefined; phone?: string | undefined },
): Promise<KnownMember | undefined> {
  const phone = by.phone === undefined ? undefined : parsePhone(by.phone)
  if (by.memberId === undefined && phone === undefined) return undefined
  const found = await tx
    .selectFrom('member')
    .select(['id', 'name', 'channel', 'owner_id as ownerId', 'org_id as orgId', 'owner_since'])
    .where(eb => (by.memberId !== undefined ? eb('id', '=', by.memberId) : eb('phone', '=', phone ?? '')))
    // Whose member it is must not change before what follows from it is stored.
    .forShare()
    .executeTakeFirst()
  if (!found) return undefined
  const { owner_since: since, ...member } = found
  return { ...member, ownerSince: since === null ? null : new Date(since) }
}

const pupil = {
  memberId: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
  phone: z
    .string()
    .max(40)
    .refine(typed => parsePhone(typed) !== undefined)
    .optional(),
}
const word = (max: number) => z.string().trim().min(1).max(max)

/**
 * An event that tells the people in charge of a member what happened, and changes nothing: what it says goes into the
 * push, with the member by name. About somebody we do not know, only those are told who see everything.
 */
export const memberEvent = <S extends z.ZodRawShape>(
  type: NewPush['type'],
  sources: readonly Source[],
  said: S,
): InboxEvent =>
  defineEvent({
    type: PUSHES[type].event,
    sources,
    data: z.strictObject({ ...pupil, ...said }).refine(given => 'memberId' in given || 'phone' in given),
    async apply({ app, tx, key }, data) {
      const { memberId, phone, ...content } = data as { memberId?: string; phone?: string; key?: string }
      const member = await findMember(tx, { memberId, phone })
      await push(app, tx, {
        type,
        // The sender may name what the push is about: dismissing one reminder then hides its repetitions (spec §7).
        key: content.key ?? key,
        content: {
          ...content,
          memberId: member?.id ?? null,
          name: member?.name ?? null,
          phone: phone === undefined ? null : mask('phone', parsePhone(phone) ?? ''),
        },
        ownerId: member?.ownerId ?? null,
        orgId: member?.orgId ?? null,
      })
    },
  })

export const events = [
  memberEvent(4, ['app'], { opusId: word(64), reason: word(200) }),
  memberEvent(5, ['app'], { text: word(200) }),
  memberEvent(9, ['app'], { poster: word(100) }),
  memberEvent(10, ['app'], { waiting: z.int().min(1).max(1_000_000) }),
  memberEvent(11, ['app'], { opusId: word(64) }),
]
