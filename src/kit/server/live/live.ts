import type { Server as HttpServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawData, type Server, type WebSocket, WebSocketServer } from 'ws'
import type { Actor, Scope } from '#kit/model/actor.ts'
import { SOCKET_CLOSE, TOKEN_PUSH } from '#kit/model/contract.ts'
import type { Session } from '../access/session.ts'
import type { App } from '../app.ts'
import { Audience, LiveSocket, type Person } from './audience.ts'
import { Gathered } from './gathered.ts'
import { type Knock, openDoor } from './upgrade.ts'

const MAX_MESSAGE = 4_096
const SWEEP_MS = 15_000
/** Five whole sweeps without a heartbeat are 75 s, more than two heartbeats of 30 s. */
const QUIET_SWEEPS = 5
/** Sessions also end without a signal (expiry, idleness): once a minute they are asked for. */
const RECHECK_SWEEPS = 4
const WINDOW_MS = 10_000
const MAX_MESSAGES = 20
const FAREWELL_MS = 1_000
const RETRY_MS = 1_000
/** People read again at once after a change of rights. */
const REREADS = 8
/** Of many changes one after the other so much is let pass; the last of them is always told. Lists stand open on more desks than walls do. */
const FIGURES_REST_MS = 3_000
const ROWS_REST_MS = 10_000

export type Live = {
  /** Open sockets, pushes sent, and readers cut off because they were too slow. */
  readonly metrics: Readonly<{ open: number; sent: number; dropped: number }>
  /** One round of what the timer does every 15 s. */
  sweep(): Promise<void>
  /** Tells every client to come back later, and ends. */
  close(): Promise<void>
}

/** The live channel of one instance, on the port of the calls (spec §7). */
export function openLive(app: App, server: HttpServer): Live {
  const channel = new Channel(app, server)
  return { metrics: channel.audience.metrics, sweep: () => channel.sweep(), close: () => channel.close() }
}

class Channel {
  readonly audience = new Audience()
  private readonly figures = new Gathered(FIGURES_REST_MS, page =>
    this.inLine(() => this.audience.tellListers(page, { figures: page })),
  )
  private readonly rows = new Gathered(ROWS_REST_MS, page =>
    this.inLine(() => this.audience.tellListers(page, { rows: page })),
  )
  private readonly app: App
  private readonly sockets: Server<typeof LiveSocket>
  private readonly timer: NodeJS.Timeout
  /** Changes of rights and pushes in the order of their signals: no push goes by rights that ended before it. */
  private line: Promise<void> = Promise.resolve()
  private changes = 0
  private sweeps = 0
  private closing = false

  constructor(app: App, server: HttpServer) {
    this.app = app
    this.sockets = new WebSocketServer<typeof LiveSocket>({
      noServer: true,
      WebSocket: LiveSocket,
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE,
    })
    this.hear()
    const door = openDoor(app, {
      isClosing: () => this.closing,
      hasRoom: (staffId, uuid) => this.audience.hasRoom(staffId, uuid),
      changes: () => this.changes,
      enter: (knock, session, uuid, isStale) => this.enter(knock, session, uuid, isStale),
    })
    server.on('upgrade', door)
    this.timer = setInterval(() => void this.sweep(), SWEEP_MS)
    this.timer.unref()
  }

  private hear(): void {
    this.app.sessions.onChange(({ sessionIds, staffIds, previewOf }) => {
      this.changes += 1
      // Whoever comes back comes with what is seen now.
      if (previewOf !== undefined)
        this.audience.evictWhere(SOCKET_CLOSE.restart, ({ sessionId }) => sessionId === previewOf)
      if (sessionIds) {
        this.audience.evictWhere(SOCKET_CLOSE.ended, socket => sessionIds.includes(socket.sessionId))
      } else {
        this.inLine(() => this.recheck(staffIds))
      }
    })
    this.app.signals.on('push', push => this.inLine(() => this.audience.tellReached(push)))
    this.app.signals.on('changed', changed => this.inLine(() => this.audience.tellChanged(changed)))
    this.app.signals.on('figures', ({ page }) => this.figures.hear(page))
    this.app.signals.on('rows', ({ page }) => this.rows.hear(page))
    this.app.signals.on('decided', ({ staffId, logId }) => this.audience.tellPerson(staffId, { decided: logId }))
    this.app.signals.on('message', ({ staffId, messageId }) =>
      this.audience.tellPerson(staffId, { message: messageId }),
    )
    this.app.signals.on('menu', () => this.inLine(() => this.audience.tellAll({ menu: true })))
    this.app.signals.on('task-ended', ({ staffId, taskId }) => this.audience.tellPerson(staffId, { task: taskId }))
  }

  private inLine(work: () => Promise<void>): void {
    this.line = this.line.then(work).catch(error => this.app.log.error({ err: error }, 'the live channel failed'))
  }

  private enter({ request, socket, head }: Knock, session: Session, uuid: string, isStale: boolean): void {
    this.sockets.handleUpgrade(request, socket, head, opened => {
      this.audience.seat(opened, session, uuid)
      opened.channel = this
      opened.on('message', onMessage)
      opened.on('close', onClose)
      opened.on('error', onError)
      // Rights changed while this session was looked up: what was found may be what was before.
      if (isStale) this.inLine(() => this.recheck([session.actor.id]))
    })
  }

  left(socket: LiveSocket): void {
    this.audience.leave(socket)
  }

