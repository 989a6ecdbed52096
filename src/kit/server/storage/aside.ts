import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { codeOf, makeFolder } from './folder.ts'
import type { Aside } from './store.ts'

export type Received = AsyncDisposable & Aside & { read(): Promise<Buffer> }

const PART = '.part'
const LARGE_BYTES = 1_048_576

/** Writes to the disk as it comes, and measures it. What breaks off leaves nothing; what a kill leaves is swept. */
export async function writeAside(folder: string, open: () => Readable, signal?: AbortSignal): Promise<Aside> {
  const path = join(folder, `${randomUUID()}${PART}`)
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
    await makeFolder(folder)
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
    // Opened here and not before: a stream that fails while nobody listens would end the process.
    await pipeline(open(), measured, target, signal ? { signal } : {})
  } catch (error) {
    await rm(path, { force: true })
    throw isDiskFull(error) ? diskFull() : error
  }
  return { path, bytes, sha256: hash.digest('hex') }
}

/** What somebody sends, on the disk for as long as it is held. */
export async function receiveAside(folder: string, source: Readable): Promise<Received> {
  const aside = await writeAside(folder, () => source)
  const held: Buffer[] = []
  return {
    ...aside,
    async read() {
      const bytes = await readFile(aside.path)
      held.push(bytes)
      return bytes
    },
    async [Symbol.asyncDispose]() {
      for (const bytes of held) giveBack(bytes)
      await rm(aside.path, { force: true })
    },
  }
}

/** Whole files that wait for the collector add up when many come at once. A small one may share its memory with others. */
function giveBack({ buffer, length }: Buffer): void {
  if (length >= LARGE_BYTES && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)))
const DISK_RETRY_SECONDS = 60
export const diskFull = (): Refused =>
  new Refused(refuse('kit/server/file:disk-full'), 'unavailable', { retrySeconds: DISK_RETRY_SECONDS })
