import { sql } from 'kysely'
import type { Tx } from '#kit/server/database/database.ts'

/** An order that is being placed under a number of its sender's, and money that names it, wait for one another. */
export const lockOrderNo = (tx: Tx, orderNo: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`order-no:${orderNo}`}, 0))`.execute(tx)

/**
 * Holds a number of a bank or a channel, however it is written, until what it stands for is stored: of two who come with
 * one number, by hand or by notice, the second finds the first. Taken before the member, the order and all that follows.
 */
export async function lockNumber(tx: Tx, typed: string): Promise<string | null> {
  const number = isNumber(typed) ? bankNumber(typed) : sql<string | null>`null::text`
  const { rows } = await sql<{ number: string | null }>`
    select ${number} as number, pg_advisory_xact_lock(hashtextextended('bank-number:' || coalesce(${number}, ''), 0))`.execute(
    tx,
  )
  return rows[0]?.number ?? null
}

const bankNumber = (typed: string) => sql<string | null>`bank_number(${typed})`

/** Banks and channels write numbers in letters and digits of theirs, with separators; what only looks like one of them is none. */
export function isNumber(typed: string): boolean {
  const plain = typed.normalize('NFKC')
  return /^[\x20-\x7e]+$/.test(plain) && /[A-Za-z0-9]/.test(plain)
}
