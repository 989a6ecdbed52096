-- A bucket may hold what is not ours, so nothing is removed from it for being unknown. What is put there is noted first,
-- and the note goes with the row that keeps the file: what a crash left between the two, and what a row no longer keeps,
-- is found here and removed.
create table file_unkept (
  id  uuid primary key,
  at  timestamptz not null default now()
);
