-- A goods kit is drafted and published like a course (docs/decisions/047), and a line of a parcel names the edition it was packed by.
alter table goods_kit
  add column edition int not null default 0 check (edition >= 0),
  add column status text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'CHANGED'));
create index goods_kit_status on goods_kit (status, id);

create table goods_kit_edition (
  id           bigint generated always as identity primary key,
  kit_id       bigint not null references goods_kit (id) on delete cascade,
  edition      int check (edition > 0),
  state        text not null check (state in ('DRAFT', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED')),
  base         int not null check (base >= 0),
  restores     int check (restores > 0),
  body         jsonb not null,
  drafted_by   bigint not null references staff (id),
  drafted_at   timestamptz not null,
  published_by bigint references staff (id),
  published_at timestamptz,
  unique (kit_id, edition),
  check ((edition is null) = (state in ('DRAFT', 'DISCARDED'))),
  check (num_nulls(edition, published_by, published_at) in (0, 3))
);
create unique index goods_kit_edition_draft on goods_kit_edition (kit_id) where state = 'DRAFT';
create unique index goods_kit_edition_published on goods_kit_edition (kit_id) where state = 'PUBLISHED';

-- What stands now is the first edition, published by whoever changed the kit last as far as the log knows.
insert into goods_kit_edition (kit_id, edition, state, base, body, drafted_by, drafted_at, published_by, published_at)
select k.id, 1, 'PUBLISHED', 0, jsonb_build_object('name', k.name, 'weightG', k.weight_g, 'parts', k.parts), who.id, k.created_at, who.id, k.created_at
from goods_kit k cross join lateral (select coalesce(
  (select l.actor_id from operation_log l where l.page = 'logistics-product' and l.record_id = k.id and l.actor_id is not null
   order by l.id desc limit 1),
  (select min(id) from staff)) as id) who;
update goods_kit set edition = 1, status = 'PUBLISHED';

-- None for what was packed before: which edition that was is nowhere written.
alter table shipment_line add column kit_edition_id bigint references goods_kit_edition (id);
create index shipment_line_kit_edition on shipment_line (kit_edition_id, id) where kit_edition_id is not null;
