import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { link as linkFile, mkdir, readFile, rm, writeFile as writeNew } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Clock } from '#kit/model/time.ts'
import type { UploadPurpose } from '#kit/model/upload.ts'
import type { Database, Tx } from '../database/database.ts'
import { type Received, receiveAside, writeAside } from './aside.ts'
import { codeOf } from './folder.ts'
import type { Aside, Called, Span, Store } from './store.ts'
import { type FileSettings, filesFolder, openStores } from './stores.ts'

export type Written = Called & { readonly id: string; readonly bytes: number; readonly sha256: string }
type FileAbout = {
  readonly purpose: string
  readonly now: Date
  /** The person who sent it; or who sends events, when it came with one. */
  readonly ownerId?: string
  readonly source?: string
  /** The task that made it; uploads are bound later, by `attach`. */
  readonly taskId?: string
}
export type StoredFile = Called & {
  readonly id: string
  readonly bytes: number
  readonly ownerId: string | null
  readonly page: string | null
  readonly recordId: string | null
}

type Failed = (name: string, error: unknown) => void

/** The files of the console, wherever they are kept. There a file is called by its id and nothing a person typed. */
export type Files = {
  /** What somebody sends, written aside as it comes; gone when it is let go of. */
  receive(source: Readable): Promise<Received>
  /** Written aside first, so that nobody ever reads half a file. What is not kept afterwards is swept. */
  write(source: Buffer | (() => Readable), called: Called, signal?: AbortSignal): Promise<Written>
  /** What was received, as it is and as a file of its own. What is not kept afterwards is swept. */
  take(aside: Aside, called: Called, signal?: AbortSignal): Promise<Written>
  /** The row without which the file does not exist to people; in the caller's transaction. */
  keep(tx: Tx | Database['query'], written: Written, about: FileAbout): Promise<void>
  discard(id: string): Promise<void>
  find(id: string): Promise<StoredFile | undefined>
  /** Refuses when the row is there and the file is not, as on a machine that does not share the folder. */
  read(id: string, part?: Span): Promise<Readable>
  /** A link that opens this file without a session, for as long as it says: at the storage itself, or here. */
  link(id: string, now: Date): Promise<string>
  /** At the storage itself; nothing when the file has to come through us. */
  directLink(id: string, now: Date): Promise<string | undefined>
  isSigned(id: string, expires: number, signature: string, now: Date): Promise<boolean>
  /** Where direct links lead: pages may show pictures from there. */
  readonly site: string | undefined
  /** Removes what no row knows and nobody has touched since: some at a time, and past what cannot be removed. */
  removeUnknown(before: Date, failed: Failed, signal?: AbortSignal): Promise<number>
}

export const LINK_LIFE_MS = 300_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isFileId = (value: string): boolean => UUID.test(value)

/** Makes neither folder nor key before something is stored. */
export function openFiles(env: FileSettings, db: Database): Files {
  const folder = filesFolder(env.DATA_DIR)
  const { local, bucket, store } = openStores(env)
  let key: Promise<Buffer> | undefined
  const sign = async (id: string, expires: number): Promise<Buffer> => {
    key ??= readKey(env.DATA_DIR)
    return createHmac('sha256', await key)
      .update(`${id}.${expires}`)
      .digest()
  }
  const directLink = async (id: string, now: Date) =>
    // What was stored before there was a bucket still lies in the folder.
    bucket && (await bucket.putAt(id)) ? bucket.link(id, now, LINK_LIFE_MS) : undefined
  const take: Files['take'] = async (aside, called, signal) => {
    const id = randomUUID()
    try {
      if (bucket) await db.query.insertInto('file_unkept').values({ id }).execute()
      await store.put(id, aside, called, signal)
    } catch (error) {
      await rm(aside.path, { force: true })
      throw error
    }
    return { ...called, id, bytes: aside.bytes, sha256: aside.sha256 }
  }
  const discard = async (id: string) => {
    await store.remove(id)
    if (bucket) await local.remove(id)
    await db.query.deleteFrom('file_unkept').where('id', '=', id).execute()
  }
  return {
    site: bucket?.site,
    receive: source => receiveAside(folder, source),
    async write(source, called, signal) {
      const open = typeof source === 'function' ? source : () => Readable.from([source])
      return take(await writeAside(folder, open, signal), called, signal)
    },
    take,
    async keep(tx, { id, name, type, bytes, sha256 }, { purpose, ownerId, source, now, taskId }) {
      const made = taskId === undefined ? {} : { page: TASK_PAGE, record_id: taskId }
      const sender = { owner_id: ownerId ?? null, source: source ?? null }
      const row = { id, purpose, name, type, bytes, sha256, ...sender, created_at: now, ...made }
      await tx.insertInto('file').values(row).execute()
      if (bucket) await tx.deleteFrom('file_unkept').where('id', '=', id).execute()
    },
    discard,
    find: id =>
      db.query
        .selectFrom('file')
        .select(['id', 'name', 'type', 'bytes', 'owner_id as ownerId', 'page', 'record_id as recordId'])
        .where('id', '=', id)
        .executeTakeFirst(),
    async read(id, part) {
      const found = (await store.read(id, part)) ?? (await local.read(id, part))
      if (!found) throw new Refused(refuse('kit/server/file:file-gone'), 'not-found')
      return found
    },
    directLink,
    async link(id, now) {
      const direct = await directLink(id, now)
      if (direct !== undefined) return direct
      const expires = now.getTime() + LINK_LIFE_MS
      return `/api/common/file/${id}?expires=${expires}&signature=${(await sign(id, expires)).toString('hex')}`
    },
    async isSigned(id, expires, signature, now) {
      const given = Buffer.from(signature, 'hex')
      const wanted = await sign(id, expires)
      return given.length === wanted.length && timingSafeEqual(given, wanted) && now.getTime() < expires
    },
    removeUnknown: async (before, failed, signal) =>
      (await removeEach(await unkeptOf(db, before), discard, failed, signal)) +
      (await removeEach(await unknownIn(local, db, before), local.remove, failed, signal)),
  }
}

