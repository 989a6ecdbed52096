-- Whose the member was when a work was handed in: members change hands, and what was done stays done in the hands it was done in.
alter table work
  add column owner_then    bigint references staff (id),
  add column submitted_day date generated always as ((submitted_at at time zone 'Asia/Shanghai')::date) stored;
-- Whoever gave the member away first after that, and where nobody did, whoever has it.
update work w set owner_then = case
  when exists (select from member_owner_history h where h.member_id = w.member_id and h.created_at > w.submitted_at)
  then (select h.from_id from member_owner_history h
        where h.member_id = w.member_id and h.created_at > w.submitted_at order by h.id limit 1)
  else w.owner_id end;
create index work_owner_then on work (owner_then, submitted_at, id);
