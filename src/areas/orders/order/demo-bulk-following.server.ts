/** What orders bring with them, as statements on the temporary tables of demo-bulk-orders: the same rules as in the console, for all at once. */

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

/** A number of its day for each paid order: what the sequence gave before, and its place among those of this load. */
export const numbersOf = (kind: string, which: string) => `
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

/** Parameter: today. When they first paid, by the channel they came with. Membership as engines/entitlement reckons it: lots follow one another, so the end is the latest of "granted, and all days from then on". */
const SUMS = `
  with days as (
    select member_id, max(granted_on + later)::date - 1 as ends_on from (
      select member_id, granted_on, sum(quantity) over (partition by member_id order by id desc)::int as later from given where kind = 'MEMBER_DAYS'
    ) lots group by member_id
  ), coins as (
    select member_id, sum(quantity) filter (where not is_over) as left from given where kind = 'COINS' group by member_id
  ), paid as (
    select member_id, min(paid_at) as at from sold where paid_at is not null and fen > 0 group by member_id
  ), sums as (
    select member_id as id, d.ends_on, coalesce(c.left, 0) as coins, p.at
    from days d full join coins c using (member_id) full join paid p using (member_id)
  )
  update member m set membership_ends_on = s.ends_on, coins = s.coins,
    level = case when s.ends_on is null then 'TRIAL' when s.ends_on >= $1::date then 'MEMBER' else 'EXPIRED' end,
    first_paid_at = s.at, credit_days = case when s.at is not null then 90 end,
    credited_source = case when s.at is not null then m.source end, credited_channel = case when s.at is not null then m.channel end
  from sums s where s.id = m.id`

/** In the order in which each finds what it needs. */
export const FOLLOWING: readonly string[] = [
  LINES,
  COUNT_SOLD,
  PAYMENTS,
  COMMISSIONS,
  RIGHTS,
  'analyze given',
  LOTS,
  KEEP_LOT_IDS,
  ENTRIES,
  SUMS,
]
