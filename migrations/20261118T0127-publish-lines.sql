-- Who wants to publish how much on which account each day, and what came of it.
create table publish_line (
  id          bigint generated always as identity primary key,
  day         date not null,
  account     text not null,
  operator_id bigint not null references staff (id),
  planned     int not null default 0 check (planned between 0 and 100),
  -- Counted from the notes of that day, and from the numbers people left that day without an ad.
  published   int not null default 0,
  hits        int not null default 0,
  leads       int not null default 0,
  created_at  timestamptz not null default now(),
  version     int not null default 1,
  constraint publish_line_once unique (day, account, operator_id)
);
create index publish_line_day on publish_line (day, id);
create index publish_line_account on publish_line (account, id);
create index publish_line_operator on publish_line (operator_id, id);
create index publish_line_published on publish_line (published, id);
create index publish_line_leads on publish_line (leads, id);
create index lead_form_organic on lead_form (note_id, submitted_at) where campaign is null and lead_id is not null;
