-- An event ends: applied, refused for a reason of the business, or given up after many technical failures. What it waits for may still come.
alter table inbox_event
  add column outcome text not null default 'WAITING' check (outcome in ('WAITING', 'APPLIED', 'REFUSED', 'FAILED')),
  add column awaits text;
update inbox_event set outcome = 'APPLIED' where applied_at is not null;
alter table inbox_event add check ((outcome = 'APPLIED') = (applied_at is not null));
drop index inbox_event_waiting;
create index inbox_event_waiting on inbox_event (next_at) where outcome = 'WAITING';
create index inbox_event_ended on inbox_event (received_at) where outcome in ('REFUSED', 'FAILED');

-- Who told us of the money: a sender touches only what it brought.
alter table payment add column sender text check (sender in ('app', 'douyin', 'wechat-shop', 'xiaohongshu'));
create index payment_said on payment (said_order_no) where status = 'STRAY';

-- A shop sold what is off sale here: its money is taken, and somebody should know.
alter table sales_order add column off_sale boolean not null default false;

-- Money no record explains, and what else of it nobody could settle by rule: worked off by two people.
create table payment_exception (
  id                bigint generated always as identity primary key,
  kind              text not null check (kind in ('STRAY', 'REFUND_TWICE', 'REFUND_AMOUNT', 'REFUND_UNKNOWN', 'EVENT')),
  -- The number of the payment or refund, or the event's own.
  subject           text not null check (length(subject) between 1 and 150),
  payment_id        bigint references payment (id),
  event_id          bigint references inbox_event (id),
  order_id          bigint references sales_order (id),
  provider          text check (provider in ('WECHAT', 'ALIPAY', 'PLATFORM')),
  provider_no       text check (length(provider_no) <= 64),
  said_order_no     text check (length(said_order_no) <= 64),
  amount_fen        bigint check (amount_fen >= 0),
  cause             text check (cause in ('CLOSED', 'TWICE', 'AMOUNT', 'EXAMINING', 'UNAVAILABLE', 'RECORDED', 'UNKNOWN')),
  detail            text not null default '' check (length(detail) <= 500),
  status            text not null default 'OPEN' check (status in ('OPEN', 'PROPOSED', 'DONE')),
  proposal          text check (proposal in ('ORDER', 'GIVE_BACK', 'SETTLED')),
  proposed_order_id bigint references sales_order (id),
  proposed_by       bigint references staff (id),
  proposal_note     text not null default '' check (length(proposal_note) <= 500),
  confirmed_by      bigint references staff (id),
  ended_at          timestamptz,
  created_at        timestamptz not null,
  version           int not null default 1,
  constraint payment_exception_once unique (kind, subject),
  check ((kind = 'STRAY') = (payment_id is not null)),
  check (status <> 'PROPOSED' or (proposal is not null and proposed_by is not null)),
  check (confirmed_by is null or confirmed_by <> proposed_by),
  check ((status = 'DONE') = (ended_at is not null))
);
create unique index payment_exception_payment on payment_exception (payment_id) where payment_id is not null;
create index payment_exception_status on payment_exception (status, id);
create index payment_exception_kind on payment_exception (kind, id);
create index payment_exception_provider on payment_exception (provider, id);
create index payment_exception_created on payment_exception (created_at, id);
create index payment_exception_amount on payment_exception (amount_fen, id);
create index payment_exception_order on payment_exception (order_id, id);
create index payment_exception_subject on payment_exception (subject text_pattern_ops, id);
create index payment_exception_said on payment_exception (said_order_no text_pattern_ops, id);
create index payment_exception_number on payment_exception (provider_no text_pattern_ops, id);
create index payment_exception_waiting on payment_exception (created_at) where status = 'OPEN' and kind = 'STRAY';
select start_keeping_count('payment_exception', 'status', 'shared');
insert into payment_exception (kind, subject, payment_id, order_id, provider, provider_no, said_order_no, amount_fen, cause, created_at)
  select 'STRAY', payment_no, id, order_id, provider, provider_no, said_order_no, amount_fen, stray_reason, received_at
  from payment where status = 'STRAY' and provider <> 'OFFLINE' and stray_reason <> 'UNKNOWN';
