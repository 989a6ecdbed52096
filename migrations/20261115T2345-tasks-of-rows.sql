-- A task may be many rows of work: each is done once, in the transaction that says so, and keeps what became of it.
alter table task drop constraint task_kind_check,
  add constraint task_kind_check check (kind in ('EXPORT', 'IMPORT', 'STEPS')),
  -- Rows of work that were refused; of those done they are a part.
  add column failed_rows int not null default 0,
  -- Tries that broke in a row without a row done in between. A stop of the console is none.
  add column failures int not null default 0;

create table task_row (
  task_id   bigint not null references task (id) on delete cascade,
  no        int not null,
  record_id bigint not null,
  -- What people call the record, as it was when the work was asked for.
  name      text not null,
  version   int,
  state     text not null default 'WAITING' check (state in ('WAITING', 'DONE', 'REFUSED')),
  refusal   jsonb,
  ended_at  timestamptz,
  primary key (task_id, no),
  check ((state = 'WAITING') = (ended_at is null)),
  check ((state = 'REFUSED') = (refusal is not null))
);
-- What was refused comes first, then what was done, then what is left.
create index task_row_result on task_row (task_id, (case state when 'REFUSED' then 0 when 'DONE' then 1 else 2 end), no);
