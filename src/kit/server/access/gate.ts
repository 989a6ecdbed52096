import { sql } from 'kysely'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Database, Tx } from '../database/database.ts'
import { Lanes } from '../database/lanes.ts'

export type Gate = {
  readonly kind: string
  readonly limit: number
  readonly windowMs: number
  readonly lockMs?: number
}

const lanes = new Lanes(5_000, 1_000)

/** Whoever knocks hundreds of times at once waits for himself, and not on connections that others read by. */
const inTurn = <T>(db: Database['query'] | Tx, { kind }: Gate, subject: string, work: () => Promise<T>): Promise<T> =>
  db.isTransaction ? work() : lanes.run(`${kind}:${subject}`, work)

/**
 * Takes one of `limit` attempts in the window, before the attempt is judged: parallel callers cannot outrun it, and it is
 * a row, so neither a restart nor a second instance forgets. Gives the instant until which the subject is shut out, if it is.
 * Attempts made while shut out do not count: hammering does not keep a door shut.
 */
export const take = (db: Database['query'] | Tx, gate: Gate, subject: string, now: Date): Promise<Date | undefined> =>
  inTurn(db, gate, subject, () => count(db, gate, subject, now))

/** When a window ends, when it begins anew and when it shuts: one rule, whether attempts are counted or reserved. */
function windowRule({ windowMs, lockMs = windowMs, limit }: Gate, now: Date) {
  const until = new Date(now.getTime() + windowMs)
  const isLocked = sql<boolean>`g.locked_until > ${now}`
  const isOver = sql<boolean>`(g.locked_until <= ${now} or g.window_until <= ${now})`
  const moved = sql`
    window_until = case when ${isLocked} then g.window_until when ${isOver} then ${until}::timestamptz else g.window_until end,
    locked_until = case
      when ${isLocked} then g.locked_until
      when g.locked_until is null and g.window_until > ${now} and g.attempts >= ${limit}
        then ${new Date(now.getTime() + lockMs)}::timestamptz
      else null end`
  return { until, isLocked, isOver, moved }
}

async function count(db: Database['query'] | Tx, gate: Gate, subject: string, now: Date): Promise<Date | undefined> {
  const { until, isLocked, isOver, moved } = windowRule(gate, now)
  const { rows } = await sql<{ attempts: number; locked_until: string | null; window_until: string }>`
    insert into attempt_gate as g (kind, subject, attempts, window_until) values (${gate.kind}, ${subject}, 1, ${until})
    on conflict (kind, subject) do update set
      attempts = case
        when ${isLocked} then g.attempts
        when ${isOver} then 1
        else least(g.attempts + 1, ${gate.limit + 1}) end,
      ${moved}
    returning attempts, locked_until, window_until`.execute(db)
  const locked = rows[0]?.locked_until
  return locked ? new Date(locked) : undefined
}

/**
 * Reserves one of `limit` attempts that are judged afterwards: those under way count against the limit, so that parallel
 * guesses cannot outrun it, but only those judged wrong (`countWrong`) shut anybody out. Gives the instant until which the
 * subject is shut out, or 'busy' when all that is left is under way.
 */
export const reserve = (
  db: Database['query'] | Tx,
  gate: Gate,
  subject: string,
  now: Date,
): Promise<Date | 'busy' | undefined> => inTurn(db, gate, subject, () => place(db, gate, subject, now))

async function place(
  db: Database['query'] | Tx,
  gate: Gate,
  subject: string,
  now: Date,
): Promise<Date | 'busy' | undefined> {
  const { until, isLocked, isOver, moved } = windowRule(gate, now)
  const { rows } = await sql<{ locked_until: string | null }>`
    insert into attempt_gate as g (kind, subject, attempts, under_way, window_until)
    values (${gate.kind}, ${subject}, 0, 1, ${until})
    on conflict (kind, subject) do update set
      attempts = case when ${isOver} then 0 else g.attempts end,
      under_way = case
        when ${isLocked} then g.under_way
        when ${isOver} then 1
        when g.attempts >= ${gate.limit} then g.under_way
        else g.under_way + 1 end,
      ${moved}
    where g.locked_until is not null or g.window_until <= ${now} or g.attempts >= ${gate.limit}
      or g.attempts + g.under_way < ${gate.limit}
    returning locked_until`.execute(db)
  const [row] = rows
  if (!row) return 'busy'
  return row.locked_until ? new Date(row.locked_until) : undefined
}

