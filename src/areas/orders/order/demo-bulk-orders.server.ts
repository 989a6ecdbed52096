import { PHONE_FACTOR, PHONE_PREFIXES, PHONE_TAILS } from '#demo/builders.server.ts'

/** Members and orders of a bulk load, as statements. Each works on what the one before left in temporary tables. */

export const SELLERS = `
  create temp table seller on commit drop as
  select row_number() over (order by s.id) - 1 as nth, s.id, s.org_id
  from staff s join staff_role sr on sr.staff_id = s.id join role r on r.id = sr.role_id
  where s.status = 'ENABLED' and r.code = 'SALES'`

/** What is sold, what each gives and what is sent with it. Parameters of the first: codes, names, prices, list prices, lead or not. */
export const OFFERS: readonly string[] = [
  `create temp table offer on commit drop as
   select g.slot, g.is_lead, coalesce(p.name, g.name) as name, coalesce(p.price_fen, g.fen) as fen, coalesce(p.list_fen, g.list_fen) as list_fen,
     p.id as product_id, coalesce(p.grants, '[]') as grants, coalesce(p.commission_permille, 0) as commission_permille,
     coalesce(p.may_wait, false) as may_wait
   from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::boolean[]) with ordinality as g (code, name, fen, list_fen, is_lead, slot)
   left join product p on p.code = g.code`,
  `create temp table offer_grant on commit drop as
   select o.slot, g.ord, g.value ->> 'kind' as kind, (g.value ->> 'quantity')::int as quantity, (g.value ->> 'validDays')::int as valid_days,
     g.value ->> 'name' as name,
     (select e.id from course_edition e where e.package_id = (g.value ->> 'packageId')::bigint and e.state = 'PUBLISHED') as edition_id
   from offer o, jsonb_array_elements(o.grants) with ordinality g (value, ord) where g.value ->> 'kind' <> 'GOODS'`,
  `create temp table offer_part on commit drop as
   select o.slot, (p.value ->> 'baseProductId')::bigint as base_product_id, min(p.value ->> 'sku') as sku, min(p.value ->> 'name') as name,
     sum((p.value ->> 'quantity')::int * (g.value ->> 'quantity')::int)::int as quantity, min(k.name) as kit
   from offer o, jsonb_array_elements(o.grants) g (value) join goods_kit k on k.id = (g.value ->> 'kitId')::bigint, jsonb_array_elements(k.parts) p (value)
   group by 1, 2`,
  `create temp table buyer (nth bigint primary key, id bigint, owner_id bigint, org_id bigint, channel text) on commit drop`,
  'analyze seller, offer, offer_grant, offer_part',
]

/** Position and instant of each row of the chunk's hours. Parameters 1 to 4 are the columns of those hours. */
const PLACED = `
  placed as (
    select h.before + i as k, h.nth, i, to_timestamp((h.start + h.length * (i - 0.5::float8) / h.rows) / 1000) as at
    from unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[]) with ordinality as h (start, length, rows, before, nth),
      generate_series(1, h.rows) i
  )`

/** A whole number from 0 that looks random and is the same at every run; a column each for independent rolls. */
const roll = (salt: number) => `(hashint8extended(k, ${salt}) & 2147483647)`

export const MEMBERS = `
  with ${PLACED}, person as (
    select k, at, $5::bigint + k as phone_index, lpad((($5::bigint + k) * ${PHONE_FACTOR} % ${PHONE_TAILS})::text, 8, '0') as tail,
      1 + (${roll(1)} % cardinality($6::text[]))::int as family, 1 + (${roll(2)} % cardinality($8::text[]))::int as given,
      1 + (${roll(5)} % 6)::int as came, s.id as owner_id, s.org_id
    from placed left join seller s on s.nth = ${roll(3)} % nullif((select count(*) from seller), 0)
  ), stored as (
    insert into member (name, name_pinyin, name_initials, phone, guardian_name, source, channel, owner_id, org_id, owner_since, created_at)
    select ($6::text[])[family] || ($8::text[])[given], ($7::text[])[family] || ($9::text[])[given],
      ($10::text[])[family] || ($11::text[])[given],
      (array['${PHONE_PREFIXES.join("','")}'])[1 + phone_index % ${PHONE_PREFIXES.length}]
        || substr(tail, 5) || left(tail, 4),
      ($6::text[])[family] || '女士',
      (array['DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP', 'APP', 'SCHOOL', 'REFERRAL'])[came],
      (array['DOUYIN_LIVE', 'XIAOHONGSHU_NOTE', 'WECHAT_SHOP', 'STORE', 'SCHOOL', 'REFERRAL'])[came],
      owner_id, org_id, case when owner_id is not null then at - interval '2 days' end, at - interval '2 days'
    from person order by k
    on conflict (phone) do nothing
    returning id, owner_id, org_id, channel
  )
  insert into buyer select (select count(*) from buyer) + row_number() over (order by id) - 1, id, owner_id, org_id, channel from stored`

/** What was ordered and what came of it, numbered from 1. */
export const SOLD = `
  create temp table sold (
    k bigint, order_id bigint, line_id bigint, shipment_id bigint, order_no text, member_id bigint, owner_id bigint, org_id bigint, channel text,
    slot bigint, fen bigint, source text, pay_state text, at timestamptz, paid_at timestamptz, paid_day date, parcel text
  ) on commit drop`

