-- What a refund takes back, who gets its money and who has to agree; what goods were worth when they left.

alter table shipment_line
  -- What one piece was worth on the day it left. Of what left before this was kept, today's value is the best that is known.
  add column value_fen bigint check (value_fen >= 0);
update shipment_line l set value_fen = p.value_fen
  from shipment s, base_product p where s.id = l.shipment_id and p.id = l.base_product_id and s.sent_at is not null;

alter table sales_order
  -- A parcel of its goods was not let go, and has not been made again.
  add column goods_rejected boolean not null default false;
create index sales_order_goods_rejected on sales_order (goods_rejected, id);
update sales_order o set goods_rejected = true, version = version + 1,
    fulfil_state = case
      when exists (select from shipment_line l join shipment s on s.id = l.shipment_id where l.order_id = o.id and s.sent_at is not null) then 'PARTIAL'
      else 'WAITING' end
  where exists (
    select from shipment s where s.order_id = o.id and s.status = 'REJECTED' and s.source in ('ORDER', 'REDEMPTION')
      and not exists (select from shipment r where r.resend_of = s.id));

alter table refund_application
  -- Why finance has to agree: [{why, value}].
  add column l2_reasons    jsonb not null default '[]',
  -- Who gets money that does not go back the way it came.
  add column payee         text check (payee in ('PAYER', 'OTHER')),
  add column payee_name    text check (length(payee_name) between 1 and 50),
  add column payee_account text check (length(payee_account) between 1 and 64);
update refund_application set calculation = coalesce(
  (select jsonb_agg(line || '{"unsent": null, "unsentFen": 0, "unsentPieces": 0}' order by nth)
   from jsonb_array_elements(calculation) with ordinality as l (line, nth)), '[]');
-- Refunds of a member of the last days, open and paid.
create index refund_application_member_paid on refund_application (member_id, paid_at);
