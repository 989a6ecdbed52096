-- Orders a partner brought, or is paid for, with what has become of its share.
create table distribution_order (
  id             bigint generated always as identity primary key,
  partner_id     bigint not null references partner (id),
  order_id       bigint not null references sales_order (id),
  member_id      bigint not null references member (id),
  -- Those of the member.
  owner_id       bigint references staff (id),
  org_id         bigint references org (id),
  channel        text not null,
  link_id        bigint references sales_link (id),
  paid_at        timestamptz not null,
  paid_day       date not null generated always as ((paid_at at time zone 'Asia/Shanghai')::date) stored,
  paid_fen       bigint not null check (paid_fen >= 0),
  refunded_fen   bigint not null default 0 check (refunded_fen >= 0),
  is_refunded    boolean not null generated always as (refunded_fen > 0) stored,
  -- How it was judged, by which price, and on which statement first; nothing before its month is settled.
  entry          text not null default 'WAITING' check (entry in
    ('WAITING', 'COUNTED', 'FROZEN', 'REFUNDED', 'OVER_CAP', 'TOO_LATE', 'NO_PRICE', 'DUPLICATE', 'OLD_MEMBER', 'OWN_STAFF')),
  part           text not null generated always as (
    case when entry = 'COUNTED' then 'COUNTED' when entry in ('WAITING', 'FROZEN') then 'OPEN' else 'NOT_COUNTED' end) stored
    check (part in ('OPEN', 'COUNTED', 'NOT_COUNTED')),
  kind           text check (kind in ('FIRST_ORDER', 'SHARE')),
  price_fen      bigint,
  share_permille int,
  commission_fen bigint not null default 0 check (commission_fen >= 0),
  statement_id   bigint references settlement_statement (id),
  judged_at      timestamptz,
  version        int not null default 1,
  constraint distribution_order_judged check ((entry = 'WAITING') = (judged_at is null) and (judged_at is null) = (kind is null)),
  constraint distribution_order_worth check (commission_fen = 0 or entry = 'COUNTED')
);
create unique index distribution_order_once on distribution_order (order_id, partner_id);
create index distribution_order_order on distribution_order (order_id, id);
create index distribution_order_partner on distribution_order (partner_id, id);
create index distribution_order_partner_day on distribution_order (partner_id, paid_at, id);
create index distribution_order_member on distribution_order (member_id, id);
create index distribution_order_statement on distribution_order (statement_id, id);
create index distribution_order_owner on distribution_order (owner_id, id);
create index distribution_order_org on distribution_order (org_id, id);
create index distribution_order_owner_part on distribution_order (owner_id, part, id);
create index distribution_order_org_part on distribution_order (org_id, part, id);
create index distribution_order_part on distribution_order (part, paid_at, id);
create index distribution_order_entry on distribution_order (entry, paid_at, id);
create index distribution_order_kind on distribution_order (kind, id);
create index distribution_order_channel on distribution_order (channel, id);
create index distribution_order_refunded on distribution_order (is_refunded, id);
create index distribution_order_paid on distribution_order (paid_at, id);
create index distribution_order_paid_fen on distribution_order (paid_fen, id);
create index distribution_order_commission on distribution_order (commission_fen, id);
create index distribution_order_day on distribution_order (paid_day);
select start_keeping_count('distribution_order', 'part', 'owned');

-- It is there once the order is paid, and follows it, whoever changes that. One that was never paid after all goes, unless it was judged.
create function follow_order_of_partner() returns trigger language plpgsql as $$
begin
  if new.pay_state <> 'PAID' or new.paid_fen = 0 then
    delete from distribution_order where order_id = new.id and entry = 'WAITING';
    return null;
  end if;
  -- What came by another channel after all is another partner's.
  delete from distribution_order d using partner p
    where d.order_id = new.id and d.entry = 'WAITING' and p.id = d.partner_id and p.channel <> new.channel;
  update distribution_order set paid_fen = new.paid_fen, refunded_fen = new.refunded_fen, channel = new.channel, paid_at = new.paid_at
    where order_id = new.id and (paid_fen, refunded_fen, channel, paid_at) is distinct from (new.paid_fen, new.refunded_fen, new.channel, new.paid_at);
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select p.id, new.id, new.member_id, new.owner_id, new.org_id, new.channel, new.link_id, new.paid_at, new.paid_fen, new.refunded_fen
    from partner p where p.channel = new.channel and p.created_at <= new.paid_at
    on conflict do nothing;
  return null;
