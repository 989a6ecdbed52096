-- When we were told of it, which is what it waits from; when it was paid is the sender's word.
alter table payment add column told_at timestamptz;
update payment set told_at = received_at;
alter table payment alter column told_at set not null;
drop index payment_stray;
create index payment_stray on payment (told_at) where status = 'STRAY';

-- Whoever moves money gives each number once, however it is written; each shop counts for itself.
update payment p set sender = case o.source when 'DOUYIN' then 'douyin' when 'WECHAT_SHOP' then 'wechat-shop' else 'xiaohongshu' end
  from sales_order o
  where o.id = p.order_id and p.provider = 'PLATFORM' and p.sender is null and o.source in ('DOUYIN', 'WECHAT_SHOP', 'XIAOHONGSHU');
drop index payment_provider_no;
create unique index payment_provider_no
  on payment ((case provider when 'PLATFORM' then 'PLATFORM ' || coalesce(sender, '') else '' end), coalesce(bank_number, provider_no))
  where provider <> 'OFFLINE';

-- One number told of two orders, or of two amounts.
alter table payment_exception drop constraint payment_exception_kind_check;
alter table payment_exception add constraint payment_exception_kind_check
  check (kind in ('STRAY', 'SAME_NUMBER', 'REFUND_TWICE', 'REFUND_AMOUNT', 'REFUND_UNKNOWN', 'EVENT', 'CALL'));

-- One transfer out is one number, however somebody types it.
drop index refund_application_transaction;
create unique index refund_application_transaction on refund_application (bank_number(transaction_no)) where transaction_no is not null;
