-- People who write and film for others to come to us. Each is paid as a partner, by what comes by a channel of its own.
create table author (
  id             bigint generated always as identity primary key,
  partner_id     bigint not null references partner (id),
  name           text not null check (length(name) between 1 and 100),
  platform       text not null check (platform in ('DOUYIN', 'XIAOHONGSHU', 'WECHAT_CHANNELS', 'BILIBILI', 'KUAISHOU')),
  account        text not null check (length(account) between 1 and 64),
  followers      int not null default 0 check (followers >= 0),
  post_fen       bigint check (post_fen > 0),
  note           text not null default '' check (length(note) <= 500),
  -- What has come of it, counted from what stands.
  registered     int not null default 0,
  paid_orders    int not null default 0,
  paid_fen       bigint not null default 0,
  refunded_fen   bigint not null default 0,
  commission_fen bigint not null default 0,
  counted_at     timestamptz,
  created_at     timestamptz not null default now(),
  version        int not null default 1
);
create unique index author_partner on author (partner_id);
create unique index author_account on author (platform, account);
create index author_account_text on author (account text_pattern_ops, id);
create index author_name on author (name text_pattern_ops, id);
create index author_name_pairs on author using gin (name_pairs(name));
create index author_platform on author (platform, id);
create index author_followers on author (followers, id);
create index author_paid on author (paid_fen, id);
create index author_commission on author (commission_fen, id);
create index author_created on author (created_at, id);
