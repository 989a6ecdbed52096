import { parsePhone } from '#kit/model/mask.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { diffOf, record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Partner, resource } from './model.ts'

const IS_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Where a contact is reached, as it is dialled and written to; what was not entered anew stays. */
export function reachable({ contactPhone, contactEmail }: Partial<Partner>): Partial<Partner> {
  if (contactEmail && !IS_EMAIL.test(contactEmail))
    throw onField('contactEmail', refuse('channel/app-channel:email-invalid'))
  if (!contactPhone) return {}
  const phone = parsePhone(contactPhone)
  if (phone === undefined) throw onField('contactPhone', refuse('kit:phone-invalid'))
  return { contactPhone: phone }
}

export type NewPartner = Pick<Partner, 'name' | 'company' | 'channel' | 'contactName' | 'contactPhone' | 'contactEmail'>

/** Whoever is to be paid for what comes by a channel is a partner, wherever it is entered; with its line in the log. */
export async function addPartner(op: Operation, given: NewPartner): Promise<string> {
  const partner = { ...given, ...reachable(given) }
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
      created_at: op.now,
    })
    .onConflict(taken => taken.column('channel').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw onField('channel', refuse('channel/app-channel:channel-taken'))
  await record(op.tx, op.call, {
    page: resource.screen.key,
    action: 'create',
    recordId: made.id,
    diff: diffOf(resource, {}, { ...partner, platform: 'WEB' }),
  })
  return made.id
}
