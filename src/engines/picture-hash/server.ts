import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { pictureHash } from './look.server.ts'
import { keysNear, keysOf, MOST_DIFFERENT, turnedHashes } from './model.ts'

/** A stored picture and what tells it; no hash where it shows nothing to be told by. */
export type Looked = { readonly fileId: string; readonly hash: string | null }
/** The record of another picture that is this one, or looks like it. */
export type Alike = { readonly recordId: string; readonly isSame: boolean }

/** Reads a picture from where files lie: nothing to do while a transaction is open. */
export const lookAt = async ({ files }: Pick<App, 'files'>, fileId: string): Promise<Looked> => ({
  fileId,
  hash: (await pictureHash(await buffer(await files.read(fileId)))) ?? null,
})

type Compared = { readonly page: string; readonly recordId: string; readonly looked: readonly Looked[] }

/**
 * Keeps the pictures of a record, and finds another record of the page that has one of them: the very same file first, then
 * the likest. One record after the other, so that of two that come at once the second finds the first.
 */
export async function compare(tx: Tx, { page, recordId, looked }: Compared): Promise<Alike | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext(${`picture-hash:${page}`}))`.execute(tx)
  await keepPictures(tx, { page, recordId, looked })
  const same = await findSame(tx, page, recordId)
  if (same !== undefined) return { recordId: same, isSame: true }
  const found: Found[] = []
  for (const { hash } of looked) if (hash !== null) found.push(...(await findAlike(tx, { page, recordId, hash })))
  const [nearest] = found.sort((a, b) => a.distance - b.distance || Number(a.recordId) - Number(b.recordId))
  return nearest && { recordId: nearest.recordId, isSame: false }
}

/** The same again changes nothing. */
export async function keepPictures(tx: Tx, { page, recordId, looked }: Compared): Promise<void> {
  for (const { fileId, hash } of looked)
    await sql`
      insert into picture_hash (file_id, page, record_id, sha256, hash, keys)
      select id, ${page}, ${recordId}, sha256, ${hash}::bit(256), ${hash === null ? [] : keysOf(hash)}::int[]
      from file where id = ${fileId}
      on conflict (file_id) do nothing`.execute(tx)
}

async function findSame(tx: Tx, page: string, recordId: string): Promise<string | undefined> {
  const { rows } = await sql<{ recordId: string }>`
    select other.record_id as "recordId" from picture_hash mine
    join picture_hash other on other.page = mine.page and other.sha256 = mine.sha256
    where mine.page = ${page} and mine.record_id = ${recordId} and other.record_id <> ${recordId}
    order by other.record_id limit 1`.execute(tx)
  return rows[0]?.recordId
}

type Found = { readonly recordId: string; readonly distance: number }

/** The likest of all that may be like it, however it was turned. Parts of the hash lead there, so that few are looked at. */
export async function findAlike(
  tx: Tx,
  { page, recordId, hash }: { readonly page: string; readonly recordId: string; readonly hash: string },
): Promise<Found[]> {
  const turned = turnedHashes(hash)
  const keys = [...new Set(turned.flatMap(keysNear))]
  const { rows } = await sql<Found>`
    select record_id as "recordId", distance from (
      select h.record_id, (select min(bit_count(h.hash # turned.hash)) from unnest(${turned}::bit(256)[]) as turned (hash))::int as distance
      from pictures_near(${keys}::int[]) h where h.page = ${page} and h.record_id <> ${recordId}
    ) found
    where distance <= ${MOST_DIFFERENT} order by distance, record_id limit 1`.execute(tx)
  return rows
}
