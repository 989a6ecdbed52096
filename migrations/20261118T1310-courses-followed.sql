-- Which course package a lesson belongs to, where it belongs to one.
alter table lesson_taken add column package_id bigint references course_package (id);

-- How far a member came in a course package, and what was bought once it was finished.
create table course_taken (
  id          bigint generated always as identity primary key,
  member_id   bigint not null references member (id),
  package_id  bigint not null references course_package (id),
  -- The one the member holds, else the one that was published when the first lesson was begun.
  edition_id  bigint not null references course_edition (id),
  owner_id    bigint references staff (id),
  org_id      bigint references org (id),
  -- Whose the member was when it was begun.
  owner_then  bigint references staff (id),
  lessons     int not null check (lessons > 0),
  finished    int not null default 0 check (finished between 0 and lessons),
  percent     int not null generated always as (finished * 100 / lessons) stored,
  begun_at    timestamptz not null,
  begun_day   date not null generated always as ((begun_at at time zone 'Asia/Shanghai')::date) stored,
  half_at     timestamptz,
  finished_at timestamptz,
  -- The first order that cost something, paid when all lessons were finished.
  paid_at     timestamptz,
  paid_fen    bigint check (paid_fen > 0),
  reached     text not null generated always as (
    case when paid_at is not null then 'PAID' when finished_at is not null then 'FINISHED' when half_at is not null then 'HALF' else 'BEGUN' end) stored
    check (reached in ('BEGUN', 'HALF', 'FINISHED', 'PAID')),
  version     int not null default 1,
  constraint course_taken_once unique (member_id, package_id),
  constraint course_taken_half check ((half_at is not null) = (finished * 2 >= lessons)),
  constraint course_taken_finished check ((finished_at is not null) = (finished = lessons)),
  constraint course_taken_paid check ((paid_at is null) = (paid_fen is null) and (paid_at is null or finished_at is not null))
);
create index course_taken_member on course_taken (member_id, id);
create index course_taken_package on course_taken (package_id, id);
create index course_taken_owner on course_taken (owner_id, id);
create index course_taken_org on course_taken (org_id, id);
create index course_taken_owner_then on course_taken (owner_then, id);
create index course_taken_begun on course_taken (begun_at, id);
create index course_taken_finished_at on course_taken (finished_at, id);
create index course_taken_percent on course_taken (percent, id);
create index course_taken_reached on course_taken (reached, begun_at, id);
select start_keeping_count('course_taken', 'reached', 'owned');
