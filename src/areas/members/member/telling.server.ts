import * as z from 'zod'
import { PUSHES } from '#kit/model/contract.ts'
import { mask, parsePhone } from '#kit/model/mask.ts'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineEvent, type InboxEvent, type Source } from '#kit/server/live/event.ts'
import { type NewPush, push } from '#kit/server/live/push.ts'
import { findMember, type KnownMember } from './known.server.ts'

/** The member's teacher, who sees the member too (decision 015). */
const carerOf = (tx: Tx, memberId: string) =>
  tx
    .selectFrom('member as m')
    .innerJoin('staff as s', 's.id', 'm.teacher_id')
    .select(['s.id as carerId', 's.org_id as carerOrgId'])
    .where('m.id', '=', memberId)
    .executeTakeFirst()

/** How an event of the app names the member it is about: by our id or by a whole phone number. */
export const pupil = {
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
export const word = (max: number) => z.string().trim().min(1).max(max)

/** What an event says of one member, whom it names. */
export const saidOfMember = <S extends z.ZodRawShape>(said: S) =>
  z.strictObject({ ...pupil, ...said }).refine(given => 'memberId' in given || 'phone' in given)

type Told = Pick<NewPush, 'type' | 'key' | 'content'> & {
  readonly member: KnownMember | undefined
  readonly phone: string | undefined
}

/** Tells the people in charge of a member; about somebody we do not know, only those who see everything. */
export const tellOfMember = async (app: App, tx: Tx, { type, key, content, member, phone }: Told): Promise<void> => {
  await push(app, tx, {
    type,
    key,
    content: {
      ...content,
      memberId: member?.id ?? null,
      name: member?.name ?? null,
      phone: phone === undefined ? null : mask('phone', parsePhone(phone) ?? ''),
    },
    ownerId: member?.ownerId ?? null,
    orgId: member?.orgId ?? null,
    ...(member && (await carerOf(tx, member.id))),
  })
}

/**
 * An event that tells the people in charge of a member what happened, and changes nothing: what it says goes into the
 * push, with the member by name.
 */
export const memberEvent = <S extends z.ZodRawShape>(
  type: NewPush['type'],
  sources: readonly Source[],
  said: S,
): InboxEvent =>
  defineEvent({
    type: PUSHES[type].event,
    sources,
    data: saidOfMember(said),
    async apply({ app, tx, key }, data) {
      const { memberId, phone, ...content } = data as { memberId?: string; phone?: string; key?: string }
      const member = await findMember(tx, { memberId, phone })
      // The sender may name what the push is about: dismissing one reminder then hides its repetitions (spec §7).
      await tellOfMember(app, tx, { type, key: content.key ?? key, content, member, phone })
    },
  })
