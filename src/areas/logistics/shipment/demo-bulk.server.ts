import { numbersOf } from '#areas/orders/order/demo-bulk-following.server.ts'
import type { Bulk } from '#demo/story.server.ts'

const PARCELS = `${numbersOf('S', 'parcel is not null')}
  insert into shipment (id, shipment_no, source, order_id, member_id, receiver_name, receiver_phone, province, receiver_address, goods_name, parts, status,
    decided_by, carrier, tracking_no, tracking_status, last_event, last_event_at, sent_at, signed_at, owner_id, org_id, created_at, version)
  overriding system value
  select s.shipment_id, 'S' || f.digits || lpad((f.last + s.nth)::text, 5, '0'), 'ORDER', s.order_id, s.member_id,
    m.guardian_name, m.phone, (array['ZJ', 'JS', 'SH', 'BJ', 'GD', 'SD', 'SC', 'FJ'])[1 + s.k % 8], '解放路 ' || s.k % 900 || ' 号',
    g.goods_name, g.parts, s.parcel, case when s.parcel <> 'TO_APPROVE' then (select min(id) from staff) end,
    case when t.sent then t.carrier end, case when t.sent then t.carrier || s.order_no end,
    case s.parcel when 'SIGNED' then 'SIGNED' when 'SENT' then 'TRANSIT' else 'PENDING' end,
    case s.parcel when 'SIGNED' then '快件已签收，签收人：本人' when 'SENT' then '快件已到达转运中心' else '' end,
    case s.parcel when 'SIGNED' then s.paid_at + interval '5 days' when 'SENT' then s.paid_at + interval '2 days' end,
    case when t.sent then s.paid_at + interval '1 day' end, case when s.parcel = 'SIGNED' then s.paid_at + interval '5 days' end,
    s.owner_id, s.org_id, s.paid_at, case s.parcel when 'TO_APPROVE' then 1 when 'WAITING' then 2 when 'SENT' then 3 else 4 end
  from numbered s join before f on f.day = s.paid_day join member m on m.id = s.member_id
  join (
    select slot, left(string_agg(distinct kit, '、'), 100) as goods_name,
      jsonb_agg(jsonb_build_object('baseProductId', base_product_id::text, 'sku', sku, 'name', name, 'quantity', quantity) order by base_product_id) as parts
    from offer_part group by slot
  ) g on g.slot = s.slot, lateral (
    select s.parcel in ('SENT', 'SIGNED') as sent, (array['YTO', 'ZTO', 'SF', 'JD'])[1 + s.k % 4] as carrier
  ) t`

const PARCEL_LINES = `
  insert into shipment_line (shipment_id, base_product_id, order_id, order_line_id, quantity, locked, value_fen)
  select s.shipment_id, p.base_product_id, s.order_id, s.line_id, p.quantity, case when s.parcel in ('TO_APPROVE', 'WAITING') then p.quantity else 0 end,
    case when s.parcel in ('SENT', 'SIGNED') then b.value_fen end
  from sold s join offer_part p on p.slot = s.slot join base_product b on b.id = p.base_product_id where s.parcel is not null`

/** As much comes in as leaves and is promised; then it leaves, piece by piece. */
const MOVEMENTS = `
  with moved as (
    select p.base_product_id, p.quantity, s.shipment_id, s.paid_at + interval '1 day' as at, s.parcel in ('SENT', 'SIGNED') as sent
    from sold s join offer_part p on p.slot = s.slot where s.parcel is not null
  ), needed as (
    select base_product_id, sum(quantity)::int as all_of_it, coalesce(sum(quantity) filter (where not sent), 0)::int as promised, min(at) - interval '2 days' as at
    from moved group by 1
  ), stocked as (
    -- What follows reads the shelf as it was before.
    update base_product b set on_hand = b.on_hand + n.promised, locked = b.locked + n.promised, version = b.version + 1
    from needed n where b.id = n.base_product_id returning b.id
  )
  insert into stock_movement (base_product_id, cause, quantity, balance_after, note, shipment_id, created_at)
  select m.base_product_id, m.cause, m.quantity, b.on_hand + sum(m.quantity) over (partition by m.base_product_id order by m.at, m.shipment_id nulls first rows unbounded preceding),
    m.note, m.shipment_id, m.at
  from (
    select base_product_id, 'IN' as cause, all_of_it as quantity, '批量入库' as note, null::bigint as shipment_id, at from needed
    union all
    select base_product_id, 'SENT', -quantity, '', shipment_id, at from moved where sent
  ) m join base_product b on b.id = m.base_product_id join stocked on stocked.id = b.id
  order by m.base_product_id, m.at, m.shipment_id nulls first`

/** What many orders send. */
export const bulk: Bulk = {
  tables: ['shipment', 'shipment_line', 'stock_movement'],
  counted: ['base_product'],
  statements: [PARCELS, PARCEL_LINES, MOVEMENTS],
}
