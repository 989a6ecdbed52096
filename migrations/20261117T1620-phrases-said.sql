-- Which phrases a comment was made of, so that no pupil hears the same again and again.
alter table work_comment add column phrases text[] not null default '{}';
