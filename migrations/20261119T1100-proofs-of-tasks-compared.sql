-- What is sent as proof of a task may have been sent before, by the same member or by another (decision 066).
alter table member_task
  add column likeness text not null default 'NONE' check (likeness in ('NONE', 'PENDING', 'NEW', 'ALIKE', 'SAME')),
  add column like_id bigint references member_task (id),
  add constraint member_task_like check ((likeness = 'ALIKE' or likeness = 'SAME') = (like_id is not null));
create index member_task_likeness on member_task (likeness, id);
create index member_task_like_of on member_task (like_id);

-- What was sent so far is looked at too, the earliest first, so that whatever repeats it is found.
update member_task set likeness = 'PENDING' where picture <> '{}';
insert into outbox (kind, key, payload, due_at, created_at)
select 'task-compared', id || ':' || picture[1], jsonb_build_object('id', id::text), now(), now()
from member_task where picture <> '{}' order by submitted_at, id;
