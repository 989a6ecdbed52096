-- What was made for whom (docs/decisions/076): a sheet is made again from its row, so no file is kept.
create table name_copybook (
  id         bigint generated always as identity primary key,
  variant    text not null check (variant in ('CONSULTANT', 'VERSE', 'ACCOUNT', 'PLAIN')),
  -- Nothing once the person was forgotten.
  name       text check (length(name) <= 20),
  lead_phone text check (lead_phone ~ '^1[3-9][0-9]{9}$'),
  lead_id    bigint references lead (id) on delete set null,
  age        text not null check (age in ('PRESCHOOL', 'LOWER', 'MIDDLE', 'UPPER')),
  grid       text not null check (grid in ('TIAN', 'MI', 'HUI', 'JIU', 'FANG')),
  lines      int not null check (lines >= 1 and lines <= 3),
  verse      text not null default '' check (length(verse) <= 120),
  link       text check (length(link) <= 200),
  batch      text check (length(batch) <= 200),
  made_by    bigint not null references staff (id),
  owner_id   bigint not null references staff (id),
  org_id     bigint not null references org (id),
  created_at timestamptz not null,
  version    int not null default 1,
  constraint name_copybook_lead check (lead_phone is null or lead_id is not null)
);
create index name_copybook_page on name_copybook (variant, id);
create index name_copybook_made on name_copybook (variant, created_at, id);
create index name_copybook_created on name_copybook (created_at, id);
create index name_copybook_maker on name_copybook (made_by, id);
create index name_copybook_owner on name_copybook (owner_id, id);
create index name_copybook_org on name_copybook (org_id, id);
create index name_copybook_batch on name_copybook (batch text_pattern_ops, id);
create index name_copybook_age on name_copybook (age, id);
create index name_copybook_grid on name_copybook (grid, id);
create index name_copybook_lead_of on name_copybook (lead_id) where lead_id is not null;
create index name_copybook_phone on name_copybook (lead_phone) where lead_phone is not null;
-- The last link somebody used on a screen is offered again.
create index name_copybook_link on name_copybook (variant, made_by, id) where link is not null;
