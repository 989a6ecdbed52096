import { type RawBuilder, sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { ask } from '#kit/server/change/question.ts'
import { lockMembersOf } from './known.server.ts'
import { NAMES_PRODUCT, type Touch } from './model.ts'

/** What one lead, or one member, came by. */
export type Touched = { readonly id: string; readonly touches: readonly Touch[] }

/** More is known of how these members came to us: whoever keeps what follows from that reckons it again. */
export const memberTouched = defineAnnouncement<{ readonly memberIds: readonly string[] }>('member-touched')

/** A clock that runs ahead of ours tells of no time that has not come. */
export const happenedAt = (at: Date | undefined, now: Date): Date => (at && at < now ? at : now)

/** The path of leads, whose rows are locked or new: each thing they came by once, however often and in whatever order it is told. */
export async function touchLeads(change: Change, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return
  await sql`
    insert into lead_touch as t (lead_id, key, came_by, source, channel, consent, about, product_id, first_at, last_at)
    ${given(change, touched)}
    on conflict (lead_id, key) do update set ${again}`.execute(change.tx)
  await tellProduct(change, touched, ids => sql`o.id = any(${ids}::bigint[])`)
}

/** Leads that were there before are touched by it, too. */
export async function touchOpenLeads(change: Change, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return
  await touchLeads(change, touched)
  const ids = touched.map(({ id }) => id)
  await sql`
    update lead l set last_touch_at = t.at, version = version + 1
    from (select lead_id, max(last_at) as at from lead_touch where lead_id = any(${ids}::bigint[]) group by 1) t
    where l.id = t.lead_id`.execute(change.tx)
}

/** What members came by: of a number that is a member's already, or what nobody knew of them. */
export async function touchMembers(change: Change, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return
  const memberIds = [...new Set(touched.map(({ id }) => id))].toSorted((a, b) => Number(BigInt(a) - BigInt(b)))
  // Whoever pays meanwhile has locked the member: one of the two sees what the other wrote.
  await ask(change.app, lockMembersOf, { tx: change.tx, memberIds })
  await sql`
    insert into lead_touch as t (member_id, key, came_by, source, channel, consent, about, product_id, first_at, last_at)
    ${given(change, touched)}
    on conflict (member_id, key) where lead_id is null do update set ${again}`.execute(change.tx)
  await tellProduct(change, touched, ids => sql`o.member_id = any(${ids}::bigint[])`)
  await announce(change, memberTouched, { memberIds })
}

/** All that a number came by, also what led nowhere once, is what its member came by. */
export async function touchesBecome(change: Change, phone: string, memberId: string): Promise<void> {
  const { rows } = await sql`
    update lead_touch t set member_id = ${memberId} from lead l
    where l.id = t.lead_id and l.phone = ${phone} and t.member_id is null and (l.member_id is null or l.member_id = ${memberId})
    returning t.id`.execute(change.tx)
  if (rows.length > 0) await announce(change, memberTouched, { memberIds: [memberId] })
}

/**
 * Which product the people of open leads want: reckoned from everything they came by, so that the order in which it is told
 * changes nothing. Of several that tell it as well, the last.
 */
async function tellProduct(
  { tx }: Pick<Change, 'tx'>,
  touched: readonly Touched[],
  those: (ids: readonly string[]) => RawBuilder<unknown>,
): Promise<void> {
  const naming = touched.filter(({ touches }) => touches.some(({ productId }) => productId != null))
  if (naming.length === 0) return
  await sql`
    update lead l set product_id = told.product_id from (
      select distinct on (o.id) o.id, t.product_id
      from lead o join lead_touch t on t.lead_id = o.id or t.member_id = o.member_id
      where ${those(naming.map(({ id }) => id))} and o.ended_at is null and t.product_id is not null
      order by o.id, array_position(${NAMES_PRODUCT}::text[], t.came_by), t.last_at desc, t.key
    ) told
    where l.id = told.id and l.product_id is distinct from told.product_id`.execute(tx)
}

/** Of what is told twice at once the earlier stands first, and once. */
function given({ now }: Pick<Change, 'now'>, touched: readonly Touched[]) {
  const rows = touched.flatMap(({ id, touches }) =>
    touches.map(({ at, about = null, productId = null, ...touch }) => {
      return { id, ...touch, about, productId, at: happenedAt(at, now) }
    }),
  )
  return sql`
    select distinct on (id, key) id, key, "cameBy", source, channel, consent, about, "productId", at, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (id bigint, key text, "cameBy" text, source text, channel text,
      consent text, about text, "productId" bigint, at timestamptz)
    order by id, key, at, source, channel`
}

/** Where it is told by two channels, the one of the earlier time: whichever was told first. */
const isEarlier = sql`(excluded.first_at, excluded.source, excluded.channel) < (t.first_at, t.source, t.channel)`
const again = sql`
  times = t.times + 1, first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at),
  source = case when ${isEarlier} then excluded.source else t.source end,
  channel = case when ${isEarlier} then excluded.channel else t.channel end,
  consent = case when ${isEarlier} then excluded.consent else t.consent end,
  about = case when ${isEarlier} then excluded.about else t.about end,
  product_id = case when ${isEarlier} then coalesce(excluded.product_id, t.product_id) else coalesce(t.product_id, excluded.product_id) end`
