-- Scripts that rule chains ask: drafted and published in editions (docs/decisions/047, 055).
create table rule_script (
  id         bigint generated always as identity primary key,
  node_id    text not null check (node_id ~ '^[A-Za-z_][A-Za-z0-9_]{0,63}$'),
  name       text not null check (length(name) between 1 and 100),
  type       text not null check (type in ('script', 'boolean_script', 'switch_script', 'for_script')),
  source     text not null check (length(source) <= 10000),
  note       text not null check (length(note) <= 200),
  edition    int not null default 0 check (edition >= 0),
  status     text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'CHANGED')),
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create unique index rule_script_node_id on rule_script (node_id text_pattern_ops);
create index rule_script_name on rule_script (name text_pattern_ops);
create index rule_script_name_pairs on rule_script using gin (name_pairs(name));
create index rule_script_status on rule_script (status, id);
create index rule_script_type on rule_script (type, id);

create table rule_script_edition (
  id           bigint generated always as identity primary key,
  script_id    bigint not null references rule_script (id) on delete cascade,
  edition      int check (edition > 0),
  state        text not null check (state in ('DRAFT', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED')),
  base         int not null check (base >= 0),
  restores     int check (restores > 0),
  body         jsonb not null,
  drafted_by   bigint not null references staff (id),
  drafted_at   timestamptz not null,
  published_by bigint references staff (id),
  published_at timestamptz,
  unique (script_id, edition),
  check ((edition is null) = (state in ('DRAFT', 'DISCARDED'))),
  check (num_nulls(edition, published_by, published_at) in (0, 3))
);
create unique index rule_script_edition_draft on rule_script_edition (script_id) where state = 'DRAFT';
create unique index rule_script_edition_published on rule_script_edition (script_id) where state = 'PUBLISHED';
