import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import type { Change } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { type NumberKind, numberOf } from './model.ts'

/**
 * The next number of a kind and day. It is given for good at once, whatever becomes of the change that asked: nobody waits
 * for another's change to end. So a change that fails leaves a gap, and no number is given twice.
 */
export async function nextNumber({ app, now }: Pick<Change, 'app' | 'now'>, kind: NumberKind): Promise<string> {
  const day = dayOf(now)
  const { rows } = await sql<{ last: string }>`
    insert into number_sequence as s (kind, day, last) values (${kind}, ${day}, 1)
    on conflict (kind, day) do update set last = s.last + 1
    returning last`.execute(app.db.apart)
  return numberOf(kind, day, Number(rows[0]?.last))
}

/** What carries a number, and when it was given. Of orders only those made here: others may come with a number from elsewhere. */
const NUMBERED = `
  select '' as kind, order_no as no, created_at as given_at from sales_order where source = 'REDEMPTION'
  union all select 'R', refund_no, created_at from refund_application
  union all select 'C', order_no, created_at from coin_order
  union all select 'E', redemption_no, created_at from redemption
  union all select 'S', shipment_no, created_at from shipment
  union all select 'B', batch_no, created_at from code_batch`

export const invariants: readonly Invariant[] = [
  {
    name: 'no number is used that its sequence has still to give',
    query: `
      with used as (
        select kind, substr(no, length(kind) + 1, 8) as day, max(running_number(substr(no, length(kind) + 9))) as last
        from (${NUMBERED} union all select 'P', payment_no, told_at from payment) as numbered group by 1, 2
      )
      select used.kind, used.day, used.last as used, s.last from used
      left join number_sequence s on s.kind = used.kind and to_char(s.day, 'YYYYMMDD') = used.day
      where s.last is null or used.last > s.last`,
  },
  {
    name: 'a number tells the day on which it was given',
    query: `
      select kind, no, given_at from (${NUMBERED}) as numbered
      where substr(no, length(kind) + 1, 8) <> to_char(given_at at time zone 'Asia/Shanghai', 'YYYYMMDD')`,
  },
]
