-- Who is who outside: members, leads, followers and chat contacts by what WeChat calls a person (docs/decisions/090).

-- A name may be told of two members, of brothers and sisters say: both have it, and whoever looks at one is told of it.
alter table member_identity drop constraint member_identity_pkey;
alter table member_identity add primary key (kind, value, member_id);

alter table chat_contact add unionid text check (length(unionid) between 1 and 128);
create index chat_contact_unionid on chat_contact (unionid) where unionid is not null;
create index chat_contact_channel on chat_contact (channel) where channel is not null;

alter table lead add unionid text check (length(unionid) between 1 and 128);
create index lead_unionid on lead (unionid) where unionid is not null;

alter table account_follower
  add unionid text check (length(unionid) between 1 and 128),
  add member_id bigint references member (id),
  add is_member boolean not null generated always as (member_id is not null) stored;
update account_follower f set member_id = l.member_id from lead l where l.id = f.lead_id and l.member_id is not null;
create index account_follower_unionid on account_follower (unionid) where unionid is not null;
create index account_follower_member on account_follower (member_id) where member_id is not null;
create index account_follower_is_member on account_follower (account_id, is_member, id);
