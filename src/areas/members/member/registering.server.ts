import * as z from 'zod'
import { lockNames, unionid } from '#engines/identity/names.server.ts'
import { touchMembers } from '#engines/lead/touching.server.ts'
import { dictionary, text } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { birthMonthOf } from './consent.server.ts'
import { enrol } from './enrolling.server.ts'
import { REGISTERED } from './leads.server.ts'
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
    const memberId = await enrol(change, {
      ...{ phone: parsePhone(phone) ?? '', unionid: named, name, guardianName, source, channel },
      birthMonth: birthMonthOf(birthMonth, now),
    })
    // As the app says it: what was known of the number before, or becomes known later, stands beside it.
    const came = { key: REGISTERED, cameBy: 'REGISTRATION', source, channel, consent: 'APP_TERMS' } as const
    if (memberId === undefined) return
    await touchMembers(change, [{ id: memberId, touches: [came] }])
    if (named !== undefined) await recognise(change, { memberId, unionid: named, at: now })
  },
})
