import { sql } from 'kysely'
import { type Holdings, holderLocked, holdingsChanged } from '#engines/entitlement/holder.server.ts'
import { dayOf, LAST_DAY } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { answer } from '#kit/server/change/question.ts'
import { aboutToLock, type Tx } from '#kit/server/database/database.ts'
import { defineJob } from '#kit/server/work/job.ts'
import type { Member } from './model.ts'

/** The member before everything else: whatever is hers changes under this lock. */
export const lockMember = async (tx: Tx, memberId: string): Promise<void> => {
  aboutToLock(tx, 'member', memberId)
  await tx.selectFrom('member').select('id').where('id', '=', memberId).forUpdate().executeTakeFirstOrThrow()
}

/** Lists show and sort by what the ledger comes to: it is kept with the member, in the same transaction. */
async function keepHoldings({ tx, now }: Change, holdings: Holdings): Promise<void> {
  const { memberId, coins, membershipEndsOn } = holdings
  await tx
    .updateTable('member')
    .set({ membership_ends_on: membershipEndsOn, coins, level: levelOf(holdings, dayOf(now)) })
    .where('id', '=', memberId)
    .execute()
}

const levelOf = ({ membershipEndsOn: end, everMember }: Holdings, today: string): Member['level'] => {
  if (end !== null && end >= today) return 'MEMBER'
  return everMember ? 'EXPIRED' : 'TRIAL'
}

/** Memberships end by the calendar, without anybody doing anything. */
const endMemberships = defineJob({
  name: 'end-memberships',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const { numUpdatedRows } = await tx
      .updateTable('member')
      .set({ level: 'EXPIRED' })
      .where('level', '=', 'MEMBER')
      .where('membership_ends_on', '<', dayOf(now))
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  },
})

/** Pauses begin and end by the calendar; of one member at once, where something was agreed to or ended. */
export async function keepPaused(
  { tx, now }: Pick<Change, 'tx' | 'now'>,
  memberId: string | null = null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with paused as (select member_id from entitlement_pause where ${dayOf(now)}::date between starts_on and ends_on)
    update member set is_paused = not is_paused
    where id in (select member_id from paused union all select id from member where is_paused)
      and is_paused <> (id in (select member_id from paused))
      and (${memberId}::bigint is null or id = ${memberId}::bigint)`.execute(tx)
  return Number(numAffectedRows)
}

const markPaused = defineJob({
  name: 'mark-paused',
  cron: '0 */10 * * * *',
  misfire: 'RUN_ONCE',
  work: change => keepPaused(change),
})

export const answers = [answer(holderLocked, (_app, { tx, memberId }) => lockMember(tx, memberId))]
export const listeners = [listen(holdingsChanged, keepHoldings)]
export const jobs = [endMemberships, markPaused]

export const invariants: readonly Invariant[] = [
  {
    name: 'nobody is paused of whom no pause is known',
    query: `
      select id from member m where is_paused and not exists (select 1 from entitlement_pause p where p.member_id = m.id)`,
  },
  {
    name: 'the coins beside a member are the sum of the lots',
    query: `
      select m.id, m.coins, coalesce(l.sum, 0) as lots from member m
      left join (select member_id, sum(remaining) as sum from entitlement_lot where kind = 'COINS' group by member_id) l on l.member_id = m.id
      where m.coins <> coalesce(l.sum, 0)`,
  },
  {
    // Lots follow one another, so the end is the latest of "granted, and all days from then on": on a calendar without the paused
    // days, which then come in again where they were.
    name: 'membership ends when the days of its lots are over, paused ones not counted',
    query: `
      with paused as (
        select member_id, ends_on - starts_on + 1 as days, starts_on - coalesce(sum(ends_on - starts_on + 1) over (
          partition by member_id order by starts_on rows between unbounded preceding and 1 preceding), 0)::int as begins
        from entitlement_pause
      ), lasts as (
        select member_id, max(granted_on - paused + later) - 1 as ends_on from (
          select l.member_id, l.granted_on, coalesce((select sum(greatest(0, least(p.ends_on + 1, l.granted_on) - p.starts_on))
              from entitlement_pause p where p.member_id = l.member_id), 0)::int as paused,
            least(sum(l.remaining) over (partition by l.member_id order by l.id desc), 100000)::int as later
          from entitlement_lot l where l.kind = 'MEMBER_DAYS' and l.remaining > 0
        ) lots group by member_id
      ), ends as (
        select member_id, least(l.ends_on + coalesce((select sum(p.days) from paused p
          where p.member_id = l.member_id and p.begins <= l.ends_on), 0)::int, date '${LAST_DAY}') as ends_on from lasts l
      )
      select m.id, m.membership_ends_on, e.ends_on from member m left join ends e on e.member_id = m.id
      where m.membership_ends_on is distinct from e.ends_on`,
  },
]
