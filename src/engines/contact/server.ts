import { ships } from '#engines/message/server.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets, personErased } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { arrivals } from './arriving.server.ts'
import { asking, askResults, endProtection } from './asking.server.ts'
import { doors as ownDoors } from './callback.server.ts'
import { learning, recognised } from './learning.server.ts'
import { transferring } from './sending.server.ts'
import { endTransfers } from './settling.server.ts'
import { contactsStayed } from './told.model.ts'

export const events = arrivals
export const doors = ownDoors
export const deliveries = [transferring, asking, learning]
export const jobs = [askResults, endProtection]

export const listeners = [
  ships(contactsStayed),
  recognised,
  forgets({
    table: 'chat_contact',
    // What the platform calls somebody leads to them as a number does; without it nobody can be handed on.
    becomes: {
      ...{ external_id: "'erased-' || t.id", unionid: 'null', name: 'null', remark: 'null' },
      status: "case when t.status = 'DONE' then t.status else 'LOST' end",
      lost_at: "case when t.status <> 'DONE' then coalesce(t.lost_at, now()) end",
      lost_by: "case when t.status <> 'DONE' then coalesce(t.lost_by, 'ERASURE') end",
    },
    known: ['external_id', 'unionid', 'name', 'remark'],
  }),
  listen(personErased, async (change, { memberId }) => {
    const rows = await change.tx.selectFrom('chat_contact').select('id').where('member_id', '=', memberId).execute()
    await endTransfers(
      change,
      rows.map(({ id }) => id),
    )
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'a chat contact stands as its last transfer does',
    query: `
      select c.id, c.status, t.status as transfer from chat_contact c
      left join lateral (select status, to_id from contact_transfer where contact_id = c.id order by id desc limit 1) t on true
      where c.status not in ('HELD', 'LOST') and (c.status, c.successor_id) is distinct from (t.status, t.to_id)`,
  },
  {
    name: 'whom a chat contact was handed to has it',
    query: `
      select t.id from contact_transfer t join chat_contact c on c.id = t.taken_id where c.staff_id <> t.to_id`,
  },
]
