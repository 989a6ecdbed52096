-- The book of the moment of counting, not of the decision: what moved in between is no part of the difference.
-- Counts that wait, or ended undecided, get what the book said when they were made; decided ones keep what was booked by.
update stock_check c set book = coalesce((
  select m.balance_after from stock_movement m
  where m.base_product_id = c.base_product_id and m.created_at <= c.created_at order by m.id desc limit 1), 0)
where c.book is null;
alter table stock_check alter book set not null;
