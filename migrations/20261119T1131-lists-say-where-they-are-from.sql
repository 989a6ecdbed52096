-- A list of numbers says where it is from, whether its people agreed to advertising, and what shows that they did. Of lists
-- of before nobody said so.
alter table import_batch add column said jsonb not null default '{}';
alter table number_batch
  add column came_from text,
  add column marketing text not null default 'NOT_AGREED' check (marketing in ('AGREED', 'NOT_AGREED')),
  add column evidence  text check (length(evidence) <= 200),
  add constraint number_batch_shown check (marketing = 'NOT_AGREED' or evidence is not null);
update number_batch b set came_from = n.source
from (select r.batch_id, min(l.source) as source from number_row r join lead l on l.id = r.lead_id group by 1 having count(distinct l.source) = 1) n
where n.batch_id = b.id;
create index number_batch_came_from on number_batch (came_from, id);
create index number_batch_marketing on number_batch (marketing, id);

alter table campaign_number drop constraint campaign_number_cause_check;
alter table campaign_number add constraint campaign_number_cause_check check (cause in
  ('QUIET_HOURS', 'NO_CONSENT', 'OPTED_OUT', 'LATELY', 'NO_ADDRESS', 'NO_ANSWER', 'NOT_REACHED', 'TOO_LATE',
   'BAD_ADDRESS', 'BLOCKED', 'LIMITED', 'SWITCHED_OFF', 'TEMPLATE', 'ACCOUNT', 'REJECTED', 'LIST_NOT_AGREED'));
