import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'

/** What has come by each code and to each account, from what stands. Says of how many accounts the figures are others than before. */
export async function countAccounts({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<number> {
  await sql`
    with f as (
      select scene_id as id, count(*)::int as followed, count(*) filter (where status = 'FOLLOWING')::int as followers,
        count(*) filter (where is_lead)::int as leads
      from account_follower where scene_id is not null group by 1),
    e as (select scene_id as id, count(*)::int as scans from account_event where scene_id is not null and kind = 'SCAN' group by 1),
    n as (
      select s.id, coalesce(f.followed, 0) as followed, coalesce(f.followers, 0) as followers, coalesce(f.leads, 0) as leads,
        coalesce(e.scans, 0) as scans
      from account_scene s left join f using (id) left join e using (id))
    update account_scene s set followed = n.followed, followers = n.followers, leads = n.leads, scans = n.scans from n
    where n.id = s.id and (s.followed, s.followers, s.leads, s.scans) is distinct from (n.followed, n.followers, n.leads, n.scans)`.execute(
    tx,
  )
  const { rows } = await sql`
    with n as (
      select a.id, count(f.id) filter (where f.status = 'FOLLOWING')::int as followers,
        count(f.id) filter (where f.status = 'LEFT')::int as gone, count(f.id) filter (where f.is_lead)::int as leads
      from official_account a left join account_follower f on f.account_id = a.id group by 1)
    update official_account a set followers = n.followers, gone = n.gone, leads = n.leads from n
    where n.id = a.id and (a.followers, a.gone, a.leads) is distinct from (n.followers, n.gone, n.leads)
    returning a.id`.execute(tx)
  await sql`update official_account set counted_at = ${now}`.execute(tx)
  return rows.length
}
