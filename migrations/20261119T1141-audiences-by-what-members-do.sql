-- An audience by what members hold and do: as it was asked for, beside the members it was made of.
alter table campaign
  add column of_teacher_id    bigint references staff (id),
  add column package_id       bigint references course_package (id),
  add column ends_within      int check (ends_within between 0 and 3650),
  add column no_check_in_days int check (no_check_in_days between 1 and 3650),
  add column no_work_days     int check (no_work_days between 1 and 3650),
  add column works_from       int check (works_from >= 0),
  add column works_to         int check (works_to >= 0),
  add column registered_from  date,
  add column registered_to    date,
  add column agreed           text check (agreed in ('GIVEN', 'WITHDRAWN', 'NONE'));
