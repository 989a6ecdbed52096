-- Generated from the migrated database by `npm run generate`; a test keeps it equal.

CREATE OR REPLACE FUNCTION public.answer_due(staff bigint, since timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  terms consultant;
begin
  select * into terms from consultant where staff_id = staff;
  if terms.id is null then return since + interval '24 hours'; end if;
  return worked_until(since, make_interval(hours => terms.work_to - terms.work_from), days_or_all(terms.work_days), terms.work_from,
    terms.work_to, holidays_in_force());
end $function$;

CREATE OR REPLACE FUNCTION public.answers_move(staff bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform from lead where owner_id = staff and status = 'ASSIGNED' order by id for update;
  update lead l set answer_by = due.at
  from (select id, answer_due(owner_id, owner_since) as at from lead where owner_id = staff and status = 'ASSIGNED') due
  where l.id = due.id and l.answer_by is distinct from due.at;
end $function$;

CREATE OR REPLACE FUNCTION public.bank_number(typed text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$ select nullif(upper(regexp_replace(normalize(typed, NFKC), '[^[:alnum:]]', '', 'g')), '') $function$;

CREATE OR REPLACE FUNCTION public.channel_of_one()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('channel of one: ' || new.channel, 0));
  if exists (select from partner where channel = new.channel) and exists (select from school_teacher where channel = new.channel) then
    raise unique_violation using message = 'the channel brings people for a partner and for a school teacher', constraint = 'channel_of_one';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_follower()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.count_holders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from role where id in (select role_id from changed) order by id for no key update;
  update role set people = people + moved.n from (select role_id, (case tg_op when 'INSERT' then 1 else -1 end * count(*))::int as n from changed group by role_id) moved
    where moved.role_id = role.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_scan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into account_count (scene_id, scans) values (new.scene_id, 1);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.days_or_all(work_days text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when work_days = '{}' then array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] else work_days end
$function$;

CREATE OR REPLACE FUNCTION public.erase_log(pages text[], record bigint)
 RETURNS integer
 LANGUAGE sql
AS $function$
  select erase_log_lines(array(
    select l.id from operation_log l where l.page = any(pages) and l.record_id = record and l.salt is not null)) $function$;

CREATE OR REPLACE FUNCTION public.erase_log_lines(lines bigint[])
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  erased int;
begin
  insert into log_erased (line_id, digests, salts)
    select l.id, case l.form when 1 then log_digests(l) else log_digests_2(l) end,
      case l.form when 1 then '{}' else jsonb_build_object('name', log_salt(l, 'name'), 'address', log_salt(l, 'address')) end
    from operation_log l where l.id = any(lines) and l.salt is not null;
  update operation_log l set salt = null, reason = null, record_no = null,
    actor_name = case l.form when 1 then '' else l.actor_name end, address = case l.form when 1 then '' else l.address end,
    diff = (select coalesce(jsonb_object_agg(key, null), '{}') from jsonb_each(l.diff))
    where l.id = any(lines) and l.salt is not null;
  get diagnostics erased = row_count;
  return erased;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update dictionary_item i set enabled = new.status = 'ACTIVE',
    labels = case when new.name = old.name then i.labels else i.labels || jsonb_build_object('zh-CN', new.name) end
  from dictionary_type t where t.id = i.type_id and t.code = 'CHANNEL' and i.value = new.code;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_lead()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  forgotten boolean := new.phone is null and new.member_id is null;
begin
  update lead_form f set owner_id = new.owner_id, org_id = new.org_id, follow_status = new.status,
    phone = case when forgotten then null else f.phone end, name = case when forgotten then null else f.name end,
    city = case when forgotten then null else f.city end, answers = case when forgotten then '[]' else f.answers end
  where f.lead_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_new_orders_of_partners()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select p.id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, o.paid_at, o.paid_fen, o.refunded_fen
    from added o join partner p on p.channel = o.channel and p.created_at <= o.paid_at
    where o.pay_state = 'PAID' and o.paid_fen > 0
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_order_of_partner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.pay_state <> 'PAID' or new.paid_fen = 0 then
    delete from distribution_order where order_id = new.id and entry = 'WAITING';
    return null;
  end if;
  -- What came by another channel after all is another partner's.
  delete from distribution_order d using partner p
    where d.order_id = new.id and d.entry = 'WAITING' and p.id = d.partner_id and p.channel <> new.channel;
  update distribution_order set paid_fen = new.paid_fen, refunded_fen = new.refunded_fen, channel = new.channel, paid_at = new.paid_at
    where order_id = new.id and (paid_fen, refunded_fen, channel, paid_at) is distinct from (new.paid_fen, new.refunded_fen, new.channel, new.paid_at);
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select p.id, new.id, new.member_id, new.owner_id, new.org_id, new.channel, new.link_id, new.paid_at, new.paid_fen, new.refunded_fen
    from partner p where p.channel = new.channel and p.created_at <= new.paid_at
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_settlement()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select new.partner_id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, coalesce(o.paid_at, new.happened_at), o.paid_fen, o.refunded_fen
    from sales_order o where o.id = new.order_id
      and not exists (select from distribution_order d where d.order_id = new.order_id and d.partner_id = new.partner_id)
    for share of o
    on conflict do nothing;
  update distribution_order d set entry = e.verdict, kind = e.kind, price_fen = v.price_fen, share_permille = v.share_permille,
      commission_fen = e.worth, judged_at = e.judged_at
    from (
      select verdict, kind, price_id, judged_at, sum(worth_fen) over () as worth from settlement_event
      where order_id = new.order_id and partner_id = new.partner_id
      order by array_position(array['COUNTED', 'FROZEN', 'REFUNDED'], verdict) nulls last, id limit 1) e
      left join settlement_price v on v.id = e.price_id
    where d.order_id = new.order_id and d.partner_id = new.partner_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.give_teacher_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.channel := 'TEACHER_' || new.id;
  insert into channel (code, name, channel_group, created_at)
  values (new.channel, left(new.school || coalesce(' ' || new.class_name, ''), 80) || ' ' || new.id, 'SCHOOL', new.created_at)
  on conflict do nothing;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.holidays_in_force()
 RETURNS date[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select array(select jsonb_array_elements_text(rules->'holidays')::date) from allocation_edition order by id desc limit 1), '{}')
$function$;

CREATE OR REPLACE FUNCTION public.holidays_move_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_account_spans_apart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from chat_account_holder o where o.account_id = new.account_id and o.id <> new.id
      and tstzrange(o.since, o.until) && tstzrange(new.since, new.until)
  ) then
    raise exception 'two people have chat account % at once', new.account_id using errcode = 'exclusion_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_answer_by()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.answer_by := case when new.owner_since is not null then answer_due(new.owner_id, new.owner_since) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_built_in_dictionary()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a built-in dictionary type stays' using errcode = 'check_violation', constraint = 'dictionary_type_built_in';
end $function$;

CREATE OR REPLACE FUNCTION public.keep_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from dictionary_type where id = coalesce(new.type_id, old.type_id) and code = 'CHANNEL') then return null; end if;
  if tg_op = 'DELETE' and exists (select from channel where code = old.value) then
    raise exception 'a channel stays' using errcode = 'check_violation', constraint = 'channel_stays';
  elsif tg_op = 'INSERT' then
    insert into channel (code, name) values (new.value, coalesce(new.labels ->> 'zh-CN', new.value)) on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_channel_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into dictionary_item (type_id, value, labels, enabled, sort)
  select t.id, new.code, jsonb_build_object('zh-CN', new.name), new.status = 'ACTIVE',
    coalesce((select max(sort) + 1 from dictionary_item where type_id = t.id), 0)
  from dictionary_type t where t.code = 'CHANNEL'
  on conflict (type_id, value) do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- Arguments: state column, 'owned' or 'shared', and the carer's column where there is one.
  cell text := case when tg_argv[1] = 'owned' then 'org_id, owner_id, ' else 'null::bigint, null::bigint, ' end
               || coalesce(quote_ident(tg_argv[2]), 'null::bigint') || ', ' || format('%I::text', tg_argv[0]);
  rows text := case tg_op
    when 'INSERT' then format('select %s, 1 as d from new_rows', cell)
    when 'DELETE' then format('select %s, -1 as d from old_rows', cell)
    else format('select %s, 1 as d from new_rows union all select %s, -1 from old_rows', cell, cell) end;
begin
  execute format('insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
    select %L, r.a, r.b, r.c, r.d, sum(r.e) from (%s) as r (a, b, c, d, e) group by r.a, r.b, r.c, r.d having sum(r.e) <> 0',
    tg_table_name, rows);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_department()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_lead_pool()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.ended_at is not null or new.owner_id is not null then
    new.last_pool_id := coalesce(new.pool_id, new.last_pool_id);
    new.pool_id := null;
    new.pooled_at := null;
  elsif new.pool_id is null then
    new.pool_id := coalesce(
      (select id from lead_pool where id = new.last_pool_id and is_open), (select id from lead_pool where is_default));
    new.pooled_at := coalesce(new.pooled_at, new.state_since, now());
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_locked_until()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  gate attempt_gate := coalesce(new, old);
  named text := split_part(gate.subject, ' ', 1);
begin
  if gate.kind not in ('login', 'login-known') then return null; end if;
  -- Whoever holds the row signs in right now, and lifts the lock with it; waiting for that here could wait for ourselves.
  perform from staff where account = named for no key update skip locked;
  if found then
    update staff set locked_until = (
      select max(g.locked_until) from attempt_gate g
      where (g.kind = 'login' and g.subject = named) or (g.kind = 'login-known' and starts_with(g.subject, named || ' '))
    ) where account = named;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_open_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update staff s set open_sessions = s.open_sessions + n.open, last_login_at = greatest(s.last_login_at, n.last)
    from (select staff_id, count(*) filter (where ended_at is null) as open, max(created_at) as last
          from opened group by staff_id) n where s.id = n.staff_id;
  else
    update staff set open_sessions = open_sessions + (new.ended_at is null)::int - (old.ended_at is null)::int
    where id = new.staff_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_paid_by_product()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched bigint[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct order_id from new_rows where paid_fen > 0);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct order_id from old_rows where paid_fen > 0);
  else
    touched := array(
      select order_id from (
        (select id, order_id, product_name, paid_fen from new_rows except select id, order_id, product_name, paid_fen from old_rows)
        union all
        (select id, order_id, product_name, paid_fen from old_rows except select id, order_id, product_name, paid_fen from new_rows)) c
      group by 1);
  end if;
  if cardinality(touched) > 0 then
    touched := array(
      select o.id from sales_order o left join paid_by_product_of(touched) s on s.order_id = o.id
      where o.id = any(touched) and o.paid_by_product <> coalesce(s.sums, '{}'));
  end if;
  if cardinality(touched) > 0 then
    perform from sales_order where id = any(touched) order by id for no key update;
    update sales_order o set paid_by_product = coalesce(s.sums, '{}')
    from unnest(touched) as n (id) left join paid_by_product_of(touched) s on s.order_id = n.id
    where o.id = n.id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_path()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  above text;
begin
  -- One change of a tree at a time: two moves at once could close a circle that neither of them sees.
  perform pg_advisory_xact_lock(hashtext('tree of ' || tg_table_name));
  execute format('select path from %I where id = $1', tg_table_name) into above using new.parent_id;
  if tg_op = 'UPDATE' and starts_with(above, old.path) then
    raise check_violation using message = 'a record cannot stand below itself', constraint = 'tree_circle', table = tg_table_name;
  end if;
  new.path := coalesce(above, '/') || new.id || '/';
  -- What is added comes last.
  if tg_op = 'INSERT' and new.sort = 0 then
    execute format('select coalesce(max(sort) + 1, 0) from %I where %s', tg_table_name,
      case when new.parent_id is null then 'parent_id is null' else 'parent_id = $1' end)
      into new.sort using new.parent_id;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_position()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  whose bigint := coalesce(new.staff_id, old.staff_id);
  held bigint := (select position_id from staff_position where staff_id = whose and is_primary and until is null);
begin
  update staff set position_id = held where id = whose and position_id is distinct from held;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_prompt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.prompt := new.contacted_at is not null and worked_by(new.owner_id, new.since, new.contacted_at) <= interval '30 minutes';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_role_renamed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform name_roles_of(array(select staff_id from staff_role where role_id = new.id order by staff_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_roles_of_staff()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform name_roles_of(array(select distinct staff_id from changed order by staff_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_rule_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from rule_name where name = to_jsonb(old) ->> tg_argv[0];
  else
    insert into rule_name values (to_jsonb(new) ->> tg_argv[0]);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_session_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update staff set open_sessions = open_sessions - 1 where id = old.staff_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_sign_in_ended()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update login_trace set ended_at = new.ended_at, end_reason = new.end_reason where session_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_state_since()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    new.state_since := coalesce(new.state_since, new.created_at, now());
  -- A parcel that is held and let go has waited all the while.
  elsif old.status in ('WAITING', 'HELD') and new.status in ('WAITING', 'HELD') then
    return new;
  elsif new.status is distinct from old.status and new.state_since is not distinct from old.state_since then
    new.state_since := now();
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.log_digest(salt text, value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ select encode(sha256(convert_to(salt || value, 'UTF8')), 'hex') $function$;

CREATE OR REPLACE FUNCTION public.log_digests(l operation_log)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_object_agg(part.name, encode(sha256(convert_to(l.salt::text || part.value, 'UTF8')), 'hex'))
  from (
    select 'name' as name, l.actor_name as value
    union all select 'address', l.address
    union all select 'reason', l.reason
    union all select 'number', l.record_no
    union all select 'diff.' || key, value::text from jsonb_each(l.diff)
  ) part where part.value is not null $function$;

CREATE OR REPLACE FUNCTION public.log_digests_2(l operation_log)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_object_agg(part.name, log_digest(log_salt(l, part.name), part.value))
  from (
    select 'name' as name, l.actor_name as value
    union all select 'address', l.address
    union all select 'reason', l.reason
    union all select 'number', l.record_no
    union all select 'diff.' || key, value::text from jsonb_each(l.diff)
  ) part where part.value is not null $function$;

CREATE OR REPLACE FUNCTION public.log_erased_digests(l operation_log)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select e.digests from log_erased e where e.line_id = l.id and case l.form
    when 1 then l.actor_name = '' and l.address = ''
    else log_digest(e.salts ->> 'name', l.actor_name) = e.digests ->> 'name'
      and log_digest(e.salts ->> 'address', l.address) = e.digests ->> 'address' end $function$;

CREATE OR REPLACE FUNCTION public.log_is_erased(l operation_log)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select l.salt is null and l.reason is null and l.record_no is null
    and not exists (select from jsonb_each(l.diff) where value <> 'null') $function$;

CREATE OR REPLACE FUNCTION public.log_line_digest(l operation_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(
    l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_id, l.request_id, l.page, l.action, l.record_id, l.code,
    l.undoes, l.duration_ms, l.keep,
    -- What was erased is gone from the line: one that says something again is not the line that was sealed.
    case when l.salt is null and l.reason is null and l.record_no is null and not exists (select from jsonb_each(l.diff) where value <> 'null')
      then (select e.digests from log_erased e where e.line_id = l.id)
      else log_digests(l) end
  )::text, 'UTF8')) $function$;

CREATE OR REPLACE FUNCTION public.log_line_digest_2(l operation_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(jsonb_build_array(
    l.form, l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_id, l.request_id, l.page, l.action, l.record_id, l.code,
    l.undoes, l.duration_ms, l.keep,
    case when log_is_erased(l) then log_erased_digests(l) else log_digests_2(l) end
  )::text, 'UTF8')) $function$;

CREATE OR REPLACE FUNCTION public.log_line_sealed(l operation_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when l.form <> 1 then log_line_digest_2(l)
    when log_is_erased(l) and log_erased_digests(l) is null then sha256(''::bytea)
    else log_line_digest(l) end $function$;

CREATE OR REPLACE FUNCTION public.log_month(at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select date_trunc('month', at at time zone 'Asia/Shanghai')::date $function$;

CREATE OR REPLACE FUNCTION public.log_salt(l operation_log, name text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$ select encode(sha256(convert_to(l.salt::text || ' ' || name, 'UTF8')), 'hex') $function$;

CREATE OR REPLACE FUNCTION public.make_log_month(log text, instant timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  parent text := case log when 'login_trace' then 'public.login_trace' else 'part.' || log end;
  first timestamp := date_trunc('month', instant at time zone 'Asia/Shanghai');
  begins timestamptz := first at time zone 'Asia/Shanghai';
  ends timestamptz := (first + interval '1 month') at time zone 'Asia/Shanghai';
  name text := log || to_char(first, '_YYYY_MM');
  own text;
begin
  if exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''?([^'')]+)') low,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)') high
    where i.inhparent = parent::regclass and high is not null
      and begins < high::timestamptz and (low = 'MINVALUE' or ends > low::timestamptz)
  ) then
    return false;
  end if;
  execute format('create table part.%I (like %s including all)', name, parent);
  -- What is generated is generated again.
  select string_agg(format('%I', attname), ', ' order by attnum) into own from pg_attribute
    where attrelid = parent::regclass and attnum > 0 and not attisdropped and attgenerated = '';
  execute format('with moved as (delete from part.%I where at >= $1 and at < $2 returning *)
    insert into part.%I (%s) select %s from moved', log || '_rest', name, own, own) using begins, ends;
  execute format('alter table %s attach partition part.%I for values from (%L) to (%L)', parent, name, begins, ends);
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.member_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform tell_members_changed(array(select id from changed limit 21));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.message_of_member_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform tell_members_changed(
    array(select distinct member_id from changed where member_id is not null and kind <> 'MARKETING' limit 21));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.move_below()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  execute format('update %I set path = $1 || substr(path, length($2) + 1) where path like $2 || ''_%%''', tg_table_name)
    using new.path, old.path;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.name_distribution()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select id into new.distribution_id from distribution_order where order_id = new.order_id and partner_id = new.partner_id;
  update distribution_order set statement_id = new.statement_id where id = new.distribution_id and statement_id is null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.name_pairs(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT substr(lower(name_pairs.name), at.at, 2) AS substr FROM generate_series(1, (length(lower(name_pairs.name)) - 1)) at(at));

CREATE OR REPLACE FUNCTION public.name_roles_of(people bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  update staff p set role_ids = held.ids, role_names = held.names
  from unnest(people) as named (id),
    lateral (
      select coalesce(jsonb_agg(r.id::text order by r.id), '[]') as ids, coalesce(array_agg(r.name order by r.id), '{}') as names
      from staff_role sr join role r on r.id = sr.role_id where sr.staff_id = named.id
    ) as held
  where p.id = named.id
$function$;

CREATE OR REPLACE FUNCTION public.next_log_line()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_current_xact_id();
  return nextval('operation_log_line');
end $function$;

CREATE OR REPLACE FUNCTION public.note_small_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into file_unkept (id, at) select id, created_at from gone where small_of is not null on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_by_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into order_by_channel_move (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  elsif tg_op = 'DELETE' then
    insert into order_by_channel_move (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  else
    insert into order_by_channel_move (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null
      union all select t.created_day as day, t.org_id, t.owner_id, t.channel, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_by_product()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into order_by_product_move (day, org_id, owner_id, product_name, bought, paid_fen)
    select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, (1)::bigint as bought, (p.fen)::bigint as paid_fen from new_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
  elsif tg_op = 'DELETE' then
    insert into order_by_product_move (day, org_id, owner_id, product_name, bought, paid_fen)
    select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, -(1)::bigint as bought, -(p.fen)::bigint as paid_fen from old_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
  else
    insert into order_by_product_move (day, org_id, owner_id, product_name, bought, paid_fen)
    select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, (1)::bigint as bought, (p.fen)::bigint as paid_fen from new_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, p.product_name, -(1)::bigint as bought, -(p.fen)::bigint as paid_fen from old_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_by_seller()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into order_by_seller_move (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  elsif tg_op = 'DELETE' then
    insert into order_by_seller_move (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  else
    insert into order_by_seller_move (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null
      union all select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.paid_by_product_of(orders bigint[])
 RETURNS TABLE(order_id bigint, sums jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select p.order_id, jsonb_object_agg(p.product_name, p.fen)
  from (
    select l.order_id, l.product_name, sum(l.paid_fen) as fen
    from unnest(orders) as n (id) join order_line l on l.order_id = n.id
    where l.paid_fen > 0 group by 1, 2) p
  group by 1
$function$;

CREATE OR REPLACE FUNCTION public.payment_exception_member()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.member_id := (select member_id from sales_order where id = coalesce(new.proposed_order_id, new.order_id));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.pictures_near(near integer[])
 RETURNS SETOF picture_hash
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
  select distinct on (h.file_id) h.* from unnest(near) as one (key) join picture_hash h on h.keys @> array[one.key]
$function$;

CREATE OR REPLACE FUNCTION public.record_of_member_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform tell_members_changed(array(select distinct member_id from changed where member_id is not null limit 21));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rows_of_list_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  -- Of this transaction alone: taken back with it, or with its savepoint.
  told text := coalesce(current_setting('inkstone.lists_told', true), '');
  page text;
begin
  if not exists (select from changed) then return null; end if;
  foreach page in array tg_argv loop
    continue when position(format(',%s,', page) in told) > 0;
    told := format('%s,%s,', told, page);
    insert into signal (topic, payload) values ('rows', jsonb_build_object('page', page));
  end loop;
  perform set_config('inkstone.lists_told', told, true);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.running_number(written text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case when written ~ '^[0-9]+$' then written::bigint else (
    select (10::numeric ^ length(written) - 10 * 32::numeric ^ (length(written) - 1)
      + sum((position(c in '0123456789ABCDEFGHJKMNPQRSTVWXYZ') - 1) * 32::numeric ^ (length(written) - place)))::bigint
    from regexp_split_to_table(written, '') with ordinality as one (c, place)
  ) end
$function$;

CREATE OR REPLACE FUNCTION public.sales_figures_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Of this transaction alone: taken back with it, or with its savepoint.
  if coalesce(current_setting('inkstone.figures_told', true), '') = '' then
    perform set_config('inkstone.figures_told', 'yes', true);
    insert into signal (topic, payload) values ('figures', '{"page": "sale-chart"}');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.start_keeping_count(of regclass, state_column text, scope text, carer_column text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  told text := concat_ws(', ', quote_literal(state_column), quote_literal(scope), quote_literal(carer_column));
begin
  execute format('create trigger keep_count_insert after insert on %s referencing new table as new_rows
    for each statement execute function keep_count(%s)', of, told);
  execute format('create trigger keep_count_update after update on %s referencing new table as new_rows old table as old_rows
    for each statement execute function keep_count(%s)', of, told);
  execute format('create trigger keep_count_delete after delete on %s referencing old table as old_rows
    for each statement execute function keep_count(%s)', of, told);
end $function$;

CREATE OR REPLACE FUNCTION public.start_telling_of_lists(of regclass, VARIADIC pages text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  named text := (select string_agg(quote_literal(page), ', ') from unnest(pages) page);
begin
  execute format('create trigger lists_told_insert after insert on %s referencing new table as changed
    for each statement execute function rows_of_list_changed(%s)', of, named);
  execute format('create trigger lists_told_update after update on %s referencing new table as changed
    for each statement execute function rows_of_list_changed(%s)', of, named);
end $function$;

CREATE OR REPLACE FUNCTION public.start_telling_of_member(of regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger member_told_insert after insert on %s referencing new table as changed
    for each statement execute function record_of_member_changed()', of);
  execute format('create trigger member_told_update after update on %s referencing new table as changed
    for each statement execute function record_of_member_changed()', of);
end $function$;

CREATE OR REPLACE FUNCTION public.statement_digest(of bigint)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select encode(sha256(convert_to(s.statement_no || '|' || s.total_fen || '|' || coalesce(string_agg(
    concat_ws(',', l.id, l.entry, l.kind, l.member_id, l.order_id, l.amount_fen, l.note), ';' order by l.id), ''), 'UTF8')), 'hex')
  from settlement_statement s left join settlement_line l on l.statement_id = s.id
  where s.id = of group by s.id
$function$;

CREATE OR REPLACE FUNCTION public.tell_members_changed(touched bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  -- Of this transaction alone: taken back with it, or with its savepoint.
  told  text := coalesce(current_setting('inkstone.members_told', true), '');
  fresh bigint[];
begin
  -- A change of many is nobody's page: who has one of them open is shown it with the next touch of a key.
  if cardinality(touched) not between 1 and 20 or length(told) > 2000 then return; end if;
  select array_agg(id) into fresh from unnest(touched) id where position(format(',%s,', id) in told) = 0;
  if fresh is null then return; end if;
  perform set_config('inkstone.members_told', format('%s,%s,', told, array_to_string(fresh, ',')), true);
  insert into signal (topic, payload)
    select 'changed', jsonb_build_object('record', 'members/member', 'id', m.id::text, 'page', 'member-list',
      'ownerId', m.owner_id::text, 'orgId', m.org_id::text, 'carerId', s.id::text, 'carerOrgId', s.org_id::text)
    from member m left join staff s on s.id = m.teacher_id where m.id = any(fresh);
end $function$;

CREATE OR REPLACE FUNCTION public.terms_move_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform answers_move(new.staff_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.wake_signal_readers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('signal', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.worked(since timestamp with time zone, until timestamp with time zone, work_days text[], work_from integer, work_to integer, holidays date[])
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum(greatest(least(until, shift.ends) - greatest(since, shift.begins), interval '0')), interval '0')
  from generate_series((since at time zone 'Asia/Shanghai')::date::timestamp, until at time zone 'Asia/Shanghai', interval '1 day') day,
    lateral (select (day + make_interval(hours => work_from)) at time zone 'Asia/Shanghai' as begins,
      (day + make_interval(hours => work_to)) at time zone 'Asia/Shanghai' as ends) shift
  where (array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'])[extract(isodow from day)] = any(work_days)
    and not day::date = any(holidays)
$function$;

CREATE OR REPLACE FUNCTION public.worked_by(staff bigint, since timestamp with time zone, until timestamp with time zone)
 RETURNS interval
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select worked(since, until, days_or_all(work_days), work_from, work_to, holidays_in_force()) from consultant where staff_id = staff
  ), until - since)
$function$;

CREATE OR REPLACE FUNCTION public.worked_until(since timestamp with time zone, needed interval, work_days text[], work_from integer, work_to integer, holidays date[])
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
end $function$;

create table account_answer (
  id bigint generated always as identity not null,
  account_id bigint not null,
  follower_id bigint not null,
  kind text not null,
  keyword text,
  reply text not null,
  state text not null default 'WAITING'::text,
  error text,
  sending_at timestamp with time zone,
  created_at timestamp with time zone not null,
  said_at timestamp with time zone not null,
  constraint account_answer_pkey PRIMARY KEY (id),
  constraint account_answer_account_id_fkey FOREIGN KEY (account_id) REFERENCES official_account(id) ON DELETE CASCADE,
  constraint account_answer_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES account_follower(id) ON DELETE CASCADE,
  constraint account_answer_error_check CHECK ((length(error) <= 200)),
  constraint account_answer_keyword_check CHECK (((length(keyword) >= 1) AND (length(keyword) <= 50))),
  constraint account_answer_kind_check CHECK ((kind = ANY (ARRAY['WELCOME'::text, 'KEYWORD'::text]))),
  constraint account_answer_reply_check CHECK (((length(reply) >= 1) AND (length(reply) <= 600))),
  constraint account_answer_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'REFUSED'::text, 'UNKNOWN'::text, 'DROPPED'::text])))
);
CREATE INDEX account_answer_account ON public.account_answer USING btree (account_id, id);
CREATE INDEX account_answer_created ON public.account_answer USING btree (account_id, created_at, id);
CREATE INDEX account_answer_follower ON public.account_answer USING btree (follower_id);
CREATE INDEX account_answer_kind ON public.account_answer USING btree (account_id, kind, id);
CREATE INDEX account_answer_state ON public.account_answer USING btree (account_id, state, id);

create table account_count (
  account_id bigint,
  scene_id bigint,
  followed integer not null default 0,
  followers integer not null default 0,
  gone integer not null default 0,
  leads integer not null default 0,
  scans integer not null default 0,
  constraint account_count_of CHECK (((account_id IS NOT NULL) OR (scene_id IS NOT NULL)))
);

create table account_event (
  follower_id bigint not null,
  kind text not null,
  at timestamp with time zone not null,
  scene_id bigint,
  came_by text,
  message_key text not null default ''::text,
  constraint account_event_pkey PRIMARY KEY (follower_id, kind, at, message_key),
  constraint account_event_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES account_follower(id) ON DELETE CASCADE,
  constraint account_event_scene_id_fkey FOREIGN KEY (scene_id) REFERENCES account_scene(id),
  constraint account_event_kind_check CHECK ((kind = ANY (ARRAY['SUBSCRIBE'::text, 'UNSUBSCRIBE'::text, 'SCAN'::text, 'MESSAGE'::text, 'NUMBER'::text]))),
  constraint account_event_message_key_check CHECK ((length(message_key) <= 24))
);
CREATE INDEX account_event_scene ON public.account_event USING btree (scene_id, kind) WHERE (scene_id IS NOT NULL);
CREATE TRIGGER count_scan AFTER INSERT ON public.account_event FOR EACH ROW WHEN (((new.kind = 'SCAN'::text) AND (new.scene_id IS NOT NULL))) EXECUTE FUNCTION count_scan();

create table account_follower (
  id bigint generated always as identity not null,
  account_id bigint not null,
  openid text not null,
  status text not null,
  scene_id bigint,
  came_by text,
  first_at timestamp with time zone not null,
  left_at timestamp with time zone,
  times integer not null default 0,
  lead_id bigint,
  is_lead boolean not null default (lead_id IS NOT NULL),
  unionid text,
  member_id bigint,
  is_member boolean not null default (member_id IS NOT NULL),
  constraint account_follower_pkey PRIMARY KEY (id),
  constraint account_follower_once UNIQUE (account_id, openid),
  constraint account_follower_account_id_fkey FOREIGN KEY (account_id) REFERENCES official_account(id) ON DELETE CASCADE,
  constraint account_follower_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint account_follower_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint account_follower_scene_id_fkey FOREIGN KEY (scene_id) REFERENCES account_scene(id),
  constraint account_follower_came_by_check CHECK (((length(came_by) >= 1) AND (length(came_by) <= 50))),
  constraint account_follower_left CHECK (((status = 'LEFT'::text) = (left_at IS NOT NULL))),
  constraint account_follower_openid_check CHECK (((length(openid) >= 1) AND (length(openid) <= 64))),
  constraint account_follower_status_check CHECK ((status = ANY (ARRAY['FOLLOWING'::text, 'LEFT'::text, 'NEVER'::text]))),
  constraint account_follower_unionid_check CHECK (((length(unionid) >= 1) AND (length(unionid) <= 128)))
);
CREATE INDEX account_follower_account ON public.account_follower USING btree (account_id, id);
CREATE INDEX account_follower_came ON public.account_follower USING btree (account_id, came_by, id);
CREATE INDEX account_follower_first ON public.account_follower USING btree (account_id, first_at, id);
CREATE INDEX account_follower_is_lead ON public.account_follower USING btree (account_id, is_lead, id);
CREATE INDEX account_follower_is_member ON public.account_follower USING btree (account_id, is_member, id);
CREATE INDEX account_follower_lead ON public.account_follower USING btree (lead_id) WHERE (lead_id IS NOT NULL);
CREATE INDEX account_follower_member ON public.account_follower USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX account_follower_of_scene ON public.account_follower USING btree (scene_id) WHERE (scene_id IS NOT NULL);
CREATE INDEX account_follower_scene ON public.account_follower USING btree (account_id, scene_id, id);
CREATE INDEX account_follower_status ON public.account_follower USING btree (account_id, status, id);
CREATE INDEX account_follower_unionid ON public.account_follower USING btree (unionid) WHERE (unionid IS NOT NULL);
CREATE TRIGGER count_gone_follower AFTER DELETE ON public.account_follower FOR EACH ROW EXECUTE FUNCTION count_follower();
CREATE TRIGGER count_moved_follower AFTER UPDATE OF status, scene_id, lead_id ON public.account_follower FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) OR (old.scene_id IS DISTINCT FROM new.scene_id)) OR (old.lead_id IS DISTINCT FROM new.lead_id))) EXECUTE FUNCTION count_follower();
CREATE TRIGGER count_new_follower AFTER INSERT ON public.account_follower FOR EACH ROW EXECUTE FUNCTION count_follower();

create table account_scene (
  id bigint generated always as identity not null,
  account_id bigint not null,
  state_code text not null default ('s'::text || (id)::text),
  name text not null,
  channel text not null,
  keeper_id bigint,
  status text not null default 'WAITING'::text,
  valid_until timestamp with time zone,
  link text,
  error text,
  followed integer not null default 0,
  followers integer not null default 0,
  scans integer not null default 0,
  leads integer not null default 0,
  created_at timestamp with time zone not null,
  constraint account_scene_pkey PRIMARY KEY (id),
  constraint account_scene_account_id_fkey FOREIGN KEY (account_id) REFERENCES official_account(id) ON DELETE CASCADE,
  constraint account_scene_keeper_id_fkey FOREIGN KEY (keeper_id) REFERENCES staff(id),
  constraint account_scene_error_check CHECK ((length(error) <= 200)),
  constraint account_scene_link_check CHECK (((length(link) >= 1) AND (length(link) <= 200))),
  constraint account_scene_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint account_scene_open CHECK (((status <> 'OPEN'::text) OR (link IS NOT NULL))),
  constraint account_scene_state_code_check CHECK ((length(state_code) <= 30)),
  constraint account_scene_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'OPEN'::text, 'FAILED'::text, 'CLOSED'::text, 'EXPIRED'::text])))
);
CREATE INDEX account_scene_account ON public.account_scene USING btree (account_id, id);
CREATE INDEX account_scene_channel ON public.account_scene USING btree (account_id, channel, id);
CREATE INDEX account_scene_expiring ON public.account_scene USING btree (valid_until) WHERE (status = 'OPEN'::text);
CREATE INDEX account_scene_followed ON public.account_scene USING btree (account_id, followed, id);
CREATE INDEX account_scene_keeper ON public.account_scene USING btree (account_id, keeper_id, id);
CREATE INDEX account_scene_name ON public.account_scene USING btree (name text_pattern_ops, id);
CREATE INDEX account_scene_name_pairs ON public.account_scene USING gin (name_pairs(name));
CREATE INDEX account_scene_status ON public.account_scene USING btree (account_id, status, id);

create table ad_line (
  id bigint generated always as identity not null,
  day date not null,
  account text not null,
  plan text not null,
  plan_name text not null,
  spend_fen bigint not null,
  views integer not null,
  clicks integer not null,
  leads integer not null default 0,
  added integer not null default 0,
  registered integer not null default 0,
  paid integer not null default 0,
  gmv_fen bigint not null default 0,
  ctr integer default 
CASE
    WHEN (views > 0) THEN (LEAST(round((((clicks)::numeric * 1000.0) / (views)::numeric)), (1000)::numeric))::integer
    ELSE NULL::integer
END,
  cpl_fen bigint default 
CASE
    WHEN (leads > 0) THEN (round(((spend_fen)::numeric / (leads)::numeric)))::bigint
    ELSE NULL::bigint
END,
  roi integer default 
CASE
    WHEN (spend_fen > 0) THEN (LEAST(round((((gmv_fen)::numeric * 1000.0) / (spend_fen)::numeric)), (2000000000)::numeric))::integer
    ELSE NULL::integer
END,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint ad_line_pkey PRIMARY KEY (id),
  constraint ad_line_once UNIQUE (day, account, plan),
  constraint ad_line_clicks CHECK ((clicks <= views)),
  constraint ad_line_clicks_check CHECK ((clicks >= 0)),
  constraint ad_line_plan_check CHECK (((length(plan) >= 1) AND (length(plan) <= 64))),
  constraint ad_line_plan_name_check CHECK (((length(plan_name) >= 1) AND (length(plan_name) <= 100))),
  constraint ad_line_spend_fen_check CHECK ((spend_fen >= 0)),
  constraint ad_line_views_check CHECK ((views >= 0))
);
CREATE INDEX ad_line_account ON public.ad_line USING btree (account, id);
CREATE INDEX ad_line_cpl ON public.ad_line USING btree (cpl_fen, id);
CREATE INDEX ad_line_day ON public.ad_line USING btree (day, id);
CREATE INDEX ad_line_gmv ON public.ad_line USING btree (gmv_fen, id);
CREATE INDEX ad_line_leads ON public.ad_line USING btree (leads, id);
CREATE INDEX ad_line_plan ON public.ad_line USING btree (plan text_pattern_ops, id);
CREATE INDEX ad_line_plan_name ON public.ad_line USING btree (plan_name text_pattern_ops, id);
CREATE INDEX ad_line_plan_name_pairs ON public.ad_line USING gin (name_pairs(plan_name));
CREATE INDEX ad_line_roi ON public.ad_line USING btree (roi, id);
CREATE INDEX ad_line_spend ON public.ad_line USING btree (spend_fen, id);

create table allocation_case (
  id bigint generated always as identity not null,
  lead_id bigint,
  source text not null,
  channel text not null,
  status text not null default 'WAITING'::text,
  is_full boolean not null default false,
  came_at timestamp with time zone not null,
  first_round bigint,
  last_round bigint,
  warned_at timestamp with time zone,
  product_id bigint,
  constraint allocation_case_pkey PRIMARY KEY (id),
  constraint allocation_case_first_round_fkey FOREIGN KEY (first_round) REFERENCES allocation_round(id),
  constraint allocation_case_last_round_fkey FOREIGN KEY (last_round) REFERENCES allocation_round(id),
  constraint allocation_case_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint allocation_case_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint allocation_case_settled CHECK (((status = 'WAITING'::text) = (last_round IS NULL))),
  constraint allocation_case_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'GIVEN'::text, 'GONE'::text])))
);
CREATE INDEX allocation_case_first ON public.allocation_case USING btree (first_round);
CREATE INDEX allocation_case_last ON public.allocation_case USING btree (last_round);
CREATE UNIQUE INDEX allocation_case_lead ON public.allocation_case USING btree (lead_id) WHERE (status = 'WAITING'::text);
CREATE INDEX allocation_case_of ON public.allocation_case USING btree (lead_id) WHERE (lead_id IS NOT NULL);
CREATE INDEX allocation_case_product ON public.allocation_case USING btree (product_id) WHERE (product_id IS NOT NULL);
CREATE INDEX allocation_case_waiting ON public.allocation_case USING btree (id) WHERE (status = 'WAITING'::text);

create table allocation_decision (
  id bigint generated always as identity not null,
  round_id bigint not null,
  case_id bigint not null,
  consultant_id bigint,
  rule_key text,
  rule_name text,
  is_fallback boolean not null default false,
  passed jsonb not null,
  turn jsonb,
  source text not null,
  channel text not null,
  waited integer not null default 0,
  created_at timestamp with time zone not null,
  product_id bigint,
  lead_id bigint,
  staff_id bigint,
  constraint allocation_decision_pkey PRIMARY KEY (id),
  constraint allocation_decision_case_id_fkey FOREIGN KEY (case_id) REFERENCES allocation_case(id) ON DELETE CASCADE,
  constraint allocation_decision_consultant_id_fkey FOREIGN KEY (consultant_id) REFERENCES consultant(id),
  constraint allocation_decision_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint allocation_decision_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint allocation_decision_round_id_fkey FOREIGN KEY (round_id) REFERENCES allocation_round(id) ON DELETE CASCADE,
  constraint allocation_decision_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint allocation_decision_given CHECK (((consultant_id IS NULL) = (staff_id IS NULL))),
  constraint allocation_decision_rule_name_check CHECK (((length(rule_name) >= 1) AND (length(rule_name) <= 50)))
);
CREATE INDEX allocation_decision_case ON public.allocation_decision USING btree (case_id);
CREATE INDEX allocation_decision_consultant ON public.allocation_decision USING btree (consultant_id, id);
CREATE INDEX allocation_decision_created ON public.allocation_decision USING btree (consultant_id, created_at, id);
CREATE INDEX allocation_decision_lead ON public.allocation_decision USING btree (lead_id, id);
CREATE INDEX allocation_decision_product ON public.allocation_decision USING btree (product_id) WHERE (product_id IS NOT NULL);
CREATE INDEX allocation_decision_round ON public.allocation_decision USING btree (round_id);
CREATE INDEX allocation_decision_staff ON public.allocation_decision USING btree (staff_id) WHERE (staff_id IS NOT NULL);

create table allocation_edition (
  id bigint generated always as identity not null,
  rules jsonb not null,
  note text not null default ''::text,
  by_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint allocation_edition_pkey PRIMARY KEY (id),
  constraint allocation_edition_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint allocation_edition_note_check CHECK ((length(note) <= 200))
);
CREATE TRIGGER holidays_move_answers AFTER INSERT ON public.allocation_edition FOR EACH ROW EXECUTE FUNCTION holidays_move_answers();

create table allocation_round (
  id bigint generated always as identity not null,
  edition_id bigint not null,
  at timestamp with time zone not null,
  people jsonb not null,
  constraint allocation_round_pkey PRIMARY KEY (id),
  constraint allocation_round_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES allocation_edition(id)
);
CREATE INDEX allocation_round_at ON public.allocation_round USING btree (at, id);

create table allocation_turn (
  key text not null,
  n integer not null,
  counts jsonb not null,
  used_at timestamp with time zone not null,
  constraint allocation_turn_pkey PRIMARY KEY (key)
);

create table attempt_gate (
  kind text not null,
  subject text not null,
  attempts integer not null,
  window_until timestamp with time zone not null,
  locked_until timestamp with time zone,
  under_way integer not null default 0,
  constraint attempt_gate_pkey PRIMARY KEY (kind, subject)
);
CREATE TRIGGER keep_gate_moved AFTER UPDATE OF locked_until ON public.attempt_gate FOR EACH ROW WHEN ((old.locked_until IS DISTINCT FROM new.locked_until)) EXECUTE FUNCTION keep_locked_until();
CREATE TRIGGER keep_gate_opened AFTER DELETE ON public.attempt_gate FOR EACH ROW WHEN ((old.locked_until IS NOT NULL)) EXECUTE FUNCTION keep_locked_until();
CREATE TRIGGER keep_gate_shut AFTER INSERT ON public.attempt_gate FOR EACH ROW WHEN ((new.locked_until IS NOT NULL)) EXECUTE FUNCTION keep_locked_until();

create table author (
  id bigint generated always as identity not null,
  partner_id bigint not null,
  name text not null,
  platform text not null,
  account text not null,
  followers integer not null default 0,
  post_fen bigint,
  note text not null default ''::text,
  registered integer not null default 0,
  paid_orders integer not null default 0,
  paid_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  commission_fen bigint not null default 0,
  counted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint author_pkey PRIMARY KEY (id),
  constraint author_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint author_account_check CHECK (((length(account) >= 1) AND (length(account) <= 64))),
  constraint author_followers_check CHECK ((followers >= 0)),
  constraint author_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint author_note_check CHECK ((length(note) <= 500)),
  constraint author_platform_check CHECK ((platform = ANY (ARRAY['DOUYIN'::text, 'XIAOHONGSHU'::text, 'WECHAT_CHANNELS'::text, 'BILIBILI'::text, 'KUAISHOU'::text]))),
  constraint author_post_fen_check CHECK ((post_fen > 0))
);
CREATE UNIQUE INDEX author_account ON public.author USING btree (platform, account);
CREATE INDEX author_account_text ON public.author USING btree (account text_pattern_ops, id);
CREATE INDEX author_commission ON public.author USING btree (commission_fen, id);
CREATE INDEX author_created ON public.author USING btree (created_at, id);
CREATE INDEX author_followers ON public.author USING btree (followers, id);
CREATE INDEX author_name ON public.author USING btree (name text_pattern_ops, id);
CREATE INDEX author_name_pairs ON public.author USING gin (name_pairs(name));
CREATE INDEX author_paid ON public.author USING btree (paid_fen, id);
CREATE UNIQUE INDEX author_partner ON public.author USING btree (partner_id);
CREATE INDEX author_platform ON public.author USING btree (platform, id);

create table base_product (
  id bigint generated always as identity not null,
  sku text not null,
  name text not null,
  unit text not null,
  on_hand integer not null default 0,
  locked integer not null default 0,
  available integer not null default (on_hand - locked),
  warn_at integer not null default 0,
  is_low boolean not null default ((on_hand - locked) <= warn_at),
  cost_fen bigint not null,
  value_fen bigint not null,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint base_product_pkey PRIMARY KEY (id),
  constraint base_product_cost_fen_check CHECK ((cost_fen >= 0)),
  constraint base_product_locked_check CHECK ((locked >= 0)),
  constraint base_product_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint base_product_on_hand_check CHECK ((on_hand >= 0)),
  constraint base_product_sku_check CHECK ((sku ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'::text)),
  constraint base_product_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 10))),
  constraint base_product_value_fen_check CHECK ((value_fen >= 0)),
  constraint base_product_warn_at_check CHECK ((warn_at >= 0))
);
CREATE INDEX base_product_available ON public.base_product USING btree (available, id);
CREATE INDEX base_product_low ON public.base_product USING btree (is_low, id);
CREATE INDEX base_product_name ON public.base_product USING btree (name text_pattern_ops);
CREATE INDEX base_product_name_pairs ON public.base_product USING gin (name_pairs(name));
CREATE INDEX base_product_on_hand ON public.base_product USING btree (on_hand, id);
CREATE UNIQUE INDEX base_product_sku ON public.base_product USING btree (sku text_pattern_ops);

create table browse_record (
  id bigint generated always as identity not null,
  key text not null,
  member_id bigint not null,
  product_name text not null,
  times integer not null default 1,
  last_seen_at timestamp with time zone not null,
  status text not null default 'OPEN'::text,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint browse_record_pkey PRIMARY KEY (id),
  constraint browse_record_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint browse_record_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint browse_record_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint browse_record_key_check CHECK (((length(key) >= 1) AND (length(key) <= 100))),
  constraint browse_record_product_name_check CHECK (((length(product_name) >= 1) AND (length(product_name) <= 100))),
  constraint browse_record_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CONTACTED'::text, 'DISMISSED'::text, 'ORDERED'::text]))),
  constraint browse_record_times_check CHECK ((times > 0))
);
CREATE INDEX browse_record_key ON public.browse_record USING btree (key);
CREATE INDEX browse_record_member ON public.browse_record USING btree (member_id, id);
CREATE UNIQUE INDEX browse_record_open ON public.browse_record USING btree (member_id, product_name) WHERE (status = ANY (ARRAY['OPEN'::text, 'CONTACTED'::text]));
CREATE INDEX browse_record_org ON public.browse_record USING btree (org_id, id);
CREATE INDEX browse_record_owner ON public.browse_record USING btree (owner_id, last_seen_at, id);
CREATE INDEX browse_record_product ON public.browse_record USING btree (product_name text_pattern_ops, id);
CREATE INDEX browse_record_seen ON public.browse_record USING btree (last_seen_at, id);
CREATE INDEX browse_record_status ON public.browse_record USING btree (status, last_seen_at, id);
CREATE INDEX browse_record_times ON public.browse_record USING btree (times, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.browse_record REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.browse_record REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.browse_record REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table business_setting (
  key text not null,
  value integer not null,
  since timestamp with time zone not null,
  constraint business_setting_pkey PRIMARY KEY (key)
);

create table campaign (
  id bigint generated always as identity not null,
  name text not null,
  template_id bigint not null,
  edition_id bigint not null,
  code text not null,
  title text not null,
  body text not null,
  provider_code text,
  filled jsonb not null default '[]'::jsonb,
  audience_by text not null,
  levels text[] not null default '{}'::text[],
  channels text[] not null default '{}'::text[],
  tags text[] not null default '{}'::text[],
  of_owner_id bigint,
  members integer not null default 0,
  repeated integer not null default 0,
  invalid integer not null default 0,
  strangers integer not null default 0,
  to_send integer not null default 0,
  under_way integer not null default 0,
  sent integer not null default 0,
  delivered integer not null default 0,
  failed integer not null default 0,
  unknown integer not null default 0,
  withheld integer not null default 0,
  cancelled integer not null default 0,
  hundred_fen integer not null,
  cost_fen bigint not null default 0,
  spent_fen bigint not null default 0,
  billed_parts integer not null default 0,
  needs_approval boolean not null default false,
  approver_id bigint,
  status text not null default 'DRAFT'::text,
  start_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  author_id bigint not null,
  owner_id bigint not null,
  org_id bigint not null,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  sampled_at timestamp with time zone,
  of_teacher_id bigint,
  package_id bigint,
  ends_within integer,
  no_check_in_days integer,
  no_work_days integer,
  works_from integer,
  works_to integer,
  registered_from date,
  registered_to date,
  agreed text,
  constraint campaign_pkey PRIMARY KEY (id),
  constraint campaign_approver_id_fkey FOREIGN KEY (approver_id) REFERENCES staff(id),
  constraint campaign_author_id_fkey FOREIGN KEY (author_id) REFERENCES staff(id),
  constraint campaign_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES message_template_edition(id),
  constraint campaign_of_owner_id_fkey FOREIGN KEY (of_owner_id) REFERENCES staff(id),
  constraint campaign_of_teacher_id_fkey FOREIGN KEY (of_teacher_id) REFERENCES staff(id),
  constraint campaign_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint campaign_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint campaign_package_id_fkey FOREIGN KEY (package_id) REFERENCES course_package(id),
  constraint campaign_template FOREIGN KEY (template_id) REFERENCES message_template(id),
  constraint campaign_agreed CHECK (((started_at IS NULL) OR (NOT needs_approval) OR (approver_id IS NOT NULL))),
  constraint campaign_agreed_check CHECK ((agreed = ANY (ARRAY['GIVEN'::text, 'WITHDRAWN'::text, 'NONE'::text]))),
  constraint campaign_audience_by_check CHECK ((audience_by = ANY (ARRAY['FILTER'::text, 'NUMBERS'::text]))),
  constraint campaign_billed_parts_check CHECK ((billed_parts >= 0)),
  constraint campaign_body_check CHECK ((length(body) <= 2000)),
  constraint campaign_cancelled_check CHECK ((cancelled >= 0)),
  constraint campaign_cost_fen_check CHECK ((cost_fen >= 0)),
  constraint campaign_delivered_check CHECK ((delivered >= 0)),
  constraint campaign_ends_within_check CHECK (((ends_within >= 0) AND (ends_within <= 3650))),
  constraint campaign_failed_check CHECK ((failed >= 0)),
  constraint campaign_hundred_fen_check CHECK ((hundred_fen >= 0)),
  constraint campaign_invalid_check CHECK ((invalid >= 0)),
  constraint campaign_members_check CHECK ((members >= 0)),
  constraint campaign_name_check CHECK ((length(name) <= 100)),
  constraint campaign_no_check_in_days_check CHECK (((no_check_in_days >= 1) AND (no_check_in_days <= 3650))),
  constraint campaign_no_work_days_check CHECK (((no_work_days >= 1) AND (no_work_days <= 3650))),
  constraint campaign_repeated_check CHECK ((repeated >= 0)),
  constraint campaign_sent_check CHECK ((sent >= 0)),
  constraint campaign_spent_fen_check CHECK ((spent_fen >= 0)),
  constraint campaign_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text, 'SENDING'::text, 'PAUSED'::text, 'DONE'::text, 'CANCELLED'::text]))),
  constraint campaign_strangers_check CHECK ((strangers >= 0)),
  constraint campaign_to_send_check CHECK ((to_send >= 0)),
  constraint campaign_under_way_check CHECK ((under_way >= 0)),
  constraint campaign_unknown_check CHECK ((unknown >= 0)),
  constraint campaign_withheld_check CHECK ((withheld >= 0)),
  constraint campaign_works_from_check CHECK ((works_from >= 0)),
  constraint campaign_works_to_check CHECK ((works_to >= 0))
);
CREATE INDEX campaign_created ON public.campaign USING btree (created_at, id);
CREATE INDEX campaign_name ON public.campaign USING gin (name_pairs(name));
CREATE INDEX campaign_name_prefix ON public.campaign USING btree (name text_pattern_ops);
CREATE INDEX campaign_of_template ON public.campaign USING btree (template_id, id);
CREATE INDEX campaign_org ON public.campaign USING btree (org_id, id);
CREATE INDEX campaign_owner ON public.campaign USING btree (owner_id, id);
CREATE INDEX campaign_start ON public.campaign USING btree (start_at, id);
CREATE INDEX campaign_status ON public.campaign USING btree (status, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.campaign REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.campaign REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.campaign REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table campaign_number (
  id bigint generated always as identity not null,
  campaign_id bigint not null,
  member_id bigint not null,
  phone text not null,
  name text not null,
  parts integer not null,
  billed_parts integer not null default 0,
  status text not null,
  cause text,
  state_since timestamp with time zone not null,
  attempt integer not null default 1,
  constraint campaign_number_pkey PRIMARY KEY (id),
  constraint campaign_number_once UNIQUE (campaign_id, member_id),
  constraint campaign_number_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaign(id),
  constraint campaign_number_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint campaign_number_attempt_check CHECK ((attempt >= 1)),
  constraint campaign_number_billed_parts_check CHECK ((billed_parts >= 0)),
  constraint campaign_number_cause_check CHECK ((cause = ANY (ARRAY['QUIET_HOURS'::text, 'NO_CONSENT'::text, 'OPTED_OUT'::text, 'OTHER_NUMBER'::text, 'LATELY'::text, 'NO_ADDRESS'::text, 'NO_ANSWER'::text, 'NOT_REACHED'::text, 'TOO_LATE'::text, 'BAD_ADDRESS'::text, 'BLOCKED'::text, 'LIMITED'::text, 'SWITCHED_OFF'::text, 'TEMPLATE'::text, 'ACCOUNT'::text, 'REJECTED'::text, 'LIST_NOT_AGREED'::text]))),
  constraint campaign_number_parts_check CHECK ((parts >= 1)),
  constraint campaign_number_phone_check CHECK ((length(phone) <= 20)),
  constraint campaign_number_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'SENDING'::text, 'SENT'::text, 'DELIVERED'::text, 'FAILED'::text, 'UNKNOWN'::text, 'WITHHELD'::text, 'CANCELLED'::text])))
);
CREATE INDEX campaign_number_campaign ON public.campaign_number USING btree (campaign_id, id);
CREATE INDEX campaign_number_cause ON public.campaign_number USING btree (campaign_id, cause, id);
CREATE INDEX campaign_number_member ON public.campaign_number USING btree (member_id, id);
CREATE UNIQUE INDEX campaign_number_phone ON public.campaign_number USING btree (campaign_id, phone);
CREATE INDEX campaign_number_status ON public.campaign_number USING btree (campaign_id, status, id);

create table captcha (
  key text not null,
  answer text,
  expires_at timestamp with time zone not null,
  constraint captcha_pkey PRIMARY KEY (key)
);
CREATE INDEX captcha_expires ON public.captcha USING btree (expires_at);

create table channel (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  channel_group text not null default 'OTHER'::text,
  keeper_id bigint,
  link text,
  auto_tags text[] not null default '{}'::text[],
  valid_from date,
  valid_to date,
  status text not null default 'ACTIVE'::text,
  leads integer not null default 0,
  members integer not null default 0,
  orders integer not null default 0,
  gmv_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  counted_at timestamp with time zone,
  note text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint channel_pkey PRIMARY KEY (id),
  constraint channel_keeper_id_fkey FOREIGN KEY (keeper_id) REFERENCES staff(id),
  constraint channel_code_check CHECK (((length(code) >= 1) AND (length(code) <= 100))),
  constraint channel_lasts CHECK ((valid_to >= valid_from)),
  constraint channel_link_check CHECK (((length(link) >= 1) AND (length(link) <= 500))),
  constraint channel_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint channel_note_check CHECK ((length(note) <= 500)),
  constraint channel_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'PAUSED'::text, 'ENDED'::text])))
);
CREATE UNIQUE INDEX channel_code ON public.channel USING btree (code text_pattern_ops);
CREATE INDEX channel_created ON public.channel USING btree (created_at, id);
CREATE INDEX channel_gmv ON public.channel USING btree (gmv_fen, id);
CREATE INDEX channel_group ON public.channel USING btree (channel_group, id);
CREATE INDEX channel_keeper ON public.channel USING btree (keeper_id, id);
CREATE INDEX channel_leads ON public.channel USING btree (leads, id);
CREATE INDEX channel_members ON public.channel USING btree (members, id);
CREATE INDEX channel_name ON public.channel USING btree (name text_pattern_ops, id);
CREATE INDEX channel_name_pairs ON public.channel USING gin (name_pairs(name));
CREATE INDEX channel_orders ON public.channel USING btree (orders, id);
CREATE INDEX channel_status ON public.channel USING btree (status, id);
CREATE INDEX channel_tags ON public.channel USING gin (auto_tags);
CREATE INDEX channel_valid_to ON public.channel USING btree (valid_to, id);
CREATE TRIGGER follow_channel AFTER UPDATE OF name, status ON public.channel FOR EACH ROW WHEN (((new.name <> old.name) OR (new.status <> old.status))) EXECUTE FUNCTION follow_channel();
CREATE TRIGGER keep_entry AFTER INSERT ON public.channel FOR EACH ROW EXECUTE FUNCTION keep_channel_entry();

create table chat_account (
  id bigint generated always as identity not null,
  account_no text not null,
  nickname text not null,
  kind text not null,
  status text not null default 'IDLE'::text,
  owner_id bigint,
  org_id bigint not null,
  owner_since timestamp with time zone,
  day_quota integer not null,
  used_today integer not null default 0,
  used_on date,
  limited_until timestamp with time zone,
  risk text not null default 'NONE'::text,
  risk_note text not null default ''::text,
  risk_since timestamp with time zone,
  link text,
  qr uuid[] not null default '{}'::uuid[],
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint chat_account_pkey PRIMARY KEY (id),
  constraint chat_account_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint chat_account_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint chat_account_account_no_check CHECK (((length(account_no) >= 1) AND (length(account_no) <= 64))),
  constraint chat_account_day_quota_check CHECK (((day_quota >= 0) AND (day_quota <= 1000))),
  constraint chat_account_judged CHECK (((risk = 'NONE'::text) = (risk_since IS NULL))),
  constraint chat_account_kind_check CHECK ((kind = ANY (ARRAY['WECOM'::text, 'WECHAT'::text]))),
  constraint chat_account_limited CHECK (((limited_until IS NULL) OR (status = 'LIMITED'::text))),
  constraint chat_account_link_check CHECK ((length(link) <= 200)),
  constraint chat_account_nickname_check CHECK (((length(nickname) >= 1) AND (length(nickname) <= 50))),
  constraint chat_account_risk_check CHECK ((risk = ANY (ARRAY['NONE'::text, 'WATCH'::text, 'HIGH'::text]))),
  constraint chat_account_risk_note_check CHECK ((length(risk_note) <= 200)),
  constraint chat_account_status_check CHECK ((status = ANY (ARRAY['IDLE'::text, 'IN_USE'::text, 'LIMITED'::text, 'BLOCKED'::text, 'RETIRED'::text]))),
  constraint chat_account_used_today_check CHECK ((used_today >= 0))
);
CREATE INDEX chat_account_kind ON public.chat_account USING btree (kind, id);
CREATE INDEX chat_account_nickname ON public.chat_account USING btree (nickname text_pattern_ops, id);
CREATE INDEX chat_account_nickname_pairs ON public.chat_account USING gin (name_pairs(nickname));
CREATE UNIQUE INDEX chat_account_no ON public.chat_account USING btree (account_no text_pattern_ops);
CREATE INDEX chat_account_org ON public.chat_account USING btree (org_id, id);
CREATE INDEX chat_account_owner ON public.chat_account USING btree (owner_id, id);
CREATE INDEX chat_account_risk ON public.chat_account USING btree (risk, id);
CREATE INDEX chat_account_since ON public.chat_account USING btree (owner_since, id);
CREATE INDEX chat_account_status ON public.chat_account USING btree (status, id);
CREATE INDEX chat_account_used ON public.chat_account USING btree (used_today, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.chat_account REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.chat_account REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.chat_account REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table chat_account_add (
  id bigint generated always as identity not null,
  account_id bigint not null,
  staff_id bigint not null,
  how text not null,
  lead_id bigint,
  contact_id bigint,
  at timestamp with time zone not null,
  constraint chat_account_add_pkey PRIMARY KEY (id),
  constraint chat_account_add_account_id_fkey FOREIGN KEY (account_id) REFERENCES chat_account(id) ON DELETE CASCADE,
  constraint chat_account_add_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES chat_contact(id) ON DELETE CASCADE,
  constraint chat_account_add_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint chat_account_add_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint chat_account_add_how_check CHECK ((how = ANY (ARRAY['LEAD'::text, 'CONTACT'::text]))),
  constraint chat_account_add_of CHECK ((((how = 'LEAD'::text) = (lead_id IS NOT NULL)) AND ((how = 'CONTACT'::text) = (contact_id IS NOT NULL))))
);
CREATE INDEX chat_account_add_account ON public.chat_account_add USING btree (account_id, id);
CREATE INDEX chat_account_add_at ON public.chat_account_add USING btree (account_id, at);
CREATE UNIQUE INDEX chat_account_add_contact ON public.chat_account_add USING btree (contact_id);
CREATE INDEX chat_account_add_how ON public.chat_account_add USING btree (account_id, how);
CREATE INDEX chat_account_add_lead ON public.chat_account_add USING btree (lead_id);
CREATE INDEX chat_account_add_staff ON public.chat_account_add USING btree (account_id, staff_id);

create table chat_account_holder (
  id bigint generated always as identity not null,
  account_id bigint not null,
  staff_id bigint not null,
  org_id bigint not null,
  since timestamp with time zone not null,
  until timestamp with time zone,
  got text not null,
  by_id bigint,
  end_kind text,
  ended_by_id bigint,
  constraint chat_account_holder_pkey PRIMARY KEY (id),
  constraint chat_account_holder_account_id_fkey FOREIGN KEY (account_id) REFERENCES chat_account(id) ON DELETE CASCADE,
  constraint chat_account_holder_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint chat_account_holder_ended_by_id_fkey FOREIGN KEY (ended_by_id) REFERENCES staff(id),
  constraint chat_account_holder_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint chat_account_holder_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint chat_account_holder_end_kind_check CHECK ((end_kind = ANY (ARRAY['MOVED'::text, 'RECLAIMED'::text, 'RETURNED'::text, 'HANDED_OVER'::text, 'LEFT'::text]))),
  constraint chat_account_holder_ended CHECK (((until IS NULL) = (end_kind IS NULL))),
  constraint chat_account_holder_got_check CHECK ((got = ANY (ARRAY['HANDED_OUT'::text, 'MOVED'::text, 'REQUESTED'::text, 'HANDED_OVER'::text]))),
  constraint chat_account_holder_span CHECK ((until >= since))
);
CREATE INDEX chat_account_holder_account ON public.chat_account_holder USING btree (account_id, id);
CREATE INDEX chat_account_holder_held ON public.chat_account_holder USING btree (staff_id, since);
CREATE UNIQUE INDEX chat_account_holder_one ON public.chat_account_holder USING btree (account_id) WHERE (until IS NULL);
CREATE INDEX chat_account_holder_staff ON public.chat_account_holder USING btree (account_id, staff_id);
CREATE TRIGGER keep_apart BEFORE INSERT OR UPDATE ON public.chat_account_holder FOR EACH ROW EXECUTE FUNCTION keep_account_spans_apart();

create table chat_account_request (
  id bigint generated always as identity not null,
  kind text not null,
  status text not null default 'SUBMITTED'::text,
  reason text not null,
  needs_l2 boolean not null,
  applicant_id bigint not null,
  l1_by bigint,
  l2_by bigint,
  created_at timestamp with time zone not null,
  state_since timestamp with time zone,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  version integer not null default 1,
  request_no text not null,
  owner_id bigint not null,
  org_id bigint not null,
  account_kind text,
  chat_account_id bigint,
  holder_id bigint,
  to_id bigint,
  done_at timestamp with time zone,
  returned_at timestamp with time zone,
  constraint chat_account_request_pkey PRIMARY KEY (id),
  constraint chat_account_request_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint chat_account_request_chat_account_id_fkey FOREIGN KEY (chat_account_id) REFERENCES chat_account(id),
  constraint chat_account_request_holder_id_fkey FOREIGN KEY (holder_id) REFERENCES staff(id),
  constraint chat_account_request_l1_by_fkey FOREIGN KEY (l1_by) REFERENCES staff(id),
  constraint chat_account_request_l2_by_fkey FOREIGN KEY (l2_by) REFERENCES staff(id),
  constraint chat_account_request_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint chat_account_request_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint chat_account_request_to_id_fkey FOREIGN KEY (to_id) REFERENCES staff(id),
  constraint chat_account_request_account_kind_check CHECK ((account_kind = ANY (ARRAY['WECOM'::text, 'WECHAT'::text]))),
  constraint chat_account_request_agreed CHECK (((status <> 'APPROVED'::text) OR ((l1_by IS NOT NULL) AND ((NOT needs_l2) OR (l2_by IS NOT NULL))))),
  constraint chat_account_request_asks CHECK ((((kind = 'OPEN'::text) = (account_kind IS NOT NULL)) AND ((kind = 'TRANSFER'::text) = (to_id IS NOT NULL)) AND ((kind = 'OPEN'::text) OR ((chat_account_id IS NOT NULL) AND (holder_id IS NOT NULL))))),
  constraint chat_account_request_done CHECK ((((done_at IS NULL) OR ((status = 'APPROVED'::text) AND (chat_account_id IS NOT NULL))) AND ((returned_at IS NULL) OR (done_at IS NOT NULL)) AND ((kind <> 'OPEN'::text) OR ((chat_account_id IS NULL) = (done_at IS NULL))))),
  constraint chat_account_request_ended CHECK (((ended_at IS NULL) = ((status = 'SUBMITTED'::text) OR (status = 'L1_APPROVED'::text)))),
  constraint chat_account_request_four_eyes CHECK (((l1_by <> applicant_id) AND (l2_by <> applicant_id) AND (l2_by <> l1_by))),
  constraint chat_account_request_kind_check CHECK ((kind = ANY (ARRAY['OPEN'::text, 'TRANSFER'::text, 'RECOVER'::text]))),
  constraint chat_account_request_reason_check CHECK ((length(reason) <= 200)),
  constraint chat_account_request_request_no_check CHECK ((request_no ~ '^X[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint chat_account_request_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])))
);
CREATE INDEX chat_account_request_account ON public.chat_account_request USING btree (chat_account_id, id);
CREATE INDEX chat_account_request_applicant ON public.chat_account_request USING btree (applicant_id, id);
CREATE INDEX chat_account_request_created ON public.chat_account_request USING btree (created_at, id);
CREATE INDEX chat_account_request_expiring ON public.chat_account_request USING btree (expires_at) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX chat_account_request_kind ON public.chat_account_request USING btree (kind, id);
CREATE UNIQUE INDEX chat_account_request_no ON public.chat_account_request USING btree (request_no text_pattern_ops);
CREATE UNIQUE INDEX chat_account_request_open ON public.chat_account_request USING btree (chat_account_id) WHERE (status = 'SUBMITTED'::text);
CREATE INDEX chat_account_request_org ON public.chat_account_request USING btree (org_id, id);
CREATE UNIQUE INDEX chat_account_request_own ON public.chat_account_request USING btree (applicant_id, account_kind) WHERE ((status = 'SUBMITTED'::text) AND (kind = 'OPEN'::text));
CREATE INDEX chat_account_request_owner ON public.chat_account_request USING btree (owner_id, id);
CREATE INDEX chat_account_request_since ON public.chat_account_request USING btree (status, state_since, id) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX chat_account_request_status ON public.chat_account_request USING btree (status, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.chat_account_request REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.chat_account_request REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.chat_account_request REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_state_since BEFORE INSERT OR UPDATE OF status ON public.chat_account_request FOR EACH ROW EXECUTE FUNCTION keep_state_since();

create table chat_contact (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  member_id bigint,
  external_id text not null,
  name text,
  remark text,
  add_way text not null,
  channel text,
  since timestamp with time zone not null,
  status text not null default 'HELD'::text,
  successor_id bigint,
  asked_at timestamp with time zone,
  effective_at timestamp with time zone,
  errcode integer,
  lost_at timestamp with time zone,
  lost_by text,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  unionid text,
  constraint chat_contact_pkey PRIMARY KEY (id),
  constraint chat_contact_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint chat_contact_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint chat_contact_successor_id_fkey FOREIGN KEY (successor_id) REFERENCES staff(id),
  constraint chat_contact_add_way_check CHECK ((add_way ~ '^\d{1,3}$'::text)),
  constraint chat_contact_asked CHECK ((((asked_at IS NULL) = (successor_id IS NULL)) AND ((status = 'HELD'::text) OR (status = 'LOST'::text) OR (asked_at IS NOT NULL)))),
  constraint chat_contact_channel_check CHECK ((channel ~ '^[ -~]{1,64}$'::text)),
  constraint chat_contact_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 64))),
  constraint chat_contact_lost CHECK ((((status = 'LOST'::text) = (lost_at IS NOT NULL)) AND ((lost_at IS NULL) = (lost_by IS NULL)))),
  constraint chat_contact_lost_by_check CHECK ((lost_by = ANY (ARRAY['CUSTOMER'::text, 'STAFF'::text, 'ERASURE'::text]))),
  constraint chat_contact_name_check CHECK ((length(name) <= 100)),
  constraint chat_contact_remark_check CHECK ((length(remark) <= 200)),
  constraint chat_contact_status_check CHECK ((status = ANY (ARRAY['HELD'::text, 'ASKED'::text, 'UNKNOWN'::text, 'WAITING'::text, 'DONE'::text, 'REFUSED'::text, 'FULL'::text, 'NO_RECORD'::text, 'PROTECTED'::text, 'REJECTED'::text, 'LOST'::text]))),
  constraint chat_contact_unionid_check CHECK (((length(unionid) >= 1) AND (length(unionid) <= 128)))
);
CREATE INDEX chat_contact_channel ON public.chat_contact USING btree (channel) WHERE (channel IS NOT NULL);
CREATE INDEX chat_contact_external ON public.chat_contact USING btree (external_id);
CREATE INDEX chat_contact_member ON public.chat_contact USING btree (member_id, id);
CREATE UNIQUE INDEX chat_contact_once ON public.chat_contact USING btree (staff_id, external_id) WHERE (status <> ALL (ARRAY['DONE'::text, 'LOST'::text]));
CREATE INDEX chat_contact_staff ON public.chat_contact USING btree (staff_id, id);
CREATE INDEX chat_contact_status ON public.chat_contact USING btree (staff_id, status, id);
CREATE INDEX chat_contact_unionid ON public.chat_contact USING btree (unionid) WHERE (unionid IS NOT NULL);

create table check_in (
  id bigint generated always as identity not null,
  member_id bigint not null,
  plan text not null,
  day date not null,
  day_no integer not null default 0,
  streak integer not null default 0,
  is_make_up boolean not null default false,
  status text not null default 'DONE'::text,
  reason text,
  work text,
  reward_coins integer not null default 0,
  quiet_since date,
  told_at timestamp with time zone,
  submitted_at timestamp with time zone not null,
  owner_id bigint,
  org_id bigint,
  teacher_id bigint,
  version integer not null default 1,
  constraint check_in_pkey PRIMARY KEY (id),
  constraint check_in_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint check_in_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint check_in_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint check_in_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES staff(id),
  constraint check_in_asked CHECK (((status = 'DONE'::text) OR is_make_up)),
  constraint check_in_counted CHECK (((status <> 'DONE'::text) OR ((day_no > 0) AND (streak > 0)))),
  constraint check_in_day_no_check CHECK ((day_no >= 0)),
  constraint check_in_quiet CHECK (((quiet_since IS NULL) OR ((quiet_since = day) AND (status = 'DONE'::text)))),
  constraint check_in_reason_check CHECK ((length(reason) <= 200)),
  constraint check_in_reward_coins_check CHECK ((reward_coins >= 0)),
  constraint check_in_status_check CHECK ((status = ANY (ARRAY['DONE'::text, 'REQUESTED'::text, 'REJECTED'::text]))),
  constraint check_in_streak_check CHECK ((streak >= 0)),
  constraint check_in_uncounted CHECK (((status = 'DONE'::text) OR ((day_no = 0) AND (streak = 0)))),
  constraint check_in_work_check CHECK ((length(work) <= 64))
);
CREATE INDEX check_in_asked_since ON public.check_in USING btree (status, submitted_at, id) WHERE (status = 'REQUESTED'::text);
CREATE INDEX check_in_day ON public.check_in USING btree (day, id);
CREATE UNIQUE INDEX check_in_last ON public.check_in USING btree (member_id, plan) WHERE (quiet_since IS NOT NULL);
CREATE INDEX check_in_make_up ON public.check_in USING btree (is_make_up, day, id);
CREATE INDEX check_in_member ON public.check_in USING btree (member_id, id);
CREATE INDEX check_in_member_day ON public.check_in USING btree (member_id, day, id);
CREATE UNIQUE INDEX check_in_once ON public.check_in USING btree (member_id, plan, day) WHERE (status <> 'REJECTED'::text);
CREATE INDEX check_in_org ON public.check_in USING btree (org_id, day, id);
CREATE INDEX check_in_owner ON public.check_in USING btree (owner_id, day, id);
CREATE INDEX check_in_plan ON public.check_in USING btree (plan, day, id);
CREATE INDEX check_in_quiet_since ON public.check_in USING btree (quiet_since, id);
CREATE INDEX check_in_status ON public.check_in USING btree (status, day, id);
CREATE INDEX check_in_streak ON public.check_in USING btree (streak, id);
CREATE INDEX check_in_teacher ON public.check_in USING btree (teacher_id, day, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.check_in REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.check_in REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.check_in REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.check_in REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.check_in REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table code_batch (
  id bigint generated always as identity not null,
  batch_no text not null,
  name text not null,
  buyer text not null,
  grants jsonb not null,
  unit_price_fen bigint not null default 0,
  quantity integer not null,
  made integer not null default 0,
  used integer not null default 0,
  voided integer not null default 0,
  per_person integer not null default 1,
  valid_from date not null,
  valid_to date not null,
  status text not null default 'DRAFT'::text,
  applicant_id bigint not null,
  l1_by bigint,
  exported_by bigint,
  exported_at timestamp with time zone,
  checksum text,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint code_batch_pkey PRIMARY KEY (id),
  constraint code_batch_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint code_batch_approved_by_fkey FOREIGN KEY (l1_by) REFERENCES staff(id),
  constraint code_batch_exported_by_fkey FOREIGN KEY (exported_by) REFERENCES staff(id),
  constraint code_batch_agreed CHECK (((status <> ALL (ARRAY['APPROVED'::text, 'ACTIVE'::text, 'PAUSED'::text])) OR (l1_by IS NOT NULL))),
  constraint code_batch_batch_no_check CHECK ((batch_no ~ '^B[0-9]{8}[0-9A-Z]{3}$'::text)),
  constraint code_batch_buyer_check CHECK (((length(buyer) >= 1) AND (length(buyer) <= 100))),
  constraint code_batch_check CHECK ((valid_from <= valid_to)),
  constraint code_batch_check1 CHECK ((made <= quantity)),
  constraint code_batch_check2 CHECK (((used + voided) <= made)),
  constraint code_batch_check3 CHECK (((l1_by IS NULL) OR (l1_by <> applicant_id))),
  constraint code_batch_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint code_batch_ended CHECK (((ended_at IS NULL) = (status = 'DRAFT'::text))),
  constraint code_batch_made_check CHECK ((made >= 0)),
  constraint code_batch_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint code_batch_per_person_check CHECK (((per_person >= 1) AND (per_person <= 100))),
  constraint code_batch_quantity_check CHECK (((quantity >= 1) AND (quantity <= 100000))),
  constraint code_batch_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'APPROVED'::text, 'ACTIVE'::text, 'PAUSED'::text, 'CLOSED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text]))),
  constraint code_batch_unit_price_fen_check CHECK ((unit_price_fen >= 0)),
  constraint code_batch_used_check CHECK ((used >= 0)),
  constraint code_batch_voided_check CHECK ((voided >= 0))
);
CREATE INDEX code_batch_applicant ON public.code_batch USING btree (applicant_id, id);
CREATE INDEX code_batch_buyer ON public.code_batch USING btree (buyer text_pattern_ops);
CREATE INDEX code_batch_created ON public.code_batch USING btree (created_at, id);
CREATE INDEX code_batch_expiring ON public.code_batch USING btree (expires_at) WHERE (status = 'DRAFT'::text);
CREATE INDEX code_batch_name ON public.code_batch USING btree (name text_pattern_ops);
CREATE INDEX code_batch_name_pairs ON public.code_batch USING gin (name_pairs(name));
CREATE UNIQUE INDEX code_batch_no ON public.code_batch USING btree (batch_no text_pattern_ops);
CREATE INDEX code_batch_status ON public.code_batch USING btree (status, id);
CREATE INDEX code_batch_valid_to ON public.code_batch USING btree (valid_to, id);

create table coin_goods (
  id bigint generated always as identity not null,
  base_product_id bigint not null,
  name text not null,
  coins integer not null,
  cash_fen bigint not null default 0,
  quota integer not null,
  sold integer not null default 0,
  per_person integer not null,
  status text not null default 'OFF'::text,
  sort integer not null default 0,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  picture uuid[] not null default '{}'::uuid[],
  constraint coin_goods_pkey PRIMARY KEY (id),
  constraint coin_goods_base_product_id_fkey FOREIGN KEY (base_product_id) REFERENCES base_product(id),
  constraint coin_goods_cash_fen_check CHECK ((cash_fen >= 0)),
  constraint coin_goods_coins_check CHECK (((coins >= 1) AND (coins <= 10000000))),
  constraint coin_goods_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint coin_goods_per_person_check CHECK (((per_person >= 1) AND (per_person <= 1000))),
  constraint coin_goods_quota_check CHECK ((quota >= 0)),
  constraint coin_goods_sold_check CHECK ((sold >= 0)),
  constraint coin_goods_status_check CHECK ((status = ANY (ARRAY['ON'::text, 'OFF'::text]))),
  constraint coin_goods_within_quota CHECK ((sold <= quota))
);
CREATE INDEX coin_goods_base ON public.coin_goods USING btree (base_product_id);
CREATE INDEX coin_goods_coins ON public.coin_goods USING btree (coins, id);
CREATE INDEX coin_goods_name ON public.coin_goods USING btree (name text_pattern_ops);
CREATE INDEX coin_goods_name_pairs ON public.coin_goods USING gin (name_pairs(name));
CREATE INDEX coin_goods_sold ON public.coin_goods USING btree (sold, id);
CREATE INDEX coin_goods_sort ON public.coin_goods USING btree (sort, id);
CREATE INDEX coin_goods_status ON public.coin_goods USING btree (status, id);

create table coin_order (
  id bigint generated always as identity not null,
  order_no text not null,
  member_id bigint not null,
  coin_goods_id bigint not null,
  goods_name text not null,
  coins integer not null,
  cash_fen bigint not null default 0,
  paid_fen bigint not null default 0,
  status text not null default 'WAITING'::text,
  receiver_name text not null,
  receiver_phone text not null,
  receiver_province text not null,
  receiver_address text not null,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint coin_order_pkey PRIMARY KEY (id),
  constraint coin_order_coin_goods_id_fkey FOREIGN KEY (coin_goods_id) REFERENCES coin_goods(id),
  constraint coin_order_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint coin_order_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint coin_order_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint coin_order_cash_fen_check CHECK ((cash_fen >= 0)),
  constraint coin_order_check CHECK (((paid_fen = 0) OR (paid_fen = cash_fen))),
  constraint coin_order_coins_check CHECK ((coins > 0)),
  constraint coin_order_goods_name_check CHECK ((length(goods_name) <= 100)),
  constraint coin_order_order_no_check CHECK ((order_no ~ '^C[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint coin_order_receiver_address_check CHECK ((length(receiver_address) <= 200)),
  constraint coin_order_receiver_name_check CHECK ((length(receiver_name) <= 50)),
  constraint coin_order_receiver_phone_check CHECK ((length(receiver_phone) <= 20)),
  constraint coin_order_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'APPROVED'::text, 'SENT'::text, 'DONE'::text, 'CANCELLED'::text])))
);
CREATE INDEX coin_order_coins ON public.coin_order USING btree (coins, id);
CREATE INDEX coin_order_created ON public.coin_order USING btree (created_at, id);
CREATE INDEX coin_order_goods ON public.coin_order USING btree (coin_goods_id, id);
CREATE INDEX coin_order_goods_name ON public.coin_order USING btree (goods_name text_pattern_ops, id);
CREATE INDEX coin_order_member ON public.coin_order USING btree (member_id, id);
CREATE UNIQUE INDEX coin_order_no ON public.coin_order USING btree (order_no text_pattern_ops);
CREATE INDEX coin_order_org ON public.coin_order USING btree (org_id, id);
CREATE INDEX coin_order_owner ON public.coin_order USING btree (owner_id, id);
CREATE INDEX coin_order_status ON public.coin_order USING btree (status, id);
CREATE INDEX coin_order_unpaid ON public.coin_order USING btree (created_at) WHERE ((status = 'WAITING'::text) AND (paid_fen < cash_fen));
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.coin_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.coin_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.coin_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.coin_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('coin-order-list');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.coin_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('coin-order-list');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.coin_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.coin_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table commission_entry (
  id bigint generated always as identity not null,
  order_line_id bigint not null,
  staff_id bigint not null,
  cause text not null,
  amount_fen bigint not null,
  refund_id bigint,
  created_at timestamp with time zone not null,
  constraint commission_entry_pkey PRIMARY KEY (id),
  constraint commission_entry_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_line(id),
  constraint commission_entry_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund_application(id),
  constraint commission_entry_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint commission_entry_cause_check CHECK ((cause = ANY (ARRAY['EARNED'::text, 'REVERSED'::text]))),
  constraint commission_entry_check CHECK (((cause = 'EARNED'::text) = ((amount_fen >= 0) AND (refund_id IS NULL))))
);
CREATE UNIQUE INDEX commission_entry_earned ON public.commission_entry USING btree (order_line_id) WHERE (cause = 'EARNED'::text);
CREATE UNIQUE INDEX commission_entry_reversed ON public.commission_entry USING btree (order_line_id, refund_id) WHERE (cause = 'REVERSED'::text);
CREATE INDEX commission_entry_staff ON public.commission_entry USING btree (staff_id, id);

create table consent (
  id bigint generated always as identity not null,
  member_id bigint not null,
  purpose text not null,
  act text not null,
  stands boolean not null default false,
  way text not null,
  said_by text not null,
  text_version text,
  evidence text,
  happened_at timestamp with time zone not null,
  staff_id bigint,
  created_at timestamp with time zone not null,
  said_as text not null,
  proof uuid[] not null default '{}'::uuid[],
  constraint consent_pkey PRIMARY KEY (id),
  constraint consent_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint consent_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint consent_act_check CHECK ((act = ANY (ARRAY['GIVEN'::text, 'WITHDRAWN'::text]))),
  constraint consent_by_hand CHECK (((staff_id IS NULL) OR (evidence IS NOT NULL))),
  constraint consent_evidence_check CHECK ((length(evidence) <= 200)),
  constraint consent_purpose_check CHECK ((purpose = ANY (ARRAY['PICTURE'::text, 'VOICE'::text, 'VIDEO'::text, 'DISPLAY'::text, 'MARKETING'::text]))),
  constraint consent_said_as_check CHECK ((said_as = ANY (ARRAY['GUARDIAN'::text, 'PUPIL'::text]))),
  constraint consent_said_by_check CHECK ((length(said_by) <= 50)),
  constraint consent_text_version_check CHECK ((length(text_version) <= 40)),
  constraint consent_way_check CHECK ((length(way) <= 100)),
  constraint consent_wording CHECK (((act = 'WITHDRAWN'::text) OR (text_version IS NOT NULL)))
);
CREATE INDEX consent_act ON public.consent USING btree (member_id, act, id);
CREATE INDEX consent_last ON public.consent USING btree (member_id, purpose, happened_at);
CREATE INDEX consent_member ON public.consent USING btree (member_id, id);
CREATE INDEX consent_purpose ON public.consent USING btree (member_id, purpose, id);
CREATE UNIQUE INDEX consent_standing ON public.consent USING btree (member_id, purpose) WHERE stands;
CREATE INDEX consent_stands ON public.consent USING btree (member_id, stands, id);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.consent REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.consent REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table consultant (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  owner_id bigint not null,
  org_id bigint not null,
  status text not null default 'ON'::text,
  paused_until timestamp with time zone,
  weight integer not null default 10,
  daily_cap integer,
  open_cap integer,
  work_days text[] not null default '{MON,TUE,WED,THU,FRI}'::text[],
  work_from integer not null default 9,
  work_to integer not null default 21,
  received integer not null default 0,
  contacted integer not null default 0,
  claimed integer not null default 0,
  unspoken integer not null default 0,
  open_leads integer not null default 0,
  target_fen bigint,
  last_no bigint not null default 0,
  told jsonb,
  told_on date,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint consultant_pkey PRIMARY KEY (id),
  constraint consultant_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint consultant_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint consultant_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint consultant_daily_cap_check CHECK (((daily_cap >= 1) AND (daily_cap <= 10000))),
  constraint consultant_hours CHECK ((work_from < work_to)),
  constraint consultant_open_cap_check CHECK (((open_cap >= 1) AND (open_cap <= 10000))),
  constraint consultant_pause CHECK (((paused_until IS NULL) OR (status = 'PAUSED'::text))),
  constraint consultant_status_check CHECK ((status = ANY (ARRAY['ON'::text, 'PAUSED'::text]))),
  constraint consultant_weight_check CHECK (((weight >= 1) AND (weight <= 100))),
  constraint consultant_work_from_check CHECK (((work_from >= 0) AND (work_from <= 23))),
  constraint consultant_work_to_check CHECK (((work_to >= 8) AND (work_to <= 24)))
);
CREATE INDEX consultant_by_staff ON public.consultant USING btree (staff_id, id);
CREATE INDEX consultant_open_leads ON public.consultant USING btree (open_leads, id);
CREATE INDEX consultant_org ON public.consultant USING btree (org_id, id);
CREATE INDEX consultant_owner ON public.consultant USING btree (owner_id, id);
CREATE INDEX consultant_received ON public.consultant USING btree (received, id);
CREATE UNIQUE INDEX consultant_staff ON public.consultant USING btree (staff_id);
CREATE INDEX consultant_status ON public.consultant USING btree (status, id);
CREATE INDEX consultant_unspoken ON public.consultant USING btree (unspoken, id);
CREATE INDEX consultant_weight ON public.consultant USING btree (weight, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.consultant REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.consultant REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.consultant REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER terms_move_answers AFTER INSERT OR UPDATE OF work_days, work_from, work_to ON public.consultant FOR EACH ROW EXECUTE FUNCTION terms_move_answers();

create table consultant_target (
  id bigint generated always as identity not null,
  consultant_id bigint not null,
  month date not null,
  target_fen bigint not null,
  staff_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint consultant_target_pkey PRIMARY KEY (id),
  constraint consultant_target_consultant_id_month_key UNIQUE (consultant_id, month),
  constraint consultant_target_consultant_id_fkey FOREIGN KEY (consultant_id) REFERENCES consultant(id) ON DELETE CASCADE,
  constraint consultant_target_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint consultant_target_month_check CHECK ((month = (date_trunc('month'::text, (month)::timestamp with time zone))::date)),
  constraint consultant_target_target_fen_check CHECK ((target_fen >= 0))
);
CREATE INDEX consultant_target_below ON public.consultant_target USING btree (consultant_id, id);
CREATE TRIGGER sales_figures_aimed AFTER INSERT OR DELETE OR UPDATE ON public.consultant_target FOR EACH STATEMENT EXECUTE FUNCTION sales_figures_changed();

create table contact_transfer (
  id bigint generated always as identity not null,
  contact_id bigint not null,
  from_id bigint not null,
  to_id bigint not null,
  by_id bigint,
  is_leave boolean not null,
  status text not null,
  attempts integer not null default 0,
  asked_at timestamp with time zone not null,
  called_at timestamp with time zone,
  effective_at timestamp with time zone,
  errcode integer,
  taken_id bigint,
  ended_at timestamp with time zone,
  constraint contact_transfer_pkey PRIMARY KEY (id),
  constraint contact_transfer_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint contact_transfer_contact_id_fkey FOREIGN KEY (contact_id) REFERENCES chat_contact(id),
  constraint contact_transfer_from_id_fkey FOREIGN KEY (from_id) REFERENCES staff(id),
  constraint contact_transfer_taken_id_fkey FOREIGN KEY (taken_id) REFERENCES chat_contact(id),
  constraint contact_transfer_to_id_fkey FOREIGN KEY (to_id) REFERENCES staff(id),
  constraint contact_transfer_end CHECK (((status = ANY (ARRAY['ASKED'::text, 'UNKNOWN'::text, 'WAITING'::text])) = (ended_at IS NULL))),
  constraint contact_transfer_other CHECK ((from_id <> to_id)),
  constraint contact_transfer_status_check CHECK ((status = ANY (ARRAY['ASKED'::text, 'UNKNOWN'::text, 'WAITING'::text, 'DONE'::text, 'REFUSED'::text, 'FULL'::text, 'NO_RECORD'::text, 'PROTECTED'::text, 'REJECTED'::text]))),
  constraint contact_transfer_taken CHECK (((status = 'DONE'::text) = (taken_id IS NOT NULL)))
);
CREATE INDEX contact_transfer_contact ON public.contact_transfer USING btree (contact_id, id);
CREATE UNIQUE INDEX contact_transfer_open ON public.contact_transfer USING btree (contact_id) WHERE (ended_at IS NULL);
CREATE INDEX contact_transfer_pair ON public.contact_transfer USING btree (from_id, to_id, is_leave) WHERE (ended_at IS NULL);
CREATE INDEX contact_transfer_protected ON public.contact_transfer USING btree (effective_at) WHERE (status = 'PROTECTED'::text);

create table coupon (
  id bigint generated always as identity not null,
  name text not null,
  kind text not null,
  amount_fen bigint not null,
  permille integer,
  threshold_fen bigint not null default 0,
  scope text not null default 'ALL'::text,
  product_ids jsonb not null default '[]'::jsonb,
  validity text not null,
  valid_from date,
  valid_to date,
  valid_days integer,
  total integer not null,
  taken integer not null default 0,
  used integer not null default 0,
  per_person integer not null,
  status text not null default 'ACTIVE'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint coupon_pkey PRIMARY KEY (id),
  constraint coupon_amount_fen_check CHECK ((amount_fen > 0)),
  constraint coupon_check CHECK (((kind = 'DISCOUNT'::text) = (permille IS NOT NULL))),
  constraint coupon_check1 CHECK (((scope = 'PRODUCTS'::text) = (product_ids <> '[]'::jsonb))),
  constraint coupon_check2 CHECK (((validity = 'FIXED'::text) = ((valid_from IS NOT NULL) AND (valid_to IS NOT NULL)))),
  constraint coupon_check3 CHECK (((validity = 'AFTER_TAKING'::text) = (valid_days IS NOT NULL))),
  constraint coupon_check4 CHECK ((valid_from <= valid_to)),
  constraint coupon_check5 CHECK ((used <= taken)),
  constraint coupon_kind_check CHECK ((kind = ANY (ARRAY['CASH'::text, 'DISCOUNT'::text]))),
  constraint coupon_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint coupon_per_person_check CHECK (((per_person >= 1) AND (per_person <= 1000))),
  constraint coupon_permille_check CHECK (((permille >= 1) AND (permille <= 999))),
  constraint coupon_scope_check CHECK ((scope = ANY (ARRAY['ALL'::text, 'PRODUCTS'::text]))),
  constraint coupon_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'STOPPED'::text]))),
  constraint coupon_taken_check CHECK ((taken >= 0)),
  constraint coupon_threshold_fen_check CHECK ((threshold_fen >= 0)),
  constraint coupon_total_check CHECK (((total >= 1) AND (total <= 10000000))),
  constraint coupon_used_check CHECK ((used >= 0)),
  constraint coupon_valid_days_check CHECK (((valid_days >= 1) AND (valid_days <= 3650))),
  constraint coupon_validity_check CHECK ((validity = ANY (ARRAY['FIXED'::text, 'AFTER_TAKING'::text]))),
  constraint coupon_within_total CHECK ((taken <= total))
);
CREATE INDEX coupon_kind ON public.coupon USING btree (kind, id);
CREATE INDEX coupon_name ON public.coupon USING btree (name text_pattern_ops);
CREATE INDEX coupon_name_pairs ON public.coupon USING gin (name_pairs(name));
CREATE INDEX coupon_scope ON public.coupon USING btree (scope, id);
CREATE INDEX coupon_status ON public.coupon USING btree (status, id);
CREATE INDEX coupon_taken ON public.coupon USING btree (taken, id);
CREATE INDEX coupon_threshold ON public.coupon USING btree (threshold_fen, id);
CREATE INDEX coupon_total ON public.coupon USING btree (total, id);
CREATE INDEX coupon_used ON public.coupon USING btree (used, id);
CREATE INDEX coupon_valid_to ON public.coupon USING btree (valid_to, id);
CREATE INDEX coupon_validity ON public.coupon USING btree (validity, id);

create table course_edition (
  id bigint generated always as identity not null,
  package_id bigint not null,
  edition integer,
  published_by bigint,
  published_at timestamp with time zone,
  state text not null,
  base integer not null,
  restores integer,
  body jsonb not null,
  drafted_by bigint not null,
  drafted_at timestamp with time zone not null,
  authors bigint[] not null default '{}'::bigint[],
  constraint course_edition_pkey PRIMARY KEY (id),
  constraint course_edition_package_id_edition_key UNIQUE (package_id, edition),
  constraint course_edition_drafted_by_fkey FOREIGN KEY (drafted_by) REFERENCES staff(id),
  constraint course_edition_package_id_fkey FOREIGN KEY (package_id) REFERENCES course_package(id) ON DELETE CASCADE,
  constraint course_edition_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id),
  constraint course_edition_base_check CHECK ((base >= 0)),
  constraint course_edition_check CHECK (((edition IS NULL) = (state = ANY (ARRAY['DRAFT'::text, 'DISCARDED'::text])))),
  constraint course_edition_check1 CHECK ((num_nulls(edition, published_by, published_at) = ANY (ARRAY[0, 3]))),
  constraint course_edition_edition_check CHECK ((edition > 0)),
  constraint course_edition_restores_check CHECK ((restores > 0)),
  constraint course_edition_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'SUPERSEDED'::text, 'DISCARDED'::text])))
);
CREATE UNIQUE INDEX course_edition_draft ON public.course_edition USING btree (package_id) WHERE (state = 'DRAFT'::text);
CREATE UNIQUE INDEX course_edition_published ON public.course_edition USING btree (package_id) WHERE (state = 'PUBLISHED'::text);

create table course_package (
  id bigint generated always as identity not null,
  name text not null,
  stage text not null,
  days integer not null,
  lessons jsonb not null default '[]'::jsonb,
  lesson_count integer not null default jsonb_array_length(lessons),
  edition integer not null default 0,
  status text not null default 'DRAFT'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint course_package_pkey PRIMARY KEY (id),
  constraint course_package_days_check CHECK (((days >= 1) AND (days <= 3650))),
  constraint course_package_edition_check CHECK ((edition >= 0)),
  constraint course_package_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint course_package_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'CHANGED'::text])))
);
CREATE INDEX course_package_name ON public.course_package USING btree (name text_pattern_ops);
CREATE INDEX course_package_name_pairs ON public.course_package USING gin (name_pairs(name));
CREATE INDEX course_package_stage ON public.course_package USING btree (stage, id);
CREATE INDEX course_package_status ON public.course_package USING btree (status, id);

create table course_taken (
  id bigint generated always as identity not null,
  member_id bigint not null,
  package_id bigint not null,
  edition_id bigint not null,
  owner_id bigint,
  org_id bigint,
  owner_then bigint,
  lessons integer not null,
  finished integer not null default 0,
  percent integer not null default ((finished * 100) / lessons),
  begun_at timestamp with time zone not null,
  begun_day date not null default ((begun_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  half_at timestamp with time zone,
  finished_at timestamp with time zone,
  paid_at timestamp with time zone,
  paid_fen bigint,
  reached text not null default 
CASE
    WHEN (paid_at IS NOT NULL) THEN 'PAID'::text
    WHEN (finished_at IS NOT NULL) THEN 'FINISHED'::text
    WHEN (half_at IS NOT NULL) THEN 'HALF'::text
    ELSE 'BEGUN'::text
END,
  version integer not null default 1,
  constraint course_taken_pkey PRIMARY KEY (id),
  constraint course_taken_once UNIQUE (member_id, package_id),
  constraint course_taken_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES course_edition(id),
  constraint course_taken_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint course_taken_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint course_taken_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint course_taken_owner_then_fkey FOREIGN KEY (owner_then) REFERENCES staff(id),
  constraint course_taken_package_id_fkey FOREIGN KEY (package_id) REFERENCES course_package(id),
  constraint course_taken_check CHECK (((finished >= 0) AND (finished <= lessons))),
  constraint course_taken_finished CHECK (((finished_at IS NOT NULL) = (finished = lessons))),
  constraint course_taken_half CHECK (((half_at IS NOT NULL) = ((finished * 2) >= lessons))),
  constraint course_taken_lessons_check CHECK ((lessons > 0)),
  constraint course_taken_paid CHECK ((((paid_at IS NULL) = (paid_fen IS NULL)) AND ((paid_at IS NULL) OR (finished_at IS NOT NULL)))),
  constraint course_taken_paid_fen_check CHECK ((paid_fen > 0)),
  constraint course_taken_reached_check CHECK ((reached = ANY (ARRAY['BEGUN'::text, 'HALF'::text, 'FINISHED'::text, 'PAID'::text])))
);
CREATE INDEX course_taken_begun ON public.course_taken USING btree (begun_at, id);
CREATE INDEX course_taken_finished_at ON public.course_taken USING btree (finished_at, id);
CREATE INDEX course_taken_member ON public.course_taken USING btree (member_id, id);
CREATE INDEX course_taken_org ON public.course_taken USING btree (org_id, id);
CREATE INDEX course_taken_owner ON public.course_taken USING btree (owner_id, id);
CREATE INDEX course_taken_owner_then ON public.course_taken USING btree (owner_then, begun_at, id);
CREATE INDEX course_taken_package ON public.course_taken USING btree (package_id, id);
CREATE INDEX course_taken_percent ON public.course_taken USING btree (percent, id);
CREATE INDEX course_taken_percent_begun ON public.course_taken USING btree (percent, begun_at, id);
CREATE INDEX course_taken_reached ON public.course_taken USING btree (reached, begun_at, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.course_taken REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.course_taken REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.course_taken REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');

create table dictionary_item (
  id bigint generated always as identity not null,
  type_id bigint not null,
  value text not null,
  colour text,
  sort integer not null,
  enabled boolean not null default true,
  labels jsonb not null default '{}'::jsonb,
  constraint dictionary_item_pkey PRIMARY KEY (id),
  constraint dictionary_item_type_id_value_key UNIQUE (type_id, value),
  constraint dictionary_item_type_id_fkey FOREIGN KEY (type_id) REFERENCES dictionary_type(id) ON DELETE CASCADE,
  constraint dictionary_item_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  constraint dictionary_item_labels_check CHECK ((jsonb_typeof(labels) = 'object'::text)),
  constraint dictionary_item_value_check CHECK (((length(value) >= 1) AND (length(value) <= 100)))
);
CREATE TRIGGER keep_channel AFTER INSERT OR DELETE ON public.dictionary_item FOR EACH ROW EXECUTE FUNCTION keep_channel();

create table dictionary_type (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  note text not null default ''::text,
  built_in boolean not null default false,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint dictionary_type_pkey PRIMARY KEY (id),
  constraint dictionary_type_code_check CHECK ((code ~ '^[A-Z][A-Z0-9_]{0,49}$'::text)),
  constraint dictionary_type_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint dictionary_type_note_check CHECK ((length(note) <= 200))
);
CREATE INDEX dictionary_type_built_in ON public.dictionary_type USING btree (built_in, id);
CREATE UNIQUE INDEX dictionary_type_code ON public.dictionary_type USING btree (code text_pattern_ops);
CREATE INDEX dictionary_type_created ON public.dictionary_type USING btree (created_at, id);
CREATE INDEX dictionary_type_name ON public.dictionary_type USING btree (name text_pattern_ops);
CREATE INDEX dictionary_type_name_pairs ON public.dictionary_type USING gin (name_pairs(name));
CREATE TRIGGER dictionary_type_built_in BEFORE DELETE ON public.dictionary_type FOR EACH ROW WHEN (old.built_in) EXECUTE FUNCTION keep_built_in_dictionary();

create table distribution_order (
  id bigint generated always as identity not null,
  partner_id bigint not null,
  order_id bigint not null,
  member_id bigint not null,
  owner_id bigint,
  org_id bigint,
  channel text not null,
  link_id bigint,
  paid_at timestamp with time zone not null,
  paid_day date not null default ((paid_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  paid_fen bigint not null,
  refunded_fen bigint not null default 0,
  is_refunded boolean not null default (refunded_fen > 0),
  entry text not null default 'WAITING'::text,
  part text not null default 
CASE
    WHEN (entry = 'COUNTED'::text) THEN 'COUNTED'::text
    WHEN (entry = ANY (ARRAY['WAITING'::text, 'FROZEN'::text])) THEN 'OPEN'::text
    ELSE 'NOT_COUNTED'::text
END,
  kind text,
  price_fen bigint,
  share_permille integer,
  commission_fen bigint not null default 0,
  statement_id bigint,
  judged_at timestamp with time zone,
  version integer not null default 1,
  constraint distribution_order_pkey PRIMARY KEY (id),
  constraint distribution_order_link_id_fkey FOREIGN KEY (link_id) REFERENCES sales_link(id),
  constraint distribution_order_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint distribution_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint distribution_order_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint distribution_order_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint distribution_order_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint distribution_order_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES settlement_statement(id),
  constraint distribution_order_commission_fen_check CHECK ((commission_fen >= 0)),
  constraint distribution_order_entry_check CHECK ((entry = ANY (ARRAY['WAITING'::text, 'COUNTED'::text, 'FROZEN'::text, 'REFUNDED'::text, 'OVER_CAP'::text, 'TOO_LATE'::text, 'NO_PRICE'::text, 'DUPLICATE'::text, 'OLD_MEMBER'::text, 'OWN_STAFF'::text]))),
  constraint distribution_order_judged CHECK ((((entry = 'WAITING'::text) = (judged_at IS NULL)) AND ((judged_at IS NULL) = (kind IS NULL)))),
  constraint distribution_order_kind_check CHECK ((kind = ANY (ARRAY['FIRST_ORDER'::text, 'SHARE'::text]))),
  constraint distribution_order_paid_fen_check CHECK ((paid_fen >= 0)),
  constraint distribution_order_part_check CHECK ((part = ANY (ARRAY['OPEN'::text, 'COUNTED'::text, 'NOT_COUNTED'::text]))),
  constraint distribution_order_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint distribution_order_worth CHECK (((commission_fen = 0) OR (entry = 'COUNTED'::text)))
);
CREATE INDEX distribution_order_channel ON public.distribution_order USING btree (channel, id);
CREATE INDEX distribution_order_commission ON public.distribution_order USING btree (commission_fen, id);
CREATE INDEX distribution_order_entry ON public.distribution_order USING btree (entry, paid_at, id);
CREATE INDEX distribution_order_kind ON public.distribution_order USING btree (kind, id);
CREATE INDEX distribution_order_member ON public.distribution_order USING btree (member_id, id);
CREATE UNIQUE INDEX distribution_order_once ON public.distribution_order USING btree (order_id, partner_id);
CREATE INDEX distribution_order_order ON public.distribution_order USING btree (order_id, id);
CREATE INDEX distribution_order_org ON public.distribution_order USING btree (org_id, id);
CREATE INDEX distribution_order_org_part ON public.distribution_order USING btree (org_id, part, id);
CREATE INDEX distribution_order_owner ON public.distribution_order USING btree (owner_id, id);
CREATE INDEX distribution_order_owner_part ON public.distribution_order USING btree (owner_id, part, id);
CREATE INDEX distribution_order_paid ON public.distribution_order USING btree (paid_at, id);
CREATE INDEX distribution_order_paid_fen ON public.distribution_order USING btree (paid_fen, id);
CREATE INDEX distribution_order_part ON public.distribution_order USING btree (part, paid_at, id);
CREATE INDEX distribution_order_partner ON public.distribution_order USING btree (partner_id, id);
CREATE INDEX distribution_order_partner_day ON public.distribution_order USING btree (partner_id, paid_at, id);
CREATE INDEX distribution_order_refunded ON public.distribution_order USING btree (is_refunded, id);
CREATE INDEX distribution_order_statement ON public.distribution_order USING btree (statement_id, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.distribution_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.distribution_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.distribution_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part', 'owned');

create table entitlement_entry (
  id bigint generated always as identity not null,
  lot_id bigint not null,
  member_id bigint not null,
  kind text not null,
  cause text not null,
  delta integer not null,
  balance_after integer not null,
  note text not null default ''::text,
  refund_id bigint,
  coin_order_id bigint,
  staff_id bigint,
  created_at timestamp with time zone not null,
  constraint entitlement_entry_pkey PRIMARY KEY (id),
  constraint entitlement_entry_coin_order_id_fkey FOREIGN KEY (coin_order_id) REFERENCES coin_order(id),
  constraint entitlement_entry_lot_id_fkey FOREIGN KEY (lot_id) REFERENCES entitlement_lot(id),
  constraint entitlement_entry_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint entitlement_entry_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund_application(id),
  constraint entitlement_entry_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint entitlement_entry_cause_check CHECK ((cause = ANY (ARRAY['GRANTED'::text, 'SPENT'::text, 'GIVEN_BACK'::text, 'TAKEN_BACK'::text, 'EXPIRED'::text]))),
  constraint entitlement_entry_delta_check CHECK ((delta <> 0)),
  constraint entitlement_entry_note_check CHECK ((length(note) <= 200))
);
CREATE INDEX entitlement_entry_coin_order ON public.entitlement_entry USING btree (coin_order_id) WHERE (coin_order_id IS NOT NULL);
CREATE INDEX entitlement_entry_giver ON public.entitlement_entry USING btree (staff_id, created_at) WHERE ((cause = 'GRANTED'::text) AND (staff_id IS NOT NULL));
CREATE INDEX entitlement_entry_lot ON public.entitlement_entry USING btree (lot_id, id);
CREATE INDEX entitlement_entry_member ON public.entitlement_entry USING btree (member_id, kind, id);

create table entitlement_lot (
  id bigint generated always as identity not null,
  member_id bigint not null,
  kind text not null,
  source text not null,
  order_line_id bigint,
  redemption_id bigint,
  name text not null,
  quantity integer not null,
  remaining integer not null,
  frozen integer not null default 0,
  edition_id bigint,
  granted_on date not null,
  expires_on date,
  created_at timestamp with time zone not null,
  application_id bigint,
  reward_key text,
  held boolean not null default false,
  constraint entitlement_lot_pkey PRIMARY KEY (id),
  constraint entitlement_lot_application_id_fkey FOREIGN KEY (application_id) REFERENCES member_application(id),
  constraint entitlement_lot_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES course_edition(id),
  constraint entitlement_lot_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint entitlement_lot_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_line(id),
  constraint entitlement_lot_redemption_id_fkey FOREIGN KEY (redemption_id) REFERENCES redemption(id),
  constraint entitlement_lot_check CHECK ((remaining <= quantity)),
  constraint entitlement_lot_check1 CHECK (((remaining >= 0) OR (kind = 'COINS'::text))),
  constraint entitlement_lot_frozen CHECK ((frozen <=
CASE
    WHEN (kind = 'COINS'::text) THEN quantity
    ELSE remaining
END)),
  constraint entitlement_lot_frozen_check CHECK ((frozen >= 0)),
  constraint entitlement_lot_kind_check CHECK ((kind = ANY (ARRAY['MEMBER_DAYS'::text, 'COURSE'::text, 'LESSONS'::text, 'COINS'::text, 'APPOINTMENTS'::text]))),
  constraint entitlement_lot_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint entitlement_lot_quantity_check CHECK ((quantity > 0)),
  constraint entitlement_lot_reward_key_check CHECK ((length(reward_key) <= 60)),
  constraint entitlement_lot_source_check CHECK ((source = ANY (ARRAY['ORDER'::text, 'CODE'::text, 'GIFT'::text, 'REWARD'::text])))
);
CREATE UNIQUE INDEX entitlement_lot_application ON public.entitlement_lot USING btree (application_id) WHERE (application_id IS NOT NULL);
CREATE INDEX entitlement_lot_edition ON public.entitlement_lot USING btree (edition_id) WHERE (edition_id IS NOT NULL);
CREATE INDEX entitlement_lot_expiring ON public.entitlement_lot USING btree (expires_on) WHERE ((remaining > 0) AND (expires_on IS NOT NULL));
CREATE INDEX entitlement_lot_line ON public.entitlement_lot USING btree (order_line_id) WHERE (order_line_id IS NOT NULL);
CREATE INDEX entitlement_lot_member ON public.entitlement_lot USING btree (member_id, kind, id);
CREATE INDEX entitlement_lot_of_member ON public.entitlement_lot USING btree (member_id, id);
CREATE INDEX entitlement_lot_redemption ON public.entitlement_lot USING btree (redemption_id) WHERE (redemption_id IS NOT NULL);
CREATE UNIQUE INDEX entitlement_lot_reward ON public.entitlement_lot USING btree (reward_key) WHERE (reward_key IS NOT NULL);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.entitlement_lot REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.entitlement_lot REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table entitlement_pause (
  id bigint generated always as identity not null,
  member_id bigint not null,
  application_id bigint not null,
  starts_on date not null,
  ends_on date not null,
  created_at timestamp with time zone not null,
  constraint entitlement_pause_pkey PRIMARY KEY (id),
  constraint entitlement_pause_application_id_fkey FOREIGN KEY (application_id) REFERENCES member_application(id),
  constraint entitlement_pause_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint entitlement_pause_days CHECK ((ends_on >= starts_on))
);
CREATE UNIQUE INDEX entitlement_pause_application ON public.entitlement_pause USING btree (application_id);
CREATE INDEX entitlement_pause_member ON public.entitlement_pause USING btree (member_id, starts_on);
CREATE INDEX entitlement_pause_until ON public.entitlement_pause USING btree (ends_on);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.entitlement_pause REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.entitlement_pause REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table erasure (
  member_id bigint not null,
  phone_hash text not null,
  erased_at timestamp with time zone not null,
  gone_over integer not null default 0,
  constraint erasure_pkey PRIMARY KEY (member_id),
  constraint erasure_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint erasure_phone_hash_check CHECK ((length(phone_hash) = 64))
);

create table erasure_heard (
  member_id bigint not null,
  erased_at timestamp with time zone not null,
  constraint erasure_heard_pkey PRIMARY KEY (member_id)
);

create table file (
  id uuid not null default gen_random_uuid(),
  purpose text not null,
  name text not null,
  type text not null,
  bytes integer not null,
  sha256 text not null,
  owner_id bigint,
  page text,
  record_id bigint,
  created_at timestamp with time zone not null,
  source text,
  small_of uuid,
  constraint file_pkey PRIMARY KEY (id),
  constraint file_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint file_small_of_fkey FOREIGN KEY (small_of) REFERENCES file(id) ON DELETE CASCADE,
  constraint file_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint file_sender CHECK (
CASE
    WHEN (small_of IS NULL) THEN ((owner_id IS NULL) <> (source IS NULL))
    ELSE ((owner_id IS NULL) AND (source IS NULL) AND (record_id IS NULL))
END)
);
CREATE INDEX file_loose ON public.file USING btree (created_at) WHERE ((record_id IS NULL) AND (small_of IS NULL));
CREATE INDEX file_record ON public.file USING btree (page, record_id);
CREATE UNIQUE INDEX file_small ON public.file USING btree (small_of) WHERE (small_of IS NOT NULL);
CREATE TRIGGER note_small_gone AFTER DELETE ON public.file REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION note_small_gone();

create table file_unkept (
  id uuid not null,
  at timestamp with time zone not null default now(),
  constraint file_unkept_pkey PRIMARY KEY (id)
);

create table follow_up (
  id bigint generated always as identity not null,
  member_id bigint,
  kind text not null,
  content text not null,
  next_at timestamp with time zone,
  staff_id bigint not null,
  created_at timestamp with time zone not null,
  lead_id bigint,
  picture uuid[] not null default '{}'::uuid[],
  constraint follow_up_pkey PRIMARY KEY (id),
  constraint follow_up_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint follow_up_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint follow_up_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint follow_up_content_check CHECK (((length(content) >= 1) AND (length(content) <= 1000))),
  constraint follow_up_whom CHECK (((member_id IS NOT NULL) OR (lead_id IS NOT NULL)))
);
CREATE INDEX follow_up_due ON public.follow_up USING btree (staff_id, next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX follow_up_lead ON public.follow_up USING btree (lead_id, id) WHERE (lead_id IS NOT NULL);
CREATE INDEX follow_up_member ON public.follow_up USING btree (member_id, id);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.follow_up REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.follow_up REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table goods_kit (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  weight_g integer not null,
  parts jsonb not null,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  edition integer not null default 0,
  status text not null default 'DRAFT'::text,
  constraint goods_kit_pkey PRIMARY KEY (id),
  constraint goods_kit_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'::text)),
  constraint goods_kit_edition_check CHECK ((edition >= 0)),
  constraint goods_kit_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint goods_kit_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'CHANGED'::text]))),
  constraint goods_kit_weight_g_check CHECK (((weight_g >= 0) AND (weight_g <= 100000)))
);
CREATE UNIQUE INDEX goods_kit_code ON public.goods_kit USING btree (code text_pattern_ops);
CREATE INDEX goods_kit_name ON public.goods_kit USING btree (name text_pattern_ops);
CREATE INDEX goods_kit_name_pairs ON public.goods_kit USING gin (name_pairs(name));
CREATE INDEX goods_kit_parts ON public.goods_kit USING gin (parts jsonb_path_ops);
CREATE INDEX goods_kit_status ON public.goods_kit USING btree (status, id);

create table goods_kit_edition (
  id bigint generated always as identity not null,
  kit_id bigint not null,
  edition integer,
  state text not null,
  base integer not null,
  restores integer,
  body jsonb not null,
  drafted_by bigint not null,
  drafted_at timestamp with time zone not null,
  published_by bigint,
  published_at timestamp with time zone,
  authors bigint[] not null default '{}'::bigint[],
  constraint goods_kit_edition_pkey PRIMARY KEY (id),
  constraint goods_kit_edition_kit_id_edition_key UNIQUE (kit_id, edition),
  constraint goods_kit_edition_drafted_by_fkey FOREIGN KEY (drafted_by) REFERENCES staff(id),
  constraint goods_kit_edition_kit_id_fkey FOREIGN KEY (kit_id) REFERENCES goods_kit(id) ON DELETE CASCADE,
  constraint goods_kit_edition_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id),
  constraint goods_kit_edition_base_check CHECK ((base >= 0)),
  constraint goods_kit_edition_check1 CHECK (((edition IS NULL) = (state = ANY (ARRAY['DRAFT'::text, 'DISCARDED'::text])))),
  constraint goods_kit_edition_check2 CHECK ((num_nulls(edition, published_by, published_at) = ANY (ARRAY[0, 3]))),
  constraint goods_kit_edition_edition_check CHECK ((edition > 0)),
  constraint goods_kit_edition_restores_check CHECK ((restores > 0)),
  constraint goods_kit_edition_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'SUPERSEDED'::text, 'DISCARDED'::text])))
);
CREATE UNIQUE INDEX goods_kit_edition_draft ON public.goods_kit_edition USING btree (kit_id) WHERE (state = 'DRAFT'::text);
CREATE UNIQUE INDEX goods_kit_edition_published ON public.goods_kit_edition USING btree (kit_id) WHERE (state = 'PUBLISHED'::text);

create table idempotency (
  actor_id bigint not null,
  key text not null,
  route text not null,
  body_hash text not null,
  answer jsonb not null,
  created_at timestamp with time zone not null,
  constraint idempotency_pkey PRIMARY KEY (actor_id, key),
  constraint idempotency_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES staff(id),
  constraint idempotency_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
CREATE INDEX idempotency_created ON public.idempotency USING btree (created_at);

create table import_batch (
  id bigint generated always as identity not null,
  page text not null,
  title text not null,
  file_id uuid not null,
  head jsonb not null,
  mapping jsonb not null default '{}'::jsonb,
  status text not null default 'UPLOADED'::text,
  task_id bigint,
  all_rows integer not null default 0,
  good_rows integer not null default 0,
  bad_rows integer not null default 0,
  done_rows integer not null default 0,
  failed_rows integer not null default 0,
  run_to integer not null default 0,
  staff_id bigint not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  checksum text,
  said jsonb not null default '{}'::jsonb,
  constraint import_batch_pkey PRIMARY KEY (id),
  constraint import_batch_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint import_batch_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id),
  constraint import_batch_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint import_batch_rows_add_up CHECK ((((good_rows + bad_rows) = all_rows) AND ((done_rows + failed_rows) <= good_rows))),
  constraint import_batch_status_check CHECK ((status = ANY (ARRAY['UPLOADED'::text, 'CHECKED'::text, 'RUNNING'::text, 'DONE'::text, 'UNDONE'::text]))),
  constraint import_batch_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);
CREATE INDEX import_batch_checksum ON public.import_batch USING btree (page, checksum) WHERE (checksum IS NOT NULL);
CREATE INDEX import_batch_page ON public.import_batch USING btree (page, id);
CREATE INDEX import_batch_staff ON public.import_batch USING btree (staff_id, page, id);

create table import_chunk (
  batch_id bigint not null,
  last_row integer not null,
  record_ids bigint[] not null,
  constraint import_chunk_pkey PRIMARY KEY (batch_id, last_row),
  constraint import_chunk_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE
);

create table import_row (
  batch_id bigint not null,
  status text not null,
  row_no integer not null,
  cells jsonb not null,
  error jsonb,
  constraint import_row_pkey PRIMARY KEY (batch_id, status, row_no),
  constraint import_row_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES import_batch(id) ON DELETE CASCADE,
  constraint import_row_status_check CHECK ((status = ANY (ARRAY['GOOD'::text, 'BAD'::text, 'FAILED'::text])))
);

create table inbox_event (
  id bigint generated always as identity not null,
  source text not null,
  event_key text not null,
  type text not null,
  payload jsonb not null,
  received_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  attempts integer not null default 0,
  next_at timestamp with time zone not null,
  error text,
  fingerprint text,
  outcome text not null default 'WAITING'::text,
  awaits text,
  constraint inbox_event_pkey PRIMARY KEY (id),
  constraint inbox_event_source_event_key_key UNIQUE (source, event_key),
  constraint inbox_event_check CHECK (((outcome = 'APPLIED'::text) = (applied_at IS NOT NULL))),
  constraint inbox_event_outcome_check CHECK ((outcome = ANY (ARRAY['WAITING'::text, 'APPLIED'::text, 'REFUSED'::text, 'FAILED'::text])))
);
CREATE INDEX inbox_event_ended ON public.inbox_event USING btree (received_at) WHERE (outcome = ANY (ARRAY['REFUSED'::text, 'FAILED'::text]));
CREATE INDEX inbox_event_waiting ON public.inbox_event USING btree (next_at) WHERE (outcome = 'WAITING'::text);

create table job_position (
  id bigint generated always as identity not null,
  name text not null,
  code text not null,
  grade text,
  is_virtual boolean not null default false,
  note text not null default ''::text,
  status text not null default 'ENABLED'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint job_position_pkey PRIMARY KEY (id),
  constraint job_position_code_key UNIQUE (code),
  constraint job_position_code_check CHECK (((length(code) >= 1) AND (length(code) <= 50))),
  constraint job_position_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint job_position_note_check CHECK ((length(note) <= 200)),
  constraint job_position_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text])))
);
CREATE INDEX job_position_code ON public.job_position USING btree (code text_pattern_ops, id);
CREATE INDEX job_position_grade ON public.job_position USING btree (grade, id);
CREATE INDEX job_position_name ON public.job_position USING btree (name text_pattern_ops, id);
CREATE INDEX job_position_name_pairs ON public.job_position USING gin (name_pairs(name));
CREATE INDEX job_position_status ON public.job_position USING btree (status, id);
CREATE INDEX job_position_virtual ON public.job_position USING btree (is_virtual, id);

create table kept_count (
  table_name text not null,
  org_id bigint,
  owner_id bigint,
  state text not null,
  n bigint not null,
  carer_id bigint
);
CREATE INDEX kept_count_table ON public.kept_count USING btree (table_name, org_id, owner_id, carer_id, state) INCLUDE (n);

create table lead (
  id bigint generated always as identity not null,
  phone text,
  name text,
  source text not null,
  channel text not null,
  came_by text not null,
  consent text not null,
  status text not null,
  owner_id bigint,
  org_id bigint,
  owner_since timestamp with time zone,
  member_id bigint,
  next_at timestamp with time zone,
  last_touch_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  state_since timestamp with time zone,
  ended_at timestamp with time zone,
  version integer not null default 1,
  registered_at timestamp with time zone,
  level text,
  first_contact_at timestamp with time zone,
  last_contact_at timestamp with time zone,
  times_returned integer not null default 0,
  return_reason text,
  previous_owner_id bigint,
  end_reason text,
  pool_id bigint,
  pooled_at timestamp with time zone,
  warned_at timestamp with time zone,
  link_id bigint,
  called text not null default COALESCE(name, (("left"(phone, 3) || '****'::text) || "right"(phone, 4)), ('#'::text || (id)::text)),
  furthest text not null default 'CAME'::text,
  created_day date default ((created_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  product_id bigint,
  unionid text,
  last_pool_id bigint,
  escalated_at timestamp with time zone,
  answer_by timestamp with time zone,
  reminded_for timestamp with time zone,
  constraint lead_pkey PRIMARY KEY (id),
  constraint lead_last_pool_id_fkey FOREIGN KEY (last_pool_id) REFERENCES lead_pool(id),
  constraint lead_link_id_fkey FOREIGN KEY (link_id) REFERENCES sales_link(id) DEFERRABLE INITIALLY DEFERRED,
  constraint lead_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint lead_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint lead_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint lead_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES lead_pool(id),
  constraint lead_previous_owner_id_fkey FOREIGN KEY (previous_owner_id) REFERENCES staff(id),
  constraint lead_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint lead_became CHECK ((((member_id IS NULL) = (registered_at IS NULL)) AND ((status <> 'DEAL'::text) OR (member_id IS NOT NULL)))),
  constraint lead_came_by_check CHECK ((came_by = ANY (ARRAY['REGISTRATION'::text, 'IMPORT'::text, 'FORM'::text, 'PLATFORM_ORDER'::text]))),
  constraint lead_ended CHECK (((ended_at IS NULL) = (status <> ALL (ARRAY['DEAL'::text, 'INVALID'::text, 'LOST'::text])))),
  constraint lead_furthest_check CHECK ((furthest = ANY (ARRAY['CAME'::text, 'ADDED'::text, 'REGISTERED'::text, 'TRIED'::text, 'PAID'::text]))),
  constraint lead_in_pool CHECK ((((pool_id IS NOT NULL) = ((ended_at IS NULL) AND (owner_id IS NULL))) AND ((pool_id IS NULL) = (pooled_at IS NULL)))),
  constraint lead_level_check CHECK ((level = ANY (ARRAY['A'::text, 'B'::text, 'C'::text, 'D'::text]))),
  constraint lead_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint lead_owned CHECK ((((owner_id IS NULL) = (owner_since IS NULL)) AND ((owner_id IS NULL) = (org_id IS NULL)))),
  constraint lead_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text)),
  constraint lead_pool CHECK (((ended_at IS NOT NULL) OR (((status <> 'UNASSIGNED'::text) AND (status <> 'RETURNED'::text)) = (owner_id IS NOT NULL)))),
  constraint lead_reached CHECK (((ended_at IS NOT NULL) OR (member_id IS NOT NULL) OR (phone IS NOT NULL))),
  constraint lead_status_check CHECK ((status = ANY (ARRAY['UNASSIGNED'::text, 'ASSIGNED'::text, 'CONTACTED'::text, 'ADDED'::text, 'TRIAL'::text, 'INTENT'::text, 'DEAL'::text, 'INVALID'::text, 'LOST'::text, 'RETURNED'::text]))),
  constraint lead_unionid_check CHECK (((length(unionid) >= 1) AND (length(unionid) <= 128)))
);
CREATE INDEX lead_answer_by ON public.lead USING btree (status, answer_by, id);
CREATE INDEX lead_by_owner ON public.lead USING btree (owner_id, id);
CREATE INDEX lead_channel ON public.lead USING btree (channel, id);
CREATE INDEX lead_created ON public.lead USING btree (created_at, id);
CREATE INDEX lead_escalated ON public.lead USING btree (escalated_at, id);
CREATE INDEX lead_first_contact ON public.lead USING btree (owner_id, first_contact_at) WHERE (first_contact_at IS NOT NULL);
CREATE INDEX lead_forgotten ON public.lead USING btree (ended_at) WHERE ((status = ANY (ARRAY['INVALID'::text, 'LOST'::text])) AND (phone IS NOT NULL));
CREATE INDEX lead_furthest ON public.lead USING btree (furthest, id);
CREATE INDEX lead_held ON public.lead USING btree (owner_since, id) WHERE ((ended_at IS NULL) AND (owner_id IS NOT NULL));
CREATE INDEX lead_last_contact ON public.lead USING btree (last_contact_at, id);
CREATE INDEX lead_last_touch ON public.lead USING btree (last_touch_at, id);
CREATE INDEX lead_level ON public.lead USING btree (level, id);
CREATE INDEX lead_link ON public.lead USING btree (link_id, id);
CREATE INDEX lead_member ON public.lead USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX lead_name ON public.lead USING btree (name text_pattern_ops, id);
CREATE INDEX lead_name_pairs ON public.lead USING gin (name_pairs(name));
CREATE INDEX lead_next ON public.lead USING btree (owner_id, next_at) WHERE ((ended_at IS NULL) AND (next_at IS NOT NULL));
CREATE INDEX lead_next_at ON public.lead USING btree (next_at, id);
CREATE UNIQUE INDEX lead_open_phone ON public.lead USING btree (phone) WHERE ((ended_at IS NULL) AND (member_id IS NULL));
CREATE INDEX lead_org ON public.lead USING btree (org_id, id);
CREATE INDEX lead_org_status ON public.lead USING btree (org_id, status, id);
CREATE INDEX lead_owner_status ON public.lead USING btree (owner_id, status, id);
CREATE INDEX lead_phone ON public.lead USING btree (phone);
CREATE INDEX lead_pool_id ON public.lead USING btree (pool_id, id);
CREATE INDEX lead_pool_status ON public.lead USING btree (pool_id, status, id);
CREATE INDEX lead_previous_owner ON public.lead USING btree (previous_owner_id, id);
CREATE INDEX lead_product ON public.lead USING btree (product_id, id);
CREATE INDEX lead_returned_for ON public.lead USING btree (return_reason, id);
CREATE INDEX lead_source ON public.lead USING btree (source, id);
CREATE INDEX lead_status ON public.lead USING btree (status, id);
CREATE INDEX lead_times_returned ON public.lead USING btree (times_returned, id);
CREATE INDEX lead_to_remind ON public.lead USING btree (next_at, id) WHERE ((ended_at IS NULL) AND (owner_id IS NOT NULL) AND (next_at IS DISTINCT FROM reminded_for));
CREATE INDEX lead_unanswered ON public.lead USING btree (owner_since, id) WHERE ((status = ANY (ARRAY['ASSIGNED'::text, 'TRIAL'::text])) AND ((escalated_at IS NULL) OR (escalated_at < owner_since)));
CREATE INDEX lead_unclaimed ON public.lead USING btree (pool_id, pooled_at) WHERE ((pool_id IS NOT NULL) AND ((escalated_at IS NULL) OR (escalated_at < pooled_at)));
CREATE INDEX lead_unionid ON public.lead USING btree (unionid) WHERE (unionid IS NOT NULL);
CREATE TRIGGER follow_lead AFTER UPDATE OF status, owner_id, org_id, phone ON public.lead FOR EACH ROW WHEN (((((old.status IS DISTINCT FROM new.status) OR (old.owner_id IS DISTINCT FROM new.owner_id)) OR (old.org_id IS DISTINCT FROM new.org_id)) OR (old.phone IS DISTINCT FROM new.phone))) EXECUTE FUNCTION follow_lead();
CREATE TRIGGER keep_answer_by BEFORE INSERT OR UPDATE OF owner_id, owner_since ON public.lead FOR EACH ROW EXECUTE FUNCTION keep_answer_by();
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.lead REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'pool_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.lead REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'pool_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.lead REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'pool_id');
CREATE TRIGGER keep_pool BEFORE INSERT OR UPDATE ON public.lead FOR EACH ROW EXECUTE FUNCTION keep_lead_pool();
CREATE TRIGGER keep_state_since BEFORE INSERT OR UPDATE OF status ON public.lead FOR EACH ROW EXECUTE FUNCTION keep_state_since();

create table lead_act (
  id bigint generated always as identity not null,
  lead_id bigint not null,
  owner_id bigint not null,
  org_id bigint not null,
  act text not null,
  way text,
  done_at timestamp with time zone not null,
  done_day date not null default ((done_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  hour integer not null default (EXTRACT(hour FROM (done_at AT TIME ZONE 'Asia/Shanghai'::text)))::integer,
  version integer not null default 1,
  constraint lead_act_pkey PRIMARY KEY (id),
  constraint lead_act_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint lead_act_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint lead_act_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint lead_act_act_check CHECK ((act = ANY (ARRAY['FOLLOW_UP'::text, 'CLAIM'::text, 'ADD'::text, 'JUDGE'::text, 'ASSIGN'::text, 'GIVE_BACK'::text, 'LOSE'::text, 'DISMISS'::text]))),
  constraint lead_act_way CHECK (((way IS NOT NULL) = (act = 'FOLLOW_UP'::text)))
);
CREATE INDEX lead_act_act ON public.lead_act USING btree (act, done_at, id);
CREATE INDEX lead_act_done ON public.lead_act USING btree (done_at, id);
CREATE INDEX lead_act_hour ON public.lead_act USING btree (hour, id);
CREATE INDEX lead_act_lead ON public.lead_act USING btree (lead_id, done_at, id);
CREATE INDEX lead_act_org ON public.lead_act USING btree (org_id, done_at, id);
CREATE INDEX lead_act_owner ON public.lead_act USING btree (owner_id, done_at, id);
CREATE INDEX lead_act_way ON public.lead_act USING btree (way, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.lead_act REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('act', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.lead_act REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('act', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.lead_act REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('act', 'owned');
CREATE TRIGGER sales_figures_done AFTER INSERT ON public.lead_act FOR EACH STATEMENT EXECUTE FUNCTION sales_figures_changed();

create table lead_forgetting (
  phone text not null,
  known text[] not null,
  asked_at timestamp with time zone not null,
  constraint lead_forgetting_pkey PRIMARY KEY (phone),
  constraint lead_forgetting_phone_check CHECK ((length(phone) <= 20))
);

create table lead_form (
  id bigint generated always as identity not null,
  form_no text not null,
  kind text not null,
  phone text,
  name text,
  city text,
  account text,
  note_id bigint,
  campaign text,
  unit text,
  creativity text,
  page text,
  answers jsonb not null default '[]'::jsonb,
  lead_id bigint,
  is_new boolean not null default false,
  owner_id bigint,
  org_id bigint,
  follow_status text not null default 'KNOWN'::text,
  call_back text not null default 'NONE'::text,
  sending_at timestamp with time zone,
  called_back_at timestamp with time zone,
  call_back_error text,
  submitted_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint lead_form_pkey PRIMARY KEY (id),
  constraint lead_form_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint lead_form_note_id_fkey FOREIGN KEY (note_id) REFERENCES note(id),
  constraint lead_form_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint lead_form_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint lead_form_answers_check CHECK ((jsonb_typeof(answers) = 'array'::text)),
  constraint lead_form_call_back_check CHECK ((call_back = ANY (ARRAY['NONE'::text, 'WAITING'::text, 'SENT'::text, 'FAILED'::text, 'UNKNOWN'::text]))),
  constraint lead_form_call_back_error_check CHECK (((length(call_back_error) >= 1) AND (length(call_back_error) <= 200))),
  constraint lead_form_campaign_check CHECK (((length(campaign) >= 1) AND (length(campaign) <= 64))),
  constraint lead_form_city_check CHECK (((length(city) >= 1) AND (length(city) <= 50))),
  constraint lead_form_creativity_check CHECK (((length(creativity) >= 1) AND (length(creativity) <= 64))),
  constraint lead_form_follow_status_check CHECK ((follow_status = ANY (ARRAY['KNOWN'::text, 'UNASSIGNED'::text, 'RETURNED'::text, 'ASSIGNED'::text, 'CONTACTED'::text, 'ADDED'::text, 'TRIAL'::text, 'INTENT'::text, 'DEAL'::text, 'LOST'::text, 'INVALID'::text]))),
  constraint lead_form_form_no_check CHECK (((length(form_no) >= 1) AND (length(form_no) <= 64))),
  constraint lead_form_kind_check CHECK ((kind = ANY (ARRAY['FORM'::text, 'MESSAGE'::text]))),
  constraint lead_form_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint lead_form_page_check CHECK (((length(page) >= 1) AND (length(page) <= 200))),
  constraint lead_form_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text)),
  constraint lead_form_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 64)))
);
CREATE INDEX lead_form_account ON public.lead_form USING btree (account, id);
CREATE INDEX lead_form_call_back ON public.lead_form USING btree (call_back, id);
CREATE INDEX lead_form_campaign ON public.lead_form USING btree (campaign text_pattern_ops, id);
CREATE INDEX lead_form_is_new ON public.lead_form USING btree (is_new, id);
CREATE INDEX lead_form_kind ON public.lead_form USING btree (kind, id);
CREATE INDEX lead_form_lead ON public.lead_form USING btree (lead_id, submitted_at) WHERE (lead_id IS NOT NULL);
CREATE INDEX lead_form_name ON public.lead_form USING btree (name text_pattern_ops, id);
CREATE INDEX lead_form_name_pairs ON public.lead_form USING gin (name_pairs(name));
CREATE UNIQUE INDEX lead_form_no ON public.lead_form USING btree (form_no text_pattern_ops);
CREATE INDEX lead_form_note ON public.lead_form USING btree (note_id, id);
CREATE INDEX lead_form_org ON public.lead_form USING btree (org_id, id);
CREATE INDEX lead_form_org_status ON public.lead_form USING btree (org_id, follow_status, submitted_at, id);
CREATE INDEX lead_form_organic ON public.lead_form USING btree (note_id, submitted_at) WHERE ((campaign IS NULL) AND (lead_id IS NOT NULL));
CREATE INDEX lead_form_owner ON public.lead_form USING btree (owner_id, id);
CREATE INDEX lead_form_owner_status ON public.lead_form USING btree (owner_id, follow_status, submitted_at, id);
CREATE INDEX lead_form_phone ON public.lead_form USING btree (phone, id);
CREATE INDEX lead_form_status ON public.lead_form USING btree (follow_status, id);
CREATE INDEX lead_form_submitted ON public.lead_form USING btree (submitted_at, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.lead_form REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('follow_status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.lead_form REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('follow_status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.lead_form REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('follow_status', 'owned');

create table lead_judgement (
  id bigint generated always as identity not null,
  lead_id bigint not null,
  owner_id bigint not null,
  org_id bigint not null,
  was text not null,
  level text not null,
  source text not null,
  channel text not null,
  judged_at timestamp with time zone not null,
  judged_day date not null default ((judged_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  days_old integer not null,
  is_last boolean not null default true,
  turn text not null default 
CASE
    WHEN (was = 'NONE'::text) THEN 'FIRST'::text
    WHEN (level < was) THEN 'RAISED'::text
    ELSE 'LOWERED'::text
END,
  version integer not null default 1,
  constraint lead_judgement_pkey PRIMARY KEY (id),
  constraint lead_judgement_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint lead_judgement_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint lead_judgement_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint lead_judgement_changes CHECK ((was <> level)),
  constraint lead_judgement_days_old_check CHECK ((days_old >= 0)),
  constraint lead_judgement_level_check CHECK ((level = ANY (ARRAY['A'::text, 'B'::text, 'C'::text, 'D'::text]))),
  constraint lead_judgement_turn_check CHECK ((turn = ANY (ARRAY['FIRST'::text, 'RAISED'::text, 'LOWERED'::text]))),
  constraint lead_judgement_was_check CHECK ((was = ANY (ARRAY['NONE'::text, 'A'::text, 'B'::text, 'C'::text, 'D'::text])))
);
CREATE INDEX lead_judgement_channel ON public.lead_judgement USING btree (channel, id);
CREATE INDEX lead_judgement_days_old ON public.lead_judgement USING btree (days_old, id);
CREATE INDEX lead_judgement_is_last ON public.lead_judgement USING btree (is_last, id);
CREATE INDEX lead_judgement_judged ON public.lead_judgement USING btree (judged_at, id);
CREATE INDEX lead_judgement_lead ON public.lead_judgement USING btree (lead_id, id);
CREATE INDEX lead_judgement_level ON public.lead_judgement USING btree (level, judged_at, id);
CREATE UNIQUE INDEX lead_judgement_now ON public.lead_judgement USING btree (lead_id) WHERE is_last;
CREATE INDEX lead_judgement_org ON public.lead_judgement USING btree (org_id, judged_at, id);
CREATE INDEX lead_judgement_owner ON public.lead_judgement USING btree (owner_id, judged_at, id);
CREATE INDEX lead_judgement_source ON public.lead_judgement USING btree (source, id);
CREATE INDEX lead_judgement_turn ON public.lead_judgement USING btree (turn, id);
CREATE INDEX lead_judgement_was ON public.lead_judgement USING btree (was, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.lead_judgement REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('level', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.lead_judgement REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('level', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.lead_judgement REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('level', 'owned');

create table lead_owner (
  id bigint generated always as identity not null,
  lead_id bigint not null,
  owner_id bigint not null,
  org_id bigint not null,
  since timestamp with time zone not null,
  until timestamp with time zone,
  got text not null,
  by_id bigint,
  ended_by_id bigint,
  end_kind text,
  end_reason text,
  source text not null,
  channel text not null,
  contacted_at timestamp with time zone,
  added_at timestamp with time zone,
  tried_at timestamp with time zone,
  keen_at timestamp with time zone,
  deal_fen bigint,
  sold_by bigint not null default owner_id,
  since_day date not null default ((since AT TIME ZONE 'Asia/Shanghai'::text))::date,
  prompt boolean not null default false,
  reached text not null default 
CASE
    WHEN (end_kind = 'DEAL'::text) THEN 'DEAL'::text
    WHEN (keen_at IS NOT NULL) THEN 'INTENT'::text
    WHEN (tried_at IS NOT NULL) THEN 'TRIAL'::text
    WHEN (added_at IS NOT NULL) THEN 'ADDED'::text
    WHEN (contacted_at IS NOT NULL) THEN 'CONTACTED'::text
    ELSE 'ASSIGNED'::text
END,
  days_to_deal integer default 
CASE
    WHEN (end_kind = 'DEAL'::text) THEN (((until AT TIME ZONE 'Asia/Shanghai'::text))::date - ((since AT TIME ZONE 'Asia/Shanghai'::text))::date)
    ELSE NULL::integer
END,
  version integer not null default 1,
  sold_org_id bigint not null default org_id,
  constraint lead_owner_pkey PRIMARY KEY (id),
  constraint lead_owner_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint lead_owner_ended_by_id_fkey FOREIGN KEY (ended_by_id) REFERENCES staff(id),
  constraint lead_owner_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint lead_owner_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint lead_owner_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint lead_owner_sold_by_fkey FOREIGN KEY (sold_by) REFERENCES staff(id),
  constraint lead_owner_sold_org_id_fkey FOREIGN KEY (sold_org_id) REFERENCES org(id),
  constraint lead_owner_deal_fen_check CHECK ((deal_fen >= 0)),
  constraint lead_owner_dealt CHECK (((deal_fen IS NULL) = (end_kind IS DISTINCT FROM 'DEAL'::text))),
  constraint lead_owner_end_kind_check CHECK ((end_kind = ANY (ARRAY['MOVED'::text, 'HANDED_OVER'::text, 'RETURNED'::text, 'EXPIRED'::text, 'DEAL'::text, 'LOST'::text, 'INVALID'::text]))),
  constraint lead_owner_end_reason CHECK ((length(end_reason) <= 100)),
  constraint lead_owner_ended CHECK (((until IS NULL) = (end_kind IS NULL))),
  constraint lead_owner_got_check CHECK ((got = ANY (ARRAY['ALLOCATED'::text, 'ASSIGNED'::text, 'HANDED_OVER'::text, 'CLAIMED'::text]))),
  constraint lead_owner_lasts CHECK ((until >= since)),
  constraint lead_owner_reached_check CHECK ((reached = ANY (ARRAY['ASSIGNED'::text, 'CONTACTED'::text, 'ADDED'::text, 'TRIAL'::text, 'INTENT'::text, 'DEAL'::text])))
);
CREATE INDEX lead_owner_channel ON public.lead_owner USING btree (channel, since, id);
CREATE INDEX lead_owner_claims ON public.lead_owner USING btree (owner_id, since) WHERE (got = 'CLAIMED'::text);
CREATE INDEX lead_owner_days_to_deal ON public.lead_owner USING btree (days_to_deal, since, id);
CREATE INDEX lead_owner_end_kind ON public.lead_owner USING btree (end_kind, since, id);
CREATE INDEX lead_owner_got ON public.lead_owner USING btree (got, since, id);
CREATE INDEX lead_owner_lead ON public.lead_owner USING btree (lead_id, since, id);
CREATE INDEX lead_owner_lead_id ON public.lead_owner USING btree (lead_id, id);
CREATE UNIQUE INDEX lead_owner_now ON public.lead_owner USING btree (lead_id) WHERE (until IS NULL);
CREATE INDEX lead_owner_org ON public.lead_owner USING btree (org_id, since, id);
CREATE INDEX lead_owner_owner ON public.lead_owner USING btree (owner_id, since, id);
CREATE INDEX lead_owner_prompt ON public.lead_owner USING btree (prompt, since, id);
CREATE INDEX lead_owner_reached ON public.lead_owner USING btree (reached, since, id);
CREATE INDEX lead_owner_since ON public.lead_owner USING btree (since, id);
CREATE INDEX lead_owner_sold_by ON public.lead_owner USING btree (sold_by, since, id);
CREATE INDEX lead_owner_sold_org ON public.lead_owner USING btree (sold_org_id, since, id);
CREATE INDEX lead_owner_source ON public.lead_owner USING btree (source, since, id);
CREATE INDEX lead_owner_unspoken ON public.lead_owner USING btree (owner_id) WHERE ((until IS NULL) AND (reached = 'ASSIGNED'::text));
CREATE INDEX lead_owner_until ON public.lead_owner USING btree (until, id);
CREATE INDEX lead_owner_won ON public.lead_owner USING btree (since, id, days_to_deal) WHERE (days_to_deal IS NOT NULL);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.lead_owner REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.lead_owner REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.lead_owner REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_prompt BEFORE INSERT OR UPDATE OF contacted_at ON public.lead_owner FOR EACH ROW EXECUTE FUNCTION keep_prompt();
CREATE TRIGGER sales_figures_led AFTER INSERT OR DELETE OR UPDATE ON public.lead_owner FOR EACH STATEMENT EXECUTE FUNCTION sales_figures_changed();

create table lead_pool (
  id bigint generated always as identity not null,
  name text not null,
  is_default boolean not null default false,
  is_open boolean not null default true,
  claims_a_day integer not null default 20,
  capacity integer not null default 200,
  spares_trial boolean not null default true,
  cool_down_days integer not null default 7,
  embargo_hours integer not null default 0,
  no_contact_days integer,
  no_deal_days integer,
  needs_both boolean not null default false,
  spared_levels text[] not null default '{}'::text[],
  warn_days integer not null default 1,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  state text default 
CASE
    WHEN is_open THEN 'OPEN'::text
    ELSE 'CLOSED'::text
END,
  views_a_day integer not null default 100,
  unclaimed_hours integer,
  unanswered_hours integer,
  returns_to_id bigint,
  uncounted_levels text[] not null default '{}'::text[],
  no_contact_days_a integer,
  no_contact_days_b integer,
  no_contact_days_c integer,
  no_contact_days_d integer,
  constraint lead_pool_pkey PRIMARY KEY (id),
  constraint lead_pool_returns_to_id_fkey FOREIGN KEY (returns_to_id) REFERENCES lead_pool(id),
  constraint lead_pool_both CHECK (((NOT needs_both) OR ((no_contact_days IS NOT NULL) AND (no_deal_days IS NOT NULL)))),
  constraint lead_pool_capacity_check CHECK (((capacity >= 1) AND (capacity <= 100000))),
  constraint lead_pool_claims_a_day_check CHECK (((claims_a_day >= 1) AND (claims_a_day <= 1000))),
  constraint lead_pool_cool_down_days_check CHECK (((cool_down_days >= 0) AND (cool_down_days <= 365))),
  constraint lead_pool_embargo_hours_check CHECK (((embargo_hours >= 0) AND (embargo_hours <= 720))),
  constraint lead_pool_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint lead_pool_no_contact_days_a_check CHECK (((no_contact_days_a >= 1) AND (no_contact_days_a <= 365))),
  constraint lead_pool_no_contact_days_b_check CHECK (((no_contact_days_b >= 1) AND (no_contact_days_b <= 365))),
  constraint lead_pool_no_contact_days_c_check CHECK (((no_contact_days_c >= 1) AND (no_contact_days_c <= 365))),
  constraint lead_pool_no_contact_days_check CHECK (((no_contact_days >= 1) AND (no_contact_days <= 365))),
  constraint lead_pool_no_contact_days_d_check CHECK (((no_contact_days_d >= 1) AND (no_contact_days_d <= 365))),
  constraint lead_pool_no_deal_days_check CHECK (((no_deal_days >= 1) AND (no_deal_days <= 365))),
  constraint lead_pool_unanswered_hours_check CHECK (((unanswered_hours >= 1) AND (unanswered_hours <= 2160))),
  constraint lead_pool_unclaimed_hours_check CHECK (((unclaimed_hours >= 1) AND (unclaimed_hours <= 2160))),
  constraint lead_pool_uncounted CHECK ((uncounted_levels <@ ARRAY['A'::text, 'B'::text, 'C'::text, 'D'::text])),
  constraint lead_pool_views_a_day_check CHECK (((views_a_day >= 1) AND (views_a_day <= 100000))),
  constraint lead_pool_warn_days_check CHECK (((warn_days >= 0) AND (warn_days <= 30)))
);
CREATE UNIQUE INDEX lead_pool_default ON public.lead_pool USING btree (is_default) WHERE is_default;
CREATE UNIQUE INDEX lead_pool_name ON public.lead_pool USING btree (name text_pattern_ops);
CREATE INDEX lead_pool_name_pairs ON public.lead_pool USING gin (name_pairs(name));

create table lead_pool_extra (
  request_id bigint not null,
  pool_id bigint not null,
  staff_id bigint not null,
  day date not null,
  extra integer not null,
  constraint lead_pool_extra_pkey PRIMARY KEY (request_id),
  constraint lead_pool_extra_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES lead_pool(id) ON DELETE CASCADE,
  constraint lead_pool_extra_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint lead_pool_extra_extra_check CHECK (((extra >= 1) AND (extra <= 200)))
);
CREATE INDEX lead_pool_extra_day ON public.lead_pool_extra USING btree (staff_id, day);

create table lead_pool_member (
  pool_id bigint not null,
  staff_id bigint not null,
  is_admin boolean not null default false,
  constraint lead_pool_member_pkey PRIMARY KEY (pool_id, staff_id),
  constraint lead_pool_member_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES lead_pool(id) ON DELETE CASCADE,
  constraint lead_pool_member_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
CREATE INDEX lead_pool_member_staff ON public.lead_pool_member USING btree (staff_id);

create table lead_taken_back (
  owner_id bigint not null,
  day date not null,
  received integer not null,
  constraint lead_taken_back_pkey PRIMARY KEY (owner_id, day),
  constraint lead_taken_back_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint lead_taken_back_received_check CHECK ((received > 0))
);
CREATE INDEX lead_taken_back_day ON public.lead_taken_back USING btree (day);

create table lead_touch (
  id bigint generated always as identity not null,
  lead_id bigint,
  key text not null,
  came_by text not null,
  source text not null,
  channel text not null,
  consent text not null,
  times integer not null default 1,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  member_id bigint,
  about text,
  product_id bigint,
  constraint lead_touch_pkey PRIMARY KEY (id),
  constraint lead_touch_lead_id_key_key UNIQUE (lead_id, key),
  constraint lead_touch_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint lead_touch_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint lead_touch_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint lead_touch_about_check CHECK (((length(about) >= 1) AND (length(about) <= 200))),
  constraint lead_touch_came_by_check CHECK ((came_by = ANY (ARRAY['REGISTRATION'::text, 'IMPORT'::text, 'FORM'::text, 'LINK'::text, 'PLATFORM_ORDER'::text]))),
  constraint lead_touch_key_check CHECK (((length(key) >= 1) AND (length(key) <= 100))),
  constraint lead_touch_of CHECK (((lead_id IS NOT NULL) OR (member_id IS NOT NULL)))
);
CREATE INDEX lead_touch_member ON public.lead_touch USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE UNIQUE INDEX lead_touch_of_member ON public.lead_touch USING btree (member_id, key) WHERE (lead_id IS NULL);
CREATE INDEX lead_touch_product ON public.lead_touch USING btree (product_id) WHERE (product_id IS NOT NULL);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.lead_touch REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.lead_touch REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table lead_view (
  staff_id bigint not null,
  day date not null,
  lead_id bigint not null,
  constraint lead_view_pkey PRIMARY KEY (staff_id, day, lead_id),
  constraint lead_view_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
CREATE INDEX lead_view_day ON public.lead_view USING btree (day);
CREATE INDEX lead_view_lead ON public.lead_view USING btree (lead_id);

create table lesson_taken (
  id bigint generated always as identity not null,
  member_id bigint not null,
  lesson text not null,
  title text not null,
  kind text not null,
  percent integer not null,
  status text not null,
  begun_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  counted_at timestamp with time zone,
  package_id bigint,
  constraint lesson_taken_pkey PRIMARY KEY (id),
  constraint lesson_taken_once UNIQUE (member_id, lesson),
  constraint lesson_taken_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint lesson_taken_package_id_fkey FOREIGN KEY (package_id) REFERENCES course_package(id),
  constraint lesson_taken_counted CHECK (((status = 'COUNTED'::text) = (counted_at IS NOT NULL))),
  constraint lesson_taken_kind_check CHECK ((kind = ANY (ARRAY['LIVE'::text, 'RECORDED'::text]))),
  constraint lesson_taken_lesson_check CHECK (((length(lesson) >= 1) AND (length(lesson) <= 64))),
  constraint lesson_taken_percent_check CHECK (((percent >= 0) AND (percent <= 100))),
  constraint lesson_taken_status_check CHECK ((status = ANY (ARRAY['BEGUN'::text, 'COUNTED'::text, 'FREE'::text]))),
  constraint lesson_taken_through CHECK (((status = 'BEGUN'::text) <> (percent = 100))),
  constraint lesson_taken_title_check CHECK (((length(title) >= 1) AND (length(title) <= 100)))
);
CREATE INDEX lesson_taken_member ON public.lesson_taken USING btree (member_id, id);
CREATE INDEX lesson_taken_status ON public.lesson_taken USING btree (member_id, status, id);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.lesson_taken REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.lesson_taken REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table line_taken_back (
  line_id bigint not null,
  by_id bigint not null,
  constraint line_taken_back_pkey PRIMARY KEY (line_id)
);

create table log_erased (
  line_id bigint not null,
  digests jsonb not null,
  salts jsonb not null default '{}'::jsonb,
  constraint log_erased_pkey PRIMARY KEY (line_id)
);

create table log_head (
  is_only boolean not null default true,
  seal_id bigint not null,
  hash text not null,
  line_id bigint not null,
  constraint log_head_pkey PRIMARY KEY (is_only),
  constraint log_head_is_only_check CHECK (is_only)
);

create table log_seal (
  id bigint not null,
  kind text not null,
  keep text not null,
  month date not null,
  from_id bigint not null,
  to_id bigint not null,
  lines integer not null,
  lines_hash text not null,
  hash text not null,
  sealed_at timestamp with time zone not null,
  marks bytea,
  constraint log_seal_pkey PRIMARY KEY (id),
  constraint log_seal_keep_check CHECK ((keep = ANY (ARRAY['SHORT'::text, 'LONG'::text]))),
  constraint log_seal_kind_check CHECK ((kind = ANY (ARRAY['LINES'::text, 'DROPPED'::text])))
);
CREATE INDEX log_seal_month ON public.log_seal USING btree (keep, month, id);
CREATE INDEX log_seal_range ON public.log_seal USING btree (keep, month, from_id DESC) WHERE (kind = 'LINES'::text);

create table login_trace (
  id bigint not null default nextval('login_trace_line'::regclass),
  at timestamp with time zone not null,
  staff_id bigint,
  account text not null,
  address text not null,
  device text not null,
  result text not null,
  session_id bigint,
  ended_at timestamp with time zone,
  end_reason text,
  online boolean not null default ((session_id IS NOT NULL) AND (ended_at IS NULL)),
  version integer not null default 1,
  constraint login_trace_pkey PRIMARY KEY (id, at),
  constraint login_trace_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id),
  constraint login_trace_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint login_trace_account_length CHECK ((length(account) <= 50)),
  constraint login_trace_address_length CHECK ((length(address) <= 100)),
  constraint login_trace_device_length CHECK ((length(device) <= 200)),
  constraint login_trace_end_reason_check CHECK ((end_reason = ANY (ARRAY['LOGOUT'::text, 'FORCED'::text, 'DISABLED'::text, 'PASSWORD'::text, 'EXPIRED'::text]))),
  constraint login_trace_result_check CHECK ((result = ANY (ARRAY['SUCCESS'::text, 'CAPTCHA'::text, 'CREDENTIALS'::text, 'SECOND_STEP'::text, 'CODE'::text, 'LOCKED'::text, 'DISABLED'::text])))
) partition by RANGE (at);
CREATE INDEX login_trace_account ON ONLY public.login_trace USING btree (account text_pattern_ops);
CREATE INDEX login_trace_address ON ONLY public.login_trace USING btree (address text_pattern_ops);
CREATE INDEX login_trace_at ON ONLY public.login_trace USING btree (at, id);
CREATE INDEX login_trace_known ON ONLY public.login_trace USING btree (staff_id, address, at) WHERE (result = 'SUCCESS'::text);
CREATE INDEX login_trace_online ON ONLY public.login_trace USING btree (online, id);
CREATE INDEX login_trace_result ON ONLY public.login_trace USING btree (result, id);
CREATE INDEX login_trace_session ON ONLY public.login_trace USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX login_trace_staff ON ONLY public.login_trace USING btree (staff_id, id);

create table member (
  id bigint generated always as identity not null,
  name text not null,
  name_pinyin text not null default ''::text,
  phone text,
  guardian_name text,
  level text not null default 'TRIAL'::text,
  source text not null,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  status text not null default 'ACTIVE'::text,
  channel text not null default 'OTHER'::text,
  teacher_id bigint,
  owner_since timestamp with time zone,
  tags text[] not null default '{}'::text[],
  membership_ends_on date,
  coins integer not null default 0,
  last_check_in_at timestamp with time zone,
  last_work_at timestamp with time zone,
  name_initials text,
  birth_month text,
  is_paused boolean not null default false,
  first_paid_at timestamp with time zone,
  first_paid_day date default ((first_paid_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  credit_days integer,
  credited_source text,
  credited_channel text,
  origin_corrected_at timestamp with time zone,
  origin_corrected_by_id bigint,
  entered_source text,
  entered_channel text,
  former_phones text[] not null default '{}'::text[],
  constraint member_pkey PRIMARY KEY (id),
  constraint member_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint member_origin_corrected_by_id_fkey FOREIGN KEY (origin_corrected_by_id) REFERENCES staff(id),
  constraint member_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint member_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES staff(id),
  constraint member_birth_month CHECK ((birth_month ~ '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$'::text)),
  constraint member_credit_days_check CHECK ((credit_days > 0)),
  constraint member_credited CHECK ((num_nulls(first_paid_at, credit_days, credited_source, credited_channel) = ANY (ARRAY[0, 4]))),
  constraint member_guardian_name_length CHECK (((length(guardian_name) >= 1) AND (length(guardian_name) <= 50))),
  constraint member_level_check CHECK ((level = ANY (ARRAY['TRIAL'::text, 'MEMBER'::text, 'EXPIRED'::text]))),
  constraint member_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint member_origin_corrected CHECK ((num_nulls(origin_corrected_at, origin_corrected_by_id, entered_source, entered_channel) = ANY (ARRAY[0, 4]))),
  constraint member_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text)),
  constraint member_reached CHECK (((phone IS NULL) = (status = 'CLOSED'::text))),
  constraint member_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'FROZEN'::text, 'CLOSED'::text])))
);
CREATE INDEX member_channel ON public.member USING btree (channel, id);
CREATE INDEX member_coins ON public.member USING btree (coins, id);
CREATE INDEX member_created ON public.member USING btree (created_at, id);
CREATE INDEX member_credited_channel ON public.member USING btree (credited_channel, id);
CREATE INDEX member_credited_source ON public.member USING btree (credited_source, id);
CREATE INDEX member_ends_on ON public.member USING btree (membership_ends_on, id);
CREATE INDEX member_first_paid ON public.member USING btree (first_paid_at, id);
CREATE INDEX member_last_check_in ON public.member USING btree (last_check_in_at, id);
CREATE INDEX member_last_work ON public.member USING btree (last_work_at, id);
CREATE INDEX member_level ON public.member USING btree (level, id);
CREATE INDEX member_name ON public.member USING btree (name text_pattern_ops);
CREATE INDEX member_name_initials ON public.member USING btree (name_initials text_pattern_ops);
CREATE INDEX member_name_pairs ON public.member USING gin (name_pairs(name));
CREATE INDEX member_name_pinyin ON public.member USING btree (name_pinyin text_pattern_ops);
CREATE INDEX member_org ON public.member USING btree (org_id, id);
CREATE INDEX member_origin_corrected_by ON public.member USING btree (origin_corrected_by_id) WHERE (origin_corrected_by_id IS NOT NULL);
CREATE INDEX member_owner ON public.member USING btree (owner_id, id);
CREATE INDEX member_paused ON public.member USING btree (is_paused, id);
CREATE UNIQUE INDEX member_phone ON public.member USING btree (phone);
CREATE INDEX member_source ON public.member USING btree (source, id);
CREATE INDEX member_status ON public.member USING btree (status, id);
CREATE INDEX member_tags ON public.member USING gin (tags);
CREATE INDEX member_teacher ON public.member USING btree (teacher_id, id);
CREATE INDEX member_unspelt ON public.member USING btree (id) WHERE (name_initials IS NULL);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.member REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('level', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.member REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('level', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.member REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('level', 'owned', 'teacher_id');
CREATE TRIGGER member_changed AFTER UPDATE ON public.member REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION member_changed();

create table member_application (
  id bigint generated always as identity not null,
  kind text not null,
  status text not null default 'SUBMITTED'::text,
  reason text not null,
  needs_l2 boolean not null,
  applicant_id bigint not null,
  l1_by bigint,
  l2_by bigint,
  created_at timestamp with time zone not null,
  state_since timestamp with time zone,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  version integer not null default 1,
  application_no text not null,
  member_id bigint not null,
  owner_id bigint,
  org_id bigint,
  gift_kind text,
  quantity integer,
  coupon_id bigint,
  allowance_left integer,
  given_lately integer,
  new_phone text,
  proof uuid[] not null default '{}'::uuid[],
  closes_at timestamp with time zone,
  closed_at timestamp with time zone,
  pause_from date,
  pause_days integer,
  paused_until date,
  pause_over_at timestamp with time zone,
  constraint member_application_pkey PRIMARY KEY (id),
  constraint member_application_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint member_application_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(id),
  constraint member_application_l1_by_fkey FOREIGN KEY (l1_by) REFERENCES staff(id),
  constraint member_application_l2_by_fkey FOREIGN KEY (l2_by) REFERENCES staff(id),
  constraint member_application_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_application_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint member_application_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint member_application_agreed CHECK (((status <> 'APPROVED'::text) OR ((l1_by IS NOT NULL) AND ((NOT needs_l2) OR (l2_by IS NOT NULL))))),
  constraint member_application_allowance_left_check CHECK ((allowance_left >= 0)),
  constraint member_application_application_no_check CHECK ((application_no ~ '^A[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint member_application_closed CHECK (((closed_at IS NULL) OR ((status = 'APPROVED'::text) AND (closes_at IS NOT NULL)))),
  constraint member_application_closing CHECK (((closes_at IS NULL) OR (kind = 'CLOSE'::text))),
  constraint member_application_ended CHECK (((ended_at IS NULL) = ((status = 'SUBMITTED'::text) OR (status = 'L1_APPROVED'::text)))),
  constraint member_application_four_eyes CHECK (((l1_by <> applicant_id) AND (l2_by <> applicant_id) AND (l2_by <> l1_by))),
  constraint member_application_gift CHECK (((kind <> 'GIFT'::text) OR ((gift_kind IS NOT NULL) AND (allowance_left IS NOT NULL) AND
CASE gift_kind
    WHEN 'COUPON'::text THEN ((coupon_id IS NOT NULL) AND (quantity IS NULL))
    ELSE ((quantity IS NOT NULL) AND (coupon_id IS NULL))
END))),
  constraint member_application_gift_kind_check CHECK ((gift_kind = ANY (ARRAY['DAYS'::text, 'COINS'::text, 'COUPON'::text]))),
  constraint member_application_given_lately_check CHECK (((given_lately >= 0) AND (given_lately <= 1000000))),
  constraint member_application_kind_check CHECK ((kind = ANY (ARRAY['GIFT'::text, 'PHONE'::text, 'PAUSE'::text, 'CLOSE'::text]))),
  constraint member_application_new_phone_check CHECK ((length(new_phone) <= 40)),
  constraint member_application_pause CHECK ((((kind = 'PAUSE'::text) = (pause_from IS NOT NULL)) AND ((kind = 'PAUSE'::text) = (pause_days IS NOT NULL)))),
  constraint member_application_pause_days_check CHECK (((pause_days >= 1) AND (pause_days <= 180))),
  constraint member_application_paused CHECK (((kind = 'PAUSE'::text) OR ((paused_until IS NULL) AND (pause_over_at IS NULL)))),
  constraint member_application_phone CHECK (((kind = 'PHONE'::text) OR (new_phone IS NULL))),
  constraint member_application_quantity_check CHECK (((quantity >= 1) AND (quantity <= 10000))),
  constraint member_application_reason_check CHECK ((length(reason) <= 200)),
  constraint member_application_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])))
);
CREATE INDEX member_application_applicant ON public.member_application USING btree (applicant_id, id);
CREATE INDEX member_application_created ON public.member_application USING btree (created_at, id);
CREATE INDEX member_application_expiring ON public.member_application USING btree (expires_at) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX member_application_kind ON public.member_application USING btree (kind, id);
CREATE INDEX member_application_member ON public.member_application USING btree (member_id, id);
CREATE UNIQUE INDEX member_application_no ON public.member_application USING btree (application_no text_pattern_ops);
CREATE UNIQUE INDEX member_application_open ON public.member_application USING btree (member_id, kind, gift_kind) NULLS NOT DISTINCT WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX member_application_org ON public.member_application USING btree (org_id, id);
CREATE INDEX member_application_owner ON public.member_application USING btree (owner_id, id);
CREATE INDEX member_application_pausing ON public.member_application USING btree (paused_until) WHERE ((paused_until IS NOT NULL) AND (pause_over_at IS NULL));
CREATE INDEX member_application_since ON public.member_application USING btree (status, state_since, id) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX member_application_status ON public.member_application USING btree (status, id);
CREATE INDEX member_application_to_close ON public.member_application USING btree (closes_at) WHERE ((status = 'APPROVED'::text) AND (closed_at IS NULL));
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.member_application REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.member_application REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.member_application REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_state_since BEFORE INSERT OR UPDATE OF status ON public.member_application FOR EACH ROW EXECUTE FUNCTION keep_state_since();

create table member_coupon (
  id bigint generated always as identity not null,
  coupon_id bigint not null,
  member_id bigint not null,
  rule jsonb not null,
  status text not null default 'UNUSED'::text,
  order_id bigint,
  issued_by bigint,
  taken_at timestamp with time zone not null,
  valid_from date not null,
  valid_to date not null,
  used_at timestamp with time zone,
  freed_from bigint[] not null default '{}'::bigint[],
  application_id bigint,
  constraint member_coupon_pkey PRIMARY KEY (id),
  constraint member_coupon_application_id_fkey FOREIGN KEY (application_id) REFERENCES member_application(id),
  constraint member_coupon_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(id),
  constraint member_coupon_issued_by_fkey FOREIGN KEY (issued_by) REFERENCES staff(id),
  constraint member_coupon_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_coupon_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint member_coupon_check CHECK (((status = 'USED'::text) = ((order_id IS NOT NULL) AND (used_at IS NOT NULL)))),
  constraint member_coupon_status_check CHECK ((status = ANY (ARRAY['UNUSED'::text, 'USED'::text, 'EXPIRED'::text, 'RECALLED'::text])))
);
CREATE UNIQUE INDEX member_coupon_application ON public.member_coupon USING btree (application_id) WHERE (application_id IS NOT NULL);
CREATE INDEX member_coupon_coupon ON public.member_coupon USING btree (coupon_id, status, id);
CREATE INDEX member_coupon_ending ON public.member_coupon USING btree (valid_to) WHERE (status = 'UNUSED'::text);
CREATE INDEX member_coupon_giver ON public.member_coupon USING btree (issued_by, taken_at) WHERE (issued_by IS NOT NULL);
CREATE INDEX member_coupon_member ON public.member_coupon USING btree (member_id, id);
CREATE INDEX member_coupon_of_coupon ON public.member_coupon USING btree (coupon_id, id);
CREATE INDEX member_coupon_order ON public.member_coupon USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.member_coupon REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.member_coupon REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table member_identity (
  kind text not null,
  value text not null,
  member_id bigint not null,
  told_at timestamp with time zone not null,
  constraint member_identity_pkey PRIMARY KEY (kind, value, member_id),
  constraint member_identity_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_identity_kind_check CHECK ((kind = ANY (ARRAY['UNIONID'::text, 'STATE'::text]))),
  constraint member_identity_value_check CHECK (((length(value) >= 1) AND (length(value) <= 128)))
);
CREATE INDEX member_identity_member ON public.member_identity USING btree (member_id);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.member_identity REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.member_identity REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table member_owner_history (
  id bigint generated always as identity not null,
  member_id bigint not null,
  from_id bigint,
  to_id bigint,
  reason text not null default ''::text,
  staff_id bigint,
  created_at timestamp with time zone not null,
  constraint member_owner_history_pkey PRIMARY KEY (id),
  constraint member_owner_history_from_id_fkey FOREIGN KEY (from_id) REFERENCES staff(id),
  constraint member_owner_history_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_owner_history_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint member_owner_history_to_id_fkey FOREIGN KEY (to_id) REFERENCES staff(id),
  constraint member_owner_history_reason_check CHECK ((length(reason) <= 200))
);
CREATE INDEX member_owner_history_member ON public.member_owner_history USING btree (member_id, id);

create table member_task (
  id bigint generated always as identity not null,
  batch_id bigint not null,
  title text not null,
  note text not null default ''::text,
  member_id bigint not null,
  due_on date not null,
  target integer not null,
  progress integer not null default 0,
  picture uuid[] not null default '{}'::uuid[],
  words text,
  status text not null default 'OPEN'::text,
  reward_coins integer not null,
  earned_coins integer not null default 0,
  returned_for text,
  submitted_at timestamp with time zone,
  creator_id bigint not null,
  created_at timestamp with time zone not null,
  owner_id bigint,
  org_id bigint,
  teacher_id bigint,
  version integer not null default 1,
  likeness text not null default 'NONE'::text,
  like_id bigint,
  constraint member_task_pkey PRIMARY KEY (id),
  constraint member_task_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES member_task_batch(id),
  constraint member_task_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES staff(id),
  constraint member_task_like_id_fkey FOREIGN KEY (like_id) REFERENCES member_task(id),
  constraint member_task_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint member_task_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint member_task_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint member_task_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES staff(id),
  constraint member_task_earned CHECK (((earned_coins = 0) OR ((status = 'DONE'::text) AND (earned_coins = reward_coins)))),
  constraint member_task_earned_coins_check CHECK (((earned_coins >= 0) AND (earned_coins <= 1000))),
  constraint member_task_like CHECK ((((likeness = 'ALIKE'::text) OR (likeness = 'SAME'::text)) = (like_id IS NOT NULL))),
  constraint member_task_likeness_check CHECK ((likeness = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'NEW'::text, 'ALIKE'::text, 'SAME'::text]))),
  constraint member_task_note_check CHECK ((length(note) <= 500)),
  constraint member_task_progress CHECK ((progress <= target)),
  constraint member_task_progress_check CHECK (((progress >= 0) AND (progress <= 1000))),
  constraint member_task_proved CHECK (((status <> ALL (ARRAY['SUBMITTED'::text, 'DONE'::text])) OR (submitted_at IS NOT NULL))),
  constraint member_task_returned_for_check CHECK ((length(returned_for) <= 200)),
  constraint member_task_reward_coins_check CHECK (((reward_coins >= 0) AND (reward_coins <= 1000))),
  constraint member_task_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'SUBMITTED'::text, 'DONE'::text, 'OVERDUE'::text, 'CANCELLED'::text]))),
  constraint member_task_target_check CHECK (((target >= 1) AND (target <= 1000))),
  constraint member_task_title_check CHECK ((length(title) <= 100)),
  constraint member_task_words_check CHECK ((length(words) <= 200))
);
CREATE INDEX member_task_batch_of ON public.member_task USING btree (batch_id);
CREATE INDEX member_task_created ON public.member_task USING btree (created_at, id);
CREATE INDEX member_task_creator ON public.member_task USING btree (creator_id, id);
CREATE INDEX member_task_due ON public.member_task USING btree (due_on, id);
CREATE INDEX member_task_like_of ON public.member_task USING btree (like_id);
CREATE INDEX member_task_likeness ON public.member_task USING btree (likeness, id);
CREATE INDEX member_task_member ON public.member_task USING btree (member_id, id);
CREATE UNIQUE INDEX member_task_once ON public.member_task USING btree (member_id, title, due_on) WHERE (status <> 'CANCELLED'::text);
CREATE INDEX member_task_open ON public.member_task USING btree (due_on) WHERE (status = 'OPEN'::text);
CREATE INDEX member_task_org ON public.member_task USING btree (org_id, id);
CREATE INDEX member_task_owner ON public.member_task USING btree (owner_id, id);
CREATE INDEX member_task_owner_status ON public.member_task USING btree (owner_id, status, id);
CREATE INDEX member_task_status ON public.member_task USING btree (status, id);
CREATE INDEX member_task_submitted ON public.member_task USING btree (submitted_at, id);
CREATE INDEX member_task_teacher ON public.member_task USING btree (teacher_id, id);
CREATE INDEX member_task_teacher_status ON public.member_task USING btree (teacher_id, status, id);
CREATE INDEX member_task_title ON public.member_task USING btree (title text_pattern_ops, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.member_task REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.member_task REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.member_task REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.member_task REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.member_task REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table member_task_awaiting (
  batch_id bigint not null,
  member_id bigint not null,
  constraint member_task_awaiting_pkey PRIMARY KEY (batch_id, member_id),
  constraint member_task_awaiting_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES member_task_batch(id)
);

create table member_task_batch (
  id bigint generated always as identity not null,
  title text not null,
  note text not null default ''::text,
  due_on date not null,
  target integer not null,
  reward_coins integer not null,
  members integer not null default 0,
  creator_id bigint not null,
  created_at timestamp with time zone not null,
  constraint member_task_batch_pkey PRIMARY KEY (id),
  constraint member_task_batch_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES staff(id),
  constraint member_task_batch_members_check CHECK ((members >= 0)),
  constraint member_task_batch_note_check CHECK ((length(note) <= 500)),
  constraint member_task_batch_reward_coins_check CHECK (((reward_coins >= 0) AND (reward_coins <= 1000))),
  constraint member_task_batch_target_check CHECK (((target >= 1) AND (target <= 1000))),
  constraint member_task_batch_title_check CHECK ((length(title) <= 100))
);

create table message (
  id bigint generated always as identity not null,
  template_id bigint,
  edition_id bigint,
  channel text not null,
  kind text not null,
  status text not null,
  cause text,
  member_id bigint,
  staff_id bigint,
  phone text,
  email text,
  title text not null,
  body text not null default ''::text,
  digest text not null,
  filled jsonb,
  sealed bytea,
  provider_code text,
  about text not null,
  is_test boolean not null default false,
  attempt integer not null default 1,
  tries integer not null default 0,
  claimed_at timestamp with time zone,
  result text not null default ''::text,
  scheduled_at timestamp with time zone,
  sent_at timestamp with time zone,
  ended_at timestamp with time zone,
  state_since timestamp with time zone not null,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  lead_id bigint,
  partner_id bigint,
  words_of_id bigint,
  constraint message_pkey PRIMARY KEY (id),
  constraint message_about UNIQUE (about),
  constraint message_edition_id_fkey FOREIGN KEY (edition_id) REFERENCES message_template_edition(id),
  constraint message_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id),
  constraint message_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint message_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint message_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint message_template_id_fkey FOREIGN KEY (template_id) REFERENCES message_template(id),
  constraint message_words_of_id_fkey FOREIGN KEY (words_of_id) REFERENCES member(id),
  constraint message_about_check CHECK ((length(about) <= 100)),
  constraint message_attempt_check CHECK ((attempt >= 1)),
  constraint message_body_check CHECK ((length(body) <= 2000)),
  constraint message_cause_check CHECK ((cause = ANY (ARRAY['QUIET_HOURS'::text, 'NO_CONSENT'::text, 'OPTED_OUT'::text, 'OTHER_NUMBER'::text, 'LATELY'::text, 'NO_ADDRESS'::text, 'NO_ANSWER'::text, 'NOT_REACHED'::text, 'TOO_LATE'::text, 'BAD_ADDRESS'::text, 'BLOCKED'::text, 'LIMITED'::text, 'SWITCHED_OFF'::text, 'TEMPLATE'::text, 'ACCOUNT'::text, 'REJECTED'::text]))),
  constraint message_channel_check CHECK ((channel = ANY (ARRAY['WEB'::text, 'SMS'::text, 'EMAIL'::text]))),
  constraint message_check1 CHECK (((kind <> 'CODE'::text) OR ((body = ''::text) AND (filled IS NULL)))),
  constraint message_check2 CHECK (((sealed IS NULL) OR (kind = 'CODE'::text))),
  constraint message_digest_check CHECK ((length(digest) <= 64)),
  constraint message_email_check CHECK ((length(email) <= 100)),
  constraint message_kind_check CHECK ((kind = ANY (ARRAY['CODE'::text, 'NOTICE'::text, 'MARKETING'::text]))),
  constraint message_phone_check CHECK ((length(phone) <= 20)),
  constraint message_receiver CHECK ((num_nonnulls(member_id, staff_id, lead_id, partner_id) = 1)),
  constraint message_result_check CHECK ((length(result) <= 200)),
  constraint message_status_check CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'SENDING'::text, 'UNKNOWN'::text, 'FAILED'::text, 'WITHHELD'::text, 'DELIVERED'::text, 'UNREAD'::text, 'READ'::text]))),
  constraint message_title_check CHECK ((length(title) <= 100))
);
CREATE INDEX message_cause ON public.message USING btree (cause, id);
CREATE INDEX message_channel ON public.message USING btree (channel, id);
CREATE INDEX message_created ON public.message USING btree (created_at);
CREATE INDEX message_edition ON public.message USING btree (edition_id, id) WHERE (edition_id IS NOT NULL);
CREATE INDEX message_kind ON public.message USING btree (kind, id);
CREATE INDEX message_lead ON public.message USING btree (lead_id) WHERE (lead_id IS NOT NULL);
CREATE INDEX message_marketing ON public.message USING btree (member_id, created_at) WHERE (kind = 'MARKETING'::text);
CREATE INDEX message_member ON public.message USING btree (member_id, id);
CREATE INDEX message_of_template ON public.message USING btree (template_id, id);
CREATE INDEX message_partner ON public.message USING btree (partner_id, id) WHERE (partner_id IS NOT NULL);
CREATE INDEX message_staff ON public.message USING btree (staff_id, id);
CREATE INDEX message_status ON public.message USING btree (status, id);
CREATE INDEX message_title ON public.message USING btree (title text_pattern_ops);
CREATE INDEX message_words_of ON public.message USING btree (words_of_id) WHERE (words_of_id IS NOT NULL);
CREATE TRIGGER member_told_insert AFTER INSERT ON public.message REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION message_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.message REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION message_of_member_changed();

create table message_template (
  id bigint generated always as identity not null,
  code text not null,
  channel text not null,
  kind text not null,
  title text not null,
  body text not null,
  variables jsonb not null default '[]'::jsonb,
  provider_code text,
  is_shipped boolean not null default false,
  edition integer not null default 0,
  status text not null default 'DRAFT'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint message_template_pkey PRIMARY KEY (id),
  constraint message_template_code UNIQUE (code),
  constraint message_template_body_check CHECK ((length(body) <= 500)),
  constraint message_template_channel_check CHECK ((channel = ANY (ARRAY['WEB'::text, 'SMS'::text, 'EMAIL'::text]))),
  constraint message_template_code_check CHECK ((code ~ '^[A-Z][A-Z0-9-]{2,39}$'::text)),
  constraint message_template_edition_check CHECK ((edition >= 0)),
  constraint message_template_kind_check CHECK ((kind = ANY (ARRAY['CODE'::text, 'NOTICE'::text, 'MARKETING'::text]))),
  constraint message_template_provider_code_check CHECK ((length(provider_code) <= 64)),
  constraint message_template_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'CHANGED'::text]))),
  constraint message_template_title_check CHECK ((length(title) <= 100))
);
CREATE INDEX message_template_channel ON public.message_template USING btree (channel, id);
CREATE INDEX message_template_code_prefix ON public.message_template USING btree (code text_pattern_ops);
CREATE INDEX message_template_kind ON public.message_template USING btree (kind, id);
CREATE INDEX message_template_status ON public.message_template USING btree (status, id);
CREATE INDEX message_template_title ON public.message_template USING btree (title text_pattern_ops);

create table message_template_edition (
  id bigint generated always as identity not null,
  template_id bigint not null,
  edition integer,
  state text not null,
  base integer not null,
  restores integer,
  body jsonb not null,
  drafted_by bigint not null,
  drafted_at timestamp with time zone not null,
  published_by bigint,
  published_at timestamp with time zone,
  authors bigint[] not null default '{}'::bigint[],
  constraint message_template_edition_pkey PRIMARY KEY (id),
  constraint message_template_edition_template_id_edition_key UNIQUE (template_id, edition),
  constraint message_template_edition_drafted_by_fkey FOREIGN KEY (drafted_by) REFERENCES staff(id),
  constraint message_template_edition_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id),
  constraint message_template_edition_template_id_fkey FOREIGN KEY (template_id) REFERENCES message_template(id) ON DELETE CASCADE,
  constraint message_template_edition_base_check CHECK ((base >= 0)),
  constraint message_template_edition_check1 CHECK (((edition IS NULL) = (state = ANY (ARRAY['DRAFT'::text, 'DISCARDED'::text])))),
  constraint message_template_edition_check2 CHECK ((num_nulls(edition, published_by, published_at) = ANY (ARRAY[0, 3]))),
  constraint message_template_edition_edition_check CHECK ((edition > 0)),
  constraint message_template_edition_restores_check CHECK ((restores > 0)),
  constraint message_template_edition_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'SUPERSEDED'::text, 'DISCARDED'::text])))
);
CREATE UNIQUE INDEX message_template_edition_draft ON public.message_template_edition USING btree (template_id) WHERE (state = 'DRAFT'::text);
CREATE UNIQUE INDEX message_template_edition_published ON public.message_template_edition USING btree (template_id) WHERE (state = 'PUBLISHED'::text);

create table migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table name_copybook (
  id bigint generated always as identity not null,
  variant text not null,
  name text,
  lead_phone text,
  lead_id bigint,
  age text not null,
  grid text not null,
  lines integer not null,
  verse text not null default ''::text,
  link text,
  batch text,
  made_by bigint not null,
  owner_id bigint not null,
  org_id bigint not null,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint name_copybook_pkey PRIMARY KEY (id),
  constraint name_copybook_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint name_copybook_made_by_fkey FOREIGN KEY (made_by) REFERENCES staff(id),
  constraint name_copybook_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint name_copybook_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint name_copybook_age_check CHECK ((age = ANY (ARRAY['PRESCHOOL'::text, 'LOWER'::text, 'MIDDLE'::text, 'UPPER'::text]))),
  constraint name_copybook_batch_check CHECK ((length(batch) <= 200)),
  constraint name_copybook_grid_check CHECK ((grid = ANY (ARRAY['TIAN'::text, 'MI'::text, 'HUI'::text, 'JIU'::text, 'FANG'::text]))),
  constraint name_copybook_lead CHECK (((lead_phone IS NULL) OR (lead_id IS NOT NULL))),
  constraint name_copybook_lead_phone_check CHECK ((lead_phone ~ '^1[3-9][0-9]{9}$'::text)),
  constraint name_copybook_lines_check CHECK (((lines >= 1) AND (lines <= 3))),
  constraint name_copybook_link_check CHECK ((length(link) <= 200)),
  constraint name_copybook_name_check CHECK ((length(name) <= 20)),
  constraint name_copybook_variant_check CHECK ((variant = ANY (ARRAY['CONSULTANT'::text, 'VERSE'::text, 'ACCOUNT'::text, 'PLAIN'::text]))),
  constraint name_copybook_verse_check CHECK ((length(verse) <= 120))
);
CREATE INDEX name_copybook_age ON public.name_copybook USING btree (age, id);
CREATE INDEX name_copybook_batch ON public.name_copybook USING btree (batch text_pattern_ops, id);
CREATE INDEX name_copybook_created ON public.name_copybook USING btree (created_at, id);
CREATE INDEX name_copybook_grid ON public.name_copybook USING btree (grid, id);
CREATE INDEX name_copybook_link ON public.name_copybook USING btree (variant, made_by, id) WHERE (link IS NOT NULL);
CREATE INDEX name_copybook_made ON public.name_copybook USING btree (variant, created_at, id);
CREATE INDEX name_copybook_maker ON public.name_copybook USING btree (made_by, id);
CREATE INDEX name_copybook_of_lead ON public.name_copybook USING btree (lead_id, id);
CREATE INDEX name_copybook_org ON public.name_copybook USING btree (org_id, id);
CREATE INDEX name_copybook_owner ON public.name_copybook USING btree (owner_id, id);
CREATE INDEX name_copybook_page ON public.name_copybook USING btree (variant, id);
CREATE INDEX name_copybook_phone ON public.name_copybook USING btree (lead_phone) WHERE (lead_phone IS NOT NULL);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.name_copybook REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('variant', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.name_copybook REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('variant', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.name_copybook REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('variant', 'owned');

create table note (
  id bigint generated always as identity not null,
  note_no text not null,
  title text not null,
  account text not null,
  note_type text not null,
  link text,
  operator_id bigint,
  published_at timestamp with time zone not null,
  status text not null default 'NORMAL'::text,
  reported_on date,
  reads integer not null default 0,
  likes integer not null default 0,
  saves integer not null default 0,
  comments integer not null default 0,
  messages integer not null default 0,
  leads integer not null default 0,
  added integer not null default 0,
  orders integer not null default 0,
  gmv_fen bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint note_pkey PRIMARY KEY (id),
  constraint note_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES staff(id),
  constraint note_link_check CHECK (((length(link) >= 1) AND (length(link) <= 500))),
  constraint note_note_no_check CHECK ((note_no ~ '^[0-9A-Za-z_-]{1,64}$'::text)),
  constraint note_note_type_check CHECK ((note_type = ANY (ARRAY['PICTURES'::text, 'VIDEO'::text]))),
  constraint note_status_check CHECK ((status = ANY (ARRAY['NORMAL'::text, 'LIMITED'::text, 'VIOLATION'::text, 'DELETED'::text]))),
  constraint note_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200)))
);
CREATE INDEX note_account ON public.note USING btree (account, id);
CREATE INDEX note_gmv ON public.note USING btree (gmv_fen, id);
CREATE INDEX note_leads ON public.note USING btree (leads, id);
CREATE INDEX note_likes ON public.note USING btree (likes, id);
CREATE UNIQUE INDEX note_no ON public.note USING btree (note_no text_pattern_ops);
CREATE INDEX note_operator ON public.note USING btree (operator_id, id);
CREATE INDEX note_published ON public.note USING btree (published_at, id);
CREATE INDEX note_reads ON public.note USING btree (reads, id);
CREATE INDEX note_status ON public.note USING btree (status, id);
CREATE INDEX note_title ON public.note USING btree (title text_pattern_ops, id);
CREATE INDEX note_title_pairs ON public.note USING gin (name_pairs(title));
CREATE INDEX note_type ON public.note USING btree (note_type, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.note REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'shared');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.note REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'shared');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.note REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'shared');

create table note_snapshot (
  id bigint generated always as identity not null,
  note_id bigint not null,
  day date not null,
  reads integer not null,
  likes integer not null,
  saves integer not null,
  comments integer not null,
  messages integer not null,
  reported_at timestamp with time zone not null,
  constraint note_snapshot_pkey PRIMARY KEY (id),
  constraint note_snapshot_once UNIQUE (note_id, day),
  constraint note_snapshot_note_id_fkey FOREIGN KEY (note_id) REFERENCES note(id) ON DELETE CASCADE,
  constraint note_snapshot_comments_check CHECK ((comments >= 0)),
  constraint note_snapshot_likes_check CHECK ((likes >= 0)),
  constraint note_snapshot_messages_check CHECK ((messages >= 0)),
  constraint note_snapshot_reads_check CHECK ((reads >= 0)),
  constraint note_snapshot_saves_check CHECK ((saves >= 0))
);
CREATE INDEX note_snapshot_note ON public.note_snapshot USING btree (note_id, id);

create table number_batch (
  id bigint generated always as identity not null,
  import_id bigint not null,
  title text not null,
  all_rows integer not null,
  new_rows integer not null default 0,
  repeated_rows integer not null,
  known_rows integer not null,
  bad_rows integer not null,
  allocated integer not null default 0,
  registered integer not null default 0,
  paid integer not null default 0,
  status text not null default 'KEPT'::text,
  owner_id bigint not null,
  org_id bigint not null,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  contacted integer not null default 0,
  added integer not null default 0,
  came_from text,
  marketing text not null default 'NOT_AGREED'::text,
  evidence text,
  constraint number_batch_pkey PRIMARY KEY (id),
  constraint number_batch_import UNIQUE (import_id),
  constraint number_batch_import_id_fkey FOREIGN KEY (import_id) REFERENCES import_batch(id),
  constraint number_batch_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint number_batch_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint number_batch_added_check CHECK ((added >= 0)),
  constraint number_batch_all_rows_check CHECK ((all_rows >= 0)),
  constraint number_batch_allocated_check CHECK ((allocated >= 0)),
  constraint number_batch_bad_rows_check CHECK ((bad_rows >= 0)),
  constraint number_batch_contacted_check CHECK ((contacted >= 0)),
  constraint number_batch_evidence_check CHECK ((length(evidence) <= 200)),
  constraint number_batch_known_rows_check CHECK ((known_rows >= 0)),
  constraint number_batch_marketing_check CHECK ((marketing = ANY (ARRAY['AGREED'::text, 'NOT_AGREED'::text]))),
  constraint number_batch_new_rows_check CHECK ((new_rows >= 0)),
  constraint number_batch_paid_check CHECK ((paid >= 0)),
  constraint number_batch_registered_check CHECK ((registered >= 0)),
  constraint number_batch_repeated_rows_check CHECK ((repeated_rows >= 0)),
  constraint number_batch_shown CHECK (((marketing = 'NOT_AGREED'::text) OR (evidence IS NOT NULL))),
  constraint number_batch_status_check CHECK ((status = ANY (ARRAY['KEPT'::text, 'UNDONE'::text]))),
  constraint number_batch_title_check CHECK ((length(title) <= 200))
);
CREATE INDEX number_batch_came_from ON public.number_batch USING btree (came_from, id);
CREATE INDEX number_batch_created ON public.number_batch USING btree (created_at, id);
CREATE INDEX number_batch_marketing ON public.number_batch USING btree (marketing, id);
CREATE INDEX number_batch_org ON public.number_batch USING btree (org_id, id);
CREATE INDEX number_batch_owner ON public.number_batch USING btree (owner_id, id);
CREATE INDEX number_batch_status ON public.number_batch USING btree (status, id);
CREATE INDEX number_batch_title ON public.number_batch USING btree (title text_pattern_ops, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.number_batch REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.number_batch REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.number_batch REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table number_row (
  id bigint generated always as identity not null,
  batch_id bigint not null,
  lead_id bigint not null,
  row_no integer not null,
  phone text,
  result text not null default 'OPEN'::text,
  owner_id bigint,
  org_id bigint not null,
  held_by bigint,
  contacted_at timestamp with time zone,
  added_at timestamp with time zone,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  created_day date not null default ((created_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  reached text not null default 
CASE
    WHEN (result = 'PAID'::text) THEN 'PAID'::text
    WHEN (result = 'REGISTERED'::text) THEN 'REGISTERED'::text
    WHEN (added_at IS NOT NULL) THEN 'ADDED'::text
    WHEN (contacted_at IS NOT NULL) THEN 'CONTACTED'::text
    WHEN (held_by IS NOT NULL) THEN 'ALLOCATED'::text
    ELSE 'IMPORTED'::text
END,
  constraint number_row_pkey PRIMARY KEY (id),
  constraint number_row_lead UNIQUE (lead_id),
  constraint number_row_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES number_batch(id),
  constraint number_row_held_by_fkey FOREIGN KEY (held_by) REFERENCES staff(id),
  constraint number_row_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE CASCADE,
  constraint number_row_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint number_row_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint number_row_phone_check CHECK ((length(phone) <= 20)),
  constraint number_row_reached_check CHECK ((reached = ANY (ARRAY['IMPORTED'::text, 'ALLOCATED'::text, 'CONTACTED'::text, 'ADDED'::text, 'REGISTERED'::text, 'PAID'::text]))),
  constraint number_row_result_check CHECK ((result = ANY (ARRAY['OPEN'::text, 'REGISTERED'::text, 'PAID'::text, 'INVALID'::text]))),
  constraint number_row_row_no_check CHECK ((row_no >= 1))
);
CREATE INDEX number_row_batch ON public.number_row USING btree (batch_id, id);
CREATE INDEX number_row_came_to ON public.number_row USING btree (result, id);
CREATE INDEX number_row_created ON public.number_row USING btree (created_at, id);
CREATE INDEX number_row_hands ON public.number_row USING btree (batch_id, held_by, id);
CREATE INDEX number_row_held_by ON public.number_row USING btree (held_by, id);
CREATE INDEX number_row_org ON public.number_row USING btree (org_id, id);
CREATE INDEX number_row_owned ON public.number_row USING btree (owner_id, id);
CREATE INDEX number_row_owner ON public.number_row USING btree (batch_id, owner_id, id);
CREATE INDEX number_row_reached ON public.number_row USING btree (reached, created_at, id);
CREATE INDEX number_row_result ON public.number_row USING btree (batch_id, result, id);
CREATE INDEX number_row_way ON public.number_row USING btree (batch_id, reached, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.number_row REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.number_row REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.number_row REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('reached', 'owned');

create table number_sequence (
  kind text not null,
  day date not null,
  last bigint not null,
  constraint number_sequence_pkey PRIMARY KEY (kind, day)
);

create table official_account (
  id bigint generated always as identity not null,
  name text not null,
  app_id text not null,
  kind text not null,
  status text not null default 'ACTIVE'::text,
  keeper_id bigint,
  channel text not null,
  welcome text not null default ''::text,
  replies jsonb not null default '[]'::jsonb,
  draft jsonb not null default '[]'::jsonb,
  menu jsonb not null default '[]'::jsonb,
  menu_sent jsonb not null default '[]'::jsonb,
  sending_at timestamp with time zone,
  menu_state text not null default 'NONE'::text,
  menu_published_at timestamp with time zone,
  menu_error text,
  followers integer not null default 0,
  gone integer not null default 0,
  leads integer not null default 0,
  counted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint official_account_pkey PRIMARY KEY (id),
  constraint official_account_keeper_id_fkey FOREIGN KEY (keeper_id) REFERENCES staff(id),
  constraint official_account_app_id_check CHECK ((app_id ~ '^[0-9A-Za-z_-]{6,64}$'::text)),
  constraint official_account_draft_check CHECK ((jsonb_typeof(draft) = 'array'::text)),
  constraint official_account_kind_check CHECK ((kind = ANY (ARRAY['SERVICE'::text, 'SUBSCRIPTION'::text]))),
  constraint official_account_menu_check CHECK ((jsonb_typeof(menu) = 'array'::text)),
  constraint official_account_menu_error_check CHECK ((length(menu_error) <= 200)),
  constraint official_account_menu_sent_check CHECK ((jsonb_typeof(menu_sent) = 'array'::text)),
  constraint official_account_menu_state_check CHECK ((menu_state = ANY (ARRAY['NONE'::text, 'WAITING'::text, 'PUBLISHED'::text, 'FAILED'::text, 'UNKNOWN'::text]))),
  constraint official_account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint official_account_replies_check CHECK ((jsonb_typeof(replies) = 'array'::text)),
  constraint official_account_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'STOPPED'::text]))),
  constraint official_account_welcome_check CHECK ((length(welcome) <= 600))
);
CREATE UNIQUE INDEX official_account_app ON public.official_account USING btree (app_id text_pattern_ops);
CREATE INDEX official_account_created ON public.official_account USING btree (created_at, id);
CREATE INDEX official_account_followers ON public.official_account USING btree (followers, id);
CREATE INDEX official_account_keeper ON public.official_account USING btree (keeper_id, id);
CREATE INDEX official_account_kind ON public.official_account USING btree (kind, id);
CREATE INDEX official_account_leads ON public.official_account USING btree (leads, id);
CREATE INDEX official_account_menu ON public.official_account USING btree (menu_state, id);
CREATE INDEX official_account_name ON public.official_account USING btree (name text_pattern_ops, id);
CREATE INDEX official_account_name_pairs ON public.official_account USING gin (name_pairs(name));
CREATE INDEX official_account_status ON public.official_account USING btree (status, id);

create table operation_log (
  id bigint not null default next_log_line(),
  at timestamp with time zone not null,
  actor_id bigint,
  actor_name text not null,
  address text not null,
  request_id text not null,
  page text not null,
  action text not null,
  record_id bigint,
  diff jsonb not null default '{}'::jsonb,
  reason text,
  code integer not null,
  duration_ms integer not null default 0,
  undoes bigint,
  version integer not null default 1,
  keep text not null default 'LONG'::text,
  record_no text,
  salt uuid default gen_random_uuid(),
  result text not null default 
CASE
    WHEN (code = 0) THEN 'DONE'::text
    ELSE 'REFUSED'::text
END,
  kind text not null default 
CASE
    WHEN (action = 'create'::text) THEN 'CREATE'::text
    WHEN (action = ANY (ARRAY['update'::text, 'move'::text])) THEN 'UPDATE'::text
    WHEN (action = 'delete'::text) THEN 'DELETE'::text
    WHEN (action = ANY (ARRAY['takeBack'::text, 'undoImport'::text])) THEN 'TAKE_BACK'::text
    WHEN (action = 'import'::text) THEN 'IMPORT'::text
    WHEN (action = ANY (ARRAY['export'::text, 'download'::text, 'print'::text])) THEN 'EXPORT'::text
    WHEN (action = ANY (ARRAY['reveal'::text, 'find-by-phone'::text])) THEN 'REVEAL'::text
    ELSE 'STEP'::text
END,
  form integer not null default 2,
  constraint operation_log_pkey PRIMARY KEY (id, keep, at),
  constraint operation_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES staff(id),
  constraint operation_log_action CHECK ((length(action) <= 100)),
  constraint operation_log_actor_name CHECK ((length(actor_name) <= 100)),
  constraint operation_log_address CHECK ((length(address) <= 100)),
  constraint operation_log_keep CHECK ((keep = ANY (ARRAY['SHORT'::text, 'LONG'::text]))),
  constraint operation_log_kind CHECK ((kind = ANY (ARRAY['CREATE'::text, 'UPDATE'::text, 'DELETE'::text, 'STEP'::text, 'TAKE_BACK'::text, 'IMPORT'::text, 'EXPORT'::text, 'REVEAL'::text]))),
  constraint operation_log_no CHECK ((length(record_no) <= 64)),
  constraint operation_log_page CHECK ((length(page) <= 100)),
  constraint operation_log_reason CHECK ((length(reason) <= 2000)),
  constraint operation_log_request_id CHECK ((length(request_id) <= 200)),
  constraint operation_log_result CHECK ((result = ANY (ARRAY['DONE'::text, 'REFUSED'::text])))
) partition by LIST (keep);
CREATE INDEX operation_log_actor ON ONLY public.operation_log USING btree (actor_id, id);
CREATE INDEX operation_log_at ON ONLY public.operation_log USING btree (at, id);
CREATE INDEX operation_log_kind ON ONLY public.operation_log USING btree (kind, id);
CREATE INDEX operation_log_no ON ONLY public.operation_log USING btree (record_no text_pattern_ops);
CREATE INDEX operation_log_page ON ONLY public.operation_log USING btree (page, id);
CREATE INDEX operation_log_record ON ONLY public.operation_log USING btree (record_id, page, id);
CREATE INDEX operation_log_result ON ONLY public.operation_log USING btree (result, id);

create table order_by_channel_cell (
  day date not null,
  org_id bigint,
  owner_id bigint,
  channel text,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
);
CREATE INDEX order_by_channel_cell_empty ON public.order_by_channel_cell USING btree (day) WHERE ((placed = 0) AND (placed_paid = 0) AND (placed_kept = 0) AND (paid = 0) AND (bought = 0) AND (paid_fen = 0));
CREATE UNIQUE INDEX order_by_channel_cell_key ON public.order_by_channel_cell USING btree (day, org_id, owner_id, channel) INCLUDE (placed, placed_paid, placed_kept, paid, bought, paid_fen) NULLS NOT DISTINCT;

create table order_by_channel_move (
  day date not null,
  org_id bigint,
  owner_id bigint,
  channel text,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
);

create table order_by_product_cell (
  day date not null,
  org_id bigint,
  owner_id bigint,
  product_name text,
  bought bigint not null,
  paid_fen bigint not null
);
CREATE INDEX order_by_product_cell_empty ON public.order_by_product_cell USING btree (day) WHERE ((bought = 0) AND (paid_fen = 0));
CREATE UNIQUE INDEX order_by_product_cell_key ON public.order_by_product_cell USING btree (day, org_id, owner_id, product_name) INCLUDE (bought, paid_fen) NULLS NOT DISTINCT;

create table order_by_product_move (
  day date not null,
  org_id bigint,
  owner_id bigint,
  product_name text,
  bought bigint not null,
  paid_fen bigint not null
);

create table order_by_seller_cell (
  day date not null,
  org_id bigint,
  owner_id bigint,
  sold_by bigint,
  sold_org_id bigint,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
);
CREATE INDEX order_by_seller_cell_empty ON public.order_by_seller_cell USING btree (day) WHERE ((placed = 0) AND (placed_paid = 0) AND (placed_kept = 0) AND (paid = 0) AND (bought = 0) AND (paid_fen = 0));
CREATE UNIQUE INDEX order_by_seller_cell_key ON public.order_by_seller_cell USING btree (day, org_id, owner_id, sold_by, sold_org_id) INCLUDE (placed, placed_paid, placed_kept, paid, bought, paid_fen) NULLS NOT DISTINCT;

create table order_by_seller_move (
  day date not null,
  org_id bigint,
  owner_id bigint,
  sold_by bigint,
  sold_org_id bigint,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
);

create table order_examination (
  id bigint generated always as identity not null,
  order_id bigint not null,
  member_id bigint not null,
  kind text not null,
  amount_fen bigint not null,
  before_fen bigint not null,
  list_fen bigint not null,
  pay_channel text,
  transaction_no text,
  proof uuid[] not null default '{}'::uuid[],
  proof_seen boolean not null default false,
  note text not null default ''::text,
  status text not null default 'WAITING'::text,
  applicant_id bigint not null,
  decided_by bigint,
  decided_at timestamp with time zone,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  bank_number text default bank_number(transaction_no),
  transfer_fen bigint,
  flags text[] not null default '{}'::text[],
  constraint order_examination_pkey PRIMARY KEY (id),
  constraint order_examination_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint order_examination_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint order_examination_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint order_examination_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint order_examination_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint order_examination_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint order_examination_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint order_examination_before_fen_check CHECK ((before_fen >= 0)),
  constraint order_examination_check CHECK (((kind <> 'OFFLINE'::text) OR (transaction_no IS NOT NULL))),
  constraint order_examination_check1 CHECK (((decided_by IS NULL) OR (decided_by <> applicant_id))),
  constraint order_examination_kind_check CHECK ((kind = ANY (ARRAY['OFFLINE'::text, 'PRICE'::text]))),
  constraint order_examination_list_fen_check CHECK ((list_fen >= 0)),
  constraint order_examination_note_check CHECK ((length(note) <= 500)),
  constraint order_examination_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'APPROVED'::text, 'REJECTED'::text]))),
  constraint order_examination_transaction_no_check CHECK ((length(transaction_no) <= 64)),
  constraint order_examination_transfer CHECK (((transfer_fen IS NULL) OR (transfer_fen >= amount_fen)))
);
CREATE INDEX order_examination_amount ON public.order_examination USING btree (amount_fen, id);
CREATE INDEX order_examination_applicant ON public.order_examination USING btree (applicant_id, id);
CREATE INDEX order_examination_created ON public.order_examination USING btree (created_at, id);
CREATE INDEX order_examination_kind ON public.order_examination USING btree (kind, id);
CREATE INDEX order_examination_member ON public.order_examination USING btree (member_id, id);
CREATE INDEX order_examination_number ON public.order_examination USING btree (bank_number) WHERE ((bank_number IS NOT NULL) AND (status <> 'REJECTED'::text));
CREATE UNIQUE INDEX order_examination_open ON public.order_examination USING btree (order_id) WHERE (status = 'WAITING'::text);
CREATE INDEX order_examination_order ON public.order_examination USING btree (order_id, id);
CREATE INDEX order_examination_org ON public.order_examination USING btree (org_id, id);
CREATE INDEX order_examination_owner ON public.order_examination USING btree (owner_id, id);
CREATE INDEX order_examination_status ON public.order_examination USING btree (status, id);
CREATE INDEX order_examination_transaction ON public.order_examination USING btree (transaction_no text_pattern_ops, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.order_examination REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.order_examination REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.order_examination REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.order_examination REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-examine');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.order_examination REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-examine');

create table order_line (
  id bigint generated always as identity not null,
  order_id bigint not null,
  product_id bigint,
  product_name text not null,
  quantity integer not null,
  list_fen bigint not null,
  amount_fen bigint not null,
  paid_fen bigint not null default 0,
  reserved_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  grants jsonb not null default '[]'::jsonb,
  commission_permille integer not null default 0,
  may_wait boolean not null default false,
  constraint order_line_pkey PRIMARY KEY (id),
  constraint order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint order_line_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint line_refunds_within_paid CHECK (((reserved_fen + refunded_fen) <= paid_fen)),
  constraint order_line_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint order_line_list_fen_check CHECK ((list_fen >= 0)),
  constraint order_line_paid_fen_check CHECK ((paid_fen >= 0)),
  constraint order_line_product_name_check CHECK (((length(product_name) >= 1) AND (length(product_name) <= 100))),
  constraint order_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000))),
  constraint order_line_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint order_line_reserved_fen_check CHECK ((reserved_fen >= 0))
);
CREATE INDEX order_line_order ON public.order_line USING btree (order_id, id);
CREATE INDEX order_line_product ON public.order_line USING btree (product_id, id);
CREATE TRIGGER paid_by_product_delete AFTER DELETE ON public.order_line REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_paid_by_product();
CREATE TRIGGER paid_by_product_insert AFTER INSERT ON public.order_line REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_paid_by_product();
CREATE TRIGGER paid_by_product_update AFTER UPDATE ON public.order_line REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_paid_by_product();

create table org (
  id bigint generated always as identity not null,
  parent_id bigint,
  name text not null,
  code text not null,
  path text not null,
  sort integer not null default 0,
  version integer not null default 1,
  short_name text,
  type text not null default 'DEPT'::text,
  manager_id bigint,
  note text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  status text not null default 'OPEN'::text,
  constraint org_pkey PRIMARY KEY (id),
  constraint org_code_key UNIQUE (code),
  constraint org_path_key UNIQUE (path),
  constraint org_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES staff(id) DEFERRABLE INITIALLY DEFERRED,
  constraint org_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES org(id),
  constraint org_code_check CHECK (((length(code) >= 1) AND (length(code) <= 50))),
  constraint org_depth CHECK (((length(path) - length(replace(path, '/'::text, ''::text))) <= 13)),
  constraint org_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint org_note_check CHECK ((length(note) <= 200)),
  constraint org_short_name_check CHECK (((length(short_name) >= 1) AND (length(short_name) <= 50))),
  constraint org_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text])))
);
CREATE INDEX org_children ON public.org USING btree (parent_id, sort, id);
CREATE INDEX org_code ON public.org USING btree (code text_pattern_ops);
CREATE INDEX org_manager ON public.org USING btree (manager_id);
CREATE INDEX org_name ON public.org USING btree (name text_pattern_ops);
CREATE INDEX org_name_pairs ON public.org USING gin (name_pairs(name));
CREATE INDEX org_path ON public.org USING btree (path text_pattern_ops);
CREATE TRIGGER keep_path BEFORE INSERT OR UPDATE OF parent_id ON public.org FOR EACH ROW EXECUTE FUNCTION keep_path();
CREATE TRIGGER move_below AFTER UPDATE OF parent_id ON public.org FOR EACH ROW WHEN ((old.path IS DISTINCT FROM new.path)) EXECUTE FUNCTION move_below();

create table outbox (
  id bigint generated always as identity not null,
  kind text not null,
  key text not null,
  payload jsonb not null,
  status text not null default 'WAITING'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  error text not null default ''::text,
  created_at timestamp with time zone not null,
  done_at timestamp with time zone,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_kind_key_key UNIQUE (kind, key),
  constraint outbox_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'DONE'::text, 'GIVEN_UP'::text])))
);
CREATE INDEX outbox_due ON public.outbox USING btree (kind, due_at, id) WHERE (status = 'WAITING'::text);
CREATE INDEX outbox_given_up ON public.outbox USING btree (id) WHERE (status = 'GIVEN_UP'::text);

create table partner (
  id bigint generated always as identity not null,
  name text not null,
  company text not null,
  channel text not null,
  platform text not null,
  package_name text,
  note text not null default ''::text,
  registered integer not null default 0,
  activated integer not null default 0,
  paid_orders integer not null default 0,
  paid_fen bigint not null default 0,
  settled_fen bigint not null default 0,
  counted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  contact_name text,
  contact_phone text,
  contact_email text,
  contact_by bigint,
  constraint partner_pkey PRIMARY KEY (id),
  constraint partner_contact_by_fkey FOREIGN KEY (contact_by) REFERENCES staff(id),
  constraint partner_channel_check CHECK (((length(channel) >= 1) AND (length(channel) <= 100))),
  constraint partner_company_check CHECK (((length(company) >= 1) AND (length(company) <= 100))),
  constraint partner_contact_email_check CHECK (((length(contact_email) >= 3) AND (length(contact_email) <= 100))),
  constraint partner_contact_name_check CHECK (((length(contact_name) >= 1) AND (length(contact_name) <= 50))),
  constraint partner_contact_phone_check CHECK ((contact_phone ~ '^1[3-9][0-9]{9}$'::text)),
  constraint partner_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint partner_note_check CHECK ((length(note) <= 500)),
  constraint partner_package_name_check CHECK (((length(package_name) >= 1) AND (length(package_name) <= 150))),
  constraint partner_platform_check CHECK ((platform = ANY (ARRAY['ANDROID'::text, 'IOS'::text, 'HARMONY'::text, 'MINI_APP'::text, 'WEB'::text])))
);
CREATE UNIQUE INDEX partner_channel ON public.partner USING btree (channel);
CREATE INDEX partner_company ON public.partner USING btree (company text_pattern_ops, id);
CREATE INDEX partner_created ON public.partner USING btree (created_at, id);
CREATE INDEX partner_name ON public.partner USING btree (name text_pattern_ops, id);
CREATE INDEX partner_name_pairs ON public.partner USING gin (name_pairs(name));
CREATE INDEX partner_package ON public.partner USING btree (package_name text_pattern_ops, id);
CREATE INDEX partner_paid ON public.partner USING btree (paid_fen, id);
CREATE INDEX partner_platform ON public.partner USING btree (platform, id);
CREATE INDEX partner_registered ON public.partner USING btree (registered, id);
CREATE INDEX partner_settled ON public.partner USING btree (settled_fen, id);
CREATE TRIGGER channel_of_one AFTER INSERT OR UPDATE OF channel ON public.partner FOR EACH ROW EXECUTE FUNCTION channel_of_one();

create table password_history (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  hash text not null,
  set_at timestamp with time zone not null,
  constraint password_history_pkey PRIMARY KEY (id),
  constraint password_history_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
CREATE INDEX password_history_staff ON public.password_history USING btree (staff_id, id);

create table payment (
  id bigint generated always as identity not null,
  payment_no text not null,
  provider text not null,
  provider_no text not null,
  order_id bigint,
  coin_order_id bigint,
  amount_fen bigint not null,
  refunded_fen bigint not null default 0,
  status text not null,
  stray_reason text,
  said_order_no text not null,
  received_at timestamp with time zone not null,
  bank_number text default bank_number(provider_no),
  sender text,
  told_at timestamp with time zone not null,
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_payment_no_key UNIQUE (payment_no),
  constraint payment_coin_order_id_fkey FOREIGN KEY (coin_order_id) REFERENCES coin_order(id),
  constraint payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint payment_amount_fen_check CHECK ((amount_fen > 0)),
  constraint payment_check CHECK ((refunded_fen <= amount_fen)),
  constraint payment_check1 CHECK (((status <> 'RECEIVED'::text) OR (order_id IS NOT NULL) OR (coin_order_id IS NOT NULL))),
  constraint payment_provider_check CHECK ((provider = ANY (ARRAY['WECHAT'::text, 'ALIPAY'::text, 'OFFLINE'::text, 'PLATFORM'::text]))),
  constraint payment_provider_no_check CHECK (((length(provider_no) >= 1) AND (length(provider_no) <= 64))),
  constraint payment_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint payment_sender_check CHECK ((sender = ANY (ARRAY['app'::text, 'douyin'::text, 'wechat-shop'::text, 'xiaohongshu'::text]))),
  constraint payment_status_check CHECK ((status = ANY (ARRAY['RECEIVED'::text, 'STRAY'::text, 'GIVING_BACK'::text, 'GIVEN_BACK'::text]))),
  constraint payment_stray_reason_check CHECK ((stray_reason = ANY (ARRAY['CLOSED'::text, 'TWICE'::text, 'AMOUNT'::text, 'EXAMINING'::text, 'UNAVAILABLE'::text, 'RECORDED'::text, 'UNKNOWN'::text])))
);
CREATE INDEX payment_coin_order ON public.payment USING btree (coin_order_id) WHERE (coin_order_id IS NOT NULL);
CREATE INDEX payment_number ON public.payment USING btree (bank_number);
CREATE UNIQUE INDEX payment_offline_order ON public.payment USING btree (order_id) WHERE (provider = 'OFFLINE'::text);
CREATE INDEX payment_order ON public.payment USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX payment_provider_no ON public.payment USING btree ((
CASE provider
    WHEN 'PLATFORM'::text THEN ('PLATFORM '::text || COALESCE(sender, ''::text))
    ELSE ''::text
END), COALESCE(bank_number, provider_no)) WHERE (provider <> 'OFFLINE'::text);
CREATE INDEX payment_said ON public.payment USING btree (said_order_no) WHERE (status = 'STRAY'::text);
CREATE INDEX payment_stray ON public.payment USING btree (told_at) WHERE (status = 'STRAY'::text);

create table payment_exception (
  id bigint generated always as identity not null,
  kind text not null,
  subject text not null,
  payment_id bigint,
  event_id bigint,
  order_id bigint,
  provider text,
  provider_no text,
  said_order_no text,
  amount_fen bigint,
  cause text,
  detail text not null default ''::text,
  status text not null default 'OPEN'::text,
  proposal text,
  proposed_order_id bigint,
  proposed_by bigint,
  proposal_note text not null default ''::text,
  confirmed_by bigint,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  outbox_id bigint,
  returns_at timestamp with time zone,
  member_id bigint,
  constraint payment_exception_pkey PRIMARY KEY (id),
  constraint payment_exception_once UNIQUE (kind, subject),
  constraint payment_exception_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES staff(id),
  constraint payment_exception_event_id_fkey FOREIGN KEY (event_id) REFERENCES inbox_event(id),
  constraint payment_exception_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint payment_exception_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint payment_exception_outbox_id_fkey FOREIGN KEY (outbox_id) REFERENCES outbox(id),
  constraint payment_exception_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint payment_exception_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES staff(id),
  constraint payment_exception_proposed_order_id_fkey FOREIGN KEY (proposed_order_id) REFERENCES sales_order(id),
  constraint payment_exception_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint payment_exception_cause_check CHECK ((cause = ANY (ARRAY['CLOSED'::text, 'TWICE'::text, 'AMOUNT'::text, 'EXAMINING'::text, 'UNAVAILABLE'::text, 'RECORDED'::text, 'UNKNOWN'::text]))),
  constraint payment_exception_check CHECK (((kind = 'STRAY'::text) = (payment_id IS NOT NULL))),
  constraint payment_exception_check1 CHECK (((status <> 'PROPOSED'::text) OR ((proposal IS NOT NULL) AND (proposed_by IS NOT NULL)))),
  constraint payment_exception_check2 CHECK (((confirmed_by IS NULL) OR (confirmed_by <> proposed_by))),
  constraint payment_exception_check3 CHECK (((status = 'DONE'::text) = (ended_at IS NOT NULL))),
  constraint payment_exception_detail_check CHECK ((length(detail) <= 500)),
  constraint payment_exception_kind_check CHECK ((kind = ANY (ARRAY['STRAY'::text, 'SAME_NUMBER'::text, 'REFUND_TWICE'::text, 'REFUND_AMOUNT'::text, 'REFUND_UNKNOWN'::text, 'EVENT'::text, 'CALL'::text]))),
  constraint payment_exception_proposal_check CHECK ((proposal = ANY (ARRAY['ORDER'::text, 'GIVE_BACK'::text, 'SETTLED'::text]))),
  constraint payment_exception_proposal_note_check CHECK ((length(proposal_note) <= 500)),
  constraint payment_exception_provider_check CHECK ((provider = ANY (ARRAY['WECHAT'::text, 'ALIPAY'::text, 'PLATFORM'::text]))),
  constraint payment_exception_provider_no_check CHECK ((length(provider_no) <= 64)),
  constraint payment_exception_said_order_no_check CHECK ((length(said_order_no) <= 64)),
  constraint payment_exception_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'PROPOSED'::text, 'DONE'::text]))),
  constraint payment_exception_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 150)))
);
CREATE INDEX payment_exception_amount ON public.payment_exception USING btree (amount_fen, id);
CREATE INDEX payment_exception_call ON public.payment_exception USING btree (outbox_id) WHERE (outbox_id IS NOT NULL);
CREATE INDEX payment_exception_created ON public.payment_exception USING btree (created_at, id);
CREATE INDEX payment_exception_kind ON public.payment_exception USING btree (kind, id);
CREATE INDEX payment_exception_number ON public.payment_exception USING btree (provider_no text_pattern_ops, id);
CREATE INDEX payment_exception_order ON public.payment_exception USING btree (order_id, id);
CREATE UNIQUE INDEX payment_exception_payment ON public.payment_exception USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX payment_exception_provider ON public.payment_exception USING btree (provider, id);
CREATE INDEX payment_exception_returns ON public.payment_exception USING btree (returns_at) WHERE ((status = 'OPEN'::text) AND (kind = 'STRAY'::text));
CREATE INDEX payment_exception_said ON public.payment_exception USING btree (said_order_no text_pattern_ops, id);
CREATE INDEX payment_exception_status ON public.payment_exception USING btree (status, id);
CREATE INDEX payment_exception_subject ON public.payment_exception USING btree (subject text_pattern_ops, id);
CREATE INDEX payment_exception_waiting ON public.payment_exception USING btree (created_at) WHERE ((status = 'OPEN'::text) AND (kind = 'STRAY'::text));
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.payment_exception REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'shared');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.payment_exception REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'shared');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.payment_exception REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'shared');
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.payment_exception REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('orderPay');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.payment_exception REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('orderPay');
CREATE TRIGGER payment_exception_member BEFORE INSERT OR UPDATE OF order_id, proposed_order_id ON public.payment_exception FOR EACH ROW EXECUTE FUNCTION payment_exception_member();

create table permission (
  id bigint generated always as identity not null,
  parent_id bigint,
  display_type text not null,
  resource_code text not null,
  display_name text not null,
  sort integer not null default 0,
  vanished boolean not null default false,
  path text not null default ''::text,
  code_sort integer not null default 0,
  name_zh_cn text,
  name_zh_tw text,
  name_en_us text,
  name_pt_br text,
  icon text,
  hidden boolean not null default false,
  keep_alive boolean not null default true,
  version integer not null default 1,
  constraint permission_pkey PRIMARY KEY (id),
  constraint permission_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES permission(id),
  constraint permission_depth CHECK (((length(path) - length(replace(path, '/'::text, ''::text))) <= 4)),
  constraint permission_display_name_check CHECK (((length(display_name) >= 1) AND (length(display_name) <= 100))),
  constraint permission_display_type_check CHECK ((display_type = ANY (ARRAY['MENU'::text, 'PERMISSION'::text]))),
  constraint permission_icon_check CHECK ((icon = ANY (ARRAY['analysis'::text, 'dashboard'::text, 'finance'::text, 'logistics'::text, 'member'::text, 'order'::text, 'organisation'::text, 'product'::text, 'setting'::text, 'user'::text, 'operations'::text, 'book'::text, 'brush'::text, 'calendar'::text, 'crown'::text, 'fund'::text, 'gift'::text, 'globe'::text, 'heart'::text, 'message'::text, 'notice'::text, 'phone'::text, 'picture'::text, 'review'::text, 'rocket'::text, 'safety'::text, 'service'::text, 'shop'::text, 'tag'::text, 'tool'::text, 'video'::text]))),
  constraint permission_name_en_us_check CHECK (((length(name_en_us) >= 1) AND (length(name_en_us) <= 40))),
  constraint permission_name_pt_br_check CHECK (((length(name_pt_br) >= 1) AND (length(name_pt_br) <= 40))),
  constraint permission_name_zh_cn_check CHECK (((length(name_zh_cn) >= 1) AND (length(name_zh_cn) <= 40))),
  constraint permission_name_zh_tw_check CHECK (((length(name_zh_tw) >= 1) AND (length(name_zh_tw) <= 40))),
  constraint permission_resource_code_check CHECK (((length(resource_code) >= 1) AND (length(resource_code) <= 100)))
);
CREATE UNIQUE INDEX permission_action ON public.permission USING btree (parent_id, resource_code) WHERE (display_type = 'PERMISSION'::text);
CREATE INDEX permission_children ON public.permission USING btree (parent_id, sort, id);
CREATE INDEX permission_code ON public.permission USING btree (resource_code text_pattern_ops);
CREATE UNIQUE INDEX permission_menu ON public.permission USING btree (resource_code) WHERE (display_type = 'MENU'::text);
CREATE INDEX permission_name ON public.permission USING btree (display_name text_pattern_ops);
CREATE INDEX permission_name_pairs ON public.permission USING gin (name_pairs(display_name));
CREATE TRIGGER keep_path BEFORE INSERT OR UPDATE OF parent_id ON public.permission FOR EACH ROW EXECUTE FUNCTION keep_path();
CREATE TRIGGER move_below AFTER UPDATE OF parent_id ON public.permission FOR EACH ROW WHEN ((old.path IS DISTINCT FROM new.path)) EXECUTE FUNCTION move_below();

create table picture_hash (
  file_id uuid not null,
  page text not null,
  record_id bigint not null,
  sha256 text not null,
  hash bit(256),
  keys integer[] not null,
  constraint picture_hash_pkey PRIMARY KEY (file_id),
  constraint picture_hash_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id) ON DELETE CASCADE
);
CREATE INDEX picture_hash_keys ON public.picture_hash USING gin (keys) WITH (fastupdate=off);
CREATE INDEX picture_hash_record ON public.picture_hash USING btree (page, record_id);
CREATE INDEX picture_hash_same ON public.picture_hash USING btree (sha256, page, record_id);

create table platform_order (
  id bigint generated always as identity not null,
  platform text not null,
  order_no text not null,
  facts jsonb not null default '{}'::jsonb,
  status text not null,
  product_name text,
  sku_id text,
  amount_fen bigint,
  platform_status text,
  after_sale text,
  unionid text,
  claim_state text,
  author text,
  room text,
  lead_phone text,
  phone_kind text,
  last4 text,
  verify_state text not null default 'NONE'::text,
  verified_at timestamp with time zone,
  verify_id text,
  verify_error text,
  refund_state text not null default 'NONE'::text,
  refunded_fen bigint,
  exception text not null default 'NONE'::text,
  handled text[] not null default '{}'::text[],
  frozen boolean not null default false,
  chat_added boolean not null default false,
  regranted_at timestamp with time zone,
  bound_by bigint,
  member_id bigint,
  registered boolean not null default (member_id IS NOT NULL),
  order_id bigint,
  owner_id bigint,
  org_id bigint,
  paid_at timestamp with time zone,
  claimed_at timestamp with time zone,
  registered_at timestamp with time zone,
  refunded_at timestamp with time zone,
  synced_at timestamp with time zone,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  part_state text not null default ((platform || ' '::text) || status),
  constraint platform_order_pkey PRIMARY KEY (id),
  constraint platform_order_no UNIQUE (platform, order_no),
  constraint platform_order_bound_by_fkey FOREIGN KEY (bound_by) REFERENCES staff(id),
  constraint platform_order_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint platform_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint platform_order_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint platform_order_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint platform_order_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint platform_order_author_check CHECK ((length(author) <= 100)),
  constraint platform_order_claim_state_check CHECK ((length(claim_state) <= 128)),
  constraint platform_order_exception_check CHECK ((exception = ANY (ARRAY['NONE'::text, 'UNCLAIMED'::text, 'PHONE_MISMATCH'::text, 'REFUNDED_ACTIVE'::text, 'SAME_PHONE'::text, 'PRODUCT_UNKNOWN'::text]))),
  constraint platform_order_last4_check CHECK ((length(last4) <= 4)),
  constraint platform_order_lead_phone_check CHECK ((length(lead_phone) <= 40)),
  constraint platform_order_order_no_check CHECK ((length(order_no) <= 64)),
  constraint platform_order_phone_kind_check CHECK ((phone_kind = ANY (ARRAY['OWN'::text, 'DECRYPTED'::text, 'VIRTUAL'::text]))),
  constraint platform_order_platform_check CHECK ((platform = ANY (ARRAY['DOUYIN'::text, 'WECHAT_SHOP'::text, 'XIAOHONGSHU'::text]))),
  constraint platform_order_product_name_check CHECK ((length(product_name) <= 100)),
  constraint platform_order_refund_state_check CHECK ((refund_state = ANY (ARRAY['NONE'::text, 'ASKED'::text, 'REFUNDED'::text]))),
  constraint platform_order_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint platform_order_room_check CHECK ((length(room) <= 100)),
  constraint platform_order_sku_id_check CHECK ((length(sku_id) <= 64)),
  constraint platform_order_status_check CHECK ((status = ANY (ARRAY['UNPAID'::text, 'BOUGHT'::text, 'CLAIMED'::text, 'REGISTERED'::text, 'VERIFIED'::text, 'REFUNDED'::text, 'CLOSED'::text]))),
  constraint platform_order_unionid_check CHECK ((length(unionid) <= 128)),
  constraint platform_order_verify_error_check CHECK ((length(verify_error) <= 200)),
  constraint platform_order_verify_id_check CHECK ((length(verify_id) <= 64)),
  constraint platform_order_verify_state_check CHECK ((verify_state = ANY (ARRAY['NONE'::text, 'ASKED'::text, 'VERIFIED'::text, 'CANCELLING'::text, 'FAILED'::text])))
);
CREATE INDEX platform_order_after_sale ON public.platform_order USING btree (after_sale, id);
CREATE INDEX platform_order_amount ON public.platform_order USING btree (amount_fen, id);
CREATE INDEX platform_order_author ON public.platform_order USING btree (author text_pattern_ops, id);
CREATE INDEX platform_order_chat ON public.platform_order USING btree (chat_added, id);
CREATE INDEX platform_order_claim_state ON public.platform_order USING btree (claim_state) WHERE (claim_state IS NOT NULL);
CREATE INDEX platform_order_claimed ON public.platform_order USING btree (claimed_at, id);
CREATE INDEX platform_order_exception ON public.platform_order USING btree (exception, id);
CREATE INDEX platform_order_find ON public.platform_order USING btree (order_no text_pattern_ops, id);
CREATE INDEX platform_order_last4 ON public.platform_order USING btree (last4 text_pattern_ops, id);
CREATE INDEX platform_order_lead ON public.platform_order USING btree (lead_phone) WHERE (lead_phone IS NOT NULL);
CREATE INDEX platform_order_member ON public.platform_order USING btree (member_id, id);
CREATE INDEX platform_order_org ON public.platform_order USING btree (org_id, id);
CREATE INDEX platform_order_owner ON public.platform_order USING btree (owner_id, id);
CREATE INDEX platform_order_page ON public.platform_order USING btree (platform, id);
CREATE INDEX platform_order_paid ON public.platform_order USING btree (paid_at, id);
CREATE INDEX platform_order_platform_amount ON public.platform_order USING btree (platform, amount_fen, id);
CREATE INDEX platform_order_product ON public.platform_order USING btree (product_name text_pattern_ops, id);
CREATE INDEX platform_order_refund ON public.platform_order USING btree (refund_state, id);
CREATE INDEX platform_order_refunded ON public.platform_order USING btree (refunded_at, id);
CREATE INDEX platform_order_registered ON public.platform_order USING btree (registered, id);
CREATE INDEX platform_order_room ON public.platform_order USING btree (room text_pattern_ops, id);
CREATE INDEX platform_order_said ON public.platform_order USING btree (platform_status, id);
CREATE INDEX platform_order_sold ON public.platform_order USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX platform_order_status ON public.platform_order USING btree (status, id);
CREATE INDEX platform_order_tab ON public.platform_order USING btree (platform, status, id);
CREATE INDEX platform_order_unclaimed ON public.platform_order USING btree (paid_at) WHERE (status = 'BOUGHT'::text);
CREATE INDEX platform_order_unionid ON public.platform_order USING btree (unionid) WHERE (unionid IS NOT NULL);
CREATE INDEX platform_order_verified ON public.platform_order USING btree (verified_at, id);
CREATE INDEX platform_order_verify ON public.platform_order USING btree (verify_state, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.platform_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part_state', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.platform_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part_state', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.platform_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part_state', 'owned');
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.platform_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('dy-code', 'channel-order', 'xhs-order');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.platform_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('dy-code', 'channel-order', 'xhs-order');

create table poster_share (
  id bigint generated always as identity not null,
  key text not null,
  member_id bigint not null,
  poster text not null,
  platform text not null,
  picture uuid[] not null default '{}'::uuid[],
  likeness text not null default 'NONE'::text,
  like_id bigint,
  period date not null,
  status text not null default 'SUBMITTED'::text,
  reward_coins integer not null default 0,
  rejected_for text,
  decided_by bigint,
  decided_at timestamp with time zone,
  submitted_at timestamp with time zone not null,
  owner_id bigint,
  org_id bigint,
  teacher_id bigint,
  version integer not null default 1,
  constraint poster_share_pkey PRIMARY KEY (id),
  constraint poster_share_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint poster_share_like_id_fkey FOREIGN KEY (like_id) REFERENCES poster_share(id),
  constraint poster_share_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint poster_share_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint poster_share_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint poster_share_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES staff(id),
  constraint poster_share_decided CHECK (((status = 'SUBMITTED'::text) = (decided_at IS NULL))),
  constraint poster_share_key_check CHECK ((length(key) <= 64)),
  constraint poster_share_like CHECK ((((likeness = 'ALIKE'::text) OR (likeness = 'SAME'::text)) = (like_id IS NOT NULL))),
  constraint poster_share_likeness_check CHECK ((likeness = ANY (ARRAY['NONE'::text, 'PENDING'::text, 'NEW'::text, 'ALIKE'::text, 'SAME'::text]))),
  constraint poster_share_poster_check CHECK ((length(poster) <= 100)),
  constraint poster_share_rejected CHECK (((status = 'REJECTED'::text) = (rejected_for IS NOT NULL))),
  constraint poster_share_rejected_for_check CHECK ((length(rejected_for) <= 200)),
  constraint poster_share_reward_coins_check CHECK (((reward_coins >= 0) AND (reward_coins <= 10000))),
  constraint poster_share_rewarded CHECK (((reward_coins = 0) OR (status = 'APPROVED'::text))),
  constraint poster_share_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'APPROVED'::text, 'REJECTED'::text])))
);
CREATE UNIQUE INDEX poster_share_key ON public.poster_share USING btree (member_id, key);
CREATE INDEX poster_share_like_of ON public.poster_share USING btree (like_id);
CREATE INDEX poster_share_likeness ON public.poster_share USING btree (likeness, submitted_at, id);
CREATE INDEX poster_share_member ON public.poster_share USING btree (member_id, submitted_at, id);
CREATE UNIQUE INDEX poster_share_once ON public.poster_share USING btree (member_id, period) WHERE (reward_coins > 0);
CREATE INDEX poster_share_org ON public.poster_share USING btree (org_id, submitted_at, id);
CREATE INDEX poster_share_owner ON public.poster_share USING btree (owner_id, submitted_at, id);
CREATE INDEX poster_share_period ON public.poster_share USING btree (period, id);
CREATE INDEX poster_share_platform ON public.poster_share USING btree (platform, submitted_at, id);
CREATE INDEX poster_share_poster ON public.poster_share USING btree (poster text_pattern_ops, id);
CREATE INDEX poster_share_status ON public.poster_share USING btree (status, submitted_at, id);
CREATE INDEX poster_share_submitted ON public.poster_share USING btree (submitted_at, id);
CREATE INDEX poster_share_teacher ON public.poster_share USING btree (teacher_id, submitted_at, id);
CREATE INDEX poster_share_teacher_status ON public.poster_share USING btree (teacher_id, status, submitted_at, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.poster_share REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.poster_share REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.poster_share REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.poster_share REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.poster_share REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table product (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  price_fen bigint not null,
  list_fen bigint not null,
  grants jsonb not null,
  commission_permille integer not null default 0,
  may_wait boolean not null default false,
  status text not null default 'OFF_SALE'::text,
  sold integer not null default 0,
  sort integer not null default 0,
  note text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  picture uuid[] not null default '{}'::uuid[],
  constraint product_pkey PRIMARY KEY (id),
  constraint product_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'::text)),
  constraint product_commission_permille_check CHECK (((commission_permille >= 0) AND (commission_permille <= 500))),
  constraint product_list_fen_check CHECK ((list_fen >= 0)),
  constraint product_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint product_note_check CHECK ((length(note) <= 500)),
  constraint product_price_fen_check CHECK ((price_fen >= 0)),
  constraint product_sold_check CHECK ((sold >= 0)),
  constraint product_status_check CHECK ((status = ANY (ARRAY['ON_SALE'::text, 'OFF_SALE'::text])))
);
CREATE UNIQUE INDEX product_code ON public.product USING btree (code text_pattern_ops);
CREATE INDEX product_grants ON public.product USING gin (grants jsonb_path_ops);
CREATE INDEX product_name ON public.product USING btree (name text_pattern_ops);
CREATE INDEX product_name_pairs ON public.product USING gin (name_pairs(name));
CREATE INDEX product_price ON public.product USING btree (price_fen, id);
CREATE INDEX product_sold ON public.product USING btree (sold, id);
CREATE INDEX product_sort ON public.product USING btree (sort, id);
CREATE INDEX product_status ON public.product USING btree (status, id);

create table provider_refund (
  id bigint generated always as identity not null,
  refund_no text not null,
  payment_id bigint not null,
  refund_id bigint,
  amount_fen bigint not null,
  status text not null default 'PROCESSING'::text,
  provider_no text,
  tries integer not null default 1,
  error text not null default ''::text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint provider_refund_pkey PRIMARY KEY (id),
  constraint provider_refund_refund_no_key UNIQUE (refund_no),
  constraint provider_refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint provider_refund_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund_application(id),
  constraint provider_refund_amount_fen_check CHECK ((amount_fen > 0)),
  constraint provider_refund_error_check CHECK ((length(error) <= 500)),
  constraint provider_refund_refund_no_check CHECK (((length(refund_no) >= 1) AND (length(refund_no) <= 64))),
  constraint provider_refund_status_check CHECK ((status = ANY (ARRAY['PROCESSING'::text, 'SUCCESS'::text, 'CLOSED'::text, 'ABNORMAL'::text])))
);
CREATE INDEX provider_refund_payment ON public.provider_refund USING btree (payment_id);
CREATE UNIQUE INDEX provider_refund_refund ON public.provider_refund USING btree (refund_id, payment_id) WHERE (refund_id IS NOT NULL);

create table publish_line (
  id bigint generated always as identity not null,
  day date not null,
  account text not null,
  operator_id bigint not null,
  planned integer not null default 0,
  published integer not null default 0,
  hits integer not null default 0,
  leads integer not null default 0,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint publish_line_pkey PRIMARY KEY (id),
  constraint publish_line_once UNIQUE (day, account, operator_id),
  constraint publish_line_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES staff(id),
  constraint publish_line_planned_check CHECK (((planned >= 0) AND (planned <= 100)))
);
CREATE INDEX publish_line_account ON public.publish_line USING btree (account, id);
CREATE INDEX publish_line_day ON public.publish_line USING btree (day, id);
CREATE INDEX publish_line_leads ON public.publish_line USING btree (leads, id);
CREATE INDEX publish_line_operator ON public.publish_line USING btree (operator_id, id);
CREATE INDEX publish_line_published ON public.publish_line USING btree (published, id);

create table recovery_code (
  staff_id bigint not null,
  digest bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (staff_id, digest),
  constraint recovery_code_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES second_factor(staff_id) ON DELETE CASCADE,
  constraint recovery_code_digest_check CHECK ((length(digest) = 32))
);

create table redemption (
  id bigint generated always as identity not null,
  redemption_no text not null,
  code_id bigint not null,
  batch_id bigint not null,
  last4 text not null,
  member_id bigint not null,
  order_id bigint not null,
  status text not null default 'DONE'::text,
  staff_id bigint,
  undone_at timestamp with time zone,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint redemption_pkey PRIMARY KEY (id),
  constraint redemption_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES code_batch(id),
  constraint redemption_code_id_fkey FOREIGN KEY (code_id) REFERENCES redemption_code(id),
  constraint redemption_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint redemption_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint redemption_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint redemption_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint redemption_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint redemption_check CHECK (((status = 'UNDONE'::text) = (undone_at IS NOT NULL))),
  constraint redemption_last4_check CHECK ((last4 ~ '^[2-9A-HJ-NP-Z]{4}$'::text)),
  constraint redemption_redemption_no_check CHECK ((redemption_no ~ '^E[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint redemption_status_check CHECK ((status = ANY (ARRAY['DONE'::text, 'UNDONE'::text])))
);
CREATE INDEX redemption_batch ON public.redemption USING btree (batch_id, id);
CREATE INDEX redemption_created ON public.redemption USING btree (created_at, id);
CREATE INDEX redemption_member ON public.redemption USING btree (member_id, id);
CREATE UNIQUE INDEX redemption_no ON public.redemption USING btree (redemption_no text_pattern_ops);
CREATE UNIQUE INDEX redemption_once ON public.redemption USING btree (code_id) WHERE (status = 'DONE'::text);
CREATE INDEX redemption_order ON public.redemption USING btree (order_id);
CREATE INDEX redemption_org ON public.redemption USING btree (org_id, id);
CREATE INDEX redemption_owner ON public.redemption USING btree (owner_id, id);
CREATE INDEX redemption_staff ON public.redemption USING btree (staff_id, id);
CREATE INDEX redemption_status ON public.redemption USING btree (status, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.redemption REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.redemption REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.redemption REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.redemption REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-exchange');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.redemption REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-exchange');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.redemption REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.redemption REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table redemption_code (
  id bigint generated always as identity not null,
  batch_id bigint not null,
  hash bytea not null,
  last4 text not null,
  status text not null default 'UNUSED'::text,
  constraint redemption_code_pkey PRIMARY KEY (id),
  constraint redemption_code_hash_key UNIQUE (hash),
  constraint redemption_code_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES code_batch(id),
  constraint redemption_code_last4_check CHECK ((length(last4) = 4)),
  constraint redemption_code_status_check CHECK ((status = ANY (ARRAY['UNUSED'::text, 'REDEEMED'::text, 'VOID'::text])))
);
CREATE INDEX redemption_code_batch ON public.redemption_code USING btree (batch_id, id);
CREATE INDEX redemption_code_batch_status ON public.redemption_code USING btree (batch_id, status);

create table refund_application (
  id bigint generated always as identity not null,
  refund_no text not null,
  order_id bigint not null,
  member_id bigint not null,
  amount_fen bigint not null,
  reason text not null,
  note text not null default ''::text,
  status text not null default 'SUBMITTED'::text,
  applicant_id bigint not null,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  suggested_fen bigint not null default 0,
  calculation jsonb not null default '[]'::jsonb,
  deviation text not null default ''::text,
  needs_l2 boolean not null default false,
  route text not null default 'ORIGINAL'::text,
  l1_by bigint,
  l2_by bigint,
  paid_by bigint,
  paid_at timestamp with time zone,
  transaction_no text,
  proof uuid[] not null default '{}'::uuid[],
  failure text not null default ''::text,
  effects_open integer not null default 0,
  ended_at timestamp with time zone,
  pay_failed boolean not null default false,
  order_paid_at timestamp with time zone,
  days_since_paid integer not null default 0,
  sold_by bigint,
  channel text not null default 'OTHER'::text,
  products text[] not null default '{}'::text[],
  l2_reasons jsonb not null default '[]'::jsonb,
  payee text,
  payee_name text,
  payee_account text,
  state_since timestamp with time zone,
  provider text,
  terms jsonb,
  ended_day date default ((ended_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  order_paid_day date default ((order_paid_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  sold_org_id bigint,
  hold text not null default 'NONE'::text,
  hold_reason text not null default ''::text,
  released_by bigint,
  judging_since timestamp with time zone,
  constraint refund_application_pkey PRIMARY KEY (id),
  constraint refund_application_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint refund_application_l1_by_fkey FOREIGN KEY (l1_by) REFERENCES staff(id),
  constraint refund_application_l2_by_fkey FOREIGN KEY (l2_by) REFERENCES staff(id),
  constraint refund_application_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint refund_application_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint refund_application_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint refund_application_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint refund_application_paid_by_fkey FOREIGN KEY (paid_by) REFERENCES staff(id),
  constraint refund_application_released_by_fkey FOREIGN KEY (released_by) REFERENCES staff(id),
  constraint refund_application_sold_by_fkey FOREIGN KEY (sold_by) REFERENCES staff(id),
  constraint refund_application_sold_org_id_fkey FOREIGN KEY (sold_org_id) REFERENCES org(id),
  constraint refund_application_amount_fen_check CHECK ((amount_fen > 0)),
  constraint refund_application_days_since_paid_check CHECK ((days_since_paid >= 0)),
  constraint refund_application_deviation_check CHECK ((length(deviation) <= 200)),
  constraint refund_application_effects_open_check CHECK ((effects_open >= 0)),
  constraint refund_application_failure_check CHECK ((length(failure) <= 500)),
  constraint refund_application_hold_check CHECK ((hold = ANY (ARRAY['NONE'::text, 'JUDGING'::text, 'HELD'::text, 'RELEASED'::text]))),
  constraint refund_application_hold_reason_check CHECK ((length(hold_reason) <= 200)),
  constraint refund_application_note_check CHECK ((length(note) <= 500)),
  constraint refund_application_payee_account_check CHECK (((length(payee_account) >= 1) AND (length(payee_account) <= 64))),
  constraint refund_application_payee_check CHECK ((payee = ANY (ARRAY['PAYER'::text, 'OTHER'::text]))),
  constraint refund_application_payee_name_check CHECK (((length(payee_name) >= 1) AND (length(payee_name) <= 50))),
  constraint refund_application_provider_check CHECK ((provider = ANY (ARRAY['WECHAT'::text, 'ALIPAY'::text]))),
  constraint refund_application_refund_no_check CHECK ((refund_no ~ '^R[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint refund_application_released CHECK (((released_by IS NOT NULL) = (hold = 'RELEASED'::text))),
  constraint refund_application_route_check CHECK ((route = ANY (ARRAY['ORIGINAL'::text, 'OFFLINE'::text, 'PLATFORM'::text]))),
  constraint refund_application_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text, 'L2_APPROVED'::text, 'PAYING'::text, 'PAID'::text, 'FAILED'::text, 'ABNORMAL'::text, 'REJECTED'::text, 'WITHDRAWN'::text]))),
  constraint refund_application_suggested_fen_check CHECK ((suggested_fen >= 0)),
  constraint refund_application_terms CHECK (((terms IS NOT NULL) OR (status = 'PAID'::text) OR (status = 'REJECTED'::text) OR (status = 'WITHDRAWN'::text))),
  constraint refund_application_transaction_no_check CHECK (((length(transaction_no) >= 1) AND (length(transaction_no) <= 64))),
  constraint refund_four_people CHECK ((((l1_by IS NULL) OR (l1_by <> applicant_id)) AND ((l2_by IS NULL) OR ((l2_by <> applicant_id) AND (l2_by IS DISTINCT FROM l1_by))) AND ((paid_by IS NULL) OR ((paid_by <> applicant_id) AND (paid_by IS DISTINCT FROM l1_by) AND (paid_by IS DISTINCT FROM l2_by)))))
);
CREATE INDEX refund_application_amount ON public.refund_application USING btree (amount_fen, id);
CREATE INDEX refund_application_applicant ON public.refund_application USING btree (applicant_id, id);
CREATE INDEX refund_application_channel ON public.refund_application USING btree (channel, id);
CREATE INDEX refund_application_created ON public.refund_application USING btree (created_at, id);
CREATE INDEX refund_application_days_since_paid ON public.refund_application USING btree (days_since_paid, id);
CREATE INDEX refund_application_ended_at ON public.refund_application USING btree (ended_at, id);
CREATE INDEX refund_application_member ON public.refund_application USING btree (member_id, id);
CREATE INDEX refund_application_member_paid ON public.refund_application USING btree (member_id, paid_at);
CREATE UNIQUE INDEX refund_application_no ON public.refund_application USING btree (refund_no text_pattern_ops);
CREATE INDEX refund_application_order ON public.refund_application USING btree (order_id, id);
CREATE INDEX refund_application_order_paid_at ON public.refund_application USING btree (order_paid_at, id);
CREATE INDEX refund_application_org ON public.refund_application USING btree (org_id, id);
CREATE INDEX refund_application_owner ON public.refund_application USING btree (owner_id, id);
CREATE INDEX refund_application_paid_at ON public.refund_application USING btree (paid_at, id);
CREATE INDEX refund_application_pay_failed ON public.refund_application USING btree (pay_failed, id);
CREATE INDEX refund_application_payout ON public.refund_application USING btree (transaction_no text_pattern_ops, id);
CREATE INDEX refund_application_products ON public.refund_application USING gin (products);
CREATE INDEX refund_application_reason ON public.refund_application USING btree (reason, id);
CREATE INDEX refund_application_route ON public.refund_application USING btree (route, id);
CREATE INDEX refund_application_since ON public.refund_application USING btree (status, state_since, id) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text, 'L2_APPROVED'::text, 'PAYING'::text, 'FAILED'::text, 'ABNORMAL'::text]));
CREATE INDEX refund_application_sold_by ON public.refund_application USING btree (sold_by, id);
CREATE INDEX refund_application_sold_org ON public.refund_application USING btree (sold_org_id, id);
CREATE INDEX refund_application_status ON public.refund_application USING btree (status, id);
CREATE UNIQUE INDEX refund_application_transaction ON public.refund_application USING btree (bank_number(transaction_no)) WHERE (transaction_no IS NOT NULL);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.refund_application REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.refund_application REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.refund_application REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_state_since BEFORE INSERT OR UPDATE OF status ON public.refund_application FOR EACH ROW EXECUTE FUNCTION keep_state_since();
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.refund_application REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-refundApply');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.refund_application REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-refundApply');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.refund_application REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.refund_application REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER sales_figures_refunded AFTER UPDATE OF status ON public.refund_application FOR EACH STATEMENT EXECUTE FUNCTION sales_figures_changed();

create table refund_effect (
  id bigint generated always as identity not null,
  refund_id bigint not null,
  name text not null,
  status text not null default 'WAITING'::text,
  outcome jsonb not null default '{}'::jsonb,
  error text not null default ''::text,
  attempts integer not null default 0,
  done_at timestamp with time zone,
  constraint refund_effect_pkey PRIMARY KEY (id),
  constraint refund_effect_refund_id_name_key UNIQUE (refund_id, name),
  constraint refund_effect_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund_application(id),
  constraint refund_effect_error_check CHECK ((length(error) <= 500)),
  constraint refund_effect_name_check CHECK ((name = ANY (ARRAY['ENTITLEMENT'::text, 'COUPON'::text, 'GOODS'::text, 'COMMISSION'::text, 'NOTICE'::text]))),
  constraint refund_effect_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'DONE'::text, 'FAILED'::text])))
);
CREATE INDEX refund_effect_open ON public.refund_effect USING btree (status, id) WHERE (status <> 'DONE'::text);

create table refund_line (
  refund_id bigint not null,
  order_line_id bigint not null,
  amount_fen bigint not null,
  constraint refund_line_pkey PRIMARY KEY (refund_id, order_line_id),
  constraint refund_line_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_line(id),
  constraint refund_line_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refund_application(id),
  constraint refund_line_amount_fen_check CHECK ((amount_fen > 0))
);
CREATE INDEX refund_line_order_line ON public.refund_line USING btree (order_line_id);

create table refund_notice (
  id bigint generated always as identity not null,
  source text not null,
  order_no text not null,
  lead_phone text,
  phone text,
  member_id bigint,
  owner_id bigint,
  org_id bigint,
  status text not null default 'UNREAD'::text,
  created_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  processed_by bigint,
  constraint refund_notice_pkey PRIMARY KEY (id),
  constraint refund_notice_source_order_no_key UNIQUE (source, order_no),
  constraint refund_notice_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint refund_notice_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint refund_notice_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint refund_notice_processed_by_fkey FOREIGN KEY (processed_by) REFERENCES staff(id),
  constraint refund_notice_check CHECK (((status = 'READ'::text) = (processed_at IS NOT NULL))),
  constraint refund_notice_status_check CHECK ((status = ANY (ARRAY['UNREAD'::text, 'READ'::text])))
);
CREATE INDEX refund_notice_org ON public.refund_notice USING btree (org_id, status, id);
CREATE INDEX refund_notice_owner ON public.refund_notice USING btree (owner_id, status, id);
CREATE INDEX refund_notice_status ON public.refund_notice USING btree (status, id);

create table refused_number (
  phone text not null,
  since timestamp with time zone not null,
  constraint refused_number_pkey PRIMARY KEY (phone),
  constraint refused_number_phone_check CHECK ((length(phone) <= 20))
);

create table registration (
  id bigint generated always as identity not null,
  lead_id bigint not null,
  phone text,
  source text not null,
  channel text not null,
  step text not null,
  code_sent_at timestamp with time zone,
  status text not null default 'WAITING'::text,
  reminders integer not null default 0,
  reminded_at timestamp with time zone,
  last_at timestamp with time zone not null,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  became_id bigint,
  constraint registration_pkey PRIMARY KEY (id),
  constraint registration_lead UNIQUE (lead_id),
  constraint registration_became_id_fkey FOREIGN KEY (became_id) REFERENCES member(id),
  constraint registration_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id),
  constraint registration_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint registration_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint registration_phone_check CHECK ((length(phone) <= 20)),
  constraint registration_reminded CHECK (((reminded_at IS NULL) = (reminders = 0))),
  constraint registration_reminders_check CHECK ((reminders >= 0)),
  constraint registration_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'REMINDED'::text, 'REGISTERED'::text, 'INVALID'::text]))),
  constraint registration_step_check CHECK ((step = ANY (ARRAY['PHONE'::text, 'CODE_SENT'::text, 'CODE_ENTERED'::text, 'PROFILE'::text])))
);
CREATE INDEX registration_became ON public.registration USING btree (became_id, id);
CREATE INDEX registration_channel ON public.registration USING btree (channel, last_at, id);
CREATE INDEX registration_code_sent ON public.registration USING btree (code_sent_at, id);
CREATE INDEX registration_last ON public.registration USING btree (last_at, id);
CREATE INDEX registration_org ON public.registration USING btree (org_id, last_at, id);
CREATE INDEX registration_owner ON public.registration USING btree (owner_id, last_at, id);
CREATE INDEX registration_phone ON public.registration USING btree (phone);
CREATE INDEX registration_source ON public.registration USING btree (source, last_at, id);
CREATE INDEX registration_status ON public.registration USING btree (status, last_at, id);
CREATE INDEX registration_step ON public.registration USING btree (step, last_at, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.registration REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.registration REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.registration REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table review_share (
  staff_id bigint not null,
  percent integer not null,
  set_by bigint not null,
  set_at timestamp with time zone not null,
  constraint review_share_pkey PRIMARY KEY (staff_id),
  constraint review_share_set_by_fkey FOREIGN KEY (set_by) REFERENCES staff(id),
  constraint review_share_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint review_share_percent_check CHECK (((percent >= 0) AND (percent <= 100)))
);

create table role (
  id bigint generated always as identity not null,
  code text not null,
  name text not null,
  scope text not null,
  version integer not null default 1,
  note text not null default ''::text,
  people integer not null default 0,
  created_at timestamp with time zone not null default now(),
  second_factor text not null default 'OPTIONAL'::text,
  constraint role_pkey PRIMARY KEY (id),
  constraint role_code_key UNIQUE (code),
  constraint role_code_check CHECK (((length(code) >= 1) AND (length(code) <= 50))),
  constraint role_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint role_note_check CHECK ((length(note) <= 200)),
  constraint role_people_check CHECK (((people >= 0) AND (people <= 1000000))),
  constraint role_scope_check CHECK ((scope = ANY (ARRAY['SELF'::text, 'SELF_AND_SUBORDINATES'::text, 'DEPARTMENT'::text, 'DEPARTMENT_AND_BELOW'::text, 'ALL'::text, 'CHOSEN'::text]))),
  constraint role_second_factor_check CHECK ((second_factor = ANY (ARRAY['OPTIONAL'::text, 'REQUIRED'::text])))
);
CREATE INDEX role_code ON public.role USING btree (code text_pattern_ops);
CREATE INDEX role_created ON public.role USING btree (created_at, id);
CREATE INDEX role_name ON public.role USING btree (name text_pattern_ops);
CREATE INDEX role_name_pairs ON public.role USING gin (name_pairs(name));
CREATE INDEX role_people ON public.role USING btree (people, id);
CREATE INDEX role_scope ON public.role USING btree (scope, id);
CREATE INDEX role_second_factor ON public.role USING btree (second_factor, id);
CREATE TRIGGER keep_role_renamed AFTER UPDATE OF name ON public.role FOR EACH ROW WHEN ((old.name IS DISTINCT FROM new.name)) EXECUTE FUNCTION keep_role_renamed();

create table role_org (
  role_id bigint not null,
  org_id bigint not null,
  constraint role_org_pkey PRIMARY KEY (role_id, org_id),
  constraint role_org_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint role_org_role_id_fkey FOREIGN KEY (role_id) REFERENCES role(id) ON DELETE CASCADE
);

create table role_permission (
  role_id bigint not null,
  permission_id bigint not null,
  constraint role_permission_pkey PRIMARY KEY (role_id, permission_id),
  constraint role_permission_permission_id_fkey FOREIGN KEY (permission_id) REFERENCES permission(id),
  constraint role_permission_role_id_fkey FOREIGN KEY (role_id) REFERENCES role(id) ON DELETE CASCADE
);
CREATE INDEX role_permission_permission ON public.role_permission USING btree (permission_id);

create table rule_chain (
  id bigint generated always as identity not null,
  chain_id text not null,
  name text not null,
  source text not null,
  note text not null,
  enabled boolean not null,
  edition integer not null default 0,
  status text not null default 'DRAFT'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  event text,
  failed_at timestamp with time zone,
  failure text not null default ''::text,
  constraint rule_chain_pkey PRIMARY KEY (id),
  constraint rule_chain_chain_id_check CHECK ((chain_id ~ '^[A-Za-z_][A-Za-z0-9_]{0,63}$'::text)),
  constraint rule_chain_edition_check CHECK ((edition >= 0)),
  constraint rule_chain_event_check CHECK ((event ~ '^[A-Za-z_][A-Za-z0-9_]{0,63}$'::text)),
  constraint rule_chain_failure_check CHECK ((length(failure) <= 500)),
  constraint rule_chain_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint rule_chain_note_check CHECK ((length(note) <= 200)),
  constraint rule_chain_source_check CHECK ((length(source) <= 10000)),
  constraint rule_chain_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'CHANGED'::text])))
);
CREATE UNIQUE INDEX rule_chain_chain_id ON public.rule_chain USING btree (chain_id text_pattern_ops);
CREATE INDEX rule_chain_enabled ON public.rule_chain USING btree (enabled, id);
CREATE UNIQUE INDEX rule_chain_event ON public.rule_chain USING btree (event text_pattern_ops) WHERE (edition > 0);
CREATE INDEX rule_chain_name ON public.rule_chain USING btree (name text_pattern_ops);
CREATE INDEX rule_chain_name_pairs ON public.rule_chain USING gin (name_pairs(name));
CREATE INDEX rule_chain_status ON public.rule_chain USING btree (status, id);
CREATE TRIGGER keep_rule_name AFTER INSERT OR DELETE ON public.rule_chain FOR EACH ROW EXECUTE FUNCTION keep_rule_name('chain_id');

create table rule_chain_edition (
  id bigint generated always as identity not null,
  chain_record_id bigint not null,
  edition integer,
  state text not null,
  base integer not null,
  restores integer,
  body jsonb not null,
  drafted_by bigint not null,
  drafted_at timestamp with time zone not null,
  published_by bigint,
  published_at timestamp with time zone,
  authors bigint[] not null default '{}'::bigint[],
  constraint rule_chain_edition_pkey PRIMARY KEY (id),
  constraint rule_chain_edition_chain_record_id_edition_key UNIQUE (chain_record_id, edition),
  constraint rule_chain_edition_chain_record_id_fkey FOREIGN KEY (chain_record_id) REFERENCES rule_chain(id) ON DELETE CASCADE,
  constraint rule_chain_edition_drafted_by_fkey FOREIGN KEY (drafted_by) REFERENCES staff(id),
  constraint rule_chain_edition_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id),
  constraint rule_chain_edition_base_check CHECK ((base >= 0)),
  constraint rule_chain_edition_check1 CHECK (((edition IS NULL) = (state = ANY (ARRAY['DRAFT'::text, 'DISCARDED'::text])))),
  constraint rule_chain_edition_check2 CHECK ((num_nulls(edition, published_by, published_at) = ANY (ARRAY[0, 3]))),
  constraint rule_chain_edition_edition_check CHECK ((edition > 0)),
  constraint rule_chain_edition_restores_check CHECK ((restores > 0)),
  constraint rule_chain_edition_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'SUPERSEDED'::text, 'DISCARDED'::text])))
);
CREATE UNIQUE INDEX rule_chain_edition_draft ON public.rule_chain_edition USING btree (chain_record_id) WHERE (state = 'DRAFT'::text);
CREATE UNIQUE INDEX rule_chain_edition_published ON public.rule_chain_edition USING btree (chain_record_id) WHERE (state = 'PUBLISHED'::text);

create table rule_deed (
  event text not null,
  record_id bigint not null,
  node text not null,
  bound text not null,
  created_at timestamp with time zone not null,
  constraint rule_deed_pkey PRIMARY KEY (event, record_id, node, bound),
  constraint rule_deed_bound_check CHECK ((length(bound) = 64))
);
CREATE INDEX rule_deed_created ON public.rule_deed USING btree (created_at);

create table rule_name (
  name text not null,
  constraint rule_name_pkey PRIMARY KEY (name)
);

create table rule_run (
  id bigint generated always as identity not null,
  event text not null,
  record_id bigint not null,
  record_no text not null,
  chain_record_id bigint,
  edition integer not null,
  result text not null,
  outcome text not null,
  ms integer not null,
  fault text,
  created_at timestamp with time zone not null,
  constraint rule_run_pkey PRIMARY KEY (id),
  constraint rule_run_chain_record_id_fkey FOREIGN KEY (chain_record_id) REFERENCES rule_chain(id) ON DELETE SET NULL,
  constraint rule_run_check CHECK (((result = 'FELL_BACK'::text) = (fault IS NOT NULL))),
  constraint rule_run_edition_check CHECK ((edition >= 0)),
  constraint rule_run_fault_check CHECK ((length(fault) <= 500)),
  constraint rule_run_ms_check CHECK ((ms >= 0)),
  constraint rule_run_outcome_check CHECK ((length(outcome) <= 2000)),
  constraint rule_run_record_no_check CHECK ((length(record_no) <= 64)),
  constraint rule_run_result_check CHECK ((result = ANY (ARRAY['DECIDED'::text, 'FELL_BACK'::text])))
);
CREATE INDEX rule_run_chain ON public.rule_run USING btree (chain_record_id, id);
CREATE INDEX rule_run_chain_created_at ON public.rule_run USING btree (chain_record_id, created_at, id);
CREATE INDEX rule_run_chain_result ON public.rule_run USING btree (chain_record_id, result, id);
CREATE INDEX rule_run_created_at ON public.rule_run USING btree (created_at);
CREATE INDEX rule_run_record ON public.rule_run USING btree (event, record_id, id);

create table rule_script (
  id bigint generated always as identity not null,
  node_id text not null,
  name text not null,
  type text not null,
  source text not null,
  note text not null,
  edition integer not null default 0,
  status text not null default 'DRAFT'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint rule_script_pkey PRIMARY KEY (id),
  constraint rule_script_edition_check CHECK ((edition >= 0)),
  constraint rule_script_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint rule_script_node_id_check CHECK ((node_id ~ '^[A-Za-z_][A-Za-z0-9_]{0,63}$'::text)),
  constraint rule_script_note_check CHECK ((length(note) <= 200)),
  constraint rule_script_source_check CHECK ((length(source) <= 10000)),
  constraint rule_script_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'CHANGED'::text]))),
  constraint rule_script_type_check CHECK ((type = ANY (ARRAY['script'::text, 'boolean_script'::text, 'switch_script'::text, 'for_script'::text])))
);
CREATE INDEX rule_script_name ON public.rule_script USING btree (name text_pattern_ops);
CREATE INDEX rule_script_name_pairs ON public.rule_script USING gin (name_pairs(name));
CREATE UNIQUE INDEX rule_script_node_id ON public.rule_script USING btree (node_id text_pattern_ops);
CREATE INDEX rule_script_status ON public.rule_script USING btree (status, id);
CREATE INDEX rule_script_type ON public.rule_script USING btree (type, id);
CREATE TRIGGER keep_rule_name AFTER INSERT OR DELETE ON public.rule_script FOR EACH ROW EXECUTE FUNCTION keep_rule_name('node_id');

create table rule_script_edition (
  id bigint generated always as identity not null,
  script_id bigint not null,
  edition integer,
  state text not null,
  base integer not null,
  restores integer,
  body jsonb not null,
  drafted_by bigint not null,
  drafted_at timestamp with time zone not null,
  published_by bigint,
  published_at timestamp with time zone,
  authors bigint[] not null default '{}'::bigint[],
  constraint rule_script_edition_pkey PRIMARY KEY (id),
  constraint rule_script_edition_script_id_edition_key UNIQUE (script_id, edition),
  constraint rule_script_edition_drafted_by_fkey FOREIGN KEY (drafted_by) REFERENCES staff(id),
  constraint rule_script_edition_published_by_fkey FOREIGN KEY (published_by) REFERENCES staff(id),
  constraint rule_script_edition_script_id_fkey FOREIGN KEY (script_id) REFERENCES rule_script(id) ON DELETE CASCADE,
  constraint rule_script_edition_base_check CHECK ((base >= 0)),
  constraint rule_script_edition_check1 CHECK (((edition IS NULL) = (state = ANY (ARRAY['DRAFT'::text, 'DISCARDED'::text])))),
  constraint rule_script_edition_check2 CHECK ((num_nulls(edition, published_by, published_at) = ANY (ARRAY[0, 3]))),
  constraint rule_script_edition_edition_check CHECK ((edition > 0)),
  constraint rule_script_edition_restores_check CHECK ((restores > 0)),
  constraint rule_script_edition_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'PUBLISHED'::text, 'SUPERSEDED'::text, 'DISCARDED'::text])))
);
CREATE UNIQUE INDEX rule_script_edition_draft ON public.rule_script_edition USING btree (script_id) WHERE (state = 'DRAFT'::text);
CREATE UNIQUE INDEX rule_script_edition_published ON public.rule_script_edition USING btree (script_id) WHERE (state = 'PUBLISHED'::text);

create table sales_link (
  id bigint generated always as identity not null,
  code text not null,
  status text not null default 'ACTIVE'::text,
  owner_id bigint not null,
  org_id bigint not null,
  product_id bigint not null,
  list_fen bigint not null,
  price_fen bigint not null,
  discount_id bigint,
  used_order_id bigint,
  expires_on date not null,
  visits integer not null default 0,
  leads integer not null default 0,
  orders integer not null default 0,
  amount_fen bigint not null default 0,
  short_orders integer not null default 0,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint sales_link_pkey PRIMARY KEY (id),
  constraint sales_link_discount_id_fkey FOREIGN KEY (discount_id) REFERENCES sales_request(id),
  constraint sales_link_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint sales_link_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint sales_link_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint sales_link_used_order_id_fkey FOREIGN KEY (used_order_id) REFERENCES sales_order(id) DEFERRABLE INITIALLY DEFERRED,
  constraint sales_link_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint sales_link_code_check CHECK ((code ~ '^[2-9a-hjkmnp-z]{8}$'::text)),
  constraint sales_link_leads_check CHECK ((leads >= 0)),
  constraint sales_link_list_fen_check CHECK ((list_fen > 0)),
  constraint sales_link_orders_check CHECK ((orders >= 0)),
  constraint sales_link_price CHECK (
CASE
    WHEN (discount_id IS NULL) THEN (price_fen = list_fen)
    ELSE (price_fen < list_fen)
END),
  constraint sales_link_price_fen_check CHECK ((price_fen > 0)),
  constraint sales_link_short_orders_check CHECK ((short_orders >= 0)),
  constraint sales_link_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'USED'::text, 'EXPIRED'::text, 'CLOSED'::text]))),
  constraint sales_link_used CHECK ((((status = 'USED'::text) = (used_order_id IS NOT NULL)) AND ((used_order_id IS NULL) OR (discount_id IS NOT NULL)))),
  constraint sales_link_visits_check CHECK ((visits >= 0))
);
CREATE INDEX sales_link_amount ON public.sales_link USING btree (amount_fen, id);
CREATE UNIQUE INDEX sales_link_code ON public.sales_link USING btree (code text_pattern_ops);
CREATE INDEX sales_link_created ON public.sales_link USING btree (created_at, id);
CREATE UNIQUE INDEX sales_link_discount ON public.sales_link USING btree (discount_id) WHERE (status = ANY (ARRAY['ACTIVE'::text, 'USED'::text]));
CREATE INDEX sales_link_expires ON public.sales_link USING btree (expires_on, id);
CREATE INDEX sales_link_leads ON public.sales_link USING btree (leads, id);
CREATE INDEX sales_link_orders ON public.sales_link USING btree (orders, id);
CREATE INDEX sales_link_org ON public.sales_link USING btree (org_id, id);
CREATE INDEX sales_link_owner ON public.sales_link USING btree (owner_id, id);
CREATE INDEX sales_link_product ON public.sales_link USING btree (product_id, id);
CREATE INDEX sales_link_short ON public.sales_link USING btree (short_orders, id);
CREATE INDEX sales_link_status ON public.sales_link USING btree (status, id);
CREATE INDEX sales_link_used_order ON public.sales_link USING btree (used_order_id) WHERE (used_order_id IS NOT NULL);
CREATE INDEX sales_link_visits ON public.sales_link USING btree (visits, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.sales_link REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.sales_link REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.sales_link REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table sales_link_day (
  id bigint generated always as identity not null,
  link_id bigint not null,
  day date not null,
  visits integer not null,
  constraint sales_link_day_pkey PRIMARY KEY (id),
  constraint sales_link_day_link_id_fkey FOREIGN KEY (link_id) REFERENCES sales_link(id) ON DELETE CASCADE,
  constraint sales_link_day_visits_check CHECK ((visits > 0))
);
CREATE UNIQUE INDEX sales_link_day_day ON public.sales_link_day USING btree (link_id, day);
CREATE INDEX sales_link_day_link ON public.sales_link_day USING btree (link_id, id);

create table sales_link_order (
  id bigint generated always as identity not null,
  link_id bigint not null,
  order_id bigint not null,
  outcome text not null,
  amount_fen bigint not null,
  told_fen bigint,
  paid_fen bigint not null default 0,
  at timestamp with time zone not null,
  constraint sales_link_order_pkey PRIMARY KEY (id),
  constraint sales_link_order_link_id_fkey FOREIGN KEY (link_id) REFERENCES sales_link(id) ON DELETE CASCADE,
  constraint sales_link_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint sales_link_order_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint sales_link_order_outcome_check CHECK ((outcome = ANY (ARRAY['LOCKED'::text, 'DISCOUNTED'::text, 'NOT_IN_FORCE'::text, 'ALREADY_USED'::text, 'OTHER_PRODUCT'::text, 'WITH_COUPON'::text]))),
  constraint sales_link_order_paid_fen_check CHECK ((paid_fen >= 0)),
  constraint sales_link_order_told_fen_check CHECK ((told_fen >= 0))
);
CREATE INDEX sales_link_order_at ON public.sales_link_order USING btree (link_id, at);
CREATE INDEX sales_link_order_link ON public.sales_link_order USING btree (link_id, id);
CREATE UNIQUE INDEX sales_link_order_order ON public.sales_link_order USING btree (order_id);
CREATE INDEX sales_link_order_outcome ON public.sales_link_order USING btree (link_id, outcome);

create table sales_link_visitor (
  link_id bigint not null,
  day date not null,
  digest bytea not null,
  constraint sales_link_visitor_pkey PRIMARY KEY (link_id, day, digest),
  constraint sales_link_visitor_link_id_fkey FOREIGN KEY (link_id) REFERENCES sales_link(id) ON DELETE CASCADE
);
CREATE INDEX sales_link_visitor_day ON public.sales_link_visitor USING btree (day);

create table sales_order (
  id bigint generated always as identity not null,
  order_no text not null,
  member_id bigint not null,
  product_name text not null,
  amount_fen bigint not null,
  paid_fen bigint not null default 0,
  reserved_fen bigint not null default 0,
  refunded_fen bigint not null default 0,
  pay_state text not null default 'UNPAID'::text,
  fulfil_state text not null default 'NOT_NEEDED'::text,
  refund_state text not null default 'NONE'::text,
  source text not null,
  note text not null default ''::text,
  sold_by bigint,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  paid_at timestamp with time zone,
  closed_at timestamp with time zone,
  version integer not null default 1,
  list_fen bigint not null default 0,
  discount_fen bigint not null default 0,
  channel text not null default 'OTHER'::text,
  receiver_name text,
  receiver_phone text,
  receiver_province text,
  receiver_address text,
  owner_changed boolean not null default false,
  closes_at timestamp with time zone,
  goods_rejected boolean not null default false,
  off_sale boolean not null default false,
  created_day date not null default ((created_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  paid_day date default ((paid_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  sold_org_id bigint,
  link_id bigint,
  paid_by_product jsonb not null default '{}'::jsonb,
  constraint sales_order_pkey PRIMARY KEY (id),
  constraint sales_order_link_id_fkey FOREIGN KEY (link_id) REFERENCES sales_link(id),
  constraint sales_order_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint sales_order_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint sales_order_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint sales_order_sold_by_fkey FOREIGN KEY (sold_by) REFERENCES staff(id),
  constraint sales_order_sold_org_id_fkey FOREIGN KEY (sold_org_id) REFERENCES org(id),
  constraint refunds_within_paid CHECK (((reserved_fen + refunded_fen) <= paid_fen)),
  constraint sales_order_amount_fen_check CHECK ((amount_fen >= 0)),
  constraint sales_order_discount_fen_check CHECK ((discount_fen >= 0)),
  constraint sales_order_fulfil_state_check CHECK ((fulfil_state = ANY (ARRAY['NOT_NEEDED'::text, 'WAITING'::text, 'PARTIAL'::text, 'SENT'::text, 'DONE'::text]))),
  constraint sales_order_list_fen_check CHECK ((list_fen >= 0)),
  constraint sales_order_note_check CHECK ((length(note) <= 500)),
  constraint sales_order_order_no_check CHECK ((order_no ~ '^[0-9]{18}$'::text)),
  constraint sales_order_paid_by_product CHECK (((jsonb_typeof(paid_by_product) = 'object'::text) AND (NOT jsonb_path_exists(paid_by_product, '$.*?(@.type() != "number")'::jsonpath)))),
  constraint sales_order_paid_fen_check CHECK ((paid_fen >= 0)),
  constraint sales_order_pay_state_check CHECK ((pay_state = ANY (ARRAY['UNPAID'::text, 'EXAMINING'::text, 'PAID'::text, 'CLOSED'::text]))),
  constraint sales_order_product_name_check CHECK (((length(product_name) >= 1) AND (length(product_name) <= 100))),
  constraint sales_order_receiver_address_check CHECK ((length(receiver_address) <= 200)),
  constraint sales_order_receiver_name_check CHECK ((length(receiver_name) <= 50)),
  constraint sales_order_receiver_phone_check CHECK ((length(receiver_phone) <= 20)),
  constraint sales_order_refund_state_check CHECK ((refund_state = ANY (ARRAY['NONE'::text, 'PARTIAL'::text, 'FULL'::text]))),
  constraint sales_order_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint sales_order_reserved_fen_check CHECK ((reserved_fen >= 0))
);
CREATE INDEX sales_order_amount ON public.sales_order USING btree (amount_fen, id);
CREATE INDEX sales_order_channel ON public.sales_order USING btree (channel, id);
CREATE INDEX sales_order_closing ON public.sales_order USING btree (closes_at) WHERE (pay_state = 'UNPAID'::text);
CREATE INDEX sales_order_created ON public.sales_order USING btree (created_at, id);
CREATE INDEX sales_order_fulfil_state ON public.sales_order USING btree (fulfil_state, id);
CREATE INDEX sales_order_goods_rejected ON public.sales_order USING btree (goods_rejected, id);
CREATE INDEX sales_order_link ON public.sales_order USING btree (link_id, id);
CREATE INDEX sales_order_member ON public.sales_order USING btree (member_id, id);
CREATE UNIQUE INDEX sales_order_no ON public.sales_order USING btree (order_no text_pattern_ops);
CREATE INDEX sales_order_org ON public.sales_order USING btree (org_id, id);
CREATE INDEX sales_order_owner ON public.sales_order USING btree (owner_id, id);
CREATE INDEX sales_order_owner_changed ON public.sales_order USING btree (owner_changed, id);
CREATE INDEX sales_order_paid_at ON public.sales_order USING btree (paid_at, id);
CREATE INDEX sales_order_pay_state ON public.sales_order USING btree (pay_state, id);
CREATE INDEX sales_order_product ON public.sales_order USING btree (product_name text_pattern_ops, id);
CREATE INDEX sales_order_refund_state ON public.sales_order USING btree (refund_state, id);
CREATE INDEX sales_order_sold_by ON public.sales_order USING btree (sold_by, id);
CREATE INDEX sales_order_sold_org ON public.sales_order USING btree (sold_org_id, id);
CREATE INDEX sales_order_source ON public.sales_order USING btree (source, id);
CREATE TRIGGER follow_new_orders_of_partners AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_new_orders_of_partners();
CREATE TRIGGER follow_order_of_partner AFTER UPDATE OF pay_state, paid_fen, refunded_fen, channel, paid_at ON public.sales_order FOR EACH ROW WHEN (((((((old.pay_state IS DISTINCT FROM new.pay_state) OR (old.paid_fen IS DISTINCT FROM new.paid_fen)) OR (old.refunded_fen IS DISTINCT FROM new.refunded_fen)) OR (old.channel IS DISTINCT FROM new.channel)) OR (old.paid_at IS DISTINCT FROM new.paid_at)) AND (('PAID'::text = old.pay_state) OR ('PAID'::text = new.pay_state)))) EXECUTE FUNCTION follow_order_of_partner();
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.sales_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('pay_state', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('pay_state', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.sales_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('pay_state', 'owned');
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-list');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.sales_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-list');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.sales_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER order_by_channel_delete AFTER DELETE ON public.sales_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_channel();
CREATE TRIGGER order_by_channel_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_channel();
CREATE TRIGGER order_by_channel_update AFTER UPDATE ON public.sales_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_channel();
CREATE TRIGGER order_by_product_delete AFTER DELETE ON public.sales_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_product();
CREATE TRIGGER order_by_product_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_product();
CREATE TRIGGER order_by_product_update AFTER UPDATE ON public.sales_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_product();
CREATE TRIGGER order_by_seller_delete AFTER DELETE ON public.sales_order REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_seller();
CREATE TRIGGER order_by_seller_insert AFTER INSERT ON public.sales_order REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_seller();
CREATE TRIGGER order_by_seller_update AFTER UPDATE ON public.sales_order REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION order_by_seller();
CREATE TRIGGER sales_figures_paid AFTER INSERT OR UPDATE OF pay_state, paid_fen, refunded_fen ON public.sales_order FOR EACH STATEMENT EXECUTE FUNCTION sales_figures_changed();

create table sales_request (
  id bigint generated always as identity not null,
  kind text not null,
  status text not null default 'SUBMITTED'::text,
  reason text not null,
  needs_l2 boolean not null,
  applicant_id bigint not null,
  l1_by bigint,
  l2_by bigint,
  created_at timestamp with time zone not null,
  state_since timestamp with time zone,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  version integer not null default 1,
  request_no text not null,
  owner_id bigint not null,
  org_id bigint not null,
  lead_phone text,
  lead_id bigint,
  from_id bigint,
  pool_id bigint,
  quota_day date,
  extra_claims integer,
  product_id bigint,
  list_fen bigint,
  price_fen bigint,
  usable_until date,
  gift_to_id bigint,
  gift_kind text,
  quantity integer,
  coupon_id bigint,
  constraint sales_request_pkey PRIMARY KEY (id),
  constraint sales_request_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint sales_request_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(id),
  constraint sales_request_from_id_fkey FOREIGN KEY (from_id) REFERENCES staff(id),
  constraint sales_request_gift_to_id_fkey FOREIGN KEY (gift_to_id) REFERENCES member(id),
  constraint sales_request_l1_by_fkey FOREIGN KEY (l1_by) REFERENCES staff(id),
  constraint sales_request_l2_by_fkey FOREIGN KEY (l2_by) REFERENCES staff(id),
  constraint sales_request_lead_id_fkey FOREIGN KEY (lead_id) REFERENCES lead(id) ON DELETE SET NULL,
  constraint sales_request_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint sales_request_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint sales_request_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES lead_pool(id),
  constraint sales_request_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint sales_request_agreed CHECK (((status <> 'APPROVED'::text) OR ((l1_by IS NOT NULL) AND ((NOT needs_l2) OR (l2_by IS NOT NULL))))),
  constraint sales_request_discount CHECK ((((kind = 'DISCOUNT'::text) = (product_id IS NOT NULL)) AND ((product_id IS NULL) = (price_fen IS NULL)) AND ((product_id IS NULL) = (list_fen IS NULL)) AND (price_fen < list_fen) AND ((usable_until IS NOT NULL) = ((kind = 'DISCOUNT'::text) AND (status = 'APPROVED'::text))))),
  constraint sales_request_ended CHECK (((ended_at IS NULL) = ((status = 'SUBMITTED'::text) OR (status = 'L1_APPROVED'::text)))),
  constraint sales_request_extra_claims_check CHECK (((extra_claims >= 1) AND (extra_claims <= 200))),
  constraint sales_request_four_eyes CHECK (((l1_by <> applicant_id) AND (l2_by <> applicant_id) AND (l2_by <> l1_by))),
  constraint sales_request_gift CHECK ((((kind = 'GIFT'::text) = (gift_to_id IS NOT NULL)) AND ((kind = 'GIFT'::text) = (gift_kind IS NOT NULL)) AND
CASE gift_kind
    WHEN 'COUPON'::text THEN ((coupon_id IS NOT NULL) AND (quantity IS NULL))
    WHEN 'DAYS'::text THEN ((quantity IS NOT NULL) AND (coupon_id IS NULL))
    WHEN 'COINS'::text THEN ((quantity IS NOT NULL) AND (coupon_id IS NULL))
    ELSE ((quantity IS NULL) AND (coupon_id IS NULL))
END)),
  constraint sales_request_gift_kind_check CHECK ((gift_kind = ANY (ARRAY['DAYS'::text, 'COINS'::text, 'COUPON'::text]))),
  constraint sales_request_kind_check CHECK ((kind = ANY (ARRAY['TAKE_OVER'::text, 'EXTRA_QUOTA'::text, 'DISCOUNT'::text, 'GIFT'::text]))),
  constraint sales_request_lead CHECK (((kind = 'TAKE_OVER'::text) OR ((lead_phone IS NULL) AND (lead_id IS NULL) AND (from_id IS NULL)))),
  constraint sales_request_lead_phone_check CHECK ((length(lead_phone) <= 20)),
  constraint sales_request_list_fen_check CHECK ((list_fen > 0)),
  constraint sales_request_price_fen_check CHECK ((price_fen > 0)),
  constraint sales_request_quantity_check CHECK (((quantity >= 1) AND (quantity <= 10000))),
  constraint sales_request_quota CHECK ((((kind = 'EXTRA_QUOTA'::text) = (pool_id IS NOT NULL)) AND ((pool_id IS NULL) = (quota_day IS NULL)) AND ((pool_id IS NULL) = (extra_claims IS NULL)))),
  constraint sales_request_reason_check CHECK ((length(reason) <= 200)),
  constraint sales_request_request_no_check CHECK ((request_no ~ '^Q[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint sales_request_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])))
);
CREATE INDEX sales_request_applicant ON public.sales_request USING btree (applicant_id, id);
CREATE INDEX sales_request_created ON public.sales_request USING btree (created_at, id);
CREATE INDEX sales_request_expiring ON public.sales_request USING btree (expires_at) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX sales_request_gift_to ON public.sales_request USING btree (gift_to_id);
CREATE INDEX sales_request_kind ON public.sales_request USING btree (kind, id);
CREATE INDEX sales_request_lead_id ON public.sales_request USING btree (lead_id);
CREATE UNIQUE INDEX sales_request_no ON public.sales_request USING btree (request_no text_pattern_ops);
CREATE UNIQUE INDEX sales_request_open ON public.sales_request USING btree (applicant_id, lead_phone, pool_id, quota_day, product_id, gift_to_id, gift_kind) NULLS NOT DISTINCT WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX sales_request_org ON public.sales_request USING btree (org_id, id);
CREATE INDEX sales_request_owner ON public.sales_request USING btree (owner_id, id);
CREATE INDEX sales_request_phone ON public.sales_request USING btree (lead_phone);
CREATE INDEX sales_request_since ON public.sales_request USING btree (status, state_since, id) WHERE (status = ANY (ARRAY['SUBMITTED'::text, 'L1_APPROVED'::text]));
CREATE INDEX sales_request_status ON public.sales_request USING btree (status, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.sales_request REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.sales_request REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.sales_request REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'applicant_id');
CREATE TRIGGER keep_state_since BEFORE INSERT OR UPDATE OF status ON public.sales_request FOR EACH ROW EXECUTE FUNCTION keep_state_since();

create table saved_view (
  id bigint generated always as identity not null,
  page text not null,
  name text not null,
  query text not null,
  is_shared boolean not null default false,
  staff_id bigint not null,
  created_at timestamp with time zone not null,
  constraint saved_view_pkey PRIMARY KEY (id),
  constraint saved_view_staff_id_page_name_key UNIQUE (staff_id, page, name),
  constraint saved_view_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint saved_view_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint saved_view_query_check CHECK ((length(query) <= 2000))
);
CREATE INDEX saved_view_shared ON public.saved_view USING btree (page) WHERE is_shared;

create table schedule_job (
  id bigint generated always as identity not null,
  handler text not null,
  name text not null,
  cron text not null,
  declared_cron text not null,
  misfire text not null,
  parameters jsonb not null default '[]'::jsonb,
  status text not null default 'ENABLED'::text,
  was_off boolean not null default false,
  next_due_at timestamp with time zone,
  running_since timestamp with time zone,
  run_done integer,
  run_total integer,
  last_status text,
  last_ended_at timestamp with time zone,
  version integer not null default 1,
  constraint schedule_job_pkey PRIMARY KEY (id),
  constraint schedule_job_cron_check CHECK ((length(cron) <= 100)),
  constraint schedule_job_declared_cron_check CHECK ((length(declared_cron) <= 100)),
  constraint schedule_job_handler_check CHECK ((length(handler) <= 100)),
  constraint schedule_job_last_status_check CHECK ((last_status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'STOPPED'::text, 'LOST'::text]))),
  constraint schedule_job_misfire_check CHECK ((misfire = ANY (ARRAY['SKIP'::text, 'RUN_ONCE'::text]))),
  constraint schedule_job_name_check CHECK ((length(name) <= 100)),
  constraint schedule_job_run_done_check CHECK ((run_done >= 0)),
  constraint schedule_job_run_total_check CHECK ((run_total >= 0)),
  constraint schedule_job_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text, 'RETIRED'::text])))
);
CREATE UNIQUE INDEX schedule_job_handler ON public.schedule_job USING btree (handler text_pattern_ops);
CREATE INDEX schedule_job_last_ended ON public.schedule_job USING btree (last_ended_at, id);
CREATE INDEX schedule_job_last_status ON public.schedule_job USING btree (last_status, id);
CREATE INDEX schedule_job_misfire ON public.schedule_job USING btree (misfire, id);
CREATE INDEX schedule_job_name ON public.schedule_job USING gin (name_pairs(name));
CREATE INDEX schedule_job_name_start ON public.schedule_job USING btree (name text_pattern_ops);
CREATE INDEX schedule_job_next_due ON public.schedule_job USING btree (next_due_at, id);
CREATE INDEX schedule_job_status ON public.schedule_job USING btree (status, id);

create table schedule_run (
  id bigint generated always as identity not null,
  job_id bigint not null,
  cause text not null,
  status text not null,
  due_at timestamp with time zone,
  asked_at timestamp with time zone not null,
  asked_by bigint,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  duration_ms integer,
  parameters jsonb not null,
  done integer,
  total integer,
  missed integer not null default 0,
  missed_from timestamp with time zone,
  reason text,
  error text,
  instance text,
  heartbeat_at timestamp with time zone,
  stop_asked_at timestamp with time zone,
  stop_by bigint,
  constraint schedule_run_pkey PRIMARY KEY (id),
  constraint schedule_run_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES staff(id),
  constraint schedule_run_job_id_fkey FOREIGN KEY (job_id) REFERENCES schedule_job(id),
  constraint schedule_run_stop_by_fkey FOREIGN KEY (stop_by) REFERENCES staff(id),
  constraint schedule_run_cause_check CHECK ((cause = ANY (ARRAY['SCHEDULE'::text, 'MAKE_UP'::text, 'BY_HAND'::text, 'CLOCK'::text]))),
  constraint schedule_run_done_check CHECK ((done >= 0)),
  constraint schedule_run_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint schedule_run_ended CHECK (((ended_at IS NULL) = ((status = 'WAITING'::text) OR (status = 'RUNNING'::text)))),
  constraint schedule_run_error_check CHECK ((length(error) <= 4000)),
  constraint schedule_run_instance_check CHECK ((length(instance) <= 100)),
  constraint schedule_run_missed_check CHECK ((missed >= 0)),
  constraint schedule_run_reason_check CHECK ((reason = ANY (ARRAY['BUSY'::text, 'AWAY'::text, 'CLOCK_BACK'::text, 'INSTANCE_DIED'::text, 'INSTANCE_STOPPED'::text, 'STOP_ASKED'::text]))),
  constraint schedule_run_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'STOPPED'::text, 'LOST'::text, 'SKIPPED'::text]))),
  constraint schedule_run_total_check CHECK ((total >= 0))
);
CREATE INDEX schedule_run_asked ON public.schedule_run USING btree (job_id, asked_at);
CREATE INDEX schedule_run_cause ON public.schedule_run USING btree (job_id, cause);
CREATE UNIQUE INDEX schedule_run_due ON public.schedule_run USING btree (job_id, due_at);
CREATE INDEX schedule_run_duration ON public.schedule_run USING btree (job_id, duration_ms);
CREATE INDEX schedule_run_ended ON public.schedule_run USING btree (ended_at);
CREATE INDEX schedule_run_job ON public.schedule_run USING btree (job_id, id);
CREATE INDEX schedule_run_open ON public.schedule_run USING btree (status) WHERE (status = ANY (ARRAY['WAITING'::text, 'RUNNING'::text]));
CREATE INDEX schedule_run_status ON public.schedule_run USING btree (job_id, status);
CREATE UNIQUE INDEX schedule_run_under_way ON public.schedule_run USING btree (job_id) WHERE (status = 'RUNNING'::text);

create table school_teacher (
  id bigint generated always as identity not null,
  name text not null,
  phone text,
  school text not null,
  grade text,
  class_name text,
  has_left boolean not null default false,
  status text not null default 'ACTIVE'::text,
  stopped_at timestamp with time zone,
  owner_id bigint not null,
  org_id bigint not null,
  channel text,
  link text,
  leads integer not null default 0,
  members integer not null default 0,
  orders integer not null default 0,
  paid_fen bigint not null default 0,
  counted_at timestamp with time zone,
  rewarded_fen bigint not null default 0,
  note text not null default ''::text,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint school_teacher_pkey PRIMARY KEY (id),
  constraint school_teacher_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint school_teacher_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint school_teacher_class_name_check CHECK (((length(class_name) >= 1) AND (length(class_name) <= 50))),
  constraint school_teacher_link_check CHECK (((length(link) >= 1) AND (length(link) <= 200))),
  constraint school_teacher_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint school_teacher_note_check CHECK ((length(note) <= 500)),
  constraint school_teacher_phone_check CHECK ((phone ~ '^1[3-9][0-9]{9}$'::text)),
  constraint school_teacher_rewarded_fen_check CHECK ((rewarded_fen >= 0)),
  constraint school_teacher_school_check CHECK (((length(school) >= 1) AND (length(school) <= 100))),
  constraint school_teacher_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'STOPPED'::text]))),
  constraint school_teacher_stopped CHECK (((status = 'STOPPED'::text) = (stopped_at IS NOT NULL)))
);
CREATE UNIQUE INDEX school_teacher_channel ON public.school_teacher USING btree (channel);
CREATE INDEX school_teacher_created ON public.school_teacher USING btree (created_at, id);
CREATE INDEX school_teacher_grade ON public.school_teacher USING btree (grade, id);
CREATE INDEX school_teacher_has_left ON public.school_teacher USING btree (has_left, id);
CREATE INDEX school_teacher_leads ON public.school_teacher USING btree (leads, id);
CREATE INDEX school_teacher_members ON public.school_teacher USING btree (members, id);
CREATE INDEX school_teacher_name ON public.school_teacher USING btree (name text_pattern_ops, id);
CREATE INDEX school_teacher_name_pairs ON public.school_teacher USING gin (name_pairs(name));
CREATE INDEX school_teacher_orders ON public.school_teacher USING btree (orders, id);
CREATE INDEX school_teacher_org ON public.school_teacher USING btree (org_id, id);
CREATE INDEX school_teacher_owner ON public.school_teacher USING btree (owner_id, id);
CREATE INDEX school_teacher_paid ON public.school_teacher USING btree (paid_fen, id);
CREATE UNIQUE INDEX school_teacher_phone ON public.school_teacher USING btree (phone);
CREATE INDEX school_teacher_school ON public.school_teacher USING btree (school text_pattern_ops, id);
CREATE INDEX school_teacher_school_pairs ON public.school_teacher USING gin (name_pairs(school));
CREATE INDEX school_teacher_status ON public.school_teacher USING btree (status, id);
CREATE TRIGGER channel_of_one AFTER INSERT OR UPDATE OF channel ON public.school_teacher FOR EACH ROW EXECUTE FUNCTION channel_of_one();
CREATE TRIGGER give_channel BEFORE INSERT ON public.school_teacher FOR EACH ROW WHEN ((new.channel IS NULL)) EXECUTE FUNCTION give_teacher_channel();
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.school_teacher REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.school_teacher REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.school_teacher REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');

create table school_teacher_reward (
  id bigint generated always as identity not null,
  teacher_id bigint not null,
  reward_kind text not null,
  value_fen bigint not null,
  what text not null,
  given_on date not null,
  by_id bigint not null,
  was_serving boolean not null,
  created_at timestamp with time zone not null,
  constraint school_teacher_reward_pkey PRIMARY KEY (id),
  constraint school_teacher_reward_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint school_teacher_reward_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES school_teacher(id) ON DELETE CASCADE,
  constraint school_teacher_reward_no_cash CHECK (((NOT was_serving) OR (reward_kind <> 'CASH'::text))),
  constraint school_teacher_reward_reward_kind_check CHECK ((reward_kind = ANY (ARRAY['GIFT'::text, 'COURSE'::text, 'CASH'::text]))),
  constraint school_teacher_reward_value_fen_check CHECK ((value_fen > 0)),
  constraint school_teacher_reward_what_check CHECK (((length(what) >= 1) AND (length(what) <= 200)))
);
CREATE INDEX school_teacher_reward_given ON public.school_teacher_reward USING btree (teacher_id, given_on, id);
CREATE INDEX school_teacher_reward_kind ON public.school_teacher_reward USING btree (teacher_id, reward_kind, id);
CREATE INDEX school_teacher_reward_teacher ON public.school_teacher_reward USING btree (teacher_id, id);

create table sealed_codes (
  batch_id bigint not null,
  part integer not null,
  sealed bytea not null,
  constraint sealed_codes_pkey PRIMARY KEY (batch_id, part),
  constraint sealed_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES code_batch(id),
  constraint sealed_codes_part_check CHECK ((part > 0))
);

create table second_factor (
  staff_id bigint not null,
  secret bytea not null,
  since timestamp with time zone not null,
  last_step bigint not null,
  codes_void_at timestamp with time zone,
  constraint second_factor_pkey PRIMARY KEY (staff_id),
  constraint second_factor_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id) ON DELETE CASCADE,
  constraint second_factor_secret_check CHECK ((length(secret) = 48))
);

create table second_factor_begun (
  staff_id bigint not null,
  secret bytea not null,
  expires_at timestamp with time zone not null,
  session_id bigint not null,
  constraint second_factor_begun_pkey PRIMARY KEY (staff_id),
  constraint second_factor_begun_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE,
  constraint second_factor_begun_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id) ON DELETE CASCADE,
  constraint second_factor_begun_secret_check CHECK ((length(secret) = 48))
);

create table session (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  token_hash bytea not null,
  token_at timestamp with time zone not null,
  old_hash bytea,
  old_until timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  active_at timestamp with time zone not null,
  address text not null,
  device text not null,
  ended_at timestamp with time zone,
  end_reason text,
  preview_role_id bigint,
  preview_until timestamp with time zone,
  must_enrol boolean not null default false,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_preview_role_id_fkey FOREIGN KEY (preview_role_id) REFERENCES role(id) ON DELETE SET NULL,
  constraint session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint session_end_reason_check CHECK ((end_reason = ANY (ARRAY['LOGOUT'::text, 'FORCED'::text, 'DISABLED'::text, 'PASSWORD'::text, 'EXPIRED'::text])))
);
CREATE INDEX session_active ON public.session USING btree (active_at) WHERE (ended_at IS NULL);
CREATE INDEX session_expires ON public.session USING btree (expires_at) WHERE (ended_at IS NULL);
CREATE INDEX session_old ON public.session USING btree (old_hash) WHERE (old_hash IS NOT NULL);
CREATE INDEX session_preview ON public.session USING btree (preview_role_id) WHERE (preview_role_id IS NOT NULL);
CREATE INDEX session_staff ON public.session USING btree (staff_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX session_token ON public.session USING btree (token_hash);
CREATE TRIGGER keep_session_ended AFTER UPDATE OF ended_at ON public.session FOR EACH ROW WHEN (((old.ended_at IS NULL) <> (new.ended_at IS NULL))) EXECUTE FUNCTION keep_open_sessions();
CREATE TRIGGER keep_session_gone AFTER DELETE ON public.session FOR EACH ROW WHEN ((old.ended_at IS NULL)) EXECUTE FUNCTION keep_session_gone();
CREATE TRIGGER keep_session_opened AFTER INSERT ON public.session REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION keep_open_sessions();
CREATE TRIGGER keep_sign_in_ended AFTER UPDATE OF ended_at ON public.session FOR EACH ROW WHEN ((old.ended_at IS DISTINCT FROM new.ended_at)) EXECUTE FUNCTION keep_sign_in_ended();

create table setting_change (
  id bigint generated always as identity not null,
  key text not null,
  name text not null,
  before integer not null,
  value integer not null,
  unit text not null,
  status text not null,
  reason text not null,
  applicant_id bigint,
  decided_by bigint,
  based_on bigint,
  created_at timestamp with time zone not null,
  in_force_at timestamp with time zone,
  version integer not null default 1,
  constraint setting_change_pkey PRIMARY KEY (id),
  constraint setting_change_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint setting_change_based_on_fkey FOREIGN KEY (based_on) REFERENCES setting_change(id),
  constraint setting_change_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint setting_change_four_eyes CHECK ((decided_by <> applicant_id)),
  constraint setting_change_key_check CHECK ((char_length(key) <= 100)),
  constraint setting_change_name_check CHECK ((char_length(name) <= 100)),
  constraint setting_change_reason_check CHECK ((char_length(reason) <= 200)),
  constraint setting_change_since CHECK (((in_force_at IS NOT NULL) = ((status = 'IN_FORCE'::text) OR (status = 'REPLACED'::text)))),
  constraint setting_change_status_check CHECK ((status = ANY (ARRAY['PROPOSED'::text, 'IN_FORCE'::text, 'REPLACED'::text, 'REFUSED'::text, 'WITHDRAWN'::text]))),
  constraint setting_change_unit_check CHECK ((unit = ANY (ARRAY['days'::text, 'percent'::text, 'fen'::text, 'coins'::text, 'coupons'::text, 'hour'::text, 'switch'::text])))
);
CREATE INDEX setting_change_applicant ON public.setting_change USING btree (applicant_id);
CREATE INDEX setting_change_created ON public.setting_change USING btree (created_at, id);
CREATE UNIQUE INDEX setting_change_in_force ON public.setting_change USING btree (key) WHERE (status = 'IN_FORCE'::text);
CREATE INDEX setting_change_key ON public.setting_change USING btree (key text_pattern_ops, id);
CREATE INDEX setting_change_name ON public.setting_change USING btree (name text_pattern_ops);
CREATE INDEX setting_change_name_pairs ON public.setting_change USING gin (name_pairs(name));
CREATE UNIQUE INDEX setting_change_proposed ON public.setting_change USING btree (key) WHERE (status = 'PROPOSED'::text);
CREATE INDEX setting_change_status ON public.setting_change USING btree (status, id);

create table settlement_event (
  id bigint generated always as identity not null,
  partner_id bigint not null,
  kind text not null,
  subject_id bigint not null,
  member_id bigint not null,
  order_id bigint,
  happened_at timestamp with time zone not null,
  base_fen bigint not null,
  refunded_fen bigint not null default 0,
  price_id bigint,
  verdict text not null,
  worth_fen bigint not null default 0,
  judged_at timestamp with time zone not null,
  constraint settlement_event_pkey PRIMARY KEY (id),
  constraint settlement_event_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint settlement_event_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint settlement_event_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint settlement_event_price_id_fkey FOREIGN KEY (price_id) REFERENCES settlement_price(id),
  constraint settlement_event_base_fen_check CHECK ((base_fen >= 0)),
  constraint settlement_event_kind_check CHECK ((kind = ANY (ARRAY['REGISTERED'::text, 'ACTIVATED'::text, 'FIRST_ORDER'::text, 'SHARE'::text]))),
  constraint settlement_event_refunded_fen_check CHECK ((refunded_fen >= 0)),
  constraint settlement_event_verdict_check CHECK ((verdict = ANY (ARRAY['COUNTED'::text, 'FROZEN'::text, 'REFUNDED'::text, 'OVER_CAP'::text, 'TOO_LATE'::text, 'NO_PRICE'::text, 'DUPLICATE'::text, 'OLD_MEMBER'::text, 'OWN_STAFF'::text]))),
  constraint settlement_event_worth CHECK (((worth_fen = 0) OR (verdict = 'COUNTED'::text))),
  constraint settlement_event_worth_fen_check CHECK ((worth_fen >= 0))
);
CREATE UNIQUE INDEX settlement_event_held ON public.settlement_event USING btree (kind, subject_id) WHERE (verdict = ANY (ARRAY['COUNTED'::text, 'FROZEN'::text, 'REFUNDED'::text]));
CREATE INDEX settlement_event_member ON public.settlement_event USING btree (member_id);
CREATE UNIQUE INDEX settlement_event_once ON public.settlement_event USING btree (partner_id, kind, subject_id);
CREATE INDEX settlement_event_open ON public.settlement_event USING btree (partner_id, id) WHERE (verdict = ANY (ARRAY['COUNTED'::text, 'FROZEN'::text]));
CREATE INDEX settlement_event_order ON public.settlement_event USING btree (order_id);
CREATE TRIGGER follow_settlement AFTER UPDATE OF verdict, worth_fen ON public.settlement_event FOR EACH ROW WHEN (((new.order_id IS NOT NULL) AND ((old.verdict IS DISTINCT FROM new.verdict) OR (old.worth_fen IS DISTINCT FROM new.worth_fen)))) EXECUTE FUNCTION follow_settlement();
CREATE TRIGGER follow_settlement_new AFTER INSERT ON public.settlement_event FOR EACH ROW WHEN ((new.order_id IS NOT NULL)) EXECUTE FUNCTION follow_settlement();

create table settlement_line (
  id bigint generated always as identity not null,
  partner_id bigint not null,
  statement_id bigint,
  event_id bigint,
  entry text not null,
  part text not null default 
CASE
    WHEN (entry = ANY (ARRAY['COUNTED'::text, 'TAKEN_BACK'::text])) THEN 'COUNTED'::text
    WHEN (entry = ANY (ARRAY['DEDUCTION'::text, 'CORRECTION'::text, 'CARRIED'::text])) THEN 'ADJUSTED'::text
    ELSE 'NOT_COUNTED'::text
END,
  kind text,
  member_id bigint,
  order_id bigint,
  happened_at timestamp with time zone not null,
  base_fen bigint,
  price_id bigint,
  amount_fen bigint not null,
  about_id bigint,
  note text not null default ''::text,
  by_id bigint,
  created_at timestamp with time zone not null,
  distribution_id bigint,
  constraint settlement_line_pkey PRIMARY KEY (id),
  constraint settlement_line_about_id_fkey FOREIGN KEY (about_id) REFERENCES settlement_statement(id),
  constraint settlement_line_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint settlement_line_distribution_id_fkey FOREIGN KEY (distribution_id) REFERENCES distribution_order(id),
  constraint settlement_line_event_id_fkey FOREIGN KEY (event_id) REFERENCES settlement_event(id),
  constraint settlement_line_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint settlement_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint settlement_line_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint settlement_line_price_id_fkey FOREIGN KEY (price_id) REFERENCES settlement_price(id),
  constraint settlement_line_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES settlement_statement(id),
  constraint settlement_line_entry_check CHECK ((entry = ANY (ARRAY['COUNTED'::text, 'FROZEN'::text, 'REFUNDED'::text, 'OVER_CAP'::text, 'TOO_LATE'::text, 'NO_PRICE'::text, 'DUPLICATE'::text, 'OLD_MEMBER'::text, 'OWN_STAFF'::text, 'TAKEN_BACK'::text, 'DEDUCTION'::text, 'CORRECTION'::text, 'CARRIED'::text]))),
  constraint settlement_line_event CHECK (((event_id IS NULL) = (part = 'ADJUSTED'::text))),
  constraint settlement_line_kind_check CHECK ((kind = ANY (ARRAY['REGISTERED'::text, 'ACTIVATED'::text, 'FIRST_ORDER'::text, 'SHARE'::text]))),
  constraint settlement_line_note_check CHECK ((length(note) <= 200)),
  constraint settlement_line_part_check CHECK ((part = ANY (ARRAY['COUNTED'::text, 'NOT_COUNTED'::text, 'ADJUSTED'::text])))
);
CREATE INDEX settlement_line_amount ON public.settlement_line USING btree (statement_id, amount_fen, id);
CREATE INDEX settlement_line_below ON public.settlement_line USING btree (statement_id, id);
CREATE INDEX settlement_line_distribution ON public.settlement_line USING btree (distribution_id, id);
CREATE INDEX settlement_line_entry ON public.settlement_line USING btree (statement_id, entry, id);
CREATE INDEX settlement_line_event ON public.settlement_line USING btree (event_id);
CREATE INDEX settlement_line_happened ON public.settlement_line USING btree (statement_id, happened_at, id);
CREATE INDEX settlement_line_kind ON public.settlement_line USING btree (statement_id, kind, id);
CREATE INDEX settlement_line_member ON public.settlement_line USING btree (member_id);
CREATE INDEX settlement_line_member_below ON public.settlement_line USING btree (statement_id, member_id, id);
CREATE INDEX settlement_line_part ON public.settlement_line USING btree (statement_id, part, id);
CREATE INDEX settlement_line_waiting ON public.settlement_line USING btree (partner_id, id) WHERE (statement_id IS NULL);
CREATE TRIGGER name_distribution BEFORE INSERT ON public.settlement_line FOR EACH ROW WHEN ((new.order_id IS NOT NULL)) EXECUTE FUNCTION name_distribution();

create table settlement_price (
  id bigint generated always as identity not null,
  partner_id bigint not null,
  kind text not null,
  price_fen bigint,
  share_permille integer,
  window_days integer,
  freeze_days integer not null,
  monthly_cap integer,
  deduction_permille integer not null default 0,
  valid_from date not null,
  valid_to date,
  reason text not null,
  status text not null default 'SUBMITTED'::text,
  applicant_id bigint not null,
  l1_by bigint,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  constraint settlement_price_pkey PRIMARY KEY (id),
  constraint settlement_price_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint settlement_price_l1_by_fkey FOREIGN KEY (l1_by) REFERENCES staff(id),
  constraint settlement_price_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint settlement_price_agreed CHECK (((status <> 'APPROVED'::text) OR (l1_by IS NOT NULL))),
  constraint settlement_price_deduction_permille_check CHECK (((deduction_permille >= 0) AND (deduction_permille <= 500))),
  constraint settlement_price_ended CHECK (((ended_at IS NULL) = (status = 'SUBMITTED'::text))),
  constraint settlement_price_freeze_days_check CHECK (((freeze_days >= 0) AND (freeze_days <= 180))),
  constraint settlement_price_kind_check CHECK ((kind = ANY (ARRAY['REGISTERED'::text, 'ACTIVATED'::text, 'FIRST_ORDER'::text, 'SHARE'::text]))),
  constraint settlement_price_monthly_cap_check CHECK ((monthly_cap > 0)),
  constraint settlement_price_one CHECK ((((kind = 'SHARE'::text) = (share_permille IS NOT NULL)) AND ((kind = 'SHARE'::text) = (price_fen IS NULL)))),
  constraint settlement_price_price_fen_check CHECK ((price_fen > 0)),
  constraint settlement_price_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint settlement_price_share_permille_check CHECK (((share_permille >= 1) AND (share_permille <= 1000))),
  constraint settlement_price_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text]))),
  constraint settlement_price_two CHECK ((l1_by <> applicant_id)),
  constraint settlement_price_window_days_check CHECK (((window_days >= 1) AND (window_days <= 730)))
);
CREATE INDEX settlement_price_applicant ON public.settlement_price USING btree (applicant_id, id);
CREATE INDEX settlement_price_created ON public.settlement_price USING btree (created_at, id);
CREATE INDEX settlement_price_expiring ON public.settlement_price USING btree (expires_at) WHERE (status = 'SUBMITTED'::text);
CREATE INDEX settlement_price_from ON public.settlement_price USING btree (valid_from, id);
CREATE INDEX settlement_price_kind ON public.settlement_price USING btree (kind, id);
CREATE INDEX settlement_price_partner ON public.settlement_price USING btree (partner_id, id);
CREATE INDEX settlement_price_status ON public.settlement_price USING btree (status, id);

create table settlement_statement (
  id bigint generated always as identity not null,
  statement_no text not null,
  partner_id bigint not null,
  period_from date not null,
  period_to date not null,
  status text not null default 'DRAFT'::text,
  counted integer not null default 0,
  not_counted integer not null default 0,
  adjusted_fen bigint not null default 0,
  total_fen bigint not null default 0,
  reckoned_at timestamp with time zone not null,
  digest text,
  confirmed_name text,
  confirmed_by bigint,
  confirmed_at timestamp with time zone,
  approved_by bigint,
  approved_at timestamp with time zone,
  paid_by bigint,
  paid_at timestamp with time zone,
  transfer_no text,
  created_at timestamp with time zone not null,
  state_since timestamp with time zone,
  version integer not null default 1,
  confirmed_via text,
  link_state text not null default 'NONE'::text,
  link_by bigint,
  link_sent_at timestamp with time zone,
  link_until timestamp with time zone,
  contact_by bigint,
  constraint settlement_statement_pkey PRIMARY KEY (id),
  constraint settlement_statement_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES staff(id),
  constraint settlement_statement_confirmed_by_fkey FOREIGN KEY (confirmed_by) REFERENCES staff(id),
  constraint settlement_statement_contact_by_fkey FOREIGN KEY (contact_by) REFERENCES staff(id),
  constraint settlement_statement_link_by_fkey FOREIGN KEY (link_by) REFERENCES staff(id),
  constraint settlement_statement_paid_by_fkey FOREIGN KEY (paid_by) REFERENCES staff(id),
  constraint settlement_statement_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id),
  constraint settlement_statement_approved CHECK (((((status = 'APPROVED'::text) OR (status = 'PAID'::text)) AND (confirmed_via IS DISTINCT FROM 'NOTHING_DUE'::text)) = (approved_by IS NOT NULL))),
  constraint settlement_statement_confirmed CHECK ((((status = 'DRAFT'::text) = (digest IS NULL)) AND ((digest IS NULL) = (confirmed_at IS NULL)) AND ((digest IS NULL) = (confirmed_via IS NULL)) AND ((confirmed_by IS NOT NULL) = (COALESCE(confirmed_via, ''::text) = 'RECORDED'::text)))),
  constraint settlement_statement_confirmed_name_check CHECK (((length(confirmed_name) >= 1) AND (length(confirmed_name) <= 50))),
  constraint settlement_statement_confirmed_via_check CHECK ((confirmed_via = ANY (ARRAY['RECORDED'::text, 'LINK'::text, 'NOTHING_DUE'::text]))),
  constraint settlement_statement_contact CHECK (((COALESCE(confirmed_via, ''::text) <> 'LINK'::text) OR (contact_by IS NULL) OR ((contact_by IS DISTINCT FROM approved_by) AND (contact_by IS DISTINCT FROM paid_by)))),
  constraint settlement_statement_digest_check CHECK ((digest ~ '^[0-9a-f]{64}$'::text)),
  constraint settlement_statement_link CHECK ((((link_state = 'NONE'::text) = (link_by IS NULL)) AND ((link_by IS NULL) = (link_sent_at IS NULL)) AND ((link_by IS NULL) = (link_until IS NULL)))),
  constraint settlement_statement_link_state_check CHECK ((link_state = ANY (ARRAY['NONE'::text, 'SENDING'::text, 'SENT'::text, 'FAILED'::text, 'ASKED'::text, 'USED'::text]))),
  constraint settlement_statement_nothing CHECK (((confirmed_via IS DISTINCT FROM 'NOTHING_DUE'::text) OR ((status = 'PAID'::text) AND (total_fen = 0) AND (paid_at IS NOT NULL)))),
  constraint settlement_statement_paid CHECK (((((status = 'PAID'::text) AND (confirmed_via IS DISTINCT FROM 'NOTHING_DUE'::text)) = (paid_by IS NOT NULL)) AND ((status <> 'PAID'::text) OR (total_fen = 0) OR (transfer_no IS NOT NULL)))),
  constraint settlement_statement_people CHECK (((confirmed_by <> approved_by) AND (approved_by <> paid_by) AND (confirmed_by <> paid_by))),
  constraint settlement_statement_period CHECK ((period_from < period_to)),
  constraint settlement_statement_sender CHECK (((COALESCE(confirmed_via, ''::text) <> 'LINK'::text) OR ((link_by IS DISTINCT FROM approved_by) AND (link_by IS DISTINCT FROM paid_by)))),
  constraint settlement_statement_statement_no_check CHECK ((statement_no ~ '^C[0-9]{6}-[0-9]{4,18}$'::text)),
  constraint settlement_statement_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'CHANNEL_CONFIRMED'::text, 'APPROVED'::text, 'PAID'::text]))),
  constraint settlement_statement_total_fen_check CHECK ((total_fen >= 0)),
  constraint settlement_statement_transfer_no_check CHECK (((length(transfer_no) >= 1) AND (length(transfer_no) <= 64)))
);
CREATE UNIQUE INDEX settlement_statement_draft ON public.settlement_statement USING btree (partner_id) WHERE (status = 'DRAFT'::text);
CREATE INDEX settlement_statement_from ON public.settlement_statement USING btree (period_from, id);
CREATE INDEX settlement_statement_link_state ON public.settlement_statement USING btree (link_state, id);
CREATE UNIQUE INDEX settlement_statement_no ON public.settlement_statement USING btree (statement_no text_pattern_ops);
CREATE INDEX settlement_statement_nothing_due ON public.settlement_statement USING btree (id) WHERE ((status = 'DRAFT'::text) AND (total_fen = 0));
CREATE UNIQUE INDEX settlement_statement_once ON public.settlement_statement USING btree (partner_id, period_from);
CREATE INDEX settlement_statement_paid_at ON public.settlement_statement USING btree (paid_at, id);
CREATE INDEX settlement_statement_partner ON public.settlement_statement USING btree (partner_id, id);
CREATE INDEX settlement_statement_status ON public.settlement_statement USING btree (status, id);
CREATE INDEX settlement_statement_total ON public.settlement_statement USING btree (total_fen, id);
CREATE INDEX settlement_statement_transfer ON public.settlement_statement USING btree (transfer_no text_pattern_ops, id);

create table shipment (
  id bigint generated always as identity not null,
  shipment_no text not null,
  source text not null,
  order_id bigint,
  coin_order_id bigint,
  resend_of bigint,
  member_id bigint not null,
  receiver_name text,
  receiver_phone text,
  province text,
  receiver_address text,
  goods_name text not null,
  parts jsonb not null,
  waits_for_stock boolean not null default false,
  status text not null default 'TO_APPROVE'::text,
  is_repeat boolean not null default false,
  applicant_id bigint,
  decided_by bigint,
  note text not null default ''::text,
  printed_at timestamp with time zone,
  reprint boolean not null default false,
  merged_into bigint,
  carrier text,
  tracking_no text,
  tracking_status text not null default 'PENDING'::text,
  last_event text not null default ''::text,
  last_event_at timestamp with time zone,
  asked_at timestamp with time zone,
  sent_at timestamp with time zone,
  signed_at timestamp with time zone,
  owner_id bigint,
  org_id bigint,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  state_since timestamp with time zone,
  constraint shipment_pkey PRIMARY KEY (id),
  constraint shipment_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint shipment_coin_order_id_fkey FOREIGN KEY (coin_order_id) REFERENCES coin_order(id),
  constraint shipment_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint shipment_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint shipment_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES shipment(id),
  constraint shipment_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint shipment_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint shipment_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint shipment_resend_of_fkey FOREIGN KEY (resend_of) REFERENCES shipment(id),
  constraint shipment_check CHECK (((status <> ALL (ARRAY['SENT'::text, 'SIGNED'::text, 'RETURNED'::text, 'LOST'::text])) OR ((sent_at IS NOT NULL) AND (tracking_no IS NOT NULL) AND (carrier IS NOT NULL)))),
  constraint shipment_check1 CHECK (((status <> ALL (ARRAY['WAITING'::text, 'HELD'::text, 'SENT'::text, 'SIGNED'::text, 'RETURNED'::text, 'LOST'::text, 'MERGED'::text])) OR (num_nulls(receiver_name, receiver_phone, province, receiver_address) = 0))),
  constraint shipment_check2 CHECK (((decided_by IS NULL) OR (applicant_id IS NULL) OR (decided_by <> applicant_id))),
  constraint shipment_goods_name_check CHECK (((length(goods_name) >= 1) AND (length(goods_name) <= 100))),
  constraint shipment_last_event_check CHECK ((length(last_event) <= 500)),
  constraint shipment_note_check CHECK ((length(note) <= 500)),
  constraint shipment_receiver_address_check CHECK (((length(receiver_address) >= 1) AND (length(receiver_address) <= 200))),
  constraint shipment_receiver_name_check CHECK (((length(receiver_name) >= 1) AND (length(receiver_name) <= 50))),
  constraint shipment_receiver_phone_check CHECK (((length(receiver_phone) >= 5) AND (length(receiver_phone) <= 20))),
  constraint shipment_shipment_no_check CHECK ((shipment_no ~ '^S[0-9]{8}[0-9A-Z]{5}$'::text)),
  constraint shipment_source_check CHECK ((source = ANY (ARRAY['ORDER'::text, 'GIFT'::text, 'RESEND'::text, 'COIN_ORDER'::text, 'REDEMPTION'::text]))),
  constraint shipment_status_check CHECK ((status = ANY (ARRAY['TO_APPROVE'::text, 'REJECTED'::text, 'WAITING'::text, 'HELD'::text, 'SENT'::text, 'SIGNED'::text, 'RETURNED'::text, 'LOST'::text, 'MERGED'::text, 'CANCELLED'::text]))),
  constraint shipment_tracking_no_check CHECK ((tracking_no ~ '^[0-9A-Z-]{6,40}$'::text)),
  constraint shipment_tracking_status_check CHECK ((tracking_status = ANY (ARRAY['PENDING'::text, 'SHIPPED'::text, 'PICKED'::text, 'TRANSIT'::text, 'DELIVERING'::text, 'STATION'::text, 'SIGNED'::text, 'PROBLEM'::text, 'RETURNING'::text, 'RETURNED'::text, 'REJECTED'::text, 'CANCELLED'::text])))
);
CREATE INDEX shipment_applicant ON public.shipment USING btree (applicant_id, id);
CREATE INDEX shipment_asking ON public.shipment USING btree (asked_at NULLS FIRST, id) WHERE (status = 'SENT'::text);
CREATE INDEX shipment_carrier ON public.shipment USING btree (carrier, id);
CREATE INDEX shipment_coin_order ON public.shipment USING btree (coin_order_id) WHERE (coin_order_id IS NOT NULL);
CREATE INDEX shipment_created ON public.shipment USING btree (created_at, id);
CREATE INDEX shipment_event ON public.shipment USING btree (last_event_at, id);
CREATE INDEX shipment_goods ON public.shipment USING btree (goods_name text_pattern_ops, id);
CREATE INDEX shipment_member ON public.shipment USING btree (member_id, id);
CREATE INDEX shipment_merged ON public.shipment USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE UNIQUE INDEX shipment_no ON public.shipment USING btree (shipment_no text_pattern_ops);
CREATE INDEX shipment_open_created ON public.shipment USING btree (created_at, id) WHERE (status = ANY (ARRAY['TO_APPROVE'::text, 'WAITING'::text, 'HELD'::text, 'REJECTED'::text, 'CANCELLED'::text]));
CREATE INDEX shipment_order ON public.shipment USING btree (order_id, id);
CREATE INDEX shipment_org ON public.shipment USING btree (org_id, id);
CREATE INDEX shipment_owner ON public.shipment USING btree (owner_id, id);
CREATE INDEX shipment_province ON public.shipment USING btree (province, id);
CREATE INDEX shipment_repeat ON public.shipment USING btree (is_repeat, id);
CREATE INDEX shipment_resend ON public.shipment USING btree (resend_of) WHERE (resend_of IS NOT NULL);
CREATE INDEX shipment_sent ON public.shipment USING btree (sent_at, id);
CREATE INDEX shipment_signed ON public.shipment USING btree (id) WHERE (tracking_status = 'SIGNED'::text);
CREATE INDEX shipment_since ON public.shipment USING btree (status, state_since, id) WHERE (status = ANY (ARRAY['TO_APPROVE'::text, 'WAITING'::text, 'HELD'::text, 'SENT'::text]));
CREATE INDEX shipment_source ON public.shipment USING btree (source, id);
CREATE INDEX shipment_status ON public.shipment USING btree (status, id);
CREATE UNIQUE INDEX shipment_tracking ON public.shipment USING btree (tracking_no text_pattern_ops, carrier);
CREATE INDEX shipment_tracking_status ON public.shipment USING btree (tracking_status, id);
CREATE INDEX shipment_waits ON public.shipment USING btree (waits_for_stock, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.shipment REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.shipment REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.shipment REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned');
CREATE TRIGGER keep_state_since BEFORE INSERT OR UPDATE OF status ON public.shipment FOR EACH ROW EXECUTE FUNCTION keep_state_since();
CREATE TRIGGER lists_told_insert AFTER INSERT ON public.shipment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-logistics', 'order-sendGoods', 'order-examineSend');
CREATE TRIGGER lists_told_update AFTER UPDATE ON public.shipment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rows_of_list_changed('order-logistics', 'order-sendGoods', 'order-examineSend');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.shipment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.shipment REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table shipment_line (
  id bigint generated always as identity not null,
  shipment_id bigint not null,
  base_product_id bigint not null,
  order_id bigint,
  order_line_id bigint,
  coin_order_id bigint,
  quantity integer not null,
  locked integer not null default 0,
  returned integer not null default 0,
  value_fen bigint,
  kit_edition_id bigint,
  constraint shipment_line_pkey PRIMARY KEY (id),
  constraint shipment_line_base_product_id_fkey FOREIGN KEY (base_product_id) REFERENCES base_product(id),
  constraint shipment_line_coin_order_id_fkey FOREIGN KEY (coin_order_id) REFERENCES coin_order(id),
  constraint shipment_line_kit_edition_id_fkey FOREIGN KEY (kit_edition_id) REFERENCES goods_kit_edition(id),
  constraint shipment_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint shipment_line_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_line(id),
  constraint shipment_line_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id),
  constraint shipment_line_check CHECK (((locked >= 0) AND (locked <= quantity))),
  constraint shipment_line_check1 CHECK (((returned >= 0) AND (returned <= quantity))),
  constraint shipment_line_check2 CHECK (((order_line_id IS NULL) OR (order_id IS NOT NULL))),
  constraint shipment_line_quantity_check CHECK ((quantity > 0)),
  constraint shipment_line_value_fen_check CHECK ((value_fen >= 0))
);
CREATE INDEX shipment_line_coin_order ON public.shipment_line USING btree (coin_order_id) WHERE (coin_order_id IS NOT NULL);
CREATE INDEX shipment_line_kit_edition ON public.shipment_line USING btree (kit_edition_id, id) WHERE (kit_edition_id IS NOT NULL);
CREATE INDEX shipment_line_order ON public.shipment_line USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX shipment_line_order_line ON public.shipment_line USING btree (order_line_id) WHERE (order_line_id IS NOT NULL);
CREATE INDEX shipment_line_product ON public.shipment_line USING btree (base_product_id) WHERE (locked > 0);
CREATE INDEX shipment_line_shipment ON public.shipment_line USING btree (shipment_id, id);

create table signal (
  id bigint generated always as identity not null,
  at timestamp with time zone not null default clock_timestamp(),
  topic text not null,
  payload jsonb not null,
  constraint signal_pkey PRIMARY KEY (id)
);
CREATE INDEX signal_at ON public.signal USING btree (at);
CREATE TRIGGER signal_wakes AFTER INSERT ON public.signal FOR EACH STATEMENT EXECUTE FUNCTION wake_signal_readers();

create unlogged table socket_ticket (
  hash bytea not null,
  session_id bigint not null,
  expires_at timestamp with time zone not null,
  constraint socket_ticket_pkey PRIMARY KEY (hash),
  constraint socket_ticket_session_id_fkey FOREIGN KEY (session_id) REFERENCES session(id)
);

create table staff (
  id bigint generated always as identity not null,
  account text not null,
  name text not null,
  name_pinyin text not null default ''::text,
  org_id bigint not null,
  manager_id bigint,
  gender text not null default 'UK'::text,
  phone text,
  email text,
  avatar text,
  language text,
  preference jsonb not null default '{}'::jsonb,
  password_hash text not null,
  password_set_at timestamp with time zone not null default now(),
  must_change boolean not null default false,
  status text not null default 'ENABLED'::text,
  created_at timestamp with time zone not null default now(),
  version integer not null default 1,
  name_initials text,
  staff_no text not null default ('S'::text || lpad((id)::text, GREATEST(5, length((id)::text)), '0'::text)),
  role_ids jsonb not null default '[]'::jsonb,
  role_names text[] not null default '{}'::text[],
  open_sessions integer not null default 0,
  last_login_at timestamp with time zone,
  locked_until timestamp with time zone,
  account_state text not null default 
CASE
    WHEN (status = 'DISABLED'::text) THEN 'DISABLED'::text
    WHEN (locked_until IS NOT NULL) THEN 'LOCKED'::text
    ELSE 'ENABLED'::text
END,
  position_id bigint,
  left_on date,
  owner_id bigint not null default id,
  birthday date,
  employment text not null default 'ACTIVE'::text,
  has_factor boolean not null default false,
  constraint staff_pkey PRIMARY KEY (id),
  constraint staff_manager_id_fkey FOREIGN KEY (manager_id) REFERENCES staff(id),
  constraint staff_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint staff_position_id_fkey FOREIGN KEY (position_id) REFERENCES job_position(id),
  constraint staff_account_check CHECK (((account = lower(account)) AND ((length(account) >= 2) AND (length(account) <= 50)))),
  constraint staff_account_state_check CHECK ((account_state = ANY (ARRAY['ENABLED'::text, 'LOCKED'::text, 'DISABLED'::text]))),
  constraint staff_email_length CHECK ((length(email) <= 100)),
  constraint staff_employment_check CHECK ((employment = ANY (ARRAY['ACTIVE'::text, 'LEFT'::text]))),
  constraint staff_gender_check CHECK ((gender = ANY (ARRAY['F'::text, 'M'::text, 'UK'::text]))),
  constraint staff_language_check CHECK ((language = ANY (ARRAY['zh-CN'::text, 'zh-TW'::text, 'en-US'::text, 'pt-BR'::text]))),
  constraint staff_left_disabled CHECK (((left_on IS NULL) OR (status = 'DISABLED'::text))),
  constraint staff_left_on_a_day CHECK (((employment = 'LEFT'::text) = (left_on IS NOT NULL))),
  constraint staff_name_check CHECK (((length(name) >= 1) AND (length(name) <= 50))),
  constraint staff_not_own_manager CHECK ((manager_id <> id)),
  constraint staff_open_sessions_check CHECK ((open_sessions >= 0)),
  constraint staff_phone_length CHECK ((length(phone) <= 30)),
  constraint staff_staff_no_check CHECK ((length(staff_no) <= 20)),
  constraint staff_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'DISABLED'::text])))
);
CREATE UNIQUE INDEX staff_account ON public.staff USING btree (account);
CREATE INDEX staff_account_state ON public.staff USING btree (account_state, id);
CREATE INDEX staff_created ON public.staff USING btree (created_at, id);
CREATE INDEX staff_employment ON public.staff USING btree (employment, id);
CREATE INDEX staff_gender ON public.staff USING btree (gender, id);
CREATE INDEX staff_has_factor ON public.staff USING btree (has_factor, id);
CREATE INDEX staff_last_login ON public.staff USING btree (last_login_at, id);
CREATE INDEX staff_left ON public.staff USING btree (left_on, id);
CREATE INDEX staff_manager_id ON public.staff USING btree (manager_id, id);
CREATE INDEX staff_must_change ON public.staff USING btree (must_change, id);
CREATE INDEX staff_name ON public.staff USING btree (name text_pattern_ops);
CREATE INDEX staff_name_initials ON public.staff USING btree (name_initials text_pattern_ops);
CREATE INDEX staff_name_pairs ON public.staff USING gin (name_pairs(name));
CREATE INDEX staff_name_pinyin ON public.staff USING btree (name_pinyin text_pattern_ops);
CREATE UNIQUE INDEX staff_number ON public.staff USING btree (staff_no text_pattern_ops);
CREATE INDEX staff_open_sessions ON public.staff USING btree (open_sessions, id);
CREATE INDEX staff_org_id ON public.staff USING btree (org_id, id);
CREATE INDEX staff_owner ON public.staff USING btree (owner_id, id);
CREATE INDEX staff_position_now ON public.staff USING btree (position_id, id);
CREATE INDEX staff_role_names ON public.staff USING gin (role_names);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.staff REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('employment', 'owned');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.staff REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('employment', 'owned');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.staff REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('employment', 'owned');
CREATE TRIGGER keep_department AFTER UPDATE OF org_id, left_on ON public.staff FOR EACH ROW WHEN (((old.org_id IS DISTINCT FROM new.org_id) OR (old.left_on IS DISTINCT FROM new.left_on))) EXECUTE FUNCTION keep_department();
CREATE TRIGGER keep_department_insert AFTER INSERT ON public.staff FOR EACH ROW EXECUTE FUNCTION keep_department();

create table staff_department (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  org_id bigint not null,
  since date not null,
  until date,
  constraint staff_department_pkey PRIMARY KEY (id),
  constraint staff_department_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint staff_department_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_department_lasts CHECK ((until > since)),
  constraint staff_department_one EXCLUDE USING gist (int8range(staff_id, staff_id, '[]'::text) WITH &&, daterange(since, until) WITH &&)
);
CREATE INDEX staff_department_org ON public.staff_department USING btree (org_id, since);
CREATE INDEX staff_department_staff ON public.staff_department USING btree (staff_id, since);

create table staff_handover (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  to_id bigint not null,
  by_id bigint,
  at timestamp with time zone not null,
  is_leave boolean not null,
  moved jsonb not null default '[]'::jsonb,
  constraint staff_handover_pkey PRIMARY KEY (id),
  constraint staff_handover_by_id_fkey FOREIGN KEY (by_id) REFERENCES staff(id),
  constraint staff_handover_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_handover_to_id_fkey FOREIGN KEY (to_id) REFERENCES staff(id)
);
CREATE INDEX staff_handover_staff ON public.staff_handover USING btree (staff_id, id);
CREATE INDEX staff_handover_to ON public.staff_handover USING btree (to_id, id);

create table staff_position (
  id bigint generated always as identity not null,
  staff_id bigint not null,
  position_id bigint not null,
  is_primary boolean not null,
  since date not null,
  until date,
  constraint staff_position_pkey PRIMARY KEY (id),
  constraint staff_position_position_id_fkey FOREIGN KEY (position_id) REFERENCES job_position(id),
  constraint staff_position_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint staff_position_lasts CHECK ((until > since)),
  constraint staff_position_once EXCLUDE USING gist (int8range(staff_id, staff_id, '[]'::text) WITH &&, int8range(position_id, position_id, '[]'::text) WITH &&, daterange(since, until) WITH &&),
  constraint staff_position_one_primary EXCLUDE USING gist (int8range(staff_id, staff_id, '[]'::text) WITH &&, daterange(since, until) WITH &&) WHERE (is_primary)
);
CREATE INDEX staff_position_position ON public.staff_position USING btree (position_id, since);
CREATE INDEX staff_position_staff ON public.staff_position USING btree (staff_id, since);
CREATE TRIGGER keep_position AFTER INSERT OR DELETE OR UPDATE ON public.staff_position FOR EACH ROW EXECUTE FUNCTION keep_position();

create table staff_role (
  staff_id bigint not null,
  role_id bigint not null,
  constraint staff_role_pkey PRIMARY KEY (staff_id, role_id),
  constraint staff_role_role_id_fkey FOREIGN KEY (role_id) REFERENCES role(id),
  constraint staff_role_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id)
);
CREATE INDEX staff_role_role ON public.staff_role USING btree (role_id);
CREATE TRIGGER holders_less AFTER DELETE ON public.staff_role REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_holders();
CREATE TRIGGER holders_more AFTER INSERT ON public.staff_role REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_holders();
CREATE TRIGGER keep_roles_given AFTER INSERT ON public.staff_role REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_roles_of_staff();
CREATE TRIGGER keep_roles_taken AFTER DELETE ON public.staff_role REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_roles_of_staff();

create table statement_link (
  id bigint generated always as identity not null,
  statement_id bigint not null,
  sent_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  codes integer not null default 0,
  tries integer not null default 0,
  code_digest bytea,
  code_for text,
  code_at timestamp with time zone,
  used_at timestamp with time zone,
  constraint statement_link_pkey PRIMARY KEY (id),
  constraint statement_link_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES settlement_statement(id),
  constraint statement_link_check CHECK ((expires_at > sent_at)),
  constraint statement_link_code CHECK ((((code_digest IS NULL) = (code_for IS NULL)) AND ((code_digest IS NULL) = (code_at IS NULL)))),
  constraint statement_link_code_for_check CHECK ((code_for ~ '^[0-9a-f]{64}$'::text)),
  constraint statement_link_codes_check CHECK (((codes >= 0) AND (codes <= 10))),
  constraint statement_link_tries_check CHECK (((tries >= 0) AND (tries <= 5))),
  constraint statement_link_used CHECK (((used_at IS NULL) OR (code_digest IS NULL)))
);
CREATE UNIQUE INDEX statement_link_one ON public.statement_link USING btree (statement_id) WHERE (ended_at IS NULL);
CREATE INDEX statement_link_sent ON public.statement_link USING btree (statement_id, sent_at);

create table stock_check (
  id bigint generated always as identity not null,
  base_product_id bigint not null,
  counted integer not null,
  note text not null default ''::text,
  status text not null default 'WAITING'::text,
  book integer not null,
  applicant_id bigint not null,
  decided_by bigint,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint stock_check_pkey PRIMARY KEY (id),
  constraint stock_check_applicant_id_fkey FOREIGN KEY (applicant_id) REFERENCES staff(id),
  constraint stock_check_base_product_id_fkey FOREIGN KEY (base_product_id) REFERENCES base_product(id),
  constraint stock_check_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(id),
  constraint stock_check_check CHECK (((status = 'WAITING'::text) = (decided_at IS NULL))),
  constraint stock_check_check1 CHECK (((decided_by IS NULL) OR (decided_by <> applicant_id))),
  constraint stock_check_counted_check CHECK ((counted >= 0)),
  constraint stock_check_decided CHECK (((decided_by IS NOT NULL) = (status = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text])))),
  constraint stock_check_note_check CHECK ((length(note) <= 200)),
  constraint stock_check_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'EXPIRED'::text])))
);
CREATE INDEX stock_check_expiring ON public.stock_check USING btree (expires_at) WHERE (status = 'WAITING'::text);
CREATE UNIQUE INDEX stock_check_open ON public.stock_check USING btree (base_product_id) WHERE (status = 'WAITING'::text);
CREATE INDEX stock_check_product ON public.stock_check USING btree (base_product_id, id);

create table stock_movement (
  id bigint generated always as identity not null,
  base_product_id bigint not null,
  cause text not null,
  quantity integer not null,
  balance_after integer not null,
  note text not null default ''::text,
  shipment_id bigint,
  staff_id bigint,
  created_at timestamp with time zone not null,
  constraint stock_movement_pkey PRIMARY KEY (id),
  constraint stock_movement_base_product_id_fkey FOREIGN KEY (base_product_id) REFERENCES base_product(id),
  constraint stock_movement_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id),
  constraint stock_movement_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint stock_movement_balance_after_check CHECK ((balance_after >= 0)),
  constraint stock_movement_cause_check CHECK ((cause = ANY (ARRAY['IN'::text, 'OUT'::text, 'SENT'::text, 'RETURNED'::text, 'CHECK'::text]))),
  constraint stock_movement_note_check CHECK ((length(note) <= 200)),
  constraint stock_movement_quantity_check CHECK ((quantity <> 0))
);
CREATE INDEX stock_movement_product ON public.stock_movement USING btree (base_product_id, id);
CREATE INDEX stock_movement_shipment ON public.stock_movement USING btree (shipment_id) WHERE (shipment_id IS NOT NULL);

create table task (
  id bigint generated always as identity not null,
  kind text not null,
  title text not null,
  owner_id bigint not null,
  state text not null default 'WAITING'::text,
  done_rows integer not null default 0,
  all_rows integer not null default 0,
  request jsonb not null,
  file_id uuid,
  error text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  heartbeat_at timestamp with time zone,
  attempts integer not null default 0,
  failed_rows integer not null default 0,
  failures integer not null default 0,
  constraint task_pkey PRIMARY KEY (id),
  constraint task_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint task_kind_check CHECK ((kind = ANY (ARRAY['EXPORT'::text, 'IMPORT'::text, 'STEPS'::text, 'PACK'::text]))),
  constraint task_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE INDEX task_owner ON public.task USING btree (owner_id, id);
CREATE INDEX task_waiting ON public.task USING btree (id) WHERE (state = ANY (ARRAY['WAITING'::text, 'RUNNING'::text]));

create table task_row (
  task_id bigint not null,
  no integer not null,
  record_id bigint not null,
  name text not null,
  version integer,
  state text not null default 'WAITING'::text,
  refusal jsonb,
  ended_at timestamp with time zone,
  constraint task_row_pkey PRIMARY KEY (task_id, no),
  constraint task_row_task_id_fkey FOREIGN KEY (task_id) REFERENCES task(id) ON DELETE CASCADE,
  constraint task_row_check CHECK (((state = 'WAITING'::text) = (ended_at IS NULL))),
  constraint task_row_check1 CHECK (((state = 'REFUSED'::text) = (refusal IS NOT NULL))),
  constraint task_row_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'DONE'::text, 'REFUSED'::text])))
);
CREATE INDEX task_row_result ON public.task_row USING btree (task_id, (
CASE state
    WHEN 'REFUSED'::text THEN 0
    WHEN 'DONE'::text THEN 1
    ELSE 2
END), no);

create table tracking_event (
  id bigint generated always as identity not null,
  shipment_id bigint not null,
  at timestamp with time zone not null,
  status text not null,
  content text not null,
  constraint tracking_event_pkey PRIMARY KEY (id),
  constraint tracking_event_shipment_id_at_content_key UNIQUE (shipment_id, at, content),
  constraint tracking_event_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id),
  constraint tracking_event_content_check CHECK (((length(content) >= 1) AND (length(content) <= 500)))
);

create table upgrade_due (
  name text not null,
  constraint upgrade_due_pkey PRIMARY KEY (name)
);

create table upload (
  id uuid not null default gen_random_uuid(),
  owner_id bigint not null,
  purpose text not null,
  name text not null,
  bytes integer not null,
  file_id uuid,
  created_at timestamp with time zone not null,
  constraint upload_pkey PRIMARY KEY (id),
  constraint upload_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id) ON DELETE CASCADE,
  constraint upload_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint upload_bytes_check CHECK ((bytes > 0)),
  constraint upload_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);
CREATE INDEX upload_begun ON public.upload USING btree (created_at);
CREATE INDEX upload_file ON public.upload USING btree (file_id);

create table upload_failure (
  id bigint generated always as identity not null,
  member_id bigint not null,
  opus_id text not null,
  task text not null,
  error text not null,
  said text not null,
  client_version text not null default '-'::text,
  network text not null default 'UNKNOWN'::text,
  bytes integer,
  times integer not null default 1,
  retries integer not null default 0,
  last_at timestamp with time zone not null,
  status text not null default 'NEW'::text,
  owner_id bigint,
  org_id bigint,
  teacher_id bigint,
  created_at timestamp with time zone not null,
  version integer not null default 1,
  constraint upload_failure_pkey PRIMARY KEY (id),
  constraint upload_failure_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint upload_failure_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint upload_failure_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint upload_failure_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES staff(id),
  constraint upload_failure_bytes_check CHECK ((bytes >= 0)),
  constraint upload_failure_client_version_check CHECK ((length(client_version) <= 40)),
  constraint upload_failure_network_check CHECK ((network = ANY (ARRAY['WIFI'::text, 'CELLULAR'::text, 'OFFLINE'::text, 'UNKNOWN'::text]))),
  constraint upload_failure_opus_id_check CHECK ((length(opus_id) <= 64)),
  constraint upload_failure_retries_check CHECK ((retries >= 0)),
  constraint upload_failure_said_check CHECK ((length(said) <= 200)),
  constraint upload_failure_status_check CHECK ((status = ANY (ARRAY['NEW'::text, 'RETRYING'::text, 'CONTACTED'::text, 'SOLVED'::text, 'IGNORED'::text]))),
  constraint upload_failure_task_check CHECK ((length(task) <= 100)),
  constraint upload_failure_times_check CHECK ((times > 0))
);
CREATE INDEX upload_failure_client ON public.upload_failure USING btree (client_version text_pattern_ops, id);
CREATE INDEX upload_failure_error ON public.upload_failure USING btree (error, last_at, id);
CREATE INDEX upload_failure_last ON public.upload_failure USING btree (last_at, id);
CREATE INDEX upload_failure_member ON public.upload_failure USING btree (member_id, id);
CREATE INDEX upload_failure_network ON public.upload_failure USING btree (network, last_at, id);
CREATE INDEX upload_failure_org ON public.upload_failure USING btree (org_id, last_at, id);
CREATE INDEX upload_failure_owner ON public.upload_failure USING btree (owner_id, last_at, id);
CREATE INDEX upload_failure_owner_status ON public.upload_failure USING btree (owner_id, status, last_at, id);
CREATE UNIQUE INDEX upload_failure_same ON public.upload_failure USING btree (member_id, opus_id, error);
CREATE INDEX upload_failure_status ON public.upload_failure USING btree (status, last_at, id);
CREATE INDEX upload_failure_task ON public.upload_failure USING btree (task text_pattern_ops, id);
CREATE INDEX upload_failure_teacher ON public.upload_failure USING btree (teacher_id, last_at, id);
CREATE INDEX upload_failure_teacher_status ON public.upload_failure USING btree (teacher_id, status, last_at, id);
CREATE INDEX upload_failure_times ON public.upload_failure USING btree (times, id);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.upload_failure REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.upload_failure REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.upload_failure REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('status', 'owned', 'teacher_id');

create table upload_part (
  upload_id uuid not null,
  at integer not null,
  bytes integer not null,
  stored_id uuid not null,
  constraint upload_part_pkey PRIMARY KEY (upload_id, at),
  constraint upload_part_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES upload(id) ON DELETE CASCADE,
  constraint upload_part_at_check CHECK ((at >= 0)),
  constraint upload_part_bytes_check CHECK ((bytes > 0))
);

create table work (
  id bigint generated always as identity not null,
  no text not null,
  opus_id text not null,
  member_id bigint not null,
  kind text not null,
  lesson text not null,
  attempt integer not null default 1,
  before_id bigint,
  characters text,
  character_count integer not null default 0,
  picture uuid[] not null default '{}'::uuid[],
  status text not null default 'SUBMITTED'::text,
  holder_id bigint,
  leased_until timestamp with time zone,
  assignee_id bigint,
  score integer,
  commenter_id bigint,
  commented_at timestamp with time zone,
  returned_for text,
  review text not null default 'NONE'::text,
  is_excellent boolean not null default false,
  reward_coins integer not null default 0,
  submitted_at timestamp with time zone not null,
  owner_id bigint,
  org_id bigint,
  teacher_id bigint,
  version integer not null default 1,
  medium text not null default 'PICTURE'::text,
  video uuid[] not null default '{}'::uuid[],
  duration_seconds integer,
  part_state text not null default ((medium || ' '::text) || status),
  owner_then bigint,
  submitted_day date default ((submitted_at AT TIME ZONE 'Asia/Shanghai'::text))::date,
  constraint work_pkey PRIMARY KEY (id),
  constraint work_no_key UNIQUE (no),
  constraint work_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES staff(id),
  constraint work_before_id_fkey FOREIGN KEY (before_id) REFERENCES work(id),
  constraint work_commenter_id_fkey FOREIGN KEY (commenter_id) REFERENCES staff(id),
  constraint work_holder_id_fkey FOREIGN KEY (holder_id) REFERENCES staff(id),
  constraint work_member_id_fkey FOREIGN KEY (member_id) REFERENCES member(id),
  constraint work_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint work_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(id),
  constraint work_owner_then_fkey FOREIGN KEY (owner_then) REFERENCES staff(id),
  constraint work_teacher_id_fkey FOREIGN KEY (teacher_id) REFERENCES staff(id),
  constraint work_attempt_check CHECK ((attempt > 0)),
  constraint work_character_count_check CHECK ((character_count >= 0)),
  constraint work_characters_check CHECK ((length(characters) <= 200)),
  constraint work_duration_seconds_check CHECK (((duration_seconds >= 1) AND (duration_seconds <= 600))),
  constraint work_film CHECK (((medium = 'VIDEO'::text) OR ((video = '{}'::uuid[]) AND (duration_seconds IS NULL)))),
  constraint work_held CHECK ((((status = 'LEASED'::text) = (holder_id IS NOT NULL)) AND ((holder_id IS NULL) = (leased_until IS NULL)))),
  constraint work_judged CHECK (((status <> ALL (ARRAY['COMMENTED'::text, 'RELEASED'::text])) OR ((score IS NOT NULL) AND (commenter_id IS NOT NULL) AND (commented_at IS NOT NULL)))),
  constraint work_kind_check CHECK ((kind = ANY (ARRAY['HOMEWORK'::text, 'PRACTICE'::text, 'POSTURE'::text, 'GRIP'::text, 'COPYBOOK'::text]))),
  constraint work_lesson_check CHECK ((length(lesson) <= 100)),
  constraint work_medium_check CHECK ((medium = ANY (ARRAY['PICTURE'::text, 'VIDEO'::text]))),
  constraint work_no_check CHECK ((length(no) <= 64)),
  constraint work_opus_id_check CHECK ((length(opus_id) <= 64)),
  constraint work_returned CHECK (((status = 'RETURNED'::text) <= (returned_for IS NOT NULL))),
  constraint work_returned_for_check CHECK ((length(returned_for) <= 200)),
  constraint work_review_check CHECK ((review = ANY (ARRAY['NONE'::text, 'DUE'::text, 'PASSED'::text, 'OVERTURNED'::text]))),
  constraint work_reward_coins_check CHECK ((reward_coins >= 0)),
  constraint work_score_check CHECK (((score >= 0) AND (score <= 100))),
  constraint work_status_check CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'LEASED'::text, 'COMMENTED'::text, 'RELEASED'::text, 'RETURNED'::text, 'HIDDEN'::text])))
);
CREATE INDEX work_assignee ON public.work USING btree (assignee_id, submitted_at, id);
CREATE INDEX work_attempt ON public.work USING btree (attempt, id);
CREATE INDEX work_before ON public.work USING btree (before_id);
CREATE INDEX work_characters ON public.work USING btree (character_count, id);
CREATE INDEX work_commenter ON public.work USING btree (commenter_id, commented_at, id);
CREATE INDEX work_duration ON public.work USING btree (duration_seconds, id);
CREATE INDEX work_excellent ON public.work USING btree (is_excellent, submitted_at, id);
CREATE INDEX work_film_status ON public.work USING btree (status, submitted_at, id) WHERE (medium = 'VIDEO'::text);
CREATE INDEX work_film_submitted ON public.work USING btree (submitted_at, id) WHERE (medium = 'VIDEO'::text);
CREATE INDEX work_holder ON public.work USING btree (holder_id, leased_until, id);
CREATE INDEX work_kind ON public.work USING btree (kind, submitted_at, id);
CREATE INDEX work_leases ON public.work USING btree (leased_until) WHERE (status = 'LEASED'::text);
CREATE INDEX work_lesson ON public.work USING btree (lesson text_pattern_ops, id);
CREATE INDEX work_member ON public.work USING btree (member_id, submitted_at, id);
CREATE INDEX work_next ON public.work USING btree (submitted_at, id) WHERE (status = 'SUBMITTED'::text);
CREATE INDEX work_next_of ON public.work USING btree (teacher_id, submitted_at, id) WHERE (status = 'SUBMITTED'::text);
CREATE INDEX work_no ON public.work USING btree (no text_pattern_ops, id);
CREATE INDEX work_org ON public.work USING btree (org_id, submitted_at, id);
CREATE INDEX work_owner ON public.work USING btree (owner_id, submitted_at, id);
CREATE INDEX work_owner_then ON public.work USING btree (owner_then, submitted_at, id);
CREATE INDEX work_review ON public.work USING btree (review, submitted_at, id);
CREATE UNIQUE INDEX work_same ON public.work USING btree (member_id, opus_id);
CREATE INDEX work_score ON public.work USING btree (score, id);
CREATE INDEX work_status ON public.work USING btree (status, submitted_at, id);
CREATE INDEX work_submitted ON public.work USING btree (submitted_at, id);
CREATE INDEX work_teacher ON public.work USING btree (teacher_id, submitted_at, id);
CREATE INDEX work_to_release ON public.work USING btree (commented_at) WHERE (status = 'COMMENTED'::text);
CREATE TRIGGER keep_count_delete AFTER DELETE ON public.work REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part_state', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_insert AFTER INSERT ON public.work REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part_state', 'owned', 'teacher_id');
CREATE TRIGGER keep_count_update AFTER UPDATE ON public.work REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('part_state', 'owned', 'teacher_id');
CREATE TRIGGER member_told_insert AFTER INSERT ON public.work REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();
CREATE TRIGGER member_told_update AFTER UPDATE ON public.work REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_of_member_changed();

create table work_comment (
  id bigint generated always as identity not null,
  work_id bigint not null,
  staff_id bigint not null,
  at timestamp with time zone not null,
  status text not null,
  marks jsonb not null,
  scores jsonb not null,
  score integer not null,
  words text not null,
  voice uuid[] not null default '{}'::uuid[],
  suggested integer,
  phrases text[] not null default '{}'::text[],
  constraint work_comment_pkey PRIMARY KEY (id),
  constraint work_comment_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(id),
  constraint work_comment_work_id_fkey FOREIGN KEY (work_id) REFERENCES work(id),
  constraint work_comment_score_check CHECK (((score >= 0) AND (score <= 100))),
  constraint work_comment_status_check CHECK ((status = ANY (ARRAY['HELD'::text, 'RELEASED'::text, 'TAKEN_BACK'::text, 'OVERTURNED'::text]))),
  constraint work_comment_suggested_check CHECK (((suggested >= 0) AND (suggested <= 100))),
  constraint work_comment_voice_check CHECK ((cardinality(voice) <= 1)),
  constraint work_comment_words_check CHECK ((length(words) <= 2000))
);
CREATE UNIQUE INDEX work_comment_one ON public.work_comment USING btree (work_id) WHERE (status = ANY (ARRAY['HELD'::text, 'RELEASED'::text]));
CREATE INDEX work_comment_work ON public.work_comment USING btree (work_id, id);

create table work_suggestion (
  work_id bigint not null,
  read_at timestamp with time zone not null,
  pages jsonb not null,
  scores jsonb,
  score integer,
  constraint work_suggestion_pkey PRIMARY KEY (work_id),
  constraint work_suggestion_work_id_fkey FOREIGN KEY (work_id) REFERENCES work(id),
  constraint work_suggestion_score_check CHECK (((score >= 0) AND (score <= 100))),
  constraint work_suggestion_whole CHECK (((scores IS NULL) = (score IS NULL)))
);
