import pg from 'pg'
import {
  PHONE_FACTOR,
  PHONE_PREFIXES,
  PHONE_TAILS,
  PHONES,
  PRODUCTS,
  PUPIL_NAMES,
  pinyinOf,
  SURNAMES,
} from './builders.server.ts'
import { ADD_EXAMINATIONS, ADD_LINES } from './lines.server.ts'
import { type Hour, rhythmUntil } from './rhythm.server.ts'

/** Rows of one statement: the triggers that keep counts see all of them at once, so the statement may not grow with the table. */
const CHUNK = 100_000
const ORDERS_PER_MEMBER = 4

// Chunks take longer than a call may; rows the triggers look at and sorts stay in memory.
const OPTIONS = '-c timezone=UTC -c statement_timeout=0 -c work_mem=128MB -c maintenance_work_mem=256MB -c jit=off'

/**
 * Adds many orders, and a member for every fourth, over the two years up to `now`; for measuring, beside whatever is
 * there. Made inside the database, about a minute a million, all or nothing; the tables are locked meanwhile. Orders
 * belong to the sales staff, where there is any.
 */
export async function seedOrders(
  url: string,
  orders: number,
  { now = new Date() }: { now?: Date } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: OPTIONS })
  await client.connect()
  try {
    await client.query('begin')
    const putBack = [...(await takeDown(client, 'member', orders)), ...(await takeDown(client, 'sales_order', orders))]
    await insertOrders(client, orders, now)
    for (const statement of putBack) await client.query(statement)
    for (const statement of [ADD_LINES, ADD_EXAMINATIONS]) await client.query(statement)
    await client.query('commit')
    // Also marks the pages all-visible, which the first reader would pay for otherwise.
    await client.query(
      'vacuum (analyze) member, sales_order, order_line, order_examination, number_sequence, kept_count',
    )
  } finally {
    await client.end()
  }
}

/**
 * Indexes and references are built and checked faster at the end than row by row, unless most of the table is there
 * already. Takes them away and answers the statements that put them back.
 */
async function takeDown(client: pg.Client, table: string, added: number): Promise<string[]> {
  const { rows: big } = await client.query(`select 1 from ${table} offset ${added} limit 1`)
  if (big.length > 0) return []
  const { rows } = await client.query(
    `select format('drop index %s', indexrelid::regclass) as down, pg_get_indexdef(indexrelid) as up
     from pg_index where indrelid = $1::regclass and not indisunique
     union all
     select format('alter table %s drop constraint %I', conrelid::regclass, conname),
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint where conrelid = $1::regclass and contype = 'f'`,
    [table],
  )
  for (const { down } of rows) await client.query(down)
  return rows.map(({ up }) => up)
}

async function insertOrders(client: pg.Client, orders: number, now: Date): Promise<void> {
  await client.query(SELLERS)
  await client.query('create temp table buyer (nth bigint primary key, id bigint, owner_id bigint, org_id bigint)')
  const rhythm = rhythmUntil(now)
  const members = Math.ceil(orders / ORDERS_PER_MEMBER)
  const { rows } = await client.query('select coalesce(max(id), 0)::text as last from member')
  const firstPhone = PHONES.bulk + Number(rows[0].last)
  for (const chunk of chunksOf(rhythm.hours(members)))
    await client.query(MEMBERS, [...columns(chunk), firstPhone, ...NAMES])
  await client.query('analyze buyer')
  for (const chunk of chunksOf(rhythm.hours(orders)))
    await client.query(ORDERS, [...columns(chunk), orders, now, ...GOODS])
}

type Placed = Hour & { readonly before: number }

function chunksOf(hours: readonly Hour[]): Placed[][] {
  const chunks: Placed[][] = []
  let before = 0
  for (const hour of hours) {
    const last = chunks.at(-1)
    if (last && before - (last[0]?.before ?? 0) < CHUNK) last.push({ ...hour, before })
    else chunks.push([{ ...hour, before }])
    before += hour.orders
  }
  return chunks
}

const columns = (chunk: readonly Placed[]) => [
  chunk.map(({ start }) => start),
  chunk.map(({ lengthMs }) => lengthMs),
  chunk.map(({ orders }) => orders),
  chunk.map(({ before }) => before),
]

const NAMES = [
  SURNAMES,
  SURNAMES.map(pinyinOf),
  PUPIL_NAMES,
  PUPIL_NAMES.map(name => pinyinOf(`王${name}`).slice('wang'.length)),
]

// Each product stands in as many places as it has weight, so that a roll is an index.
const SLOTS = PRODUCTS.flatMap(product => Array.from({ length: product.weight }, () => product))
const GOODS = [
  SLOTS.map(({ name }) => name),
  SLOTS.map(({ fen }) => fen),
  SLOTS.map(({ goods }) => goods),
  SLOTS.map(({ kind }) => kind === 'LEAD'),
  [...Array(5).fill('DOUYIN'), 'XIAOHONGSHU', 'XIAOHONGSHU', 'WECHAT_SHOP', 'WECHAT_SHOP', 'SCHOOL'],
  [...Array(5).fill('LINK'), ...Array(4).fill('APP'), 'OFFLINE'],
]

