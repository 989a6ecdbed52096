-- Parameters are lines, a name and a value each, as forms and logs read them.
create index schedule_job_name_start on schedule_job (name text_pattern_ops);
alter table schedule_job alter parameters set default '[]';
update schedule_job set parameters =
  (select coalesce(jsonb_agg(jsonb_build_object('name', key, 'value', value)), '[]') from jsonb_each(parameters))
where jsonb_typeof(parameters) = 'object';
update schedule_run set parameters =
  (select coalesce(jsonb_agg(jsonb_build_object('name', key, 'value', value)), '[]') from jsonb_each(parameters))
where jsonb_typeof(parameters) = 'object';
