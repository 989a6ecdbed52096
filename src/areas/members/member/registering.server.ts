import * as z from 'zod'
import { lockNames, unionid } from '#engines/identity/names.server.ts'
import { touchMembers } from '#engines/lead/touching.server.ts'
import { dictionary, text } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { spellingOf } from '#kit/server/text/pinyin.ts'
import { birthMonthOf } from './consent.server.ts'
import { writeOwnerChange } from './handing-over.server.ts'
import { REGISTERED, underNumber } from './leads.server.ts'
import { recognise } from './recognising.server.ts'

/** Somebody registered in the app. A number that is known already is known by what staff made of it: nothing changes. */
export const registered = defineEvent({
  type: 'member.registered',
  sources: ['app'],
  data: z.strictObject({
    phone: z
      .string()
      .max(40)
      .refine(typed => parsePhone(typed) !== undefined),
    name: text(50),
    guardianName: text(50).optional(),
    birthMonth: text(20).optional(),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    /** What WeChat calls whoever registered, where the app was opened there. */
    unionid: unionid.optional(),
  }),
  async apply({ app, tx, now, key }, { phone, name, guardianName, birthMonth, source, channel, unionid: named }) {
    const change = ownChange(app, tx, now, key)
    await lockNames(tx, { unionid: named })
    const number = parsePhone(phone) ?? ''
    const memberId = await underNumber(change, { phone: number, unionid: named }, async origin => {
      const made = await tx
        .insertInto('member')
        .values({
          name,
          ...(await spellingOf(name)),
          phone: number,
          guardian_name: guardianName ?? null,
          birth_month: birthMonthOf(birthMonth, now),
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
    // As the app says it: what was known of the number before, or becomes known later, stands beside it.
    const came = { key: REGISTERED, cameBy: 'REGISTRATION', source, channel, consent: 'APP_TERMS' } as const
    if (memberId === undefined) return
    await touchMembers(change, [{ id: memberId, touches: [came] }])
    if (named !== undefined) await recognise(change, { memberId, unionid: named, at: now })
  },
})
