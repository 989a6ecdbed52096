-- The clock of a first answer runs while whoever has the lead works: by the consultant's terms and the holidays of the rules in
-- force. For whoever has no terms it is the clock on the wall.

-- How much of the time from one instant to another was working time (src/kit/model/working-time.ts reckons the same).
create function worked(since timestamptz, until timestamptz, work_days text[], work_from int, work_to int, holidays date[])
returns interval language sql immutable parallel safe as $$
  select coalesce(sum(greatest(least(until, shift.ends) - greatest(since, shift.begins), interval '0')), interval '0')
  from generate_series((since at time zone 'Asia/Shanghai')::date::timestamp, until at time zone 'Asia/Shanghai', interval '1 day') day,
    lateral (select (day + make_interval(hours => work_from)) at time zone 'Asia/Shanghai' as begins,
      (day + make_interval(hours => work_to)) at time zone 'Asia/Shanghai' as ends) shift
  where (array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'])[extract(isodow from day)] = any(work_days)
    and not day::date = any(holidays)
$$;

-- When so much of it will have passed; never, where a year goes by without.
create function worked_until(since timestamptz, needed interval, work_days text[], work_from int, work_to int, holidays date[])
returns timestamptz language plpgsql immutable parallel safe as $$
declare
  day timestamp := (since at time zone 'Asia/Shanghai')::date;
  last timestamp := day + interval '1 year';
  ends timestamptz;
  room interval;
begin
  while day <= last loop
    ends := (day + make_interval(hours => work_to)) at time zone 'Asia/Shanghai';
    room := worked(greatest(since, day at time zone 'Asia/Shanghai'), ends, work_days, work_from, work_to, holidays);
    if room >= needed then return ends - (room - needed); end if;
    needed := needed - room;
    day := day + interval '1 day';
  end loop;
  return null;
end $$;

create function holidays_in_force() returns date[] language sql stable as $$
  select coalesce((
    select array(select jsonb_array_elements_text(rules->'holidays')::date) from allocation_edition order by id desc limit 1), '{}')
$$;
-- Who names no day works on all of them.
create function days_or_all(work_days text[]) returns text[] language sql immutable parallel safe as $$
  select case when work_days = '{}' then array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] else work_days end
$$;
create function worked_by(staff bigint, since timestamptz, until timestamptz) returns interval language sql stable as $$
  select coalesce((
    select worked(since, until, days_or_all(work_days), work_from, work_to, holidays_in_force()) from consultant where staff_id = staff
  ), until - since)
$$;
-- A first answer may take a day of whoever is to give it: from where the clock stands to the same hour of the next day of work.
create function answer_due(staff bigint, since timestamptz) returns timestamptz language plpgsql stable as $$
declare
  terms consultant;
begin
  select * into terms from consultant where staff_id = staff;
  if terms.id is null then return since + interval '24 hours'; end if;
  return worked_until(since, make_interval(hours => terms.work_to - terms.work_from), days_or_all(terms.work_days), terms.work_from,
    terms.work_to, holidays_in_force());
end $$;

-- Follows the lead, the terms and the holidays, whoever changes them: no writer has to think of it.
alter table lead add column answer_by timestamptz;
create function keep_answer_by() returns trigger language plpgsql as $$
begin
  new.answer_by := case when new.owner_since is not null then answer_due(new.owner_id, new.owner_since) end;
  return new;
end $$;
create trigger keep_answer_by before insert or update of owner_id, owner_since on lead for each row execute function keep_answer_by();
create function answers_move(staff bigint) returns void language plpgsql as $$
begin
  perform from lead where owner_id = staff and status = 'ASSIGNED' order by id for update;
  update lead set answer_by = answer_due(owner_id, owner_since)
  where owner_id = staff and status = 'ASSIGNED' and answer_by is distinct from answer_due(owner_id, owner_since);
end $$;
create function terms_move_answers() returns trigger language plpgsql as $$
begin
  perform answers_move(new.staff_id);
  return null;
end $$;
create trigger terms_move_answers after insert or update of work_days, work_from, work_to on consultant
  for each row execute function terms_move_answers();
create function holidays_move_answers() returns trigger language plpgsql as $$
begin
  perform answers_move(staff_id) from (select staff_id from consultant order by staff_id) one;
  return null;
end $$;
create trigger holidays_move_answers after insert on allocation_edition for each row execute function holidays_move_answers();
update lead set answer_by = answer_due(owner_id, owner_since) where owner_since is not null and ended_at is null;
create index lead_answer_by on lead (status, answer_by, id);

-- Answered within half an hour of working time, by the terms of then: what was answered before today is as it was told.
alter table lead_owner alter column prompt drop expression, alter column prompt set default false;
create function keep_prompt() returns trigger language plpgsql as $$
begin
  new.prompt := new.contacted_at is not null and worked_by(new.owner_id, new.since, new.contacted_at) <= interval '30 minutes';
  return new;
end $$;
create trigger keep_prompt before insert or update of contacted_at on lead_owner for each row execute function keep_prompt();