/** How far the numbers of each day have come with this load. Parameters: the days, and how many orders each has. */
export const NUMBER_DAYS = `
  insert into number_sequence as s (kind, day, last) select '', day, n from unnest($1::date[], $2::bigint[]) as d (day, n)
  on conflict (kind, day) do update set last = s.last + excluded.last
  returning day::text, last`

/** The ids before the first of this load. Nobody else takes any while the tables are locked. */
export const LAST_IDS = `
  select nextval(pg_get_serial_sequence('sales_order', 'id')) - 1 as orders, nextval(pg_get_serial_sequence('order_line', 'id')) - 1 as lines,
    nextval(pg_get_serial_sequence('shipment', 'id')) - 1 as shipments`

/**
 * Parameters: 5 all orders of this load, 6 now, 7 the product of each roll, 8 and 9 where lead courses and the rest are
 * sold, 10 and 11 the day of each hour and the last number before it, 12 to 14 the last ids.
 */
export const ROLL_ORDERS = `
  with ${PLACED}, rolled as (
    select k, at, to_char(($10::date[])[nth], 'YYYYMMDD') || lpad((($11::bigint[])[nth] + i)::text, 10, '0') as order_no,
      ($7::int[])[1 + (${roll(11)} % cardinality($7::int[]))::int] as slot,
      1 + (${roll(12)} % 10)::int as shop, ${roll(13)} % 100 as luck, ${roll(14)} % 30 as minutes,
      -- Only members who were there by then: as many of all as orders before this one.
      floor(${roll(15)}::float8 / 2147483648 * k / $5::bigint * (select count(*) from buyer))::bigint as buyer
    from placed
  ), ordered as (
    select r.*, b.id as member_id, b.owner_id, b.org_id, b.channel, o.fen as price,
      case when o.is_lead then ($8::text[])[shop] when b.owner_id is null and ($9::text[])[shop] = 'OFFLINE' then 'LINK' else ($9::text[])[shop] end as source,
      r.slot in (select slot from offer_part) as goods
    from rolled r join buyer b on b.nth = r.buyer join offer o on o.slot = r.slot
  ), judged as (
    select *, case
      when source in ('DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP') then 'PAID'
      when source = 'OFFLINE' then case when at > $6::timestamptz - interval '3 days' then 'EXAMINING' else 'PAID' end
      when at > $6 - interval '2 hours' and luck < 60 then 'UNPAID'
      when at < $6 - interval '2 hours' and luck < 16 then 'CLOSED'
      else 'PAID' end as pay_state,
      least(at + minutes * interval '1 minute', $6) as paying_at
    from ordered
  )
  insert into sold
  -- An id for a parcel is set aside for each order: gaps do no harm, and counting would.
  select k, $12::bigint + k, $13::bigint + k, $14::bigint + k, order_no, member_id, owner_id, org_id, channel, slot,
    price - case when price > 30000 and luck % 3 = 0 then 1000 * (luck % 10) else 0 end, source, pay_state, at,
    case when pay_state = 'PAID' then paying_at end, case when pay_state = 'PAID' then (paying_at at time zone 'Asia/Shanghai')::date end,
    case when not goods or pay_state <> 'PAID' then null when paying_at > $6 - interval '1 day' then 'TO_APPROVE'
      when paying_at > $6 - interval '2 days' then 'WAITING' when paying_at > $6 - interval '10 days' then 'SENT' else 'SIGNED' end
  from judged`

export const KEEP_IDS: readonly string[] = [
  `select setval(pg_get_serial_sequence('sales_order', 'id'), max(order_id)), setval(pg_get_serial_sequence('order_line', 'id'), max(line_id)),
     setval(pg_get_serial_sequence('shipment', 'id'), max(shipment_id)) from sold`,
  'create index on sold (k)',
  'analyze sold',
]

/** Parameters: after which row, and up to which. */
export const PLACE_ORDERS = `
  insert into sales_order (id, order_no, member_id, product_name, list_fen, discount_fen, amount_fen, paid_fen, paid_by_product, pay_state, fulfil_state,
    source, channel, sold_by, sold_org_id, owner_id, org_id, receiver_name, receiver_phone, receiver_province, receiver_address, created_at, paid_at, closed_at, closes_at)
  overriding system value
  select s.order_id, s.order_no, s.member_id, o.name, o.list_fen, o.list_fen - s.fen, s.fen, case when s.pay_state = 'PAID' then s.fen else 0 end,
    case when s.pay_state = 'PAID' and s.fen > 0 then jsonb_build_object(o.name, s.fen) else '{}' end,
    s.pay_state, case s.parcel when 'SIGNED' then 'DONE' when 'SENT' then 'SENT' when 'WAITING' then 'WAITING' when 'TO_APPROVE' then 'WAITING'
      else 'NOT_NEEDED' end,
    s.source, s.channel, s.owner_id, s.org_id, s.owner_id, s.org_id,
    case when s.parcel is not null then m.guardian_name end, case when s.parcel is not null then m.phone end,
    case when s.parcel is not null then (array['ZJ', 'JS', 'SH', 'BJ', 'GD', 'SD', 'SC', 'FJ'])[1 + s.k % 8] end,
    case when s.parcel is not null then '解放路 ' || s.k % 900 || ' 号' end,
    s.at, s.paid_at, case when s.pay_state = 'CLOSED' then s.at + interval '2 hours' end,
    case when s.pay_state = 'UNPAID' then s.at + interval '2 hours' end
  from sold s join offer o on o.slot = s.slot join member m on m.id = s.member_id
  where s.k > $1 and s.k <= $2 order by s.k`
