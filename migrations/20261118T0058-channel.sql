-- What leads, members and orders carry as their channel: its code is a value of the dictionary CHANNEL, and each of those values is a channel.
create table channel (
  id            bigint generated always as identity primary key,
  code          text not null check (length(code) between 1 and 100),
  name          text not null check (length(name) between 1 and 100),
  channel_group text not null default 'OTHER',
  keeper_id     bigint references staff (id),
  link          text check (length(link) between 1 and 500),
  -- Put on whoever registers by it, as long as it is in force.
  auto_tags     text[] not null default '{}',
  valid_from    date,
  valid_to      date,
  status        text not null default 'ACTIVE' check (status in ('ACTIVE', 'PAUSED', 'ENDED')),
  -- What has come of it, counted from what stands.
  leads         int not null default 0,
  members       int not null default 0,
  orders        int not null default 0,
  gmv_fen       bigint not null default 0,
  refunded_fen  bigint not null default 0,
  counted_at    timestamptz,
  note          text not null default '' check (length(note) <= 500),
  created_at    timestamptz not null default now(),
  version       int not null default 1,
  constraint channel_lasts check (valid_to >= valid_from)
);
create unique index channel_code on channel (code text_pattern_ops);
create index channel_name on channel (name text_pattern_ops, id);
create index channel_name_pairs on channel using gin (name_pairs(name));
create index channel_group on channel (channel_group, id);
create index channel_keeper on channel (keeper_id, id);
create index channel_status on channel (status, id);
create index channel_tags on channel using gin (auto_tags);
create index channel_valid_to on channel (valid_to, id);
create index channel_leads on channel (leads, id);
create index channel_members on channel (members, id);
create index channel_orders on channel (orders, id);
create index channel_gmv on channel (gmv_fen, id);
create index channel_created on channel (created_at, id);

insert into channel (code, name, channel_group) values
  ('DOUYIN_LIVE', '抖音直播', 'LIVE'),
  ('DOUYIN_VIDEO', '抖音短视频', 'CONTENT'),
  ('WECHAT_SHOP', '微信小店', 'SHOP'),
  ('XIAOHONGSHU_NOTE', '小红书笔记', 'CONTENT'),
  ('XIAOHONGSHU_FORM', '小红书表单', 'PAID'),
  ('XIAOHONGSHU_MESSAGE', '小红书私信', 'CONTENT'),
  ('SCHOOL', '公益课学校', 'SCHOOL'),
  ('REFERRAL', '老学员推荐', 'REFERRAL'),
  ('STORE', '应用商店', 'NATURAL'),
  ('OTHER', '其他', 'OTHER');
insert into channel (code, name)
select i.value, coalesce(i.labels ->> 'zh-CN', i.value) from dictionary_item i join dictionary_type t on t.id = i.type_id
where t.code = 'CHANNEL' on conflict do nothing;

-- The dictionary and the channels say the same, whoever writes either: what is added to one is added to the other.
create function keep_channel_entry() returns trigger language plpgsql as $$
begin
  insert into dictionary_item (type_id, value, labels, enabled, sort)
  select t.id, new.code, jsonb_build_object('zh-CN', new.name), new.status = 'ACTIVE',
    coalesce((select max(sort) + 1 from dictionary_item where type_id = t.id), 0)
  from dictionary_type t where t.code = 'CHANNEL'
  on conflict (type_id, value) do nothing;
  return null;
end $$;
create trigger keep_entry after insert on channel for each row execute function keep_channel_entry();
create function follow_channel() returns trigger language plpgsql as $$
begin
  update dictionary_item i set enabled = new.status = 'ACTIVE',
    labels = case when new.name = old.name then i.labels else i.labels || jsonb_build_object('zh-CN', new.name) end
  from dictionary_type t where t.id = i.type_id and t.code = 'CHANNEL' and i.value = new.code;
  return null;
end $$;
create trigger follow_channel after update of name, status on channel for each row
  when (new.name <> old.name or new.status <> old.status) execute function follow_channel();
create function keep_channel() returns trigger language plpgsql as $$
begin
  if not exists (select from dictionary_type where id = coalesce(new.type_id, old.type_id) and code = 'CHANNEL') then return null; end if;
  if tg_op = 'DELETE' and exists (select from channel where code = old.value) then
    raise exception 'a channel stays' using errcode = 'check_violation', constraint = 'channel_stays';
  elsif tg_op = 'INSERT' then
    insert into channel (code, name) values (new.value, coalesce(new.labels ->> 'zh-CN', new.value)) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger keep_channel after insert or delete on dictionary_item for each row execute function keep_channel();
