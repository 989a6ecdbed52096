import { CODES, type Envelope, KEEPALIVE_IDLE_MS, REQUEST_TIMEOUT_MS, TOKEN_HEADER } from '#kit/model/contract.ts'
import { noteReach } from './reach.ts'
import { readToken, writeToken } from './token.ts'

/** A call that was refused or failed, with everything needed to say so beside the right field. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly code: number
  readonly status: number
  readonly fields: Readonly<Record<string, string>>
  /** The newer version of a record, after a conflict. */
  readonly current: unknown
  /** What the server's log calls a failure of its own. */
  readonly incident: string | undefined
  /** The address where it can be asked for instead. */
  readonly instead: string | undefined

  constructor(status: number, answer: Partial<Envelope<Failure | null>>) {
    super(answer.msg ?? '')
    this.status = status
    this.code = answer.code ?? status
    this.fields = answer.data?.fields ?? {}
    this.current = answer.data?.current
    this.incident = answer.data?.incident
    this.instead = answer.data?.instead
  }
}

type Failure = { fields?: Record<string, string>; current?: unknown; incident?: string; instead?: string }

/** A call that got no answer: the server was not reached, or took too long. */
export class Unanswered extends Error {
  override name = 'Unanswered'
  readonly isLate: boolean

  constructor(cause: unknown) {
    super('', { cause })
    this.isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
  }
}

/** Spec §8: before the first colon stands the title, after it the description; a message without one is whole. */
export function splitMessage(message: string): { title: string; description?: string } {
  const at = message.search(/[:：]/)
  return at < 0 ? { title: message } : { title: message.slice(0, at).trim(), description: message.slice(at + 1).trim() }
}

/** What the server says of it, without the title above; nothing where it never answered. */
export const reasonOf = ({ message }: CallFailed): string => {
  const { title, description } = splitMessage(message)
  return description ?? title
}

/** The server was not reached, or cannot answer just now: what is on the screen already still counts. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof CallFailed) || error.status >= 500 || error.status === 429

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
type CallOptions = {
  query?: Query
  body?: unknown
  signal?: AbortSignal
  /** One per opened form: a form sent twice has one effect. */
  idempotencyKey?: string
  /** For files: the server must begin to answer in time, the bytes may take as long as they need. */
  isFile?: boolean
}

/** What the session does when the server says it has ended, or refuses the token; set once by the shell. */
type EndHandlers = { expired(): void; unauthorised(): void; forbidden(message: string): void }
let handlers: EndHandlers = { expired() {}, unauthorised() {}, forbidden() {} }
export const onSessionEnd = (given: EndHandlers): void => {
  handlers = given
}

let language = 'zh-CN'
export const speak = (chosen: string): void => {
  language = chosen
}

export const get = <T>(path: string, options?: CallOptions): Promise<T> => call<T>('GET', path, options)
export const post = <T>(path: string, body: unknown = {}, options?: CallOptions): Promise<T> =>
  call<T>('POST', path, { ...options, body })
export const put = <T>(path: string, body: unknown, options?: CallOptions): Promise<T> =>
  call<T>('PUT', path, { ...options, body })
export const remove = <T>(path: string, options?: CallOptions): Promise<T> => call<T>('DELETE', path, options)

/** What is asked before anybody wants it, by its path. */
const ahead = new Map<string, Promise<Sent>>()

/** Asks while the parts that want the answer are still on their way; the first that asks for it gets it, failure or not. */
export function askAhead(path: string): void {
  const sent = send('GET', path, {})
  sent.catch(() => {})
  ahead.set(`GET ${path}`, sent)
}

function takeAhead(asked: string, { query, signal }: CallOptions): Promise<Sent> | undefined {
  const sent = query || signal ? undefined : ahead.get(asked)
  ahead.delete(asked)
  return sent
}

async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const sent = await (takeAhead(`${method} ${path}`, options) ?? send(method, path, options))
  return unwrap<T>(sent, await readEnvelope(sent.answer))
}