const SELLERS = `
  create temp table seller as
  select row_number() over (order by s.id) - 1 as nth, s.id, s.org_id
  from staff s join staff_role sr on sr.staff_id = s.id join role r on r.id = sr.role_id
  where s.status = 'ENABLED' and r.code = 'SALES'`

/** Position and instant of each row of the chunk's hours. Parameters 1 to 4 are the columns of those hours. */
const PLACED = `
  placed as (
    select h.before + i as k, to_timestamp((h.start + h.length * (i - 0.5) / h.rows) / 1000) as at
    from unnest($1::bigint[], $2::bigint[], $3::int[], $4::bigint[]) as h (start, length, rows, before), generate_series(1, h.rows) i
  )`

/** A whole number from 0 that looks random and is the same at every run; a column each for independent rolls. */
const roll = (salt: number) => `(hashint8extended(k, ${salt}) & 2147483647)`

const MEMBERS = `
  with ${PLACED}, person as (
    select k, at, $5::bigint + k as phone_index, lpad((($5::bigint + k) * ${PHONE_FACTOR} % ${PHONE_TAILS})::text, 8, '0') as tail,
      1 + (${roll(1)} % cardinality($6::text[]))::int as family, 1 + (${roll(2)} % cardinality($8::text[]))::int as given,
      s.id as owner_id, s.org_id
    from placed left join seller s on s.nth = ${roll(3)} % nullif((select count(*) from seller), 0)
  ), stored as (
    insert into member (name, name_pinyin, phone, guardian_name, level, source, owner_id, org_id, created_at)
    select ($6::text[])[family] || ($8::text[])[given], ($7::text[])[family] || ($9::text[])[given],
      (array['${PHONE_PREFIXES.join("','")}'])[1 + phone_index % ${PHONE_PREFIXES.length}]
        || substr(tail, 5) || left(tail, 4),
      ($6::text[])[family] || '女士', (array['TRIAL', 'MEMBER', 'EXPIRED'])[1 + ${roll(4)} % 3],
      (array['DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP', 'APP', 'SCHOOL', 'REFERRAL'])[1 + ${roll(5)} % 6],
      owner_id, org_id, at - interval '1 day'
    from person order by k
    on conflict (phone) do nothing
    returning id, owner_id, org_id
  )
  insert into buyer select (select count(*) from buyer) + row_number() over (order by id) - 1, id, owner_id, org_id from stored`

/** Parameters: 5 all orders of this load, 6 now, 7 to 10 the products, 11 and 12 where lead courses and the rest are sold. */
const ORDERS = `
  with ${PLACED}, rolled as (
    select k, at, (at at time zone 'Asia/Shanghai')::date as day, 1 + (${roll(11)} % cardinality($7::text[]))::int as slot,
      1 + (${roll(12)} % 10)::int as shop, ${roll(13)} % 100 as luck, ${roll(14)} % 30 as minutes,
      -- Only members who were there by then: as many of all as orders before this one.
      floor(${roll(15)} / 2147483648.0 * k / $5::bigint * (select count(*) from buyer))::bigint as buyer
    from placed
  ), sold as (
    select r.*, b.id as member_id, b.owner_id, b.org_id, ($7::text[])[slot] as product, ($9::boolean[])[slot] as goods,
      ($8::int[])[slot] - case when ($8::int[])[slot] > 30000 and luck % 3 = 0 then 1000 * (luck % 10) else 0 end as fen,
      case when ($10::boolean[])[slot] then ($11::text[])[shop] else ($12::text[])[shop] end as source
    from rolled r join buyer b on b.nth = r.buyer
  ), judged as (
    select *, case
      when source in ('DOUYIN', 'XIAOHONGSHU', 'WECHAT_SHOP') then 'PAID'
      when source = 'OFFLINE' then case when at > $6::timestamptz - interval '3 days' then 'EXAMINING' else 'PAID' end
      when at > $6 - interval '2 hours' and luck < 60 then 'UNPAID'
      when at < $6 - interval '2 hours' and luck < 16 then 'CLOSED'
      else 'PAID' end as pay_state
    from sold
  ), per_day as (select day, count(*) as n from judged group by day
  ), numbered as (
    insert into number_sequence as s (kind, day, last) select '', day, n from per_day
    on conflict (kind, day) do update set last = s.last + excluded.last
    returning day, last
  )
  insert into sales_order (order_no, member_id, product_name, list_fen, amount_fen, paid_fen, pay_state, fulfil_state, source, sold_by, owner_id, org_id,
    created_at, paid_at, closed_at)
  select to_char(day, 'YYYYMMDD') || lpad((last - n + row_number() over (partition by day order by k))::text, 10, '0'),
    member_id, product, fen, fen, case when pay_state = 'PAID' then fen else 0 end, pay_state,
    case when not goods or pay_state <> 'PAID' then 'NOT_NEEDED' when at > $6 - interval '2 days' then 'WAITING'
      when at > $6 - interval '10 days' then 'SENT' else 'DONE' end,
    source, owner_id, owner_id, org_id, at,
    case when pay_state = 'PAID' then least(at + minutes * interval '1 minute', $6) end,
    case when pay_state = 'CLOSED' then at + interval '2 hours' end
  from judged join per_day using (day) join numbered using (day) order by k`
