import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import {
  link as linkFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile as writeNew,
} from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Clock } from '#kit/model/time.ts'
import type { Database, Tx } from '../database/database.ts'

export type Written = { readonly id: string; readonly bytes: number; readonly sha256: string }
export type Received = AsyncDisposable & { read(): Promise<Buffer> }
export type FileAbout = {
  readonly purpose: string
  readonly name: string
  readonly type: string
  readonly ownerId: string
  readonly now: Date
  /** The task that made it; uploads are bound later, by `attach`. */
  readonly taskId?: string
}
export type StoredFile = {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly ownerId: string
  readonly page: string | null
  readonly recordId: string | null
}

/** Where files are kept: one folder for all instances. On disk a file is called by its id and nothing a person typed. */
export type Files = {
  /** What somebody sends, written aside as it comes; gone when it is let go of. */
  receive(source: Readable): Promise<Received>
  /** Writes aside and renames, so that nobody ever reads half a file. What is not kept afterwards is swept. */
  write(source: Buffer | (() => Readable), signal?: AbortSignal): Promise<Written>
  /** The row without which the file does not exist to people; in the caller's transaction. */
  keep(tx: Tx | Database['query'], written: Written, about: FileAbout): Promise<void>
  discard(id: string): Promise<void>
  find(id: string): Promise<StoredFile | undefined>
  /** Refuses when the row is there and the file is not, as on a machine that does not share the folder. */
  read(id: string): Promise<Readable>
  /** A link that opens this file without a session, for as long as it says. */
  link(id: string, now: Date): Promise<string>
  isSigned(id: string, expires: number, signature: string, now: Date): Promise<boolean>
  /** Removes from the disk what no row knows and nobody has touched since. */
  removeUnknown(before: Date): Promise<number>
}

export const LINK_LIFE_MS = 300_000
const PART = '.part'
const LARGE_BYTES = 1_048_576
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isFileId = (value: string): boolean => UUID.test(value)

/** Makes neither folder nor key before something is stored. */
export function openFiles(dataDir: string, db: Database): Files {
  const folder = join(dataDir, 'files')
  const place = (id: string) => {
    if (!isFileId(id)) throw new Error('not the id of a file')
    return join(folder, id)
  }
  let key: Promise<Buffer> | undefined
  const sign = async (id: string, expires: number): Promise<Buffer> => {
    key ??= readKey(dataDir)
    return createHmac('sha256', await key)
      .update(`${id}.${expires}`)
      .digest()
  }
  return {
    async receive(source) {
      const { path } = await writeAside(folder, place(randomUUID()), () => source)
      const held: Buffer[] = []
      return {
        async read() {
          const bytes = await readFile(path)
          held.push(bytes)
          return bytes
        },
        async [Symbol.asyncDispose]() {
          for (const bytes of held) giveBack(bytes)
          await rm(path, { force: true })
        },
      }
    },
    write: (source, signal) => store(folder, place, source, signal),
    async keep(tx, { id, bytes, sha256 }, { purpose, name, type, ownerId, now, taskId }) {
      const made = taskId === undefined ? {} : { page: TASK_PAGE, record_id: taskId }
      const row = { id, purpose, name, type, bytes, sha256, owner_id: ownerId, created_at: now, ...made }
      await tx.insertInto('file').values(row).execute()
    },
    discard: id => rm(place(id), { force: true }),
    find: id =>
      db.query
        .selectFrom('file')
        .select(['id', 'name', 'type', 'bytes', 'owner_id as ownerId', 'page', 'record_id as recordId'])
        .where('id', '=', id)
        .executeTakeFirst(),
    async read(id) {
      try {
        return (await open(place(id))).createReadStream()
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        throw new Refused(refuse('kit/server/file:file-gone'), 'not-found')
      }
    },
    async link(id, now) {
      const expires = now.getTime() + LINK_LIFE_MS
      return `/api/common/file/${id}?expires=${expires}&signature=${(await sign(id, expires)).toString('hex')}`
    },
    async isSigned(id, expires, signature, now) {
      const given = Buffer.from(signature, 'hex')
      const wanted = await sign(id, expires)
      return given.length === wanted.length && timingSafeEqual(given, wanted) && now.getTime() < expires
    },
    removeUnknown: before => removeUnknown(folder, db, before),
  }
}

