import {
  type Changed,
  HEARTBEAT_MS,
  type Hint,
  NO_TOKEN_RETRY_MS,
  PUSHES,
  type Push,
  RECONNECT_CAP_MS,
  RECONNECT_START_MS,
  RECONNECT_WINDOW_MS,
  REQUEST_TIMEOUT_MS,
  SOCKET_CLOSE,
} from '#kit/model/contract.ts'

/** Spec §4: the states of the live connection and their codes. */
export const LIVE_CODES = { connecting: 1, online: 2, offline: 3 } as const
type LiveState = keyof typeof LIVE_CODES
/** Begins the key of whatever is asked for again as soon as figures are told to be others; behind it stands their page. */
export const FIGURES = 'figures'
/** What people see: offline is still trying, error has given up until it is clicked or looked at again. */
export type LiveIndicator = LiveState | 'error'

/** `WebSocket.OPEN`, which only browsers know. */
const OPEN = 1

/** The part of a WebSocket this needs, so that a test can play the server. */
export type Socket = {
  readonly readyState: number
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number }) => void) | null
}

export type Surroundings = {
  token(): string | null
  /** A one-time ticket, so that no token stands in an address. */
  ticket(): Promise<string>
  open(path: string): Socket
  now(): number
  /** Runs work later; gives back how to call it off. */
  after(ms: number, work: () => void): () => void
  /** From 0 to 1. */
  random(): number
  /** Growth of the wait from one failure to the next (spec §4: 1.2 or 1.3). */
  factor(): number
  onIndicator(indicator: LiveIndicator): void
  onOnline(): void
  onPush(push: Push): void
  /** Something this person asked for was decided. */
  onDecided(id: string): void
  /** Long work of this person's came to its end. */
  onTaskEnded(id: string): void
  /** A message to this person came, or may have come while nobody could tell us. */
  onMessage(): void
  /** A record within the person's reach changed, or what hangs on it. */
  onChanged(changed: Changed): void
  /** What the page of this key adds up is other than before. */
  onFigures(page: string): void
  /** Records in the list of the page of this key are other than before. */
  onRows(page: string): void
  /** The menu was arranged anew, or the person's rights changed, or may have. */
  onMenuChanged(): void
  /** This person sees other records than before. */
  onReachChanged(): void
  /** The server closed the socket because the session has ended. */
  onEnded(): void
}

/** The live connection of one window: opened once there is a token, kept by heartbeats, reopened by the law of spec §4. */
export class LiveChannel {
  private readonly around: Surroundings
  private readonly uuid = crypto.randomUUID()
  private socket: Socket | undefined
  private state: LiveState = 'offline'
  private running = false
  /** Answers of an attempt that was given up are told by its number. */
  private attempt = 0
  private failures = 0
  private failedAt: number | undefined
  private onlineAt: number | undefined
  private wasOnline = false
  private cancelTimer: () => void = () => {}

  constructor(around: Surroundings) {
    this.around = around
  }

  start(): void {
    if (this.running) return
    this.running = true
    this.connect()
  }

  stop(): void {
    this.running = false
    this.hangUp()
  }

  /** By click: tries at once, and the wait begins anew. */
  reconnect(): void {
    if (!this.running) return
    this.forgetFailures()
    this.connect()
  }

  /** Somebody looks again: no reason to wait any longer. */
  wake(): void {
    if (this.state === 'offline') this.reconnect()
  }

  private connect(): void {
    this.hangUp()
    if (this.around.token() === null) {
      this.enter('offline')
      this.cancelTimer = this.around.after(NO_TOKEN_RETRY_MS, () => this.connect())
      return
    }
    const attempt = this.attempt
    this.enter('connecting')
    // A socket that neither opens nor fails is a failure too.
    this.cancelTimer = this.around.after(2 * REQUEST_TIMEOUT_MS, () => this.fail(attempt))
    this.around.ticket().then(
      ticket => this.dial(attempt, ticket),
      () => this.fail(attempt),
    )
  }

