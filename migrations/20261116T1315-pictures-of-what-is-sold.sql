-- What is sold, and what coins are spent on, may be looked at: one picture each (docs/decisions/048).
alter table product add column picture uuid[] not null default '{}';
alter table coin_goods add column picture uuid[] not null default '{}';
