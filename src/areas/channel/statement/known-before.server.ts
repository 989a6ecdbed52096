import { sql } from 'kysely'
import type { Within } from '#engines/settlement/events.server.ts'
import type { App } from '#kit/server/app.ts'
import { phoneHash } from '#kit/server/change/erasure-proof.ts'

type Person = {
  readonly id: string
  readonly phone: string | null
  readonly since: string
  readonly hash: string | null
}

/**
 * Which of these had an account before: under their number somebody was a member who goes by another one now, or who had everything
 * forgotten since. Nobody has brought those, whoever brings them again.
 */
export async function hadAccount(
  env: App['env'],
  { tx }: Within,
  memberIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(memberIds)]
  if (ids.length === 0) return new Set()
  const { rows } = await sql<Person>`
    select m.id, m.phone, m.created_at as since, e.phone_hash as hash
    from member m left join erasure e on e.member_id = m.id where m.id = any(${ids}::bigint[])`.execute(tx)
  // Who is forgotten as well by now is known by what was kept of the number.
  const people = rows.map(({ id, phone, since, hash }) => ({ id, since, hash: phone ? phoneHash(env, phone) : hash }))
  const { rows: found } = await sql<{ id: string }>`
    select p.id from unnest(${people.map(({ id }) => id)}::bigint[], ${people.map(({ hash }) => hash)}::text[],
        ${people.map(({ since }) => since)}::timestamptz[]) p (id, hash, since)
      where exists (select from erasure e where e.phone_hash = p.hash and e.member_id <> p.id and e.erased_at <= p.since)
    union
    select m.id from member m join lead l on l.phone = m.phone join member o on o.id = l.member_id
      where m.id = any(${ids}::bigint[]) and o.id <> m.id and o.created_at < m.created_at
    union
    select m.id from member_application a join member m on m.phone = a.new_phone join member o on o.id = a.member_id
      where a.kind = 'PHONE' and a.status = 'APPROVED' and m.id = any(${ids}::bigint[])
        and o.id <> m.id and o.created_at < m.created_at`.execute(tx)
  return new Set(found.map(({ id }) => id))
}
