import { sql } from 'kysely'
import { settings } from '#areas/members/registration/settings.model.ts'
import { creditOf } from '#engines/attribution/model.ts'
import { touchesOf } from '#engines/attribution/server.ts'
import { memberTouched } from '#engines/lead/touching.server.ts'
import type { Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { memberPaid } from './paying.server.ts'

type Payer = {
  readonly id: string
  readonly source: string
  readonly channel: string
  readonly paidAt: string
  readonly days: number
  readonly isCorrected: boolean
}

/** Which channel these members belong to, of those who have paid: reckoned again from all that is known, whatever came last. */
export async function credit({ tx }: Pick<Change, 'tx'>, memberIds: readonly string[]): Promise<void> {
  const { rows } = await sql<Payer>`
    select id, source, channel, first_paid_at as "paidAt", credit_days as days, origin_corrected_at is not null as "isCorrected" from member
    where id = any(${memberIds}::bigint[]) and first_paid_at is not null`.execute(tx)
  if (rows.length === 0) return
  const touches = await touchesOf(
    tx,
    rows.map(({ id }) => id),
  )
  const credited = rows.map(({ id, source, channel, paidAt, days, isCorrected }) => {
    const paying = { paidAt: new Date(paidAt), days, own: { source, channel }, isCorrected }
    const counted = creditOf(touches.get(id) ?? [], paying)
    return { id, source: counted.source, channel: counted.channel }
  })
  await sql`
    update member m set credited_source = g.source, credited_channel = g.channel
    from jsonb_to_recordset(${JSON.stringify(credited)}::jsonb) as g (id bigint, source text, channel text)
    where m.id = g.id and (m.credited_source, m.credited_channel) is distinct from (g.source, g.channel)`.execute(tx)
}

/** Who pays for the first time is credited to one channel from then on, by the days in force now. */
async function pay(change: Change, { memberId }: { readonly memberId: string }) {
  const { tx, app, now } = change
  const first = await tx
    .selectFrom('member')
    .select('id')
    .where('id', '=', memberId)
    .where('first_paid_at', 'is', null)
    .executeTakeFirst()
  if (!first) return
  const { lookBackDays } = await settingsOf(app, settings, tx)
  await sql`
    update member set first_paid_at = ${now}, credit_days = ${lookBackDays}, credited_source = source, credited_channel = channel
    where id = ${memberId}`.execute(tx)
  await credit(change, [memberId])
}

export const listeners: readonly Listener[] = [
  listen(memberPaid, pay),
  listen(memberTouched, (change, { memberIds }) => credit(change, memberIds)),
]

/** Says the rule of decision 085 once more, by ranks instead of by looking for the first. */
const BY_RANKS = `
  select m.id, m.credited_channel, c.channel from member m
  left join lateral (
    select t.source, t.channel from (
      select distinct on (key) key, came_by, first_at, source, channel,
        first_at >= m.first_paid_at - make_interval(hours => 24 * m.credit_days) as is_within
      from lead_touch where member_id = m.id order by key, first_at, source, channel) t
    where t.came_by <> 'IMPORT' and t.first_at <= m.first_paid_at
    order by t.is_within desc, case when t.is_within then t.first_at end, t.first_at desc,
      array_position(array['LINK', 'FORM', 'PLATFORM_ORDER', 'REGISTRATION'], t.came_by), t.key collate "C"
    limit 1) c on true
  where m.first_paid_at is not null
    and (m.credited_source, m.credited_channel) is distinct from (
      case when m.origin_corrected_at is null then coalesce(c.source, m.source) else m.source end,
      case when m.origin_corrected_at is null then coalesce(c.channel, m.channel) else m.channel end)`

export const invariants: readonly Invariant[] = [
  { name: 'who has paid is credited to the channel the written rule says', query: BY_RANKS },
]
