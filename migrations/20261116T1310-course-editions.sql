-- A course package is what was published last; what somebody works at is a draft beside it (docs/decisions/047).
-- Until now the package held the changed lessons, and an edition held lessons alone.

-- Lessons are told apart by an id, so that one that moved is not one gone and one added. Those of one title are one lesson.
create function pg_temp.with_ids(lessons jsonb) returns jsonb language sql as $$
  select coalesce(jsonb_agg(l || jsonb_build_object('id', left(md5(l ->> 'title' || ':' || nth), 12)) order by n), '[]')
  from (select l, n, row_number() over (partition by l ->> 'title' order by n) as nth
        from jsonb_array_elements(lessons) with ordinality e (l, n)) named $$;
create function pg_temp.last_day(lessons jsonb) returns int language sql as $$
  select coalesce(max((l ->> 'day')::int), 1) from jsonb_array_elements(lessons) l $$;
update course_package set lessons = pg_temp.with_ids(lessons);

alter table course_edition
  alter column edition drop not null,
  alter column published_by drop not null,
  alter column published_at drop not null,
  add column state text not null default 'SUPERSEDED' check (state in ('DRAFT', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED')),
  -- What it was begun from: no draft is published over an edition its author has not seen.
  add column base int not null default 0 check (base >= 0),
  -- The edition whose body it has, where one was published again.
  add column restores int check (restores > 0),
  -- The fields an edit may change, with their lines.
  add column body jsonb,
  add column drafted_by bigint references staff (id),
  add column drafted_at timestamptz;

-- How many days an older edition had is nowhere written: as many as the package has, or its lessons need.
update course_edition e set
  state = case when e.edition = p.edition then 'PUBLISHED' else 'SUPERSEDED' end,
  base = e.edition - 1,
  drafted_by = e.published_by,
  drafted_at = e.published_at,
  body = jsonb_build_object('name', p.name, 'stage', p.stage, 'lessons', pg_temp.with_ids(e.lessons),
    'days', greatest(p.days, pg_temp.last_day(e.lessons)))
from course_package p where p.id = e.package_id;

alter table course_edition
  drop column lessons,
  alter column state drop default,
  alter column base drop default,
  alter column body set not null,
  alter column drafted_by set not null,
  alter column drafted_at set not null,
  add check ((edition is null) = (state in ('DRAFT', 'DISCARDED'))),
  add check (num_nulls(edition, published_by, published_at) in (0, 3));
create unique index course_edition_draft on course_edition (package_id) where state = 'DRAFT';
create unique index course_edition_published on course_edition (package_id) where state = 'PUBLISHED';

-- Who changed a package last is in the log; a package nobody is known to have changed is somebody's who could.
insert into course_edition (package_id, state, base, body, drafted_by, drafted_at)
select p.id, 'DRAFT', p.edition, jsonb_build_object('name', p.name, 'stage', p.stage, 'days', p.days, 'lessons', p.lessons),
  coalesce(
    (select l.actor_id from operation_log l where l.page = 'product-package' and l.record_id = p.id and l.actor_id is not null
     order by l.id desc limit 1),
    (select min(id) from staff)), now()
from course_package p where p.status <> 'PUBLISHED' and exists (select from staff);

update course_package p set lessons = e.body -> 'lessons', days = (e.body ->> 'days')::int
from course_edition e where e.package_id = p.id and e.state = 'PUBLISHED';
-- What a package consists of comes with its first edition.
update course_package set lessons = '[]' where edition = 0;
