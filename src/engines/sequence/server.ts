import { sql } from 'kysely'
import { dayOf } from '#kit/model/time.ts'
import type { Tx } from '#kit/server/database.ts'

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
