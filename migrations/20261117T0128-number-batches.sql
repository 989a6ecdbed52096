-- A list of numbers somebody brought: what came of it.
create table number_batch (
  id              bigint generated always as identity primary key,
  import_id       bigint not null constraint number_batch_import unique references import_batch (id),
  title           text not null check (length(title) <= 200),
  all_rows        int not null check (all_rows >= 0),
  new_rows        int not null default 0 check (new_rows >= 0),
  repeated_rows   int not null check (repeated_rows >= 0),
  known_rows      int not null check (known_rows >= 0),
  bad_rows        int not null check (bad_rows >= 0),
  allocated       int not null default 0 check (allocated >= 0),
  registered      int not null default 0 check (registered >= 0),
  paid            int not null default 0 check (paid >= 0),
  status          text not null default 'KEPT' check (status in ('KEPT', 'UNDONE')),
  owner_id        bigint not null references staff (id),
  org_id          bigint not null references org (id),
  created_at      timestamptz not null,
  version         int not null default 1
);
create index number_batch_title on number_batch (title text_pattern_ops, id);
create index number_batch_status on number_batch (status, id);
create index number_batch_owner on number_batch (owner_id, id);
create index number_batch_org on number_batch (org_id, id);
create index number_batch_created on number_batch (created_at, id);
select start_keeping_count('number_batch', 'status', 'owned');

-- The numbers of a list that were new, each with the lead it became.
create table number_row (
  id       bigint generated always as identity primary key,
  batch_id bigint not null references number_batch (id),
  lead_id  bigint not null constraint number_row_lead unique references lead (id) on delete cascade,
  row_no   int not null check (row_no >= 1),
  -- Nothing once the lead was forgotten.
  phone    text check (length(phone) <= 20),
  result   text not null default 'OPEN' check (result in ('OPEN', 'REGISTERED', 'PAID', 'INVALID')),
  owner_id bigint references staff (id)
);
create index number_row_batch on number_row (batch_id, id);
create index number_row_result on number_row (batch_id, result, id);
create index number_row_owner on number_row (batch_id, owner_id, id);
