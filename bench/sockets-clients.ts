import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { answerQuestions } from './companion.ts'

export type Asked =
  /** A socket for each token; with `ticket`, opened as the console's own page does it, by a ticket asked for first. */
  | { readonly open: readonly string[]; readonly host: string; readonly ticket: boolean }
  | { readonly heartbeatOverMs: number }
  /** From now on messages are counted; answered at once. */
  | { readonly arm: true }
  /** Answered when every socket got one message. */
  | { readonly received: true }
  | { readonly close: true }
/** Nanoseconds of the machine's monotonic clock, which all processes share; text, because JSON has no bigint. */
export type Received = { readonly first: string; readonly last: string }

const AT_ONCE = 100
const HEARTBEAT_STEP_MS = 100
/** Where opening takes longer than this, those already open show themselves: the console cuts off who is silent. */
const OPENING_HEARTBEAT_MS = 30_000

let sockets: { socket: WebSocket; token: string }[] = []
let lost = 0
let counted = 0
let first = 0n
let last = 0n
let complete = Promise.withResolvers<void>()

answerQuestions(async (asked: Asked): Promise<unknown> => {
  if ('open' in asked) return openAll(asked.host, asked.open, asked.ticket)
  if ('heartbeatOverMs' in asked) return heartbeat(asked.heartbeatOverMs)
  if ('close' in asked) return closeAll()
  if ('arm' in asked) {
    counted = 0
    complete = Promise.withResolvers<void>()
    return
  }
  await complete.promise
  return { first: String(first), last: String(last) } satisfies Received
})

async function openAll(host: string, tokens: readonly string[], ticket: boolean): Promise<void> {
  const waiting = [...tokens]
  const line = async () => {
    for (let token = waiting.pop(); token; token = waiting.pop()) {
      const slot = ticket ? await askForTicket(host, token) : token
      const socket = new WebSocket(`ws://${host}/ws/websocket/${randomUUID()}/${slot}`, { perMessageDeflate: false })
      socket.on('message', heard)
      socket.on('close', left)
      await once(socket, 'open')
      sockets.push({ socket, token })
    }
  }
  const beat = setInterval(() => void heartbeat(OPENING_HEARTBEAT_MS / 2), OPENING_HEARTBEAT_MS)
  await Promise.all(Array.from({ length: AT_ONCE }, line)).finally(() => clearInterval(beat))
}

async function askForTicket(host: string, token: string): Promise<string> {
  const headers = { authtoken: token, 'content-type': 'application/json' }
  const response = await fetch(`http://${host}/api/iam/ticket`, { method: 'POST', headers, body: '{}' })
  const { data } = (await response.json()) as { data: { ticket: string } }
  return data.ticket
}

function heard(): void {
  last = process.hrtime.bigint()
  if (counted === 0) first = last
  counted += 1
  if (counted === sockets.length) complete.resolve()
}

function left(): void {
  lost += 1
  complete.reject(new Error(`${lost} sockets were closed by the server`))
  complete.promise.catch(() => {})
}

/** Each socket once, spread evenly: as clients do that were opened one after another. */
async function heartbeat(overMs: number): Promise<void> {
  const steps = Math.max(1, Math.round(overMs / HEARTBEAT_STEP_MS))
  const atOnce = Math.ceil(sockets.length / steps)
  for (let at = 0; at < sockets.length; at += atOnce) {
    for (const { socket, token } of sockets.slice(at, at + atOnce)) socket.send(JSON.stringify({ type: 1, token }))
    await sleep(HEARTBEAT_STEP_MS)
  }
}

function closeAll(): void {
  for (const { socket } of sockets) {
    socket.off('close', left)
    socket.terminate()
  }
  sockets = []
}
