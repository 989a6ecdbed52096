import { sql } from 'kysely'
import { LEADER, OTHER_LEADER } from '#engines/allocation/leading.server.ts'
import type { Change } from '#kit/server/app.ts'
import { push } from '#kit/server/live/push.ts'
import { defineJob } from '#kit/server/work/job.ts'

const AT_ONCE = 500

/** What is told to a manager of one pool: how many nobody takes, or nobody answers. */
type Late = { readonly pool: string; readonly count: number; readonly managerId: string; readonly orgId: string }
type Told = { readonly about: number; readonly late: readonly Late[] }
type Row = Omit<Late, 'managerId' | 'orgId'> & { managerId: string | null; orgId: string | null; about: number }

/** What has waited in a pool for longer than it says is told to who look after it; where nobody does any longer, to who lead its people. */
const unclaimed = ({ tx, now }: Change) =>
  sql<Row>`
    with late as (
      select l.id, p.id as pool_id from lead l join lead_pool p on p.id = l.pool_id
      where p.is_open and l.pooled_at <= ${now}::timestamptz - make_interval(hours => p.unclaimed_hours)
        and (l.escalated_at is null or l.escalated_at < l.pooled_at)
      order by l.pooled_at, l.id limit ${AT_ONCE} for update of l skip locked
    ), marked as (
      update lead l set escalated_at = ${now} from late where l.id = late.id returning late.pool_id
    ), counted as (select pool_id, count(*)::int as count, sum(count(*)) over ()::int as about from marked group by 1),
    admin as (
      select m.pool_id, m.staff_id from lead_pool_member m join staff s on s.id = m.staff_id and s.status = 'ENABLED' where m.is_admin
    )
    select p.name as pool, c.count, c.about, g.id as "managerId", g.org_id as "orgId"
    from counted c join lead_pool p on p.id = c.pool_id
    left join lateral (
      select a.staff_id as id from admin a where a.pool_id = p.id
      union
      select ${LEADER} from lead_pool_member m join staff s on s.id = m.staff_id join org o on o.id = s.org_id
      where m.pool_id = p.id and not exists (select from admin a where a.pool_id = p.id)
    ) told on true
    left join staff g on g.id = told.id
    order by 1, 4`.execute(tx)

/**
 * Whom nobody has spoken to for more working hours than the pool says is told to who leads its owner: the pool it came from, or
 * another one of the owner's, or the usual one. Whoever is a member already, and was given to somebody new, waits for a word too.
 */
const unanswered = ({ tx, now }: Change) =>
  sql<Row>`
    with late as (
      select l.id, p.id as pool_id, l.owner_id from lead l
      join lateral (
        select p.* from lead_pool p left join lead_pool_member m on m.pool_id = p.id and m.staff_id = l.owner_id
        where p.is_open and p.unanswered_hours is not null and (m.staff_id is not null or p.is_default)
        order by m.staff_id is null, p.id is distinct from l.last_pool_id, p.id limit 1) p on true
      where l.status in ('ASSIGNED', 'TRIAL')
        and exists (select from lead_owner o where o.lead_id = l.id and o.until is null and o.reached = 'ASSIGNED')
        and l.owner_since <= ${now}::timestamptz - make_interval(hours => p.unanswered_hours)
        and worked_by(l.owner_id, l.owner_since, ${now}) >= make_interval(hours => p.unanswered_hours)
        and (l.escalated_at is null or l.escalated_at < l.owner_since)
      order by l.owner_since, l.id limit ${AT_ONCE} for update of l skip locked
    ), marked as (
      update lead l set escalated_at = ${now} from late where l.id = late.id returning late.pool_id, late.owner_id
    ), counted as (
      select k.pool_id, ${OTHER_LEADER} as manager_id, count(*)::int as count,
        sum(count(*)) over ()::int as about
      from marked k join staff s on s.id = k.owner_id join org o on o.id = s.org_id group by 1, 2
    )
    select p.name as pool, c.count, c.about, g.id as "managerId", g.org_id as "orgId"
    from counted c join lead_pool p on p.id = c.pool_id left join staff g on g.id = c.manager_id
    order by 1, 4`.execute(tx)

const toldOf = ({ rows }: { readonly rows: readonly Row[] }): Told => ({
  about: rows[0]?.about ?? 0,
  late: rows.flatMap(({ pool, count, managerId, orgId }) =>
    managerId === null || orgId === null ? [] : [{ pool, count, managerId, orgId }],
  ),
})

/** What nobody claims or answers for too long is told to managers, once while it is as it is. */
export const escalation = defineJob({
  name: 'escalate-leads',
  cron: '30 */10 * * * *',
  misfire: 'RUN_ONCE',
  async work(change, { signal }) {
    let about = 0
    for (const [kind, find] of [
      ['UNCLAIMED', unclaimed],
      ['UNANSWERED', unanswered],
    ] as const) {
      if (signal.aborted) break
      const told = toldOf(await find(change))
      for (const late of told.late) await tell(change, kind, late)
      about += told.about
    }
    return about
  },
})

const tell = ({ app, tx, now }: Change, kind: string, { pool, count, managerId, orgId }: Late) =>
  push(app, tx, {
    type: 10,
    key: `escalation:${kind}:${pool}:${managerId}:${now.getTime()}`,
    content: { kind, name: pool, count },
    ownerId: managerId,
    orgId,
  })
