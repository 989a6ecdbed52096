import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Session } from '../access/session.ts'
import type { App } from '../app.ts'
import { sessionBehind } from './ticket.ts'

/** All that a log may show of a socket's address: the rest of it is a secret. */
const ROUTE = '/ws/websocket/:uuid/:ticket'
const ADDRESS = /^\/ws\/websocket\/([0-9A-Za-z-]{8,64})\/([^/]+)$/
/** Sessions looked up at once: after a restart all clients come together, and calls need the database too. */
const LOOKUPS = 8
const MAX_WAITING = 20_000
const RETRY_SECONDS = 3

export type Knock = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }

/** What the door needs of the room behind it. */
export type Room = {
  isClosing(): boolean
  hasRoom(staffId: string, uuid: string): boolean
  /** Counts changes of rights, so that what was looked up before one can be told from what was looked up after. */
  changes(): number
  enter(knock: Knock, session: Session, uuid: string, isStale: boolean): void
}

/** Decides before the upgrade who comes in: address, origin, session, room. Nothing is upgraded that is refused. */
export function openDoor(app: App, room: Room): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const lookups = new Lookups()

  const admit = async (knock: Knock): Promise<number> => {
    const { request } = knock
    const [, uuid, slot] = ADDRESS.exec(request.url ?? '') ?? []
    if (uuid === undefined || slot === undefined) return 404
    if (!isOwnOrigin(request)) return 403
    if (room.isClosing() || !lookups.hasPlace()) return 503
    const before = room.changes()
    const session = await lookups.take(async () => (knock.socket.destroyed ? undefined : sessionBehind(app, slot)))
    if (!session || knock.socket.destroyed) return 401
    if (session.mustChangePassword || session.mustEnrol) return 403
    if (room.isClosing()) return 503
    if (!room.hasRoom(session.actor.id, uuid)) return 429
    // Copied: a part of the address would keep the whole of it in memory, and its secret.
    room.enter(knock, session, Buffer.from(uuid).toString(), room.changes() !== before)
    return 101
  }

  return (request, socket, head) => {
    socket.on('error', ignore)
    admit({ request, socket, head }).then(
      status => {
        app.log.debug({ route: ROUTE, status }, 'a socket knocked')
        if (status === 101) socket.off('error', ignore)
        else turnAway(socket, status)
      },
      error => {
        app.log.warn({ err: error, route: ROUTE }, 'a socket could not be let in')
        turnAway(socket, 503)
      },
    )
  }
}

/** A browser says where the page came from; another site's page is refused, a program without a page is not. */
function isOwnOrigin({ headers }: IncomingMessage): boolean {
  if (headers.origin === undefined) return true
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host
}

const ignore = () => {}

function turnAway(socket: Duplex, status: number): void {
  const later = status === 503 || status === 429 ? `Retry-After: ${RETRY_SECONDS}\r\n` : ''
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n${later}Content-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  )
}

class Lookups {
  private running = 0
  private readonly waiting: (() => void)[] = []

  hasPlace(): boolean {
    return this.waiting.length < MAX_WAITING
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= LOOKUPS) await new Promise<void>(resolve => this.waiting.push(resolve))
    else this.running += 1
    try {
      return await work()
    } finally {
      // The place is handed on, so that nobody slips in between.
      const next = this.waiting.shift()
      if (next) next()
      else this.running -= 1
    }
  }
}
