-- Rules are put in force far more often than holidays are declared, and leads that wait may be many: only other holidays move what is
-- due, and what is late already stays late.
create or replace function worked_until(since timestamptz, needed interval, work_days text[], work_from int, work_to int, holidays date[])
returns timestamptz language plpgsql immutable parallel safe as $$
declare
  day timestamp := (since at time zone 'Asia/Shanghai')::date;
  last timestamp := day + interval '1 year';
  ends timestamptz;
  room interval;
begin
  while day <= last loop
    if (array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'])[extract(isodow from day)] = any(work_days) and not day::date = any(holidays) then
      ends := (day + make_interval(hours => work_to)) at time zone 'Asia/Shanghai';
      room := greatest(ends - greatest(since, (day + make_interval(hours => work_from)) at time zone 'Asia/Shanghai'), interval '0');
      if room >= needed then return ends - (room - needed); end if;
      needed := needed - room;
    end if;
    day := day + interval '1 day';
  end loop;
  return null;
end $$;

create or replace function answers_move(staff bigint) returns void language plpgsql as $$
begin
  perform from lead where owner_id = staff and status = 'ASSIGNED' order by id for update;
  update lead l set answer_by = due.at
  from (select id, answer_due(owner_id, owner_since) as at from lead where owner_id = staff and status = 'ASSIGNED') due
  where l.id = due.id and l.answer_by is distinct from due.at;
end $$;

create or replace function holidays_move_answers() returns trigger language plpgsql as $$
declare
  before jsonb := (select rules->'holidays' from allocation_edition where id < new.id order by id desc limit 1);
begin
  if coalesce(before, '[]') = coalesce(new.rules->'holidays', '[]') then return null; end if;
  perform from lead l join consultant c on c.staff_id = l.owner_id
  where l.status = 'ASSIGNED' and (l.answer_by is null or l.answer_by > new.created_at) order by l.id for update of l;
  update lead l set answer_by = due.at
  from (
    select l.id, answer_due(l.owner_id, l.owner_since) as at from lead l join consultant c on c.staff_id = l.owner_id
    where l.status = 'ASSIGNED' and (l.answer_by is null or l.answer_by > new.created_at)
  ) due
  where l.id = due.id and l.answer_by is distinct from due.at;
  return null;
end $$;
