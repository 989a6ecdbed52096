-- Rule chains: drafted and published in editions (docs/decisions/047, 055).
create table rule_chain (
  id         bigint generated always as identity primary key,
  chain_id   text not null check (chain_id ~ '^[A-Za-z_][A-Za-z0-9_]{0,63}$'),
  name       text not null check (length(name) between 1 and 100),
  source     text not null check (length(source) <= 10000),
  note       text not null check (length(note) <= 200),
  enabled    boolean not null,
  edition    int not null default 0 check (edition >= 0),
  status     text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'CHANGED')),
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create unique index rule_chain_chain_id on rule_chain (chain_id text_pattern_ops);
create index rule_chain_name on rule_chain (name text_pattern_ops);
create index rule_chain_name_pairs on rule_chain using gin (name_pairs(name));
create index rule_chain_status on rule_chain (status, id);
create index rule_chain_enabled on rule_chain (enabled, id);

create table rule_chain_edition (
  id           bigint generated always as identity primary key,
  chain_record_id bigint not null references rule_chain (id) on delete cascade,
  edition      int check (edition > 0),
  state        text not null check (state in ('DRAFT', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED')),
  base         int not null check (base >= 0),
  restores     int check (restores > 0),
  body         jsonb not null,
  drafted_by   bigint not null references staff (id),
  drafted_at   timestamptz not null,
  published_by bigint references staff (id),
  published_at timestamptz,
  unique (chain_record_id, edition),
  check ((edition is null) = (state in ('DRAFT', 'DISCARDED'))),
  check (num_nulls(edition, published_by, published_at) in (0, 3))
);
create unique index rule_chain_edition_draft on rule_chain_edition (chain_record_id) where state = 'DRAFT';
create unique index rule_chain_edition_published on rule_chain_edition (chain_record_id) where state = 'PUBLISHED';
