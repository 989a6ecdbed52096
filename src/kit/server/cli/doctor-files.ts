import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Database } from '#kit/server/database/database.ts'
import type { Env } from '#kit/server/process/env.ts'
import { writeAside } from '#kit/server/storage/aside.ts'
import { allNames } from '#kit/server/storage/store.ts'
import { openStores } from '#kit/server/storage/stores.ts'

type Patient = { readonly env: Env; readonly db: Database }

const LINK_MS = 60_000

/** Does once, with a file of its own, what the console does with a bucket; a link is opened as a browser would. */
export async function findStorageFaults(env: Env): Promise<string[]> {
  const { bucket } = openStores(env)
  if (!bucket) return []
  const name = `doctor-${randomUUID()}`
  const aside = await writeAside(tmpdir(), () => Readable.from([name]))
  await bucket.put(name, aside, { name: 'doctor.txt', type: 'text/plain' })
  try {
    const found = await bucket.read(name)
    if (!found || (await text(found)) !== name) return ['what was put there does not come back']
    const answer = await fetch(bucket.link(name, new Date(), LINK_MS))
    return (await answer.text()) === name ? [] : [`a signed link is answered with ${answer.status}`]
  } finally {
    await bucket.remove(name)
  }
}

export async function findMissingFiles({ env, db }: Patient): Promise<string[]> {
  const { store, local } = openStores(env)
  const { rows } = await db.read.pool.query<{ id: string }>('select id::text as id from file')
  if (rows.length === 0) return []
  const there = new Set([...(await allNames(store)), ...(await allNames(local))])
  const missing = rows.filter(({ id }) => !there.has(id))
  return missing.length === 0 ? [] : [`${missing.length} of ${rows.length} are missing, such as ${missing[0]?.id}`]
}

/** Still read, and so not missing; but they are on this machine alone. */
export async function findFilesInFolder({ env, db }: Patient): Promise<string[]> {
  const { bucket, local } = openStores(env)
  if (!bucket) return []
  const { rows } = await db.read.pool.query<{ id: string }>('select id::text as id from file')
  const known = new Set(rows.map(({ id }) => id))
  const left = (await allNames(local)).filter(name => known.has(name))
  return left.length === 0
    ? []
    : [`${left.length} files were stored in the data folder before there was a bucket, and are read from there`]
}
