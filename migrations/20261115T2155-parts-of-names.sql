-- Names are found by any part of them: by the pairs of neighbouring signs, for a Chinese given name has two and no three to
-- make a trigram of. Needs no extension, so that any server will do (decision 024).
create function name_pairs(name text) returns text[] language sql immutable strict parallel safe
  return array(select substr(lower(name), at, 2) from generate_series(1, length(lower(name)) - 1) as at);

create index member_name_pairs on member using gin (name_pairs(name));
create index staff_name_pairs on staff using gin (name_pairs(name));
create index product_name_pairs on product using gin (name_pairs(name));
create index base_product_name_pairs on base_product using gin (name_pairs(name));
create index goods_kit_name_pairs on goods_kit using gin (name_pairs(name));
create index code_batch_name_pairs on code_batch using gin (name_pairs(name));
create index course_package_name_pairs on course_package using gin (name_pairs(name));
create index coupon_name_pairs on coupon using gin (name_pairs(name));
create index coin_goods_name_pairs on coin_goods using gin (name_pairs(name));
create index dictionary_type_name_pairs on dictionary_type using gin (name_pairs(name));

-- "lxm" of 林小满. Missing where the name was written before, or by something that does not spell: a job spells it then.
alter table member add column name_initials text;
alter table staff add column name_initials text;
create index member_name_initials on member (name_initials text_pattern_ops);
create index staff_name_initials on staff (name_initials text_pattern_ops);
create index member_unspelt on member (id) where name_initials is null;

-- The number of a transfer is one of the numbers people have on paper.
create index order_examination_transaction on order_examination (transaction_no text_pattern_ops, id);