/** The attempt reserved before was wrong. */
export const countWrong = (db: Database['query'] | Tx, gate: Gate, subject: string, now: Date) =>
  sql`
    insert into attempt_gate as g (kind, subject, attempts, window_until)
    values (${gate.kind}, ${subject}, 1, ${new Date(now.getTime() + gate.windowMs)})
    on conflict (kind, subject) do update set
      attempts = g.attempts + 1, under_way = greatest(g.under_way - 1, 0)`.execute(db)

/** The attempt reserved before was right, or was never judged: it does not count, and leaves the others counted. */
export const giveBack = (db: Database['query'] | Tx, gate: Gate, subject: string) =>
  sql`
    update attempt_gate set under_way = greatest(under_way - 1, 0)
    where kind = ${gate.kind} and subject = ${subject}`.execute(db)

/** Until when the subject is shut out, if it is; nothing is counted. */
export async function lockedUntil(
  db: Database['query'],
  gate: Gate,
  subject: string,
  now: Date,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('attempt_gate')
    .select('locked_until')
    .where('kind', '=', gate.kind)
    .where('subject', '=', subject)
    .where('locked_until', '>', now.toISOString())
    .executeTakeFirst()
  return row?.locked_until ? new Date(row.locked_until) : undefined
}

/** What was taken told nothing after all. */
export const untake = (db: Database['query'] | Tx, gate: Gate, subject: string) =>
  sql`
    update attempt_gate set attempts = greatest(attempts - 1, 0)
    where kind = ${gate.kind} and subject = ${subject}`.execute(db)

/** Uses up so much of what a subject has for a window; if it has less left, uses nothing and tells what and until when. */
export async function spend(
  db: Database['query'] | Tx,
  gate: Gate,
  subject: string,
  amount: number,
  now: Date,
): Promise<{ left: number; until: Date } | undefined> {
  const until = new Date(now.getTime() + gate.windowMs)
  const { rows } = await sql<{ left: number; until: string; spent: boolean }>`
    with spent as (
      insert into attempt_gate as g (kind, subject, attempts, window_until)
      select ${gate.kind}, ${subject}, ${amount}::int, ${until} where ${amount}::int <= ${gate.limit}::int
      on conflict (kind, subject) do update set
        attempts = case when g.window_until <= ${now} then ${amount}::int else g.attempts + ${amount}::int end,
        window_until = case when g.window_until <= ${now} then ${until} else g.window_until end
      where g.window_until <= ${now} or g.attempts + ${amount}::int <= ${gate.limit}::int
      returning 1
    )
    select exists (select 1 from spent) as spent,
      ${gate.limit}::int - coalesce((select attempts from attempt_gate
        where kind = ${gate.kind} and subject = ${subject} and window_until > ${now}), 0) as left,
      coalesce((select window_until from attempt_gate
        where kind = ${gate.kind} and subject = ${subject} and window_until > ${now}), ${now}) as until`.execute(db)
  const [row] = rows
  return !row || row.spent ? undefined : { left: Math.max(0, row.left), until: new Date(row.until) }
}

/** The most there was at once within a window, with this. */
export async function mostOf(
  db: Database['query'] | Tx,
  { kind, windowMs }: Pick<Gate, 'kind' | 'windowMs'>,
  subject: string,
  amount: number,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    insert into attempt_gate as g (kind, subject, attempts, window_until)
    values (${kind}, ${subject}, ${amount}, ${new Date(now.getTime() + windowMs)})
    on conflict (kind, subject) do update set
      attempts = case when g.window_until <= ${now} then excluded.attempts else greatest(g.attempts, excluded.attempts) end,
      window_until = case when g.window_until <= ${now} then excluded.window_until else g.window_until end
    returning attempts`.execute(db)
  return rows[0]?.attempts ?? amount
}

/** A good attempt wipes the slate. */
export const release = (db: Database['query'] | Tx, gate: Gate, subject: string) =>
  db.deleteFrom('attempt_gate').where('kind', '=', gate.kind).where('subject', '=', subject).execute()

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
export function shutOut(until: Date, now: Date, text = 'kit:too-many'): Refused {
  const retrySeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))
  return new Refused(refuse(text, { minutes: Math.ceil(retrySeconds / 60) }), 'too-many', { retrySeconds })
}