end $$;
-- Orders that are there paid at once, as those of platforms, come many at a time.
create function follow_new_orders_of_partners() returns trigger language plpgsql as $$
begin
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select p.id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, o.paid_at, o.paid_fen, o.refunded_fen
    from added o join partner p on p.channel = o.channel and p.created_at <= o.paid_at
    where o.pay_state = 'PAID' and o.paid_fen > 0
    on conflict do nothing;
  return null;
end $$;
create trigger follow_new_orders_of_partners after insert on sales_order referencing new table as added
  for each statement execute function follow_new_orders_of_partners();
create trigger follow_order_of_partner after update of pay_state, paid_fen, refunded_fen, channel, paid_at on sales_order for each row
  when ((old.pay_state, old.paid_fen, old.refunded_fen, old.channel, old.paid_at)
      is distinct from (new.pay_state, new.paid_fen, new.refunded_fen, new.channel, new.paid_at)
    and 'PAID' in (old.pay_state, new.pay_state))
  execute function follow_order_of_partner();

-- What is judged of an order is told here too. Of several prices for one order the one that counts is shown, with the sum of all.
create function follow_settlement() returns trigger language plpgsql as $$
begin
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select new.partner_id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, coalesce(o.paid_at, new.happened_at), o.paid_fen, o.refunded_fen
    from sales_order o where o.id = new.order_id
    on conflict do nothing;
  update distribution_order d set entry = e.verdict, kind = e.kind, price_fen = v.price_fen, share_permille = v.share_permille,
      commission_fen = e.worth, judged_at = e.judged_at
    from (
      select verdict, kind, price_id, judged_at, sum(worth_fen) over () as worth from settlement_event
      where order_id = new.order_id and partner_id = new.partner_id
      order by array_position(array['COUNTED', 'FROZEN', 'REFUNDED'], verdict) nulls last, id limit 1) e
      left join settlement_price v on v.id = e.price_id
    where d.order_id = new.order_id and d.partner_id = new.partner_id;
  return null;
end $$;
create trigger follow_settlement_new after insert on settlement_event for each row
  when (new.order_id is not null) execute function follow_settlement();
create trigger follow_settlement after update of verdict, worth_fen on settlement_event for each row
  when (new.order_id is not null and (old.verdict, old.worth_fen) is distinct from (new.verdict, new.worth_fen))
  execute function follow_settlement();

-- Lines of statements that are about such an order stand below it; the first of them names its statement.
alter table settlement_line add distribution_id bigint references distribution_order (id);
create index settlement_line_distribution on settlement_line (distribution_id, id);
create function name_distribution() returns trigger language plpgsql as $$
begin
  select id into new.distribution_id from distribution_order where order_id = new.order_id and partner_id = new.partner_id;
  update distribution_order set statement_id = new.statement_id where id = new.distribution_id and statement_id is null;
  return new;
end $$;
create trigger name_distribution before insert on settlement_line for each row
  when (new.order_id is not null) execute function name_distribution();

insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
  select p.id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, o.paid_at, o.paid_fen, o.refunded_fen
  from partner p join sales_order o on o.channel = p.channel and o.pay_state = 'PAID' and o.paid_fen > 0 and p.created_at <= o.paid_at;
insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
  select distinct e.partner_id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, coalesce(o.paid_at, e.happened_at), o.paid_fen, o.refunded_fen
  from settlement_event e join sales_order o on o.id = e.order_id
  on conflict do nothing;
update distribution_order d set entry = e.verdict, kind = e.kind, price_fen = v.price_fen, share_permille = v.share_permille,
    commission_fen = e.worth, judged_at = e.judged_at
  from (
    select distinct on (order_id, partner_id) order_id, partner_id, verdict, kind, price_id, judged_at,
      sum(worth_fen) over (partition by order_id, partner_id) as worth
    from settlement_event where order_id is not null
    order by order_id, partner_id, array_position(array['COUNTED', 'FROZEN', 'REFUNDED'], verdict) nulls last, id) e
  left join settlement_price v on v.id = e.price_id
  where d.order_id = e.order_id and d.partner_id = e.partner_id;
update settlement_line l set distribution_id = d.id from distribution_order d where d.order_id = l.order_id and d.partner_id = l.partner_id;
update distribution_order d set statement_id = l.statement_id
  from (select distinct on (distribution_id) distribution_id, statement_id from settlement_line
    where distribution_id is not null order by distribution_id, id) l where l.distribution_id = d.id;
