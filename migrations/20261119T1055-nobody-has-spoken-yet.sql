-- Nobody is spoken to before whoever has the lead now has done so, also who has registered in other hands.
create index lead_owner_unspoken on lead_owner (owner_id) where until is null and reached = 'ASSIGNED';
drop index lead_unanswered;
create index lead_unanswered on lead (owner_since, id)
  where status in ('ASSIGNED', 'TRIAL') and (escalated_at is null or escalated_at < owner_since);
