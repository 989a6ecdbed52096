-- A number of a bank or a channel is one number, however somebody types it, and stands for one transfer on whatever way it came.
create function bank_number(typed text) returns text language sql immutable strict parallel safe as
  $$ select nullif(upper(regexp_replace(normalize(typed, NFKC), '[^[:alnum:]]', '', 'g')), '') $$;

alter table order_examination
  add column bank_number text generated always as (bank_number(transaction_no)) stored,
  -- The whole transfer, where it pays more orders than this one.
  add column transfer_fen bigint,
  add constraint order_examination_transfer check (transfer_fen is null or transfer_fen >= amount_fen);
drop index order_examination_transaction;
create index order_examination_number on order_examination (bank_number) where bank_number is not null and status <> 'REJECTED';

-- Offline money was stored as <channel>:<number>; the examination knows the channel.
alter table payment drop constraint payment_provider_provider_no_key;
update payment set provider_no = substr(provider_no, strpos(provider_no, ':') + 1) where provider = 'OFFLINE' and strpos(provider_no, ':') > 0;
alter table payment add column bank_number text generated always as (bank_number(provider_no)) stored;
-- A provider's number comes once; a transfer by hand may pay several orders, each of them once.
create unique index payment_provider_no on payment (provider, provider_no) where provider <> 'OFFLINE';
create unique index payment_offline_order on payment (order_id) where provider = 'OFFLINE';
create index payment_number on payment (bank_number);
alter table payment drop constraint payment_stray_reason_check;
alter table payment add constraint payment_stray_reason_check
  check (stray_reason in ('CLOSED', 'TWICE', 'AMOUNT', 'EXAMINING', 'UNAVAILABLE', 'RECORDED', 'UNKNOWN'));
