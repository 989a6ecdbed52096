-- A chain asks scripts and chains by one name: none is both (docs/decisions/055).
create table rule_name (
  name text primary key
);
insert into rule_name select node_id from rule_script union select chain_id from rule_chain;

create function keep_rule_name() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from rule_name where name = to_jsonb(old) ->> tg_argv[0];
  else
    insert into rule_name values (to_jsonb(new) ->> tg_argv[0]);
  end if;
  return null;
end $$;
create trigger keep_rule_name after insert or delete on rule_script for each row execute function keep_rule_name('node_id');
create trigger keep_rule_name after insert or delete on rule_chain for each row execute function keep_rule_name('chain_id');

-- What was never published is read by those who may read drafts (docs/decisions/047).
update rule_chain set source = '' where edition = 0;
update rule_script set source = '' where edition = 0;
update message_template set body = '', provider_code = null where edition = 0;
