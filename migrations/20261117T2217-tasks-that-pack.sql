-- Papers of many records as one file (docs/decisions/076).
alter table task drop constraint task_kind_check,
  add constraint task_kind_check check (kind in ('EXPORT', 'IMPORT', 'STEPS', 'PACK'));
