import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Database, Tx } from './database.ts'

export type Gate = {
  readonly kind: string
  readonly limit: number
  readonly windowMs: number
  readonly lockMs?: number
}

/**
 * Takes one of `limit` attempts in the window, before the attempt is judged: parallel callers cannot outrun it, and it is
 * a row, so neither a restart nor a second instance forgets. Gives the instant until which the subject is shut out, if it is.
 * Attempts made while shut out do not count: hammering does not keep a door shut.
 */
export async function take(
  db: Database['query'] | Tx,
  gate: Gate,
  subject: string,
  now: Date,
): Promise<Date | undefined> {
  const until = new Date(now.getTime() + gate.windowMs)
  const lock = new Date(now.getTime() + (gate.lockMs ?? gate.windowMs))
  const { rows } = await sql<{ attempts: number; locked_until: string | null; window_until: string }>`
    insert into attempt_gate as g (kind, subject, attempts, window_until) values (${gate.kind}, ${subject}, 1, ${until})
    on conflict (kind, subject) do update set
      attempts = case
        when g.locked_until > ${now} then g.attempts
        when g.locked_until <= ${now} or g.window_until <= ${now} then 1
        else least(g.attempts + 1, ${gate.limit + 1}) end,
      window_until = case
        when g.locked_until > ${now} then g.window_until
        when g.locked_until <= ${now} or g.window_until <= ${now} then ${until}
        else g.window_until end,
      locked_until = case
        when g.locked_until > ${now} then g.locked_until
        when g.locked_until is null and g.window_until > ${now} and g.attempts >= ${gate.limit} then ${lock}
        else null end
    returning attempts, locked_until, window_until`.execute(db)
  const locked = rows[0]?.locked_until
  return locked ? new Date(locked) : undefined
}

/** A good attempt wipes the slate. */
export const release = (db: Database['query'] | Tx, gate: Gate, subject: string) =>
  db.deleteFrom('attempt_gate').where('kind', '=', gate.kind).where('subject', '=', subject).execute()

/** A good attempt does not count, and leaves the others counted: one good key must not wipe the slate of a whole address. */
export const giveBack = (db: Database['query'] | Tx, gate: Gate, subject: string) =>
  db
    .updateTable('attempt_gate')
    .set(eb => ({ attempts: eb('attempts', '-', 1) }))
    .where('kind', '=', gate.kind)
    .where('subject', '=', subject)
    .where('attempts', '>', 0)
    .execute()

export async function requireAttempt(
  db: Database['query'] | Tx,
  gate: Gate,
  subject: string,
  now: Date,
): Promise<void> {
  const until = await take(db, gate, subject, now)
  if (until) throw shutOut(until, now)
}

/** The refusal of somebody shut out until an instant; the text is told the minutes left. */
export const shutOut = (until: Date, now: Date, text = 'kit:too-many'): Refused =>
  new Refused(refuse(text, { minutes: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 60_000)) }), 'too-many')
