-- How far the numbers of a list have come stands with the list: in whose hands they were, spoken to, in chat.
alter table number_batch
  add column contacted int not null default 0 check (contacted >= 0),
  add column added     int not null default 0 check (added >= 0);
create index number_row_way on number_row (batch_id, reached, id);
create index number_row_hands on number_row (batch_id, held_by, id);
update number_batch b set allocated = coalesce(n.allocated, 0), contacted = coalesce(n.contacted, 0), added = coalesce(n.added, 0)
from number_batch o left join (
  select batch_id, count(*) filter (where reached <> 'IMPORTED') as allocated,
    count(*) filter (where reached in ('CONTACTED', 'ADDED', 'REGISTERED', 'PAID')) as contacted,
    count(*) filter (where reached in ('ADDED', 'REGISTERED', 'PAID')) as added
  from number_row group by 1
) n on n.batch_id = o.id
where b.id = o.id;
