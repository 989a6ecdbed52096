-- What an entry of a dictionary is called, by language: only what people wrote here. What the code relies on brings its own
-- words. Until now there was one label, in Chinese.
alter table dictionary_item add labels jsonb not null default '{}' check (jsonb_typeof(labels) = 'object');
update dictionary_item set labels = jsonb_build_object('zh-CN', label);
alter table dictionary_item drop label;
