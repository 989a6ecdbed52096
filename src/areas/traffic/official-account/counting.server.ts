import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'

/**
 * Adds to the figures of accounts and codes what has moved them since they were counted last: the database writes that down with each
 * follower and scan. Says of how many accounts something was counted.
 */
export async function countAccounts({ tx, now }: Pick<Change, 'tx' | 'now'>): Promise<number> {
  const { rows } = await sql`
    with moved as (delete from account_count returning *),
    codes as (
      update account_scene s set followed = s.followed + n.followed, followers = s.followers + n.followers,
        leads = s.leads + n.leads, scans = s.scans + n.scans
      from (
        select scene_id, sum(followed) as followed, sum(followers) as followers, sum(leads) as leads, sum(scans) as scans
        from moved where scene_id is not null group by 1) n
      where n.scene_id = s.id)
    update official_account a set followers = a.followers + n.followers, gone = a.gone + n.gone, leads = a.leads + n.leads
    from (
      select account_id, sum(followers) as followers, sum(gone) as gone, sum(leads) as leads
      from moved where account_id is not null group by 1) n
    where n.account_id = a.id
    returning a.id`.execute(tx)
  await sql`update official_account set counted_at = ${now}`.execute(tx)
  return rows.length
}

const OF_ACCOUNTS = `
  select a.id, n.followers - a.followers - m.followers as followers, n.gone - a.gone - m.gone as gone, n.leads - a.leads - m.leads as leads
  from official_account a, lateral (
    select count(*) filter (where status = 'FOLLOWING') as followers, count(*) filter (where status = 'LEFT') as gone,
      count(*) filter (where is_lead) as leads
    from account_follower where account_id = a.id) n, lateral (
    select coalesce(sum(followers), 0) as followers, coalesce(sum(gone), 0) as gone, coalesce(sum(leads), 0) as leads
    from account_count where account_id = a.id) m
  where (a.followers + m.followers, a.gone + m.gone, a.leads + m.leads) <> (n.followers, n.gone, n.leads)`

const OF_CODES = `
  select s.id, n.followed - s.followed - m.followed as followed, n.followers - s.followers - m.followers as followers,
    n.leads - s.leads - m.leads as leads, e.scans - s.scans - m.scans as scans
  from account_scene s, lateral (
    select count(*) as followed, count(*) filter (where status = 'FOLLOWING') as followers, count(*) filter (where is_lead) as leads
    from account_follower where scene_id = s.id) n, lateral (
    select count(*) as scans from account_event where scene_id = s.id and kind = 'SCAN') e, lateral (
    select coalesce(sum(followed), 0) as followed, coalesce(sum(followers), 0) as followers, coalesce(sum(leads), 0) as leads,
      coalesce(sum(scans), 0) as scans
    from account_count where scene_id = s.id) m
  where (s.followed + m.followed, s.followers + m.followers, s.leads + m.leads, s.scans + m.scans)
    <> (n.followed, n.followers, n.leads, e.scans)`

export const countedInvariants: readonly Invariant[] = [
  {
    name: 'an account has as many followers as it says, with what is still to be counted',
    query: OF_ACCOUNTS,
    repair: `
      insert into account_count (account_id, followers, gone, leads)
      select id, followers, gone, leads from (${OF_ACCOUNTS}) differs`,
  },
  {
    name: 'a code of an account has brought as many as it says, with what is still to be counted',
    query: OF_CODES,
    repair: `
      insert into account_count (scene_id, followed, followers, leads, scans)
      select id, followed, followers, leads, scans from (${OF_CODES}) differs`,
  },
]
