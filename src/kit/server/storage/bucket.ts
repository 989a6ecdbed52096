import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketPlace } from '../process/files-url.ts'
import { dispositionOf } from './disposition.ts'
import { requireName } from './folder.ts'
import { EMPTY_SHA256, type Keys, signHeaders, signLink } from './signature.ts'
import { type LinkedStore, StorageAway } from './store.ts'

const ANSWER_MS = 10_000
/** An export of some hundred megabytes over a slow line. */
const PUT_MS = 300_000
/** Waited before each further try; a storage that is busy says so by 503. */
const AGAIN_MS = [200, 800]

type Request = {
  readonly headers?: Record<string, string>
  readonly body?: Blob
  readonly sha256?: string
  readonly ms?: number
  readonly signal?: AbortSignal | undefined
}

/** A bucket of an S3-speaking storage (FILES_URL). Only what every such storage knows is asked of it. */
export function openBucket({ root, folder, region }: BucketPlace, keys: Omit<Keys, 'region'>): LinkedStore {
  const signing = { ...keys, region }
  const urlOf = (name: string) => new URL(`${root}/${folder}${requireName(name)}`)
  const ask = (method: string, url: URL, request: Request = {}) => askUntilAnswered(signing, method, url, request)
  return {
    site: `${root}/${folder}`,
    async put(name, { path, sha256 }, called, signal) {
      // The object carries what it is: links need not say it, so that nobody can bend it.
      const headers = {
        'content-type': called.type,
        'content-disposition': dispositionOf(called),
        'cache-control': 'no-store',
      }
      try {
        const body = await openAsBlob(path)
        await emptied(await ask('PUT', urlOf(name), { headers, body, sha256, ms: PUT_MS, signal }), 'PUT')
      } finally {
        await rm(path, { force: true })
      }
    },
    async read(name, part) {
      const headers = part ? { range: `bytes=${part.first}-${part.last}` } : {}
      const answer = await ask('GET', urlOf(name), { headers })
      if (answer.ok && answer.body) return Readable.fromWeb(answer.body as ReadableStream)
      await emptied(answer, 'GET', [404])
      return undefined
    },
    async putAt(name) {
      const answer = await ask('HEAD', urlOf(name))
      await emptied(answer, 'HEAD', [404])
      return answer.ok ? new Date(answer.headers.get('last-modified') ?? Number.NaN) : undefined
    },
    async remove(name) {
      await emptied(await ask('DELETE', urlOf(name)), 'DELETE', [404])
    },
    async *names() {
      for (let next: string | undefined = ''; next !== undefined; ) {
        const url = new URL(root)
        const asked = { 'list-type': '2', prefix: folder, ...(next ? { 'continuation-token': next } : {}) }
        for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
        const answer = await ask('GET', url)
        if (!answer.ok) await emptied(answer, 'list')
        const page = await answer.text()
        yield keysIn(page)
          .map(key => key.slice(folder.length))
          .filter(name => !name.includes('/'))
        next = tokenIn(page)
      }
    },
    link: (name, now, lifeMs) => signLink(signing, urlOf(name), now, lifeMs),
  }
}

async function askUntilAnswered(keys: Keys, method: string, url: URL, request: Request): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await askOnce(keys, method, url, request)
    } catch (error) {
      const waitMs = AGAIN_MS[tries]
      if (!(error instanceof StorageAway) || waitMs === undefined) throw error
      await sleep(waitMs, undefined, request.signal ? { signal: request.signal } : {})
    }
  }
}

async function askOnce(keys: Keys, method: string, url: URL, request: Request): Promise<Response> {
  const { headers = {}, body, sha256 = EMPTY_SHA256, ms = ANSWER_MS, signal } = request
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), ms)
  const answer = await fetch(url, {
    method,
    headers: signHeaders(keys, { method, url, headers }, sha256, new Date()),
    // A signature holds for the address it was made for, and what is kept here goes to no other.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    ...(body ? { body } : {}),
  })
    .catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new StorageAway('the object storage does not answer', { cause: error })
    })
    // Only the wait for an answer is bounded here; whoever takes the bytes minds their flow.
    .finally(() => clearTimeout(timer))
  if (answer.status < 500 && answer.status !== 429) return answer
  await answer.body?.cancel()
  throw new StorageAway(`the object storage answers ${method} with ${answer.status}`)
}

/** Takes the answer to its end; one that is a refusal is told by the storage's own word for it. */
async function emptied(answer: Response, asked: string, expected: readonly number[] = []): Promise<void> {
  const said = await answer.text()
  if (answer.ok || expected.includes(answer.status)) return
  const code = /<Code>(\w+)<\/Code>/.exec(said)?.[1]
  throw new Error(`the object storage refused ${asked}: ${[answer.status, code].filter(Boolean).join(' ')}`)
}

const keysIn = (page: string): string[] =>
  [...page.matchAll(/<Contents>.*?<Key>(.*?)<\/Key>.*?<\/Contents>/gs)].map(([, key = '']) => unescaped(key))
const tokenIn = (page: string): string | undefined => {
  const token = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/s.exec(page)?.[1]
  return token === undefined ? undefined : unescaped(token)
}
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? '')
