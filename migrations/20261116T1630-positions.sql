-- What people are employed as, and who was what, where and when, by days: half-open spans that later numbers can ask.
create table job_position (
  id         bigint generated always as identity primary key,
  name       text not null check (length(name) between 1 and 100),
  code       text not null check (length(code) between 1 and 50),
  grade      text,
  -- Held beside other work and without a place of its own: a committee, a duty.
  is_virtual boolean not null default false,
  note       text not null default '' check (length(note) <= 200),
  status     text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED')),
  created_at timestamptz not null default now(),
  version    int not null default 1,
  constraint job_position_code_key unique (code)
);
create index job_position_name on job_position (name text_pattern_ops, id);
create index job_position_name_pairs on job_position using gin (name_pairs(name));
create index job_position_code on job_position (code text_pattern_ops, id);
create index job_position_grade on job_position (grade, id);
create index job_position_virtual on job_position (is_virtual, id);
create index job_position_status on job_position (status, id);

-- A range of one number stands for that number: the ranges' own index does what would else need an extension.
create table staff_position (
  id          bigint generated always as identity primary key,
  staff_id    bigint not null references staff (id),
  position_id bigint not null references job_position (id),
  is_primary  boolean not null,
  since       date not null,
  -- The first day on which it is no longer so.
  until       date,
  constraint staff_position_lasts check (until > since),
  constraint staff_position_once exclude using gist (
    int8range(staff_id, staff_id, '[]') with &&, int8range(position_id, position_id, '[]') with &&, daterange(since, until) with &&),
  constraint staff_position_one_primary exclude using gist (
    int8range(staff_id, staff_id, '[]') with &&, daterange(since, until) with &&) where (is_primary)
);
create index staff_position_staff on staff_position (staff_id, since);
create index staff_position_position on staff_position (position_id, since);

create table staff_department (
  id       bigint generated always as identity primary key,
  staff_id bigint not null references staff (id),
  org_id   bigint not null references org (id),
  since    date not null,
  until    date,
  constraint staff_department_lasts check (until > since),
  constraint staff_department_one exclude using gist (
    int8range(staff_id, staff_id, '[]') with &&, daterange(since, until) with &&)
);
create index staff_department_staff on staff_department (staff_id, since);
create index staff_department_org on staff_department (org_id, since);

alter table staff
  -- What somebody mainly is at present, derived from the spans below.
  add column position_id bigint references job_position (id),
  -- The last day at work, of somebody who has left.
  add column left_on date,
  add constraint staff_left_disabled check (left_on is null or status = 'DISABLED');

create index staff_position_now on staff (position_id, id);

create function keep_position() returns trigger language plpgsql as $$
declare
  whose bigint := coalesce(new.staff_id, old.staff_id);
  held bigint := (select position_id from staff_position where staff_id = whose and is_primary and until is null);
begin
  update staff set position_id = held where id = whose and position_id is distinct from held;
  return null;
end $$;
create trigger keep_position after insert or update or delete on staff_position for each row execute function keep_position();

insert into staff_department (staff_id, org_id, since)
select id, org_id, (created_at at time zone 'Asia/Shanghai')::date from staff;

-- staff.org_id says where somebody works now, whoever writes it; the spans follow. The day of a move is the new department's.
create function keep_department() returns trigger language plpgsql as $$
declare
  today date := (now() at time zone 'Asia/Shanghai')::date;
  began date := least((new.created_at at time zone 'Asia/Shanghai')::date, today);
begin
  if tg_op = 'INSERT' then
    insert into staff_department (staff_id, org_id, since, until)
    values (new.id, new.org_id, began, greatest(new.left_on, began) + case when new.left_on is null then null else 1 end);
  elsif new.left_on is not null then
    update staff_department set until = greatest(new.left_on, since) + 1 where staff_id = new.id and until is null;
  else
    delete from staff_department where staff_id = new.id and since >= today;
    update staff_department set until = today where staff_id = new.id and (until is null or until > today);
    update staff_department set until = null where staff_id = new.id and until = today and org_id = new.org_id;
    if not found then
      insert into staff_department (staff_id, org_id, since) values (new.id, new.org_id, today);
    end if;
  end if;
  return null;
end $$;
create trigger keep_department_insert after insert on staff for each row execute function keep_department();
create trigger keep_department after update of org_id, left_on on staff for each row
  when ((old.org_id, old.left_on) is distinct from (new.org_id, new.left_on)) execute function keep_department();
