-- Files of rows people bring in, and the views of lists they keep.

create table import_batch (
  id            bigint generated always as identity primary key,
  page          text not null,
  title         text not null check (length(title) between 1 and 200),
  file_id       uuid not null,
  -- Column of the file for each field.
  mapping       jsonb not null default '{}',
  status        text not null default 'UPLOADED' check (status in ('UPLOADED', 'CHECKED', 'RUNNING', 'DONE', 'FAILED', 'UNDONE')),
  all_rows      int not null default 0,
  good_rows     int not null default 0,
  bad_rows      int not null default 0,
  done_rows     int not null default 0,
  error_file_id uuid,
  staff_id      bigint not null references staff (id),
  created_at    timestamptz not null,
  ended_at      timestamptz
);
create index import_batch_page on import_batch (page, id);
create index import_batch_staff on import_batch (staff_id, id);

create table import_row (
  batch_id  bigint not null references import_batch (id) on delete cascade,
  -- As it stands in the file, head line counted.
  row_no    int not null,
  cells     jsonb not null,
  status    text not null check (status in ('GOOD', 'BAD', 'DONE', 'FAILED', 'UNDONE')),
  error     jsonb,
  record_id bigint,
  primary key (batch_id, row_no)
);
create index import_row_status on import_row (batch_id, status, row_no);

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
