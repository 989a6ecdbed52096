/**
 * The first form of each lead, with what has become of that lead since: so that somebody who sent three forms is one person, and what
 * a member paid counts for one note and one plan. Whoever was added once was, in whatever hands the lead is since and however it ends.
 */
export const FIRST_FORMS = `
  select f.lead_id, f.note_id, f.campaign, f.account, f.kind, f.day,
    l.furthest <> 'CAME' as is_added, l.registered_at is not null as is_registered,
    coalesce(o.orders, 0) as orders, coalesce(o.gmv_fen, 0) as gmv_fen
  from (
    select distinct on (lead_id) lead_id, note_id, campaign, account, kind, submitted_at,
      (submitted_at at time zone 'Asia/Shanghai')::date as day
    from lead_form where lead_id is not null order by lead_id, submitted_at, id) f
  join lead l on l.id = f.lead_id
  left join lateral (
    select count(*)::int as orders, sum(paid_fen)::bigint as gmv_fen from sales_order
    where member_id = l.member_id and paid_fen > 0 and paid_at >= f.submitted_at) o on l.member_id is not null`