  heard(socket: LiveSocket, bytes: RawData): void {
    const now = performance.now()
    if (now - socket.windowAt > WINDOW_MS) {
      socket.windowAt = now
      socket.messages = 0
    }
    socket.messages += 1
    if (socket.messages > MAX_MESSAGES) this.audience.evict(socket, SOCKET_CLOSE.flooded)
    // Nobody sits on a socket that was sent away, and its messages count no more.
    const { person } = socket
    const token = person && heartbeatToken(bytes)
    if (person && token !== undefined) void this.heartbeat(socket, person, token)
  }

  /** A heartbeat counts only with a token of the socket's own session; an old token is exchanged on this occasion. */
  private async heartbeat(socket: LiveSocket, person: Person, token: string): Promise<void> {
    try {
      const session = await this.app.sessions.find(token)
      if (session?.id !== socket.sessionId) return
      socket.quietSweeps = 0
      // A preview also ends by itself, and what its role holds may have changed.
      socket.view = session.actor.preview && session.actor
      const fresh = await this.app.sessions.rotate(session, token)
      // To this instance's sockets alone: a token is never written down for others to read.
      if (fresh)
        this.audience.tellSession(person, session.id, { type: TOKEN_PUSH, key: '', content: '{}', token: fresh })
    } catch (error) {
      // The database is away: the client is not to blame, and its session is asked for again each minute.
      socket.quietSweeps = 0
      this.app.log.debug({ err: error }, 'a heartbeat could not be checked')
    }
  }

  async sweep(): Promise<void> {
    this.audience.evictWhere(SOCKET_CLOSE.silent, socket => {
      socket.quietSweeps += 1
      return socket.quietSweeps > QUIET_SWEEPS
    })
    this.sweeps += 1
    if (this.sweeps % RECHECK_SWEEPS === 0) {
      this.inLine(() => this.closeEnded([...this.audience.people.values()]))
      await this.line
    }
  }

  /** Reads the rights of these people again, or of all; until it succeeds nothing behind it in the line is sent. */
  private async recheck(staffIds: readonly string[] | undefined): Promise<void> {
    const all = staffIds
      ? staffIds.flatMap(id => this.audience.people.get(id) ?? [])
      : [...this.audience.people.values()]
    await this.closeEnded(all)
    for (let at = 0; at < all.length; at += REREADS) {
      await Promise.all(all.slice(at, at + REREADS).map(person => this.reread(person)))
    }
  }

  private async reread(person: Person): Promise<void> {
    const actor = await this.untilRead(() => this.app.sessions.actor(person.actor.id))
    if (actor) {
      const { actor: before } = person
      person.actor = actor
      // The console shows what the person may do: it asks for that again.
      if (allowed(before) !== allowed(actor)) this.audience.tellPerson(actor.id, { menu: true })
      // What stands on the screen was asked for with another reach.
      if (reached(before) !== reached(actor)) this.audience.tellPerson(actor.id, { reach: true })
    } else this.audience.evictWhere(SOCKET_CLOSE.ended, socket => socket.person === person)
  }

  private async closeEnded(people: readonly Person[]): Promise<void> {
    const ids = people.flatMap(({ sockets }) => sockets.map(({ sessionId }) => sessionId))
    if (ids.length === 0) return
    const asked = new Set(ids)
    const alive = await this.untilRead(() => this.app.sessions.alive(ids))
    if (!alive) return
    this.audience.evictWhere(SOCKET_CLOSE.ended, ({ sessionId }) => asked.has(sessionId) && !alive.has(sessionId))
  }

  /** Rights that cannot be read are neither trusted nor taken away: the line waits, and with it every push. */
  private async untilRead<T>(read: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await read()
      } catch (error) {
        if (this.closing) return undefined
        this.app.log.warn({ err: error }, 'rights could not be read')
        await delay(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  async close(): Promise<void> {
    this.closing = true
    clearInterval(this.timer)
    this.figures.close()
    this.rows.close()
    const { clients } = this.sockets
    for (const socket of clients) this.audience.evict(socket, SOCKET_CLOSE.restart)
    for (let waited = 0; clients.size > 0 && waited < FAREWELL_MS; waited += 20) await delay(20)
    for (const socket of clients) socket.terminate()
    await this.line
  }
}

/** What a console shows or hides by. */
const allowed = ({ roleCodes, grants }: Actor): string =>
  JSON.stringify([roleCodes, [...grants].map(([page, actions]) => [page, ...[...actions].sort()].join()).sort()])

/** Whose records each page shows; read twice, they come in any order. */
const reached = ({ scopes }: Actor): string =>
  JSON.stringify([...scopes].map(([page, scope]) => [page, told(scope)]).sort())

// A role says the same of a hundred pages, by one object.
const TOLD = new WeakMap<Scope, string>()
function told(scope: Scope): string {
  const known =
    TOLD.get(scope) ??
    JSON.stringify(scope.all || [sorted(scope.owners), sorted(scope.orgs), scope.within && told(scope.within)])
  TOLD.set(scope, known)
  return known
}
const sorted = (ids: readonly string[]): string[] => [...ids].sort()

// One function for all sockets, called with the socket as `this`.
function onMessage(this: WebSocket, bytes: RawData): void {
  if (this instanceof LiveSocket) this.channel?.heard(this, bytes)
}

function onClose(this: WebSocket): void {
  if (this instanceof LiveSocket) this.channel?.left(this)
}

// Too big a message, a broken frame: the socket closes itself with the fitting code.
const onError = (): void => {}

/** The token of `{type: 1, token}` (spec §7); anything else is no message of the contract and is ignored. */
function heartbeatToken(bytes: RawData): string | undefined {
  try {
    const message: unknown = JSON.parse(String(bytes))
    if (typeof message !== 'object' || message === null) return undefined
    if (!('type' in message) || message.type !== 1 || !('token' in message)) return undefined
    return typeof message.token === 'string' ? message.token : undefined
  } catch {
    return undefined
  }
}
