-- What was spent on ads each day, by account and plan, and what has come of it; a share without a base is none.
create table ad_line (
  id         bigint generated always as identity primary key,
  day        date not null,
  account    text not null,
  plan       text not null check (length(plan) between 1 and 64),
  plan_name  text not null check (length(plan_name) between 1 and 100),
  spend_fen  bigint not null check (spend_fen >= 0),
  views      int not null check (views >= 0),
  clicks     int not null check (clicks >= 0),
  -- Counted from the forms of that day, by the lead's first one.
  leads      int not null default 0,
  added      int not null default 0,
  registered int not null default 0,
  paid       int not null default 0,
  gmv_fen    bigint not null default 0,
  ctr        int generated always as (case when views > 0 then least(round(clicks * 1000.0 / views), 1000)::int end) stored,
  cpl_fen    bigint generated always as (case when leads > 0 then round(spend_fen::numeric / leads)::bigint end) stored,
  roi        int generated always as (case when spend_fen > 0 then least(round(gmv_fen * 1000.0 / spend_fen), 2000000000)::int end) stored,
  created_at timestamptz not null default now(),
  version    int not null default 1,
  constraint ad_line_clicks check (clicks <= views),
  constraint ad_line_once unique (day, account, plan)
);
create index ad_line_day on ad_line (day, id);
create index ad_line_account on ad_line (account, id);
create index ad_line_plan on ad_line (plan text_pattern_ops, id);
create index ad_line_plan_name on ad_line (plan_name text_pattern_ops, id);
create index ad_line_plan_name_pairs on ad_line using gin (name_pairs(plan_name));
create index ad_line_spend on ad_line (spend_fen, id);
create index ad_line_leads on ad_line (leads, id);
create index ad_line_cpl on ad_line (cpl_fen, id);
create index ad_line_gmv on ad_line (gmv_fen, id);
create index ad_line_roi on ad_line (roi, id);
