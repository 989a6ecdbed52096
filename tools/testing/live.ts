import { createHash, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Push } from '../../src/kit/model/contract.ts'
import type { Source } from '../../src/kit/server/live/event.ts'
import { secretOf, signatureOf } from '../../src/kit/server/live/inbox-secret.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { asForm, EDGE } from './import.ts'
import type { Answer } from './instance.ts'
import { note } from './ledger.ts'

/** Puts the instance on a free port; gives "127.0.0.1:port". */
export async function listen(instance: Instance): Promise<string> {
  await instance.http.listen({ port: 0, host: '127.0.0.1' })
  return `127.0.0.1:${(instance.http.server.address() as AddressInfo).port}`
}

/** A client of the live channel that remembers what it was told. */
export type TestSocket = {
  readonly raw: WebSocket
  readonly pushes: Push[]
  /** The code the server closed with. */
  readonly closed: Promise<number>
  /** The first push that matches, also one that came already. */
  next(matches: (push: Push) => boolean, withinMs?: number): Promise<Push>
  heartbeat(token: string): void
  /** Until the server has read all that was sent before. */
  read(): Promise<void>
}

export type SocketOptions = { uuid?: string; headers?: Record<string, string> }

/** Opens a socket by token or ticket; a refusal is thrown as its HTTP status. */
export async function openSocket(
  host: string,
  slot: string,
  { uuid = randomUUID(), headers = {} }: SocketOptions = {},
): Promise<TestSocket> {
  const raw = new WebSocket(`ws://${host}/ws/websocket/${uuid}/${slot}`, { headers })
  const pushes: Push[] = []
  const waiting = new Set<() => void>()
  raw.on('message', bytes => {
    const push: Push = JSON.parse(String(bytes))
    pushes.push(push)
    note('push', `push ${push.type}`, String(bytes))
    for (const look of [...waiting]) look()
  })
  raw.on('error', () => {})
  const closed = new Promise<number>(resolve => raw.on('close', resolve))
  await new Promise<void>((resolve, reject) => {
    raw.on('open', resolve)
    raw.on('unexpected-response', (_request, response) => reject(Number(response.statusCode)))
  })
  const next = (matches: (push: Push) => boolean, withinMs = 60_000) =>
    new Promise<Push>((resolve, reject) => {
      const look = () => {
        const found = pushes.find(matches)
        if (!found) return
        clearTimeout(late)
        waiting.delete(look)
        resolve(found)
      }
      const late = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`no such push within ${withinMs} ms; got ${JSON.stringify(pushes)}`))
      }, withinMs)
      waiting.add(look)
      look()
    })
  const heartbeat = (token: string) => raw.send(JSON.stringify({ type: 1, token }))
  const read = () =>
    new Promise<void>(resolve => {
      raw.once('pong', () => resolve())
      raw.ping()
    })
  return { raw, pushes, closed, next, heartbeat, read }
}

export type SentEvent = { id?: string; type: string; data: Record<string, unknown> }
/** `text` is signed and sent as it stands; `body` is sent in place of what was signed. */
export type Forgery = { timestamp?: string; secret?: string; body?: string; text?: string }

/** Sends an event through the signed door, as its source would; or with one thing wrong. */
export async function sendEvent(
  instance: Instance,
  source: Source,
  event: SentEvent,
  wrong: Forgery = {},
): Promise<Answer<{ repeated: boolean }>> {
  const body = wrong.text ?? JSON.stringify({ id: randomUUID(), ...event })
  const timestamp = wrong.timestamp ?? String(instance.app.clock.now().getTime())
  const secret = wrong.secret ?? secretOf(instance.app.env.INBOX_SECRET ?? '', source)
  const answer = await instance.http.inject({
    method: 'POST',
    url: `/api/open/v1/${source}/events`,
    headers: {
      'content-type': 'application/json',
      'accept-language': 'en-US',
      'x-inkstone-timestamp': timestamp,
      'x-inkstone-signature': signatureOf(secret, timestamp, body),
    },
    payload: wrong.body ?? body,
  })
  return { ...answer.json(), status: answer.statusCode, headers: answer.headers, body: answer.body }
}

export type WrongFile = { timestamp?: string; secret?: string; digest?: string; purpose?: string }

/** Sends a picture, or what else it says, through the signed door, as its source would; or with one thing wrong. */
export async function sendFile(
  instance: Instance,
  source: Source,
  bytes: Buffer,
  wrong: WrongFile = {},
): Promise<Answer<{ id: string }>> {
  const timestamp = wrong.timestamp ?? String(instance.app.clock.now().getTime())
  const digest = wrong.digest ?? createHash('sha256').update(bytes).digest('hex')
  const secret = wrong.secret ?? secretOf(instance.app.env.INBOX_SECRET ?? '', source)
  const answer = await instance.http.inject({
    method: 'POST',
    url: `/api/open/v1/${source}/files?purpose=${wrong.purpose ?? 'image'}`,
    headers: {
      'accept-language': 'en-US',
      'x-inkstone-timestamp': timestamp,
      'x-inkstone-digest': digest,
      'x-inkstone-signature': signatureOf(secret, timestamp, digest),
      'content-type': `multipart/form-data; boundary=${EDGE}`,
    },
    payload: asForm(bytes, 'picture.png'),
  })
  return { ...answer.json(), status: answer.statusCode, headers: answer.headers, body: answer.body }
}
