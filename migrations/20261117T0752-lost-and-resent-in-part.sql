-- An order of which a lost parcel was sent again in part waits for the rest: it is neither done nor without anything sent.

update sales_order o set fulfil_state = case o.fulfil_state when 'DONE' then 'SENT' else 'PARTIAL' end, version = version + 1
  where o.fulfil_state in ('DONE', 'WAITING') and exists (
    select from shipment_line l join shipment s on s.id = l.shipment_id and s.status = 'LOST'
    where l.order_id = o.id
      and exists (select from shipment r where r.resend_of = s.id and r.status not in ('REJECTED', 'CANCELLED'))
      and not exists (
        select from refund_application a join refund_effect e on e.refund_id = a.id and e.name = 'GOODS' and e.status = 'DONE'
          join refund_line x on x.refund_id = a.id
        where a.order_id = o.id and a.status = 'PAID' and x.order_line_id = coalesce(l.order_line_id, x.order_line_id))
      and (
        select sum(x.quantity - x.returned) from shipment_line x
        where x.shipment_id = s.id and (x.order_id, x.base_product_id) = (l.order_id, l.base_product_id)
          and x.order_line_id is not distinct from l.order_line_id
      ) > (
        select coalesce(sum(x.quantity), 0) from shipment_line x join shipment c on c.id = x.shipment_id
        where c.id in (select coalesce(r.merged_into, r.id) from shipment r where r.resend_of = s.id)
          and c.status not in ('REJECTED', 'CANCELLED') and (x.order_id, x.base_product_id) = (l.order_id, l.base_product_id)
          and x.order_line_id is not distinct from l.order_line_id));
