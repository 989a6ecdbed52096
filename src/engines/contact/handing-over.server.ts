import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { deliver } from '#kit/server/change/outbox.ts'
import { GOES_ALONG, inCalls, protectedUntil } from './model.ts'
import { TRANSFERRING } from './sending.server.ts'
import { moveTransfers, type Standing } from './settling.server.ts'

export type HandedOver = { readonly fromId: string; readonly toId: string; readonly isLeave: boolean }

type Written = { readonly id: string; readonly handedOn: readonly string[] }

/** Everybody who is somebody's chat contact is to be another's: written with the hand-over, and asked of the platform after it. */
export async function handOverContacts(change: Change, { fromId, toId, isLeave }: HandedOver): Promise<void> {
  const { tx, now, call } = change
  // Those whom the platform protects while their colleague is at work may go when the colleague leaves.
  const along: readonly string[] = isLeave ? [...GOES_ALONG, 'PROTECTED'] : GOES_ALONG
  const { rows } = await sql<Written>`
    with going as (
      select id from chat_contact where staff_id = ${fromId} and status = any(${along}::text[]) order by id for update
    ), written as (
      insert into contact_transfer (contact_id, from_id, to_id, by_id, is_leave, status, asked_at)
      select id, ${fromId}, ${toId}, ${call.actor?.id ?? null}, ${isLeave}, 'ASKED', ${now} from going returning id, contact_id
    ), stood as (
      update chat_contact c set status = 'ASKED', successor_id = ${toId}, asked_at = ${now}, effective_at = null, errcode = null,
        version = c.version + 1
      from written w where c.id = w.contact_id
    )
    select w.id, array(
      select t.ended_at from contact_transfer t join chat_contact o on o.id = t.contact_id
      where o.external_id = c.external_id and t.status = 'DONE' and not t.is_leave
    ) as "handedOn"
    from written w join chat_contact c on c.id = w.contact_id order by w.id`.execute(tx)
  const held = isLeave ? [] : rows.flatMap(row => protection(row, now))
  await moveTransfers(change, held)
  const kept = new Set(held.map(({ id }) => id))
  const leaving = rows.map(({ id }) => id).filter(id => !kept.has(id))
  for (const ids of inCalls(leaving))
    await deliver(change, { kind: TRANSFERRING, key: String(ids[0]), payload: { ids } })
}

function protection({ id, handedOn }: Written, now: Date): Standing[] {
  const until = protectedUntil(
    handedOn.map(at => new Date(at)),
    now,
  )
  return until ? [{ id, status: 'PROTECTED', at: until }] : []
}
