import { sql } from 'kysely'
import { send } from '#engines/message/server.ts'
import type { Change } from '#kit/server/app.ts'
import { EFFECT_MS, OPEN, type TransferStatus } from './model.ts'
import { contactsStayed, WHY_STAYED } from './told.model.ts'

/** How a transfer stands from now on; `at` is from when it holds, of what is protected until when. */
export type Standing = {
  readonly id: string
  readonly status: TransferStatus
  readonly errcode?: number | null
  readonly at?: Date | null
}

type Stayed = {
  readonly id: string
  readonly status: keyof typeof WHY_STAYED
  readonly fromId: string
  readonly toId: string
  readonly byId: string | null
}

const HANDED_OUT = '202'

/** Moves open transfers and their contacts on; what has ended stays as it ended. Whoever led the colleague hears of what did not go along. */
export async function moveTransfers(change: Change, standings: readonly Standing[]): Promise<void> {
  if (standings.length === 0) return
  const given = JSON.stringify(standings)
  const done = standings.filter(({ status }) => status === 'DONE')
  const stayed = [...(await takeOver(change, done)), ...(await moveOthers(change, given))]
  await tellStayed(change, stayed)
}

/** Everything but what has arrived. */
async function moveOthers({ tx, now }: Change, given: string): Promise<Stayed[]> {
  const { rows } = await sql<Stayed>`
    with given as (
      select * from jsonb_to_recordset(${given}::jsonb) as g (id bigint, status text, errcode integer, at timestamptz) where status <> 'DONE'
    ), moved as (
      update contact_transfer t set status = g.status, errcode = g.errcode,
        effective_at = coalesce(g.at, case when g.status = 'WAITING' then t.called_at + ${`${EFFECT_MS} milliseconds`}::interval end),
        ended_at = case when g.status = any(${OPEN}::text[]) then null else ${now}::timestamptz end
      from given g where t.id = g.id and t.ended_at is null returning t.*
    ), stood as (
      update chat_contact c set status = m.status, errcode = m.errcode, effective_at = m.effective_at, version = c.version + 1
      from moved m where c.id = m.contact_id and c.status = any(${OPEN}::text[])
    )
    select id, status, from_id as "fromId", to_id as "toId", by_id as "byId" from moved where ended_at is not null order by id`.execute(
    tx,
  )
  return rows
}

/** The successor has the customer from now on; who left meanwhile has to hand on once more. */
async function takeOver({ tx, now }: Change, done: readonly Standing[]): Promise<Stayed[]> {
  if (done.length === 0) return []
  const { rows } = await sql<Stayed & { isGone: boolean }>`
    with given as (
      select t.id, t.contact_id, t.from_id, t.to_id, t.by_id, coalesce(g.at, ${now}) as at, c.external_id
      from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as g (id bigint, at timestamptz)
      join contact_transfer t on t.id = g.id join chat_contact c on c.id = t.contact_id
      where t.ended_at is null for update of t, c
    ), taken as (
      insert into chat_contact as n (staff_id, member_id, external_id, unionid, name, remark, add_way, channel, since, created_at)
      select g.to_id, c.member_id, c.external_id, c.unionid, c.name, c.remark, ${HANDED_OUT}, c.channel, g.at, ${now}
      from given g join chat_contact c on c.id = g.contact_id order by g.id
      -- Who was a contact of the successor's already stays the one they are.
      on conflict (staff_id, external_id) where status not in ('DONE', 'LOST') do update set member_id = coalesce(n.member_id, excluded.member_id)
      returning n.id, n.external_id
    ), moved as (
      update contact_transfer t set status = 'DONE', errcode = null, effective_at = g.at, ended_at = ${now}, taken_id = k.id
      from given g join taken k using (external_id) where t.id = g.id returning t.*
    ), stood as (
      update chat_contact c set status = 'DONE', errcode = null, effective_at = m.effective_at, version = c.version + 1
      from moved m where c.id = m.contact_id
    )
    select m.id, 'HELD' as status, m.to_id as "fromId", m.to_id as "toId", m.by_id as "byId", s.employment = 'LEFT' as "isGone"
    from moved m join staff s on s.id = m.to_id order by m.id`.execute(tx)
  return rows.filter(({ isGone }) => isGone)
}

/** One message for all that stayed behind at once, to the colleague's manager, or to whoever handed over. */
async function tellStayed(change: Change, stayed: readonly Stayed[]): Promise<void> {
  const pairs = Map.groupBy(stayed, ({ fromId, toId }) => `${fromId}:${toId}`)
  for (const all of pairs.values()) {
    const [first] = all
    if (!first) continue
    const [told] = (
      await sql<{ id: string; name: string; to: string }>`
        select r.id, f.name, t.name as to from staff f join staff t on t.id = ${first.toId}
        join staff r on r.status = 'ENABLED' and r.id in (f.manager_id, ${first.byId}::bigint)
        where f.id = ${first.fromId} order by r.id <> f.manager_id limit 1`.execute(change.tx)
    ).rows
    if (!told) continue
    const counts = [...Map.groupBy(all, ({ status }) => status)]
    const why = counts.map(([status, some]) => `${WHY_STAYED[status]} ${some.length}`).join('，')
    await send(change, contactsStayed, {
      to: { staffId: told.id, address: null },
      values: { name: told.name, count: all.length, to: told.to, why },
      about: `contact-transfer:${first.id}`,
    })
  }
}

type Loss = { readonly by: 'CUSTOMER' | 'STAFF'; readonly at: Date }

/** They chat no more: what was under way for them has come to nothing. */
export async function loseContacts(change: Change, ids: readonly string[], { by, at }: Loss): Promise<void> {
  await endTransfers(change, ids)
  await sql`
    update chat_contact set status = 'LOST', lost_at = ${at}, lost_by = ${by}, version = version + 1
    where id = any(${ids}::bigint[]) and status not in ('DONE', 'LOST')`.execute(change.tx)
}

/** Whom nobody can be handed any more is asked for no more, and asked about no more. */
export const endTransfers = ({ tx, now }: Pick<Change, 'tx' | 'now'>, contactIds: readonly string[]) =>
  sql`
    update contact_transfer set status = 'NO_RECORD', ended_at = ${now}
    where contact_id = any(${contactIds}::bigint[]) and ended_at is null`.execute(tx)
