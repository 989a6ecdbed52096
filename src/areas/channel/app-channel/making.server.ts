import { parsePhone } from '#kit/model/mask.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { constraintOf } from '#kit/server/database/database.ts'
import { type Partner, resource } from './model.ts'

const IS_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

type Reached = Pick<Partial<Partner>, 'contactPhone'> & { readonly contactBy?: string | null }

/**
 * Where a contact is reached, as it is dialled and written to; what was not entered anew stays. Codes go to that phone, so it is
 * kept who entered it.
 */
export function reachable({ actor }: Operation, { contactPhone, contactEmail }: Partial<Partner>): Reached {
  if (contactEmail && !IS_EMAIL.test(contactEmail))
    throw onField('contactEmail', refuse('channel/app-channel:email-invalid'))
  if (contactPhone === undefined) return {}
  if (contactPhone === null) return { contactBy: null }
  const phone = parsePhone(contactPhone)
  if (phone === undefined) throw onField('contactPhone', refuse('kit:phone-invalid'))
  return { contactPhone: phone, contactBy: actor.id }
}

/** Whoever enters a partner elsewhere is told of its channel too. */
function ofTeacher(error: unknown): never {
  if (constraintOf(error) !== 'channel_of_one') throw error
  throw onField('channel', refuse('channel/app-channel:channel-of-teacher'))
}

export type NewPartner = Pick<Partner, 'name' | 'company' | 'channel' | 'contactName' | 'contactPhone' | 'contactEmail'>

/** Whoever is to be paid for what comes by a channel is a partner, wherever it is entered; with its line in the log. */
export async function addPartner(op: Operation, given: NewPartner): Promise<string> {
  const { contactBy = null, ...reached } = reachable(op, given)
  const partner = { ...given, ...reached }
  const made = await op.tx
    .insertInto('partner')
    .values({
      name: partner.name,
      company: partner.company,
      channel: partner.channel,
      platform: 'WEB',
      contact_name: partner.contactName,
      contact_phone: partner.contactPhone,
      contact_email: partner.contactEmail,
      contact_by: contactBy,
      created_at: op.now,
    })
    .onConflict(taken => taken.column('channel').doNothing())
    .returning('id')
    .executeTakeFirst()
    .catch(ofTeacher)
  if (!made) throw onField('channel', refuse('channel/app-channel:channel-taken'))
  await record(op.tx, op.call, {
    page: resource.screen.key,
    action: 'create',
    recordId: made.id,
    diff: diffOf(resource, {}, { ...partner, platform: 'WEB' }),
  })
  return made.id
}