/** Made once and readable by the server's user alone. Linked into place whole, so that of two that start together one makes it. */
async function readKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'file-key')
  const fresh = join(dataDir, `file-key.${randomUUID()}`)
  await mkdir(dataDir, { recursive: true })
  try {
    return await readFile(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  await writeNew(fresh, randomBytes(32), { mode: 0o600, flag: 'wx' })
  await linkFile(fresh, path).catch(error => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(fresh, { force: true })
  return readFile(path)
}

/** The folder is ours alone: what no row knows there was left behind. */
async function unknownIn(local: Store, db: Database, before: Date): Promise<string[]> {
  const unknown: string[] = []
  for await (const names of local.names()) {
    const ids = names.filter(isFileId)
    const known = new Set(
      (await db.read.rows('select id::text as id from file where id = any($1::uuid[])', [ids])).map(row => row.id),
    )
    for (const name of names.filter(candidate => !known.has(candidate))) {
      const putAt = await local.putAt(name)
      if (putAt && putAt < before) unknown.push(name)
    }
  }
  return unknown
}

const SWEPT_AT_ONCE = 500

/**
 * What was put somewhere and is kept by no row: a bucket may be others' too, so that this alone is removed from it. In no
 * order, so that those that cannot be removed are never all that is tried.
 */
async function unkeptOf(db: Database, before: Date): Promise<string[]> {
  const unkept = await db.query
    .selectFrom('file_unkept')
    .select('id')
    .where('at', '<', before.toISOString())
    .orderBy(sql`random()`)
    .limit(SWEPT_AT_ONCE)
    .execute()
  return unkept.map(({ id }) => id)
}

/** So many in a row, and it is not the file: the storage is away, and each further question would wait for it in vain. */
const FAILED_IN_A_ROW = 3

async function removeEach(
  names: readonly string[],
  remove: Store['remove'],
  failed: Failed,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  let inARow = 0
  for (const name of names) {
    if (signal?.aborted) break
    try {
      await remove(name)
      removed += 1
      inARow = 0
    } catch (error) {
      failed(name, error)
      inARow += 1
      if (inARow === FAILED_IN_A_ROW) break
    }
  }
  return removed
}

/** Binds a person's loose uploads to the record they were sent for, each as what it was sent as; whoever sees the record then sees them. */
export async function attach(
  tx: Tx,
  ownerId: string,
  sent: Readonly<Record<string, readonly string[]>>,
  page: string,
  recordId: string,
  purpose: UploadPurpose = 'image',
): Promise<void> {
  for (const [field, ids] of Object.entries(sent))
    if (!(await bind(tx, ownerId, ids, page, recordId, purpose)))
      throw onField(field, refuse('kit/server/file:file-unknown'))
}

/** Whether all of these are bound now. */
async function bind(
  tx: Tx,
  ownerId: string,
  ids: readonly string[],
  page: string,
  recordId: string,
  purpose: UploadPurpose,
): Promise<boolean> {
  if (ids.length === 0) return true
  const bound = await tx
    .updateTable('file')
    .set({ page, record_id: recordId })
    .where('id', 'in', [...ids])
    .where('purpose', '=', purpose)
    .where(eb =>
      eb.or([
        eb.and([eb('record_id', 'is', null), eb('owner_id', '=', ownerId)]),
        eb.and([eb('page', '=', page), eb('record_id', '=', recordId)]),
      ]),
    )
    .returning('id')
    .execute()
  return bound.length === new Set(ids).size
}

const LOOSE_LIFE_MS = 86_400_000
/** What a sender has sent: the event that names it may wait a week for another one (decision 022). */
const SENT_LIFE_MS = 8 * 86_400_000

type Swept = {
  readonly db: Database
  readonly files: Files
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Removes uploads that no record took in time, results of tasks nobody may fetch any more, and leavings on the disk. */
export async function sweepFiles(app: Swept, signal?: AbortSignal): Promise<number> {
  const now = app.clock.now().getTime()
  const loose = new Date(now - LOOSE_LIFE_MS)
  const sent = new Date(now - SENT_LIFE_MS)
  const expired = new Date(now - TASK_FILE_LIFE_MS)
  // Noted as they go: a storage that is away now is asked again by the next sweep.
  await sql`
    with gone as (
      delete from file
      where (record_id is null and small_of is null and created_at < case when source is null then ${loose}::timestamptz else ${sent}::timestamptz end)
        or (page = ${TASK_PAGE} and created_at < ${expired})
      returning id, created_at
    )
    insert into file_unkept (id, at) select id, created_at from gone`.execute(app.db.query)
  await sql`delete from upload where created_at < ${loose}`.execute(app.db.query)
  const failed: Failed = (file, error) =>
    app.log.warn({ err: error, file }, 'a file could not be removed; the next sweep tries again')
  return app.files.removeUnknown(loose, failed, signal)
}

/** Files made by a task stand under this name; they are nobody's but the person's who asked for them. */
export const TASK_PAGE = 'task'
/** The lock of whoever erases a person: no task begins to read meanwhile what is gone afterwards. */
export const ERASING = 'erasing'
export const TASK_FILE_LIFE_MS = 7 * 86_400_000
