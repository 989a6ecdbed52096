-- A picture as lists show it, made when one is first asked for: a file as any other, nobody's, which goes with the one it was made of.
alter table file add column small_of uuid references file (id) on delete cascade;
create unique index file_small on file (small_of) where small_of is not null;
alter table file drop constraint file_sender;
alter table file add constraint file_sender check (
  case when small_of is null then (owner_id is null) <> (source is null) else owner_id is null and source is null and record_id is null end);
drop index file_loose;
create index file_loose on file (created_at) where record_id is null and small_of is null;

-- However the picture went, what was made of it is noted, so that the sweep removes its bytes wherever they lie.
create function note_small_gone() returns trigger language plpgsql as $$
begin
  insert into file_unkept (id, at) select id, created_at from gone where small_of is not null on conflict do nothing;
  return null;
end $$;
create trigger note_small_gone after delete on file referencing old table as gone for each statement execute function note_small_gone();
