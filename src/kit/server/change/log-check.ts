import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { type Head, hashOf, type Seal } from './log-seal.ts'

type Stored = Seal & { readonly hash: string; readonly marks: Buffer | null }
/** Of each line its number and the beginning of its digest. */
const MARK = 16
const PAGE = 500

/** What of the operation log is no longer as it was sealed: the first line or seal that is not, in words, or nothing. */
export async function findAltered(db: Pick<Database, 'read'>): Promise<string | undefined> {
  const client = await db.read.pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    // Every line is read: longer than a call may take.
    await client.query('set local statement_timeout = 0')
    return await firstAltered(client)
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}

/** The same as one connection sees it. */
export const firstAltered = async (client: pg.PoolClient): Promise<string | undefined> =>
  (await brokenLink(client)) ?? (await unsealedLine(client))

async function brokenLink(client: pg.PoolClient): Promise<string | undefined> {
  const dropped = await droppedMonths(client)
  const hashes = new Map<string, string[]>()
  const ends = new Map<string, bigint>()
  let [last, before] = [0n, '']
  for await (const seal of seals(client)) {
    const group = `${seal.keep} ${seal.month}`
    last += 1n
    if (BigInt(seal.id) !== last) return `seal ${last} is gone, and with it what tells of lines up to ${seal.from_id}`
    const isDropped = last < (dropped.get(group) ?? 0n)
    const own = seal.kind === 'LINES' && !isDropped ? await alteredLine(client, seal) : undefined
    if (own) return own
    const isTold = seal.kind === 'LINES' || seal.lines_hash === hashOfSeals(hashes.get(group) ?? [])
    if (hashOf(before, seal) !== seal.hash || !isTold) return `seal ${seal.id} was changed`
    if (seal.kind === 'LINES') {
      if (BigInt(seal.from_id) <= (ends.get(group) ?? 0n))
        return `seal ${seal.id} tells of lines that were sealed before`
      ends.set(group, BigInt(seal.to_id))
    }
    hashes.set(group, seal.kind === 'LINES' ? [...(hashes.get(group) ?? []), seal.hash] : [])
    before = seal.hash
  }
  const head = await headOf(client)
  if (head.seal_id !== String(last) || head.hash !== before) return endOf(client, head, last)
  const end = [...ends.values()].reduce((most, to) => (to > most ? to : most), 0n)
  // Set back, it would have lines sealed anew as they are by then.
  if (BigInt(head.line_id) < end)
    return `the log was sealed up to line ${end}, and is said to be up to line ${head.line_id}`
}

/** The chain does not end where it had come to: what its last seals told of are lines nobody can vouch for. */
async function endOf(client: pg.PoolClient, head: Head, last: bigint): Promise<string> {
  const { rows } = await client.query(
    `select l.id from operation_log l where l.id > coalesce((select max(to_id) from log_seal), 0) order by l.id limit 1`,
  )
  const told = rows[0] ? `line ${rows[0].id} and those after it are` : 'what it told of is'
  return `the log was sealed up to seal ${head.seal_id || '?'}, and ends with seal ${last}: ${told} no longer sealed`
}

/** A seal tells which of its lines is not what it was. */
async function alteredLine(client: pg.PoolClient, { month, keep, ...seal }: Stored): Promise<string | undefined> {
  const { rows } = await client.query(
    `select encode(sha256(coalesce(string_agg(digest, ''::bytea order by id), ''::bytea)), 'hex') as hash,
       coalesce(string_agg(int8send(id) || substring(digest from 1 for 8), ''::bytea order by id), ''::bytea) as marks
     from (
       select l.id, log_line_sealed(l) as digest from operation_log l
       where l.keep = $1 and l.id between $3 and $4 and l.at >= $2::timestamp at time zone 'Asia/Shanghai'
         and l.at < ($2::timestamp + interval '1 month') at time zone 'Asia/Shanghai'
     ) line`,
    [keep, month, seal.from_id, seal.to_id],
  )
  const { hash, marks } = rows[0]
  if (hash === seal.lines_hash) return
  return firstDifference(seal.marks ?? Buffer.alloc(0), marks) ?? `seal ${seal.id} was changed`
}

function firstDifference(sealed: Buffer, found: Buffer): string | undefined {
  for (let at = 0; at < Math.max(sealed.length, found.length); at += MARK) {
    const [was, is] = [sealed.subarray(at, at + MARK), found.subarray(at, at + MARK)]
    if (was.equals(is)) continue
    const [wasLine, isLine] = [was, is].map(mark => (mark.length === 0 ? undefined : mark.readBigInt64BE()))
    if (wasLine === isLine) return `line ${isLine} was changed after it was sealed`
    if (wasLine === undefined || (isLine !== undefined && isLine < wasLine)) return wasPutIn(isLine)
    return `line ${wasLine} is gone, though it was sealed`
  }
}
const wasPutIn = (line: unknown): string => `line ${line} was put in between after the lines around it were sealed`

/** Behind what is sealed there is no line that no seal knows: the one at or before it reaches to it. */
async function unsealedLine(client: pg.PoolClient): Promise<string | undefined> {
  const { rows } = await client.query(
    `select l.id from operation_log l
     where l.id <= (select line_id from log_head) and l.id > coalesce((
       select s.to_id from log_seal s
       where s.keep = l.keep and s.month = log_month(l.at) and s.kind = 'LINES' and s.from_id <= l.id and s.marks is not null
       order by s.from_id desc limit 1), l.id - 1)
     order by l.id limit 1`,
  )
  return rows[0] && wasPutIn(rows[0].id)
}

/** By month and keeping, the seal that says it was dropped last. */
async function droppedMonths(client: pg.PoolClient): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await client.query(
    `select keep || ' ' || month as of, max(id) as id from log_seal where kind = 'DROPPED' group by 1`,
  )
  return new Map(rows.map(({ of, id }) => [of, BigInt(id)]))
}

const hashOfSeals = (hashes: readonly string[]): string => createHash('sha256').update(hashes.join('')).digest('hex')

export async function headOf(client: Pick<pg.PoolClient, 'query'>): Promise<Head> {
  const { rows } = await client.query('select seal_id, hash, line_id from log_head')
  // Somebody may have taken even this.
  return rows[0] ?? { seal_id: '', hash: '', line_id: '0' }
}

async function* seals(client: pg.PoolClient): AsyncGenerator<Stored, void, void> {
  for (let after = '0'; ; ) {
    const { rows } = await client.query<Stored>(
      `select id, kind, keep, month::text, from_id, to_id, lines, lines_hash, hash, marks from log_seal
       where id > $1 order by id limit ${PAGE}`,
      [after],
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}
