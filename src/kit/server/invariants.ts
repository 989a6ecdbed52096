import type { Database, Row } from './database.ts'

/** Something that is always true of the stored records, and a query for those of which it is not. */
export type Invariant = { readonly name: string; readonly query: string }

export type Broken = { readonly name: string; readonly rows: Row[] }

const MAX_SHOWN = 20

const ALWAYS: readonly Invariant[] = [
  {
    name: 'what an order has set aside is what its open refunds ask',
    query: `
      select o.id, o.reserved_fen, coalesce(r.fen, 0) as asked_fen
      from sales_order o left join (
        select order_id, sum(amount_fen) as fen from refund_application where status in ('SUBMITTED', 'L1_APPROVED') group by order_id
      ) r on r.order_id = o.id
      where o.reserved_fen <> coalesce(r.fen, 0)`,
  },
  {
    name: 'refunds asked and paid stay within what was paid',
    query:
      'select id, paid_fen, reserved_fen, refunded_fen from sales_order where reserved_fen + refunded_fen > paid_fen',
  },
  {
    name: "an order's refund state tells what was refunded",
    query: `
      select id, refund_state, paid_fen, refunded_fen from sales_order
      where refund_state <> case when refunded_fen = 0 then 'NONE' when refunded_fen < paid_fen then 'PARTIAL' else 'FULL' end`,
  },
  {
    name: 'a refund belongs to the member, the owner and the department of its order',
    query: `
      select r.id from refund_application r join sales_order o on o.id = r.order_id
      where (r.member_id, r.owner_id, r.org_id) is distinct from (o.member_id, o.owner_id, o.org_id)`,
  },
  {
    name: 'nobody decided on a refund he asked for, and nobody but the applicant withdrew one',
    query: `
      select l.id, l.action, r.id as refund_id from operation_log l join refund_application r on r.id = l.record_id
      where l.page = 'order-refundApply' and l.code = 0
        and ((l.action in ('approve', 'reject') and l.actor_id = r.applicant_id) or (l.action = 'withdraw' and l.actor_id <> r.applicant_id))`,
  },
  {
    name: 'no number is used that its sequence has still to give',
    query: `
      with used as (
        select '' as kind, left(order_no, 8) as day, max(substr(order_no, 9)) as last from sales_order group by 2
        union all select 'R', substr(refund_no, 2, 8), max(substr(refund_no, 10)) from refund_application group by 2
      )
      select s.kind, s.day, s.last, used.last as used from number_sequence s join used using (kind)
      where used.day = to_char(s.day, 'YYYYMMDD') and used.last::bigint > s.last`,
  },
  {
    name: 'a refund notice is read exactly when somebody has processed it',
    query: `
      select id, status from refund_notice
      where (status = 'READ') <> (processed_at is not null) or (status = 'READ') <> (processed_by is not null)`,
  },
  {
    name: 'a disabled person has no open session',
    query: `
      select s.id, s.staff_id from session s join staff p on p.id = s.staff_id
      where p.status = 'DISABLED' and s.ended_at is null and s.expires_at > now()`,
  },
  {
    name: "a department's path is that of the one above and its own id",
    query: `select o.id, o.path from org o left join org p on p.id = o.parent_id where o.path <> coalesce(p.path, '/') || o.id || '/'`,
  },
]

/** The kept count of every table that keeps one, against its rows. */
const KEPT_TABLES = `
  select c.relname as name, split_part(encode(t.tgargs, 'escape'), '\\000', 1) as state, split_part(encode(t.tgargs, 'escape'), '\\000', 2) as scope
  from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'keep_count_insert' order by 1`

function keptCount({ name, state, scope }: Record<string, string>): Invariant {
  const cell = scope === 'owned' ? 'org_id, owner_id' : 'null::bigint, null::bigint'
  const real = `select ${cell}, ${state}::text, count(*) from ${name} group by 1, 2, 3`
  const kept = `select org_id, owner_id, state, sum(n) from kept_count where table_name = '${name}' group by 1, 2, 3 having sum(n) <> 0`
  return {
    name: `the kept count of ${name} is the number of its rows`,
    query: `
      select 'stored' as side, * from (${real} except ${kept}) r (org_id, owner_id, state, n)
      union all select 'kept', * from (${kept} except ${real}) k (org_id, owner_id, state, n)`,
  }
}

/** Checks all of them on one snapshot; answers those that are broken, each with some of the offending rows. */
export async function findBroken(db: Pick<Database, 'read'>): Promise<Broken[]> {
  const client = await db.read.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // Whole tables are read: longer than a call may take.
    await client.query('set local statement_timeout = 0')
    const kept = (await client.query(KEPT_TABLES)).rows.map(keptCount)
    const broken: Broken[] = []
    for (const { name, query } of [...ALWAYS, ...kept]) {
      const { rows } = await client.query(`${query} limit ${MAX_SHOWN}`)
      if (rows.length > 0) broken.push({ name, rows })
    }
    return broken
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