  private dial(attempt: number, ticket: string): void {
    if (attempt !== this.attempt) return
    const socket = this.around.open(`/ws/websocket/${this.uuid}/${ticket}`)
    this.socket = socket
    socket.onopen = () => {
      this.cancelTimer()
      this.onlineAt = this.around.now()
      this.enter('online')
      this.beat()
      this.around.onOnline()
      this.around.onMessage()
      // Rights and menu may have changed while nobody could tell us.
      if (this.wasOnline) this.around.onMenuChanged()
      this.wasOnline = true
    }
    socket.onmessage = ({ data }) => {
      const message = readMessage(data)
      const push = readPush(message)
      if (push) this.around.onPush(push)
      else if (typeof message.decided === 'string') this.around.onDecided(message.decided)
      else if (typeof message.task === 'string') this.around.onTaskEnded(message.task)
      else if (typeof message.message === 'string') this.around.onMessage()
      else if (message.menu === true) this.around.onMenuChanged()
      else if (message.reach === true) this.around.onReachChanged()
      else if (message.changed) this.around.onChanged(message.changed)
      else if (typeof message.figures === 'string') this.around.onFigures(message.figures)
      else if (typeof message.rows === 'string') this.around.onRows(message.rows)
    }
    socket.onclose = ({ code }) => {
      this.fail(attempt)
      if (code === SOCKET_CLOSE.ended) this.around.onEnded()
    }
  }

  private beat(): void {
    this.cancelTimer = this.around.after(HEARTBEAT_MS, () => {
      // A network that went away is told as a closing that takes its time: nothing is sent into that.
      if (this.socket?.readyState !== OPEN) return this.fail(this.attempt)
      // The token may have been changed by another tab since the last beat.
      this.socket.send(JSON.stringify({ type: 1, token: this.around.token() }))
      this.beat()
    })
  }

  private fail(attempt: number): void {
    if (attempt !== this.attempt || !this.running) return
    const now = this.around.now()
    // A connection that held for a heartbeat was a good one: its loss begins a new count.
    if (this.onlineAt !== undefined && now - this.onlineAt >= HEARTBEAT_MS) this.forgetFailures()
    const tooFarApart = this.failedAt !== undefined && now - this.failedAt >= RECONNECT_WINDOW_MS
    this.failedAt = now
    this.hangUp()
    this.enter('offline', tooFarApart)
    if (tooFarApart) return
    const wait = retryDelayMs(this.failures, this.around.factor(), this.around.random())
    this.failures += 1
    this.cancelTimer = this.around.after(wait, () => this.connect())
  }

  private forgetFailures(): void {
    this.failures = 0
    this.failedAt = undefined
  }

  private hangUp(): void {
    this.attempt += 1
    this.cancelTimer()
    this.cancelTimer = () => {}
    this.onlineAt = undefined
    const { socket } = this
    this.socket = undefined
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  private enter(state: LiveState, givenUp = false): void {
    this.state = state
    this.around.onIndicator(givenUp ? 'error' : state)
  }
}

/** Spec §4: 3 s, growing by the factor, at most 60 s; half of it is chance, so that a thousand clients do not come back at once. */
export const retryDelayMs = (failures: number, factor: number, random: number): number =>
  Math.min(RECONNECT_START_MS * factor ** failures * (0.5 + random), RECONNECT_CAP_MS)

const readPush = (message: Partial<Push>): Push | undefined =>
  typeof message.type === 'number' && message.type in PUSHES
    ? {
        type: message.type,
        key: String(message.key ?? ''),
        content: String(message.content ?? '{}'),
        token: message.token ?? null,
      }
    : undefined

/** What is no object says nothing. */
function readMessage(data: unknown): Partial<Push & Hint> {
  try {
    return (JSON.parse(String(data)) as Partial<Push & Hint> | null) ?? {}
  } catch {
    return {}
  }
}
