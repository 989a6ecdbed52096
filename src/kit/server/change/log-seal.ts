import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'

/** Lines looked at in one statement; and statements of one turn, after which others have theirs. */
const BATCH = 5_000
const MAX_BATCHES = 20
/** How long a turn waits for the transactions under way to end; what takes longer is sealed the next time. */
const PATIENCE_MS = 2_000
const LOOK_MS = 50

/** One link of the chain: what is sealed of the lines of one month, or that the month was dropped. */
export type Seal = {
  readonly id: string
  readonly kind: 'LINES' | 'DROPPED'
  readonly keep: 'SHORT' | 'LONG'
  readonly month: string
  readonly from_id: string
  readonly to_id: string
  readonly lines: number
  readonly lines_hash: string
}
export type Head = { readonly seal_id: string; readonly hash: string; readonly line_id: string }

/** A seal holds all it says and the one before it. */
export const hashOf = (before: string, seal: Seal): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        before,
        String(seal.id),
        seal.kind,
        seal.keep,
        seal.month,
        String(seal.from_id),
        String(seal.to_id),
        seal.lines,
        seal.lines_hash,
      ]),
    )
    .digest('hex')

/**
 * Seals what has been committed since the last time; says how many lines that were. Whoever finds another at it leaves it to
 * him, and nobody who writes lines waits for either.
 */
export async function sealLog(tx: Tx, now: Date, signal?: AbortSignal): Promise<number> {
  const last = await lastCertain(tx, signal)
  const head = last === undefined ? undefined : await takeHead(tx)
  if (!head || last === undefined) return 0
  let [at, sealed] = [head, 0]
  for (let batch = 0; batch < MAX_BATCHES && BigInt(at.line_id) < BigInt(last); batch += 1) {
    if (signal?.aborted) break
    const found = await nextLines(tx, at.line_id, last)
    const lines = found.reduce((sum, seal) => sum + seal.lines, 0)
    // A full batch ends where its last line does; behind a smaller one there is nothing up to the certain end.
    const end = lines < BATCH ? last : String(found.reduce((most, { to_id }) => max(most, BigInt(to_id)), 0n))
    for (const seal of found) at = await append(tx, at, seal, now)
    at = { ...at, line_id: end }
    sealed += lines
  }
  await keepHead(tx, at)
  return sealed
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/**
 * The last line below which none can come any more: numbers are taken inside transactions that have one of their own
 * (`next_log_line`), so once all those before ours have ended. Ours is taken after the last line was read, never before: only
 * then has whoever took a lower number of a line also a lower one himself.
 */
async function lastCertain(tx: Tx, signal?: AbortSignal): Promise<string | undefined> {
  const seen = await sql<{ last: string; own: string | null }>`
    select coalesce((select id from operation_log order by id desc limit 1), 0)::text as last,
      pg_current_xact_id_if_assigned()::text as own`.execute(tx)
  if (seen.rows[0]?.own !== null) throw new Error('the log is sealed in a transaction that has written nothing before')
  const { rows: after } = await sql<{ own: string }>`select pg_current_xact_id()::text as own`.execute(tx)
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(LOOK_MS)) {
    const { rows: ended } = await sql<{ all: boolean }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= ${after[0]?.own}::xid8 as all`.execute(tx)
    if (ended[0]?.all) return seen.rows[0].last
    if (Date.now() > until || signal?.aborted) return
  }
}

/** Nothing where somebody else holds it. */
export async function takeHead(tx: Tx): Promise<Head | undefined> {
  const { rows } = await sql<Head>`select seal_id, hash, line_id from log_head for update skip locked`.execute(tx)
  return rows[0]
}

export const keepHead = (tx: Tx, { seal_id, hash, line_id }: Head) =>
  sql`update log_head set seal_id = ${seal_id}, hash = ${hash}, line_id = ${line_id}`.execute(tx)

type Found = Omit<Seal, 'id' | 'kind'> & { readonly marks: Buffer | null }

/** The next lines by month and keeping, each group with the digest of its lines. */
async function nextLines(tx: Tx, after: string, last: string): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select keep, month::text, min(id) as from_id, max(id) as to_id, count(*)::int as lines,
      encode(sha256(string_agg(digest, ''::bytea order by id)), 'hex') as lines_hash,
      string_agg(int8send(id) || substring(digest from 1 for 8), ''::bytea order by id) as marks
    from (
      select l.id, l.keep, log_month(l.at) as month, log_line_sealed(l) as digest from operation_log l
      where l.id > ${after} and l.id <= ${last} order by l.id limit ${sql.lit(BATCH)}
    ) line group by keep, month order by keep, month`.execute(tx)
  return rows
}

async function append(tx: Tx, head: Head, found: Found, now: Date, kind: Seal['kind'] = 'LINES'): Promise<Head> {
  const { marks, ...told } = found
  const seal: Seal = { ...told, kind, id: String(BigInt(head.seal_id) + 1n) }
  const hash = hashOf(head.hash, seal)
  await sql`
    insert into log_seal (id, kind, keep, month, from_id, to_id, lines, lines_hash, hash, sealed_at, marks)
    values (${seal.id}, ${kind}, ${seal.keep}, ${seal.month}, ${seal.from_id}, ${seal.to_id}, ${seal.lines},
      ${seal.lines_hash}, ${hash}, ${now}, ${marks})`.execute(tx)
  return { ...head, seal_id: seal.id, hash }
}

/** The chain goes on to say that a month was dropped: what its seals held is all that is left of it. */
export async function anchor(tx: Tx, head: Head, keep: Seal['keep'], month: string, now: Date): Promise<Head> {
  const { rows } = await sql<Found>`
    select ${keep} as keep, ${month} as month, min(from_id) as from_id, max(to_id) as to_id, sum(lines)::int as lines,
      encode(sha256(convert_to(string_agg(hash, '' order by id), 'UTF8')), 'hex') as lines_hash, null::bytea as marks
    from log_seal where keep = ${keep} and month = ${month}::date and kind = 'LINES' and marks is not null
    having count(*) > 0`.execute(tx)
  const [found] = rows
  await sql`update log_seal set marks = null where keep = ${keep} and month = ${month}::date`.execute(tx)
  return found ? append(tx, head, found, now, 'DROPPED') : head
}
