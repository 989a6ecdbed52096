/** What orders bring with them, as statements on the temporary tables of bulk-orders: the same rules as in the console, for all at once. */

const LINES = `
  insert into order_line (id, order_id, product_id, product_name, quantity, list_fen, amount_fen, paid_fen, grants, commission_permille, may_wait)
  overriding system value
  select s.line_id, s.order_id, o.product_id, o.name, 1, o.list_fen, s.fen, case when s.pay_state = 'PAID' then s.fen else 0 end, o.grants,
    o.commission_permille, o.may_wait
  from sold s join offer o on o.slot = s.slot`

const COUNT_SOLD = `
  update product p set sold = p.sold + s.n
  from (select o.product_id, count(*) as n from sold s join offer o on o.slot = s.slot where s.pay_state = 'PAID' group by 1) s
  where p.id = s.product_id`

/** Money taken by hand has been seen by a second person, or waits for one. */
const EXAMINATIONS = `
  insert into order_examination (order_id, member_id, kind, amount_fen, before_fen, list_fen, pay_channel, transaction_no, status, applicant_id,
    decided_by, decided_at, owner_id, org_id, created_at, version)
  select s.order_id, s.member_id, 'OFFLINE', s.fen, o.list_fen, o.list_fen, 'BANK', 'T' || s.order_no,
    case when s.pay_state = 'PAID' then 'APPROVED' else 'WAITING' end, s.owner_id,
    case when s.pay_state = 'PAID' then (select min(p.id) from staff p where p.id <> s.owner_id) end, s.paid_at, s.owner_id, s.org_id, s.at,
    case when s.pay_state = 'PAID' then 2 else 1 end
  from sold s join offer o on o.slot = s.slot where s.source = 'OFFLINE' order by s.k`

/** A number of its day for each paid order: what the sequence gave before, and its place among those of this load. */
const numbersOf = (kind: string, which: string) => `
  with per_day as (select paid_day as day, count(*) as n from sold where ${which} group by 1), counted as (
    insert into number_sequence as s (kind, day, last) select '${kind}', day, n from per_day
    on conflict (kind, day) do update set last = s.last + excluded.last
    returning day, last
  ), before as (
    select c.day, to_char(c.day, 'YYYYMMDD') as digits, c.last - p.n as last from counted c join per_day p on p.day = c.day
  ), numbered as (select *, row_number() over (partition by paid_day order by k) as nth from sold where ${which})`

const PAYMENTS = `${numbersOf('P', `pay_state = 'PAID'`)}
  insert into payment (payment_no, provider, provider_no, order_id, amount_fen, status, said_order_no, received_at, told_at)
  select 'P' || f.digits || lpad((f.last + s.nth)::text, 8, '0'),
    case when s.source in ('DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP') then 'PLATFORM' when s.source = 'OFFLINE' then 'OFFLINE'
      when s.k % 4 = 0 then 'ALIPAY' else 'WECHAT' end,
    case when s.source = 'OFFLINE' then 'T' else 'N' end || s.order_no, s.order_id, s.fen, 'RECEIVED', s.order_no, s.paid_at, s.paid_at
  from numbered s join before f on f.day = s.paid_day`

const COMMISSIONS = `
  insert into commission_entry (order_line_id, staff_id, cause, amount_fen, created_at)
  select s.line_id, s.owner_id, 'EARNED', s.fen * o.commission_permille / 1000, s.paid_at
  from sold s join offer o on o.slot = s.slot
  where s.pay_state = 'PAID' and s.owner_id is not null and s.fen * o.commission_permille / 1000 > 0`

/** Rights whose time is over are used up by it; days of membership are not. Parameter: today. */
const RIGHTS = `
  create temp table given on commit drop as
  select (select nextval(pg_get_serial_sequence('entitlement_lot', 'id'))) + row_number() over (order by s.k, g.ord) - 1 as id,
    s.member_id, g.kind, s.line_id, g.name, g.quantity, g.edition_id, s.paid_day as granted_on, s.paid_day + g.valid_days - 1 as expires_on, s.paid_at,
    g.kind <> 'MEMBER_DAYS' and coalesce(s.paid_day + g.valid_days - 1 < $1::date, false) as is_over
  from sold s join offer_grant g on g.slot = s.slot
  where s.pay_state = 'PAID'`

const LOTS = `
  insert into entitlement_lot (id, member_id, kind, source, order_line_id, name, quantity, remaining, edition_id, granted_on, expires_on, created_at)
  overriding system value
  select id, member_id, kind, 'ORDER', line_id, name, quantity, case when is_over then 0 else quantity end, edition_id, granted_on, expires_on, paid_at
  from given order by id`

const KEEP_LOT_IDS = `select setval(pg_get_serial_sequence('entitlement_lot', 'id'), max(id)) from given having count(*) > 0`

const ENTRIES = `
  insert into entitlement_entry (lot_id, member_id, kind, cause, delta, balance_after, created_at)
  select id, member_id, kind, cause, delta, sum(delta) over (partition by member_id, kind order by at, id, delta desc rows unbounded preceding), at
  from (
    select id, member_id, kind, 'GRANTED' as cause, quantity as delta, paid_at as at from given
    union all
    select id, member_id, kind, 'EXPIRED', -quantity, (expires_on + 1)::timestamp at time zone 'Asia/Shanghai' + interval '5 minutes' from given where is_over
  ) moved
  -- In the order the balances were reckoned in, so that it is sorted once.
  order by member_id, kind, at, id, delta desc`

/** Parameter: today. Membership as engines/entitlement reckons it: lots follow one another, so the end is the latest of "granted, and all days from then on". */
const SUMS = `
  with days as (
    select member_id, max(granted_on + later)::date - 1 as ends_on from (
      select member_id, granted_on, sum(quantity) over (partition by member_id order by id desc)::int as later from given where kind = 'MEMBER_DAYS'
    ) lots group by member_id
  ), coins as (
    select member_id, sum(quantity) filter (where not is_over) as left from given where kind = 'COINS' group by member_id
  ), sums as (
    select coalesce(d.member_id, c.member_id) as id, d.ends_on, coalesce(c.left, 0) as coins from days d full join coins c on c.member_id = d.member_id
  )
  update member m set membership_ends_on = s.ends_on, coins = s.coins,
    level = case when s.ends_on is null then 'TRIAL' when s.ends_on >= $1::date then 'MEMBER' else 'EXPIRED' end
  from sums s where s.id = m.id`

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

const TRACKING = `
  insert into tracking_event (shipment_id, at, status, content)
  select shipment_id, paid_at + interval '2 days', 'TRANSIT', '快件已到达转运中心' from sold where parcel = 'SENT'
  union all
  select shipment_id, paid_at + interval '5 days', 'SIGNED', '快件已签收，签收人：本人' from sold where parcel = 'SIGNED'`

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

/** In the order in which each finds what it needs. */
export const FOLLOWING: readonly string[] = [
  LINES,
  COUNT_SOLD,
  EXAMINATIONS,
  PAYMENTS,
  COMMISSIONS,
  RIGHTS,
  'analyze given',
  LOTS,
  KEEP_LOT_IDS,
  ENTRIES,
  SUMS,
  PARCELS,
  PARCEL_LINES,
  TRACKING,
  MOVEMENTS,
]
