-- A department in which people worked stays for what is known of that time. Closed, nobody and nothing is put there any more.
alter table org
  add column status text not null default 'OPEN' check (status in ('OPEN', 'CLOSED'));
