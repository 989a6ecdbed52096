import { sql } from 'kysely'
import * as z from 'zod'
import { dictionary, instant } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { announce } from '#kit/server/change/announce.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { contactAdded } from './heard.server.ts'
import { askDetails } from './learning.server.ts'
import { NOT_SAID, REASONS, STATE_FORM } from './model.ts'
import { loseContacts, moveTransfers } from './settling.server.ts'

/** The colleague and the customer as the platform calls them. */
const pair = {
  userId: z.string().min(1).max(64),
  externalId: z.string().min(1).max(64),
  at: instant(),
}

async function colleagueOf(tx: Tx, account: string): Promise<string> {
  const found = await tx.selectFrom('staff').select('id').where('account', '=', account).executeTakeFirst()
  if (!found) throw new Refused(refuse('engines/contact:colleague-unknown'))
  return found.id
}

/** Told twice, or of one who is a contact already, it changes nothing. Who was lost and comes back is a new contact: the first one keeps how they met. */
const added = defineEvent({
  type: 'contact.added',
  sources: ['wecom'],
  data: z.strictObject({
    ...pair,
    name: z.string().trim().min(1).max(100).nullable().default(null),
    addWay: dictionary('CONTACT_ADD_WAY'),
    channel: z.string().regex(STATE_FORM).nullable().default(null),
  }),
  async apply({ app, tx, now, key }, { userId, externalId, at, name, addWay, channel }) {
    const staffId = await colleagueOf(tx, userId)
    const { rows } = await sql<{ id: string }>`
      insert into chat_contact (staff_id, member_id, external_id, name, add_way, channel, since, created_at)
      select ${staffId}, (select max(member_id) from chat_contact where external_id = ${externalId}), ${externalId}, ${name}, ${addWay},
        ${channel}, ${at}::timestamptz, ${now}
      where not exists (
        select from chat_contact where staff_id = ${staffId} and external_id = ${externalId} and (since >= ${at} or lost_at >= ${at}))
      on conflict (staff_id, external_id) where status not in ('DONE', 'LOST') do nothing returning id`.execute(tx)
    const change = ownChange(app, tx, now, `event:${key}`)
    for (const { id: contactId } of rows) await announce(change, contactAdded, { staffId, contactId, at: new Date(at) })
    // The platform's own message says no more than who met whom.
    if (rows.length > 0 && addWay === NOT_SAID) await askDetails(change, externalId)
  },
})

/** One of the two took the other off; what went before that is of an earlier time they knew each other. */
const lost = defineEvent({
  type: 'contact.lost',
  sources: ['wecom'],
  data: z.strictObject({ ...pair, by: z.enum(['CUSTOMER', 'STAFF']) }),
  async apply({ app, tx, now, key }, { userId, externalId, at, by }) {
    const staffId = await colleagueOf(tx, userId)
    const { rows } = await sql<{ id: string }>`
      select id from chat_contact where staff_id = ${staffId} and external_id = ${externalId} and status not in ('DONE', 'LOST')
        and since <= ${at} for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    await loseContacts(ownChange(app, tx, now, `event:${key}`), ids, { by, at: new Date(at) })
  },
})

/** A colleague has noted something of somebody, a number perhaps: what it is, only the platform says. */
const edited = defineEvent({
  type: 'contact.edited',
  sources: ['wecom'],
  data: z.strictObject(pair),
  async apply({ app, tx, now, key }, { externalId }) {
    await askDetails(ownChange(app, tx, now, `event:${key}`), externalId)
  },
})

/** Somebody else has the customer now: as was asked for here, or by whoever did so on the platform itself. */
const takenOver = defineEvent({
  type: 'contact.taken-over',
  sources: ['wecom'],
  data: z.strictObject(pair),
  async apply({ app, tx, now, key }, { userId, externalId, at }) {
    const change = ownChange(app, tx, now, `event:${key}`)
    const staffId = await colleagueOf(tx, userId)
    const { rows } = await sql<{ id: string; transferId: string | null }>`
      select c.id, t.id as "transferId" from chat_contact c
      left join contact_transfer t on t.contact_id = c.id and t.ended_at is null and t.called_at is not null
      where c.staff_id = ${staffId} and c.external_id = ${externalId} and c.status not in ('DONE', 'LOST') and c.since <= ${at}
      order by c.id for update of c`.execute(tx)
    const when = new Date(at)
    const done = rows.flatMap(({ transferId: id }) => (id === null ? [] : [{ id, status: 'DONE' as const, at: when }]))
    await moveTransfers(change, done)
    const gone = rows.flatMap(({ id, transferId }) => (transferId === null ? [id] : []))
    await loseContacts(change, gone, { by: 'STAFF', at: when })
  },
})

const REASON_NAMES = Object.keys(REASONS) as (keyof typeof REASONS)[]

/** The platform tells by itself that a transfer came to nothing, before anybody asks. */
const failed = defineEvent({
  type: 'contact.transfer-failed',
  sources: ['wecom'],
  data: z.strictObject({ ...pair, reason: z.enum(REASON_NAMES) }),
  async apply({ app, tx, now, key }, { userId, externalId, reason }) {
    const staffId = await colleagueOf(tx, userId)
    // Which of the two it names, the platform does not say.
    const { rows } = await sql<{ id: string }>`
      select t.id from contact_transfer t join chat_contact c on c.id = t.contact_id
      where c.external_id = ${externalId} and ${staffId} in (t.from_id, t.to_id) and t.ended_at is null and t.called_at is not null`.execute(
      tx,
    )
    await moveTransfers(
      ownChange(app, tx, now, `event:${key}`),
      rows.map(({ id }) => ({ id, status: REASONS[reason] })),
    )
  },
})

export const arrivals = [added, edited, lost, takenOver, failed]
