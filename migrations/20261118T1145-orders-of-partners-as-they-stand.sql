-- Whoever pays, refunds or hands over an order while it is judged is waited for: a row made of what the order said before would say so for good.
create or replace function follow_settlement() returns trigger language plpgsql as $$
begin
  insert into distribution_order (partner_id, order_id, member_id, owner_id, org_id, channel, link_id, paid_at, paid_fen, refunded_fen)
    select new.partner_id, o.id, o.member_id, o.owner_id, o.org_id, o.channel, o.link_id, coalesce(o.paid_at, new.happened_at), o.paid_fen, o.refunded_fen
    from sales_order o where o.id = new.order_id
      and not exists (select from distribution_order d where d.order_id = new.order_id and d.partner_id = new.partner_id)
    for share of o
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
update distribution_order d set paid_fen = o.paid_fen, refunded_fen = o.refunded_fen, channel = o.channel
  from sales_order o where o.id = d.order_id and o.pay_state = 'PAID' and o.paid_fen > 0
    and (d.paid_fen, d.refunded_fen, d.channel) is distinct from (o.paid_fen, o.refunded_fen, o.channel);