/** Whole files that wait for the collector add up when many come at once. A small one may share its memory with others. */
function giveBack({ buffer, length }: Buffer): void {
  if (length >= LARGE_BYTES && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

async function store(
  folder: string,
  place: (id: string) => string,
  source: Buffer | (() => Readable),
  signal?: AbortSignal,
): Promise<Written> {
  const id = randomUUID()
  const open = typeof source === 'function' ? source : () => Readable.from([source])
  const { path, bytes, sha256 } = await writeAside(folder, place(id), open, signal)
  await rename(path, place(id))
  return { id, bytes, sha256 }
}

async function writeAside(folder: string, place: string, open: () => Readable, signal?: AbortSignal) {
  const path = place + PART
  const hash = createHash('sha256')
  let bytes = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    // Opened here and not before: a stream that fails while nobody listens would end the process.
    await pipeline(open(), measured, target, signal ? { signal } : {})
  } catch (error) {
    await rm(path, { force: true })
    throw isDiskFull(error) ? diskFull() : error
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)))
const DISK_RETRY_SECONDS = 60
export const diskFull = (): Refused =>
  new Refused(refuse('kit/server/file:disk-full'), 'unavailable', { retrySeconds: DISK_RETRY_SECONDS })

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

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

async function removeUnknown(folder: string, db: Database, before: Date): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const ids = names.filter(isFileId)
  const known = new Set(
    (await db.read.rows('select id::text as id from file where id = any($1::uuid[])', [ids])).map(row => row.id),
  )
  let removed = 0
  for (const name of names.filter(candidate => !known.has(candidate))) {
    const path = join(folder, name)
    const changed = await stat(path).catch(() => undefined)
    if (!changed || changed.mtime >= before) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}

/** Binds a person's loose uploads to the record they were sent for; whoever sees the record then sees them. */
export async function attach(
  tx: Tx,
  ownerId: string,
  ids: readonly string[],
  page: string,
  recordId: string,
): Promise<void> {
  if (ids.length === 0) return
  const bound = await tx
    .updateTable('file')
    .set({ page, record_id: recordId })
    .where('id', 'in', [...ids])
    .where(eb =>
      eb.or([
        eb.and([eb('record_id', 'is', null), eb('owner_id', '=', ownerId)]),
        eb.and([eb('page', '=', page), eb('record_id', '=', recordId)]),
      ]),
    )
    .returning('id')
    .execute()
  if (bound.length < new Set(ids).size) throw new Refused(refuse('kit/server/file:file-unknown'), 'validation')
}

const LOOSE_LIFE_MS = 86_400_000

/** Removes uploads that no record took within a day, results of tasks nobody may fetch any more, and leavings on the disk. */
export async function sweepFiles(app: { db: Database; files: Files; clock: Clock }): Promise<number> {
  const now = app.clock.now().getTime()
  const loose = new Date(now - LOOSE_LIFE_MS)
  const expired = new Date(now - TASK_FILE_LIFE_MS)
  const gone = await app.db.query
    .deleteFrom('file')
    .where(eb =>
      eb.or([
        eb.and([eb('record_id', 'is', null), eb('created_at', '<', loose as never)]),
        eb.and([eb('page', '=', TASK_PAGE), eb('created_at', '<', expired as never)]),
      ]),
    )
    .returning('id')
    .execute()
  for (const { id } of gone) await app.files.discard(id)
  return gone.length + (await app.files.removeUnknown(loose))
}

/** Files made by a task stand under this name; they are nobody's but the person's who asked for them. */
export const TASK_PAGE = 'task'
export const TASK_FILE_LIFE_MS = 7 * 86_400_000
