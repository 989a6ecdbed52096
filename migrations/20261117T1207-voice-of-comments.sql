-- What a teacher says aloud, beside what is written.
alter table work_comment add voice uuid[] not null default '{}' check (cardinality(voice) <= 1);
