-- What the scorer read on the pages of a work, once for each work (decision 060): it suggests, the teacher decides.
create table work_suggestion (
  work_id bigint primary key references work (id),
  read_at timestamptz not null,
  pages   jsonb not null,
  -- By criterion, and what they come to; none where no page could be read.
  scores  jsonb,
  score   int check (score between 0 and 100),
  constraint work_suggestion_whole check ((scores is null) = (score is null))
);

-- How far the teacher moved it.
alter table work_comment add column suggested int check (suggested between 0 and 100);
