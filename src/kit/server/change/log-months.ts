import { sql } from 'kysely'
import { dayOf, startOfDay } from '#kit/model/time.ts'
import type { Tx } from '../database/database.ts'
import { anchor, type Head, keepHead, takeHead } from './log-seal.ts'
import type { Keeping } from './logged-pages.ts'

/** The logs that stand in months, by the name these begin with: how many whole calendar months each is kept. */
const KEPT_MONTHS = { operation_log_short: 6, operation_log_long: 36, login_trace: 6 } as const
type Log = keyof typeof KEPT_MONTHS
const LOGS = Object.keys(KEPT_MONTHS) as Log[]
/** Months made before they begin. */
const AHEAD = 2
/** Whoever needs what a new month needs goes first: there is time until the month begins. */
const WAIT = '1s'

type Made = { readonly made: boolean }
const countMade = (rows: readonly Made[]): number => rows.filter(({ made }) => made).length

/** Makes the months of all logs from one instant to another, which then hold what stood in none; says how many were missing. */
export async function makeMonths(tx: Tx, from: Date, to: Date): Promise<number> {
  const { rows } = await sql<Made>`
    select make_log_month(log, month at time zone 'Asia/Shanghai') as made from unnest(${LOGS}::text[]) log,
      generate_series(date_trunc('month', ${from}::timestamptz at time zone 'Asia/Shanghai'),
        ${to}::timestamptz at time zone 'Asia/Shanghai', '1 month') month`.execute(tx)
  return countMade(rows)
}

/** This month and those to come; and of whatever found none, which is a clock's fault, the month it says. */
export async function keepMonths(tx: Tx, now: Date): Promise<number> {
  await sql`set local lock_timeout = ${sql.lit(WAIT)}`.execute(tx)
  const ahead = new Date(now)
  ahead.setUTCMonth(now.getUTCMonth() + AHEAD, 1)
  let made = await makeMonths(tx, now, ahead)
  for (const log of LOGS) {
    const rest = sql.table(`part.${log}_rest`)
    const { rows } = await sql<Made>`
      select make_log_month(${log}, at) as made from (select min(at) as at from ${rest} group by log_month(at)) astray`.execute(
      tx,
    )
    made += countMade(rows)
  }
  return made
}

/** The first instant that is kept: so many whole months before the one that runs. */
export function keptSince(log: Log, now: Date): Date {
  const [year = 0, month = 0] = dayOf(now).split('-').map(Number)
  return startOfDay(new Date(Date.UTC(year, month - 1 - KEPT_MONTHS[log], 1)).toISOString().slice(0, 10))
}

/** Drops the months that have been kept long enough, of the operation log only what is sealed; says how many. */
export async function dropMonths(tx: Tx, now: Date, signal?: AbortSignal): Promise<number> {
  await sql`set local lock_timeout = ${sql.lit(WAIT)}`.execute(tx)
  // A month is read whole before it goes: longer than a call may take.
  await sql`set local statement_timeout = 0`.execute(tx)
  const taken = await takeHead(tx)
  if (!taken) return 0
  let [head, dropped] = [taken, 0]
  for (const log of LOGS)
    for (const { name } of await monthsBefore(tx, log, keptSince(log, now))) {
      if (signal?.aborted) break
      const after = log === 'login_trace' ? head : await anchored(tx, name, head, now)
      if (!after) continue
      await sql`drop table ${sql.table(name)}`.execute(tx)
      head = after
      dropped += 1
    }
  await keepHead(tx, head)
  await sql`delete from line_taken_back where line_id < (select id from operation_log order by id limit 1)`.execute(tx)
  return dropped
}

/** Parts of a log that end by then. */
async function monthsBefore(tx: Tx, log: Log, since: Date): Promise<readonly { name: string }[]> {
  const parent = log === 'login_trace' ? log : `part.${log}`
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      substring(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''([^'']+)''\\)') high
    where i.inhparent = ${parent}::regclass and high::timestamptz <= ${since} order by high::timestamptz`.execute(tx)
  return rows
}

/** The chain says that this part goes; nothing where it holds what is not sealed yet. */
async function anchored(tx: Tx, name: string, head: Head, now: Date): Promise<Head | undefined> {
  const part = sql.table(name)
  const { rows } = await sql<{ keep: Keeping; month: string; last: string }>`
    select keep, log_month(at)::text as month, max(id) as last from ${part} group by 1, 2 order by 1, 2`.execute(tx)
  if (rows.some(({ last }) => BigInt(last) > BigInt(head.line_id))) return
  let at = head
  for (const { keep, month } of rows) at = await anchor(tx, at, keep, month, now)
  await sql`delete from log_erased where line_id in (select id from ${part})`.execute(tx)
  return at
}
