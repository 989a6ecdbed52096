-- What moves the figures of an account or of a code, as it is written: counting takes what came since, and reads nobody twice. No writer waits for another.
create table account_count (
  account_id bigint,
  scene_id   bigint,
  followed   int not null default 0,
  followers  int not null default 0,
  gone       int not null default 0,
  leads      int not null default 0,
  scans      int not null default 0,
  constraint account_count_of check (account_id is not null or scene_id is not null)
);

create function count_follower() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into account_count (account_id, scene_id, followed, followers, gone, leads) values
      (old.account_id, old.scene_id, -1, -(old.status = 'FOLLOWING')::int, -(old.status = 'LEFT')::int, -(old.lead_id is not null)::int);
  end if;
  if tg_op <> 'DELETE' then
    insert into account_count (account_id, scene_id, followed, followers, gone, leads) values
      (new.account_id, new.scene_id, 1, (new.status = 'FOLLOWING')::int, (new.status = 'LEFT')::int, (new.lead_id is not null)::int);
  end if;
  return null;
end $$;
create function count_scan() returns trigger language plpgsql as $$
begin
  insert into account_count (scene_id, scans) values (new.scene_id, 1);
  return null;
end $$;

-- As it stands now, for the last time from all of it.
update account_scene s set followed = n.followed, followers = n.followers, leads = n.leads, scans = n.scans
from (
  select s.id, coalesce(f.followed, 0) as followed, coalesce(f.followers, 0) as followers, coalesce(f.leads, 0) as leads, coalesce(e.scans, 0) as scans
  from account_scene s
  left join (select scene_id, count(*) as followed, count(*) filter (where status = 'FOLLOWING') as followers,
    count(*) filter (where is_lead) as leads from account_follower group by 1) f on f.scene_id = s.id
  left join (select scene_id, count(*) as scans from account_event where kind = 'SCAN' group by 1) e on e.scene_id = s.id) n
where n.id = s.id;
update official_account a set followers = n.followers, gone = n.gone, leads = n.leads
from (
  select account_id, count(*) filter (where status = 'FOLLOWING') as followers, count(*) filter (where status = 'LEFT') as gone,
    count(*) filter (where is_lead) as leads
  from account_follower group by 1) n
where n.account_id = a.id;

create trigger count_new_follower after insert on account_follower for each row execute function count_follower();
create trigger count_moved_follower after update of status, scene_id, lead_id on account_follower for each row
  when ((old.status, old.scene_id, old.lead_id) is distinct from (new.status, new.scene_id, new.lead_id)) execute function count_follower();
create trigger count_gone_follower after delete on account_follower for each row execute function count_follower();
create trigger count_scan after insert on account_event for each row
  when (new.kind = 'SCAN' and new.scene_id is not null) execute function count_scan();
