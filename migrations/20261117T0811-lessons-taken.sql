-- What pupils took part in, and whether a lesson of theirs was spent on it: refunds count what was spent.
create table lesson_taken (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member (id),
  -- What the app calls it: told again under the same name, it is the same lesson.
  lesson     text not null check (length(lesson) between 1 and 64),
  title      text not null check (length(title) between 1 and 100),
  kind       text not null check (kind in ('LIVE', 'RECORDED')),
  percent    int not null check (percent between 0 and 100),
  status     text not null check (status in ('BEGUN', 'COUNTED', 'FREE')),
  begun_at   timestamptz not null,
  last_at    timestamptz not null,
  counted_at timestamptz,
  constraint lesson_taken_once unique (member_id, lesson),
  constraint lesson_taken_through check ((status = 'BEGUN') <> (percent = 100)),
  constraint lesson_taken_counted check ((status = 'COUNTED') = (counted_at is not null))
);
create index lesson_taken_member on lesson_taken (member_id, id);
create index lesson_taken_status on lesson_taken (member_id, status, id);
select start_telling_of_member('lesson_taken');
