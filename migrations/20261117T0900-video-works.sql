-- Films of pupils writing are works too, on a screen of their own: their counts are kept apart, the medium before the state.
alter table work
  add medium text not null default 'PICTURE' check (medium in ('PICTURE', 'VIDEO')),
  add video uuid[] not null default '{}',
  add duration_seconds int check (duration_seconds between 1 and 600),
  add part_state text not null generated always as (medium || ' ' || status) stored,
  -- The picture of a film is its cover, and may be missing.
  add constraint work_film check (medium = 'VIDEO' or (video = '{}' and duration_seconds is null));
-- Few works are films: their list does not walk past all the others.
create index work_film_submitted on work (submitted_at, id) where medium = 'VIDEO';
create index work_film_status on work (status, submitted_at, id) where medium = 'VIDEO';
create index work_duration on work (duration_seconds, id);
drop trigger keep_count_insert on work;
drop trigger keep_count_update on work;
drop trigger keep_count_delete on work;
select start_keeping_count('work', 'part_state', 'owned', 'teacher_id');
delete from kept_count where table_name = 'work';
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'work', org_id, owner_id, teacher_id, part_state, count(*) from work group by 2, 3, 4, 5;
