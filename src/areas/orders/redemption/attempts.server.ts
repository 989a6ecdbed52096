import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type FoundCode, findCode } from '#areas/products/code-batch/codes.server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { type Gate, shutOut, take } from '#kit/server/access/gate.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import type { Database, Tx } from '#kit/server/database/database.ts'

const TEN_MINUTES_MS = 600_000
/** Only wrong codes are counted here: four pass, and with the fifth the door is shut. */
const PERSON: Gate = { kind: 'wrong-code', limit: 4, windowMs: TEN_MINUTES_MS, lockMs: TEN_MINUTES_MS }
/** An office shares one address: it is slowed, never shut out. */
const ADDRESS: Gate = { kind: 'wrong-code-address', limit: 20, windowMs: TEN_MINUTES_MS, lockMs: TEN_MINUTES_MS }
export const SLOW_MS = 500

type Trying = Call<{ page: string; action: string }>

/** The code somebody typed. A wrong one counts against the person, a good one does not, whatever is then done with it. */
export async function requireCode(app: App, call: Trying, typed: string): Promise<FoundCode> {
  const { actor, now, address } = call
  if (await shutUntil(app.db.query, ADDRESS, address, now)) await sleep(SLOW_MS)
  const tried = await app.db.write(async tx => {
    // One attempt of a person at a time: many at once would all be judged before the first is counted.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`wrong-code:${actor.id}`}, 0))`.execute(tx)
    const shut = await shutUntil(tx, PERSON, actor.id, now)
    if (shut) return shut
    const found = await findCode(app, tx, typed)
    if (found) return found
    await take(tx, ADDRESS, address, now)
    return await take(tx, PERSON, actor.id, now)
  })
  // Outside the transaction: a refusal in it would undo the count.
  if (tried instanceof Date) throw shutOut(tried, now, 'orders/redemption:shut-out')
  if (tried) return tried
  const refusal = refuse('orders/redemption:code-unknown')
  throw onField('code', refusal)
}

async function shutUntil(
  db: Database['query'] | Tx,
  { kind }: Gate,
  subject: string,
  now: Date,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('attempt_gate')
    .select('locked_until')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('locked_until', '>', now.toISOString())
    .executeTakeFirst()
  return row?.locked_until ? new Date(row.locked_until) : undefined
}
