-- Files of rows people bring in, and the views of lists they keep.

alter table task drop constraint task_kind_check, add constraint task_kind_check check (kind in ('EXPORT', 'IMPORT'));

create table import_batch (
  id            bigint generated always as identity primary key,
  page          text not null,
  title         text not null check (length(title) between 1 and 200),
  -- Swept a day after it came: by then its rows stand below, or nobody went on with it.
  file_id       uuid not null,
  -- The file's head line, cell by cell.
  head          jsonb not null,
  -- Column of the file for each field.
  mapping       jsonb not null default '{}',
  -- What has been reached; whether something is under way, or was broken off, the task tells.
  status        text not null default 'UPLOADED' check (status in ('UPLOADED', 'CHECKED', 'RUNNING', 'DONE', 'UNDONE')),
  task_id       bigint references task (id),
  all_rows      int not null default 0,
  good_rows     int not null default 0,
  bad_rows      int not null default 0,
  done_rows     int not null default 0,
  -- Good when checked, refused when it came to it.
  failed_rows   int not null default 0,
  -- The last row that was seen to: rows are applied in their order.
  run_to        int not null default 0,
  staff_id      bigint not null references staff (id),
  created_at    timestamptz not null,
  ended_at      timestamptz,
  constraint import_batch_rows_add_up check (good_rows + bad_rows = all_rows and done_rows + failed_rows <= good_rows)
);
create index import_batch_page on import_batch (page, id);
create index import_batch_staff on import_batch (staff_id, page, id);

create table import_row (
  batch_id  bigint not null references import_batch (id) on delete cascade,
  status    text not null check (status in ('GOOD', 'BAD', 'FAILED')),
  -- As it stands in the file, head line counted.
  row_no    int not null,
  -- The texts of its cells, as they stand in the file.
  cells     jsonb not null,
  -- Why not: a list of refusals, each with the field it speaks of.
  error     jsonb,
  primary key (batch_id, status, row_no)
);

-- The records rows made or changed, chunk by chunk, for taking them back: a row for each of them would cost as much again.
create table import_chunk (
  batch_id   bigint not null references import_batch (id) on delete cascade,
  last_row   int not null,
  record_ids bigint[] not null,
  primary key (batch_id, last_row)
);

create table saved_view (
  id         bigint generated always as identity primary key,
  page       text not null,
  name       text not null check (length(name) between 1 and 50),
  -- The list's address after "?": filters, search and sort. Never a phone number.
  query      text not null check (length(query) <= 2000),
  is_shared  boolean not null default false,
  staff_id   bigint not null references staff (id),
  created_at timestamptz not null,
  unique (staff_id, page, name)
);
create index saved_view_shared on saved_view (page) where is_shared;
