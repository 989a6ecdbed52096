-- A list of numbers that is taken back leaves what it cost: who was given its leads has had them today, and who looked at
-- one in a pool has looked at it.
create table lead_taken_back (
  owner_id bigint not null references staff (id),
  day      date not null,
  -- Given to this person on that day, and gone since as if they had never come.
  received int not null check (received > 0),
  primary key (owner_id, day)
);
create index lead_taken_back_day on lead_taken_back (day);

-- The number of a lead is given once: of one that is gone the look at it stays.
alter table lead_view drop constraint lead_view_lead_id_fkey;
