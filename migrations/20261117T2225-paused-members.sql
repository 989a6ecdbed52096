-- Whether a membership stands still today, kept with the member, so that lists can leave those out (docs/decisions/073).
alter table member add column is_paused boolean not null default false;
create index member_paused on member (is_paused, id);
create index entitlement_pause_until on entitlement_pause (ends_on);
update member set is_paused = true
where id in (select member_id from entitlement_pause where (now() at time zone 'Asia/Shanghai')::date between starts_on and ends_on);
