-- Whoever has a lead is told once when the time comes that was agreed for the next word; of another time again.
alter table lead add column reminded_for timestamptz;
-- What is past by now is in the lists, as it was.
update lead set reminded_for = next_at where next_at <= now();
create index lead_to_remind on lead (next_at, id)
  where ended_at is null and owner_id is not null and next_at is distinct from reminded_for;