async function send(
  method: string,
  path: string,
  { query, body, signal, idempotencyKey, isFile }: CallOptions,
): Promise<Sent> {
  const token = readToken()
  const headers: Record<string, string> = { 'accept-language': language }
  if (token) headers[TOKEN_HEADER] = token
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  const limit = timeLimit(isFile ?? false)
  const answer = await fetch(`/api${path}${queryText(query)}`, {
    method,
    headers,
    signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  }).catch((error: unknown) => {
    // A call nobody waits for any more says nothing about the way to the server.
    if (signal?.aborted) throw error
    noteReach(false)
    throw new Unanswered(error)
  })
  noteReach(true)
  limit.begun()
  const fresh = answer.headers.get(TOKEN_HEADER)
  // An answer that comes after signing out, or after another's rotation, brings nothing back.
  if (fresh && token === readToken()) writeToken(fresh)
  if (answer.ok) restKeepalive()
  return { answer, token }
}

type Sent = { readonly answer: Response; readonly token: string | null }

/** A large upload over a slow line, or a large export before its first byte. */
const FILE_TIMEOUT_MS = 600_000

function timeLimit(isFile: boolean): { signal: AbortSignal; begun(): void } {
  if (!isFile) return { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS), begun() {} }
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new DOMException('', 'TimeoutError')), FILE_TIMEOUT_MS)
  return { signal: stop.signal, begun: () => clearTimeout(timer) }
}

/** Arrays are repeated parameters (spec §7); what is undefined or empty is left out. */
export function queryText(query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue
    for (const single of Array.isArray(value) ? value : [value]) params.append(name, String(single))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

async function readEnvelope(answer: Response): Promise<Partial<Envelope<never>> & { result?: { isLogin?: boolean } }> {
  try {
    return await answer.json()
  } catch {
    return {}
  }
}

function unwrap<T>({ answer, token }: Sent, envelope: Partial<Envelope<T>> & { result?: { isLogin?: boolean } }): T {
  if (answer.ok && envelope.code === CODES.ok) return envelope.data as T
  const failure = new CallFailed(answer.status, envelope as never)
  // What is said of a token that is no longer ours does not concern the session at hand.
  const isOurs = token === readToken() && !envelope.result?.isLogin
  if (answer.status === 401 && isOurs) handlers.unauthorised()
  else if (envelope.code === CODES.session && isOurs) handlers.expired()
  else if (answer.status === 403) handlers.forbidden(failure.message)
  throw failure
}

/** A download: the file when there is a filename header, else the envelope's data (a task was started instead). */
export const download = <T>(path: string, query?: Query): Promise<Downloaded<T>> =>
  received<T>('GET', path, query ? { query } : {})

/** A file made of what is sent. */
export const downloadOf = <T>(path: string, body: unknown): Promise<Downloaded<T>> =>
  received<T>('POST', path, { body })

type Downloaded<T> = { file: Blob; name: string } | { data: T }

async function received<T>(method: string, path: string, options: CallOptions): Promise<Downloaded<T>> {
  const sent = await send(method, path, { isFile: true, ...options })
  const { answer } = sent
  const name = answer.headers.get('filename')
  if (name === null) return { data: unwrap<T>(sent, await readEnvelope(answer)) }
  return { file: await answer.blob(), name: decodeURIComponent(name.replaceAll('+', ' ')) }
}

export function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** A link to a file somewhere else: it comes as a download, and whatever else would come leaves this page alone. */
export function follow(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.click()
}

export async function upload<T>(path: string, file: File, query?: Query): Promise<T> {
  const body = new FormData()
  body.append('file', file)
  return call<T>('POST', path, { isFile: true, body, ...(query ? { query } : {}) })
}

let keepalive: ReturnType<typeof setTimeout> | undefined
/** Spec §7: after ten idle minutes the session is kept alive by a ping; every answer starts the wait anew. */
function restKeepalive(): void {
  clearTimeout(keepalive)
  keepalive = setTimeout(() => {
    // A ping that does not get through is tried again after the next wait; without a token there is nothing to keep.
    if (readToken()) post('/iam/ping').catch(restKeepalive)
  }, KEEPALIVE_IDLE_MS)
}
