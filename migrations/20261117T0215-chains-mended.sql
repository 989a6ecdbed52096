-- An event runs through one published chain; what is only drafted for it takes it from nobody (docs/decisions/058).
drop index rule_chain_event;
create unique index rule_chain_event on rule_chain (event text_pattern_ops) where edition > 0;

-- What a chain decided is told for as long as runs are kept, whether or not the chain is still there.
alter table rule_run
  drop constraint rule_run_chain_record_id_fkey,
  add constraint rule_run_chain_record_id_fkey foreign key (chain_record_id) references rule_chain (id) on delete set null;

-- Everybody who has written at a draft: none of them publishes it.
alter table course_edition add column authors bigint[] not null default '{}';
alter table goods_kit_edition add column authors bigint[] not null default '{}';
alter table message_template_edition add column authors bigint[] not null default '{}';
alter table rule_chain_edition add column authors bigint[] not null default '{}';
alter table rule_script_edition add column authors bigint[] not null default '{}';

-- Since when a refund waits for its chain.
alter table refund_application add column judging_since timestamptz;
update refund_application set judging_since = now() where hold = 'JUDGING';
