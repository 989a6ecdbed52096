import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database.ts'
import type { Invariant } from '#kit/server/invariants.ts'

/** Digits after the day: refunds are few, orders are many. */
const DIGITS = { '': 10, R: 5, C: 5, E: 5, S: 5, B: 3, P: 8 } as const

/** The next number of a kind: prefix, day in Shanghai, running number of that day. Gaps are possible, repeats are not. */
export async function nextNumber(tx: Tx, prefix: keyof typeof DIGITS, now: Date): Promise<string> {
  const day = dayOf(now)
  const { rows } = await sql<{ last: string }>`
    insert into number_sequence as s (kind, day, last) values (${prefix}, ${day}, 1)
    on conflict (kind, day) do update set last = s.last + 1
    returning last`.execute(tx)
  return `${prefix}${day.replaceAll('-', '')}${String(rows[0]?.last).padStart(DIGITS[prefix], '0')}`
}

export const invariants: readonly Invariant[] = [
  {
    name: 'no number is used that its sequence has still to give',
    query: `
      with numbered (kind, no) as (
        select '', order_no from sales_order union all select 'R', refund_no from refund_application
        union all select 'C', order_no from coin_order union all select 'E', redemption_no from redemption
        union all select 'S', shipment_no from shipment union all select 'B', batch_no from code_batch
      ), used as (
        select kind, substr(no, length(kind) + 1, 8) as day, max(substr(no, length(kind) + 9)::bigint) as last from numbered group by 1, 2
      )
      select s.kind, s.day, s.last, used.last as used from number_sequence s join used using (kind)
      where used.day = to_char(s.day, 'YYYYMMDD') and used.last > s.last`,
  },
]
