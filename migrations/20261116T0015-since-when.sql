-- Since when a record is in its state: written with the state, by whoever changes it.
alter table refund_application add column state_since timestamptz;
alter table shipment add column state_since timestamptz;

update refund_application t set state_since = coalesce(
  (select max(l.at) from operation_log l
   where l.page = 'order-refundApply' and l.record_id = t.id and l.code = 0 and l.diff ? 'status'),
  t.ended_at, t.created_at);
update shipment t set state_since = coalesce(
  (select max(l.at) from operation_log l
   where l.page in ('order-examineSend', 'order-sendGoods', 'order-logistics') and l.record_id = t.id and l.code = 0 and l.diff ? 'status'),
  t.sent_at, t.created_at);

create function keep_state_since() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.state_since := coalesce(new.state_since, new.created_at, now());
  -- A parcel that is held and let go has waited all the while.
  elsif old.status in ('WAITING', 'HELD') and new.status in ('WAITING', 'HELD') then
    return new;
  elsif new.status is distinct from old.status and new.state_since is not distinct from old.state_since then
    new.state_since := now();
  end if;
  return new;
end $$;
create trigger keep_state_since before insert or update of status on refund_application
  for each row execute function keep_state_since();
create trigger keep_state_since before insert or update of status on shipment
  for each row execute function keep_state_since();

-- What has waited longest, and what has waited too long, are found without reading what is settled.
create index refund_application_since on refund_application (status, state_since, id)
  where status in ('SUBMITTED', 'L1_APPROVED', 'L2_APPROVED', 'PAYING', 'FAILED', 'ABNORMAL');
create index shipment_since on shipment (status, state_since, id) where status in ('TO_APPROVE', 'WAITING', 'HELD', 'SENT');
