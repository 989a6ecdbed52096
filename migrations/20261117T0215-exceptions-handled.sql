-- The exceptions somebody has looked after: none of them is raised again.
alter table platform_order
  alter handled type text[] using array_remove(array[handled], null),
  alter handled set default '{}',
  alter handled set not null;

-- Bound before anybody paid, it is not registered.
update platform_order set status = case when claimed_at is null then 'UNPAID' else 'CLAIMED' end
where status = 'REGISTERED' and paid_at is null;
-- A number told only in part is nobody's.
update platform_order set phone_kind = null where phone_kind in ('OWN', 'DECRYPTED') and lead_phone !~ '^1[3-9]\d{9}$';

-- Leads that were reopened are followed again in their list too.
update number_row r set result = 'OPEN' from lead l where l.id = r.lead_id and r.result = 'INVALID' and l.ended_at is null;
