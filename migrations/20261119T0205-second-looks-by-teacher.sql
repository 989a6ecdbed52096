-- How many of a teacher's comments somebody looks at a second time, where it is not as for everybody (docs/decisions/064).
create table review_share (
  staff_id bigint primary key references staff (id),
  percent  int not null check (percent between 0 and 100),
  set_by   bigint not null references staff (id),
  set_at   timestamptz not null
);
