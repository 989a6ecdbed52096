import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawData, WebSocket } from 'ws'
import { type Actor, can } from '#kit/model/actor.ts'
import { type Hint, type Push, SOCKET_CLOSE } from '#kit/model/contract.ts'
import type { Session } from '../access/session.ts'
import type { Topics } from '../database/signal.ts'
import { isReached } from './push.ts'

/** Counted on each instance apart: no instance knows the others' sockets. */
export const MAX_SOCKETS = 5
/** A reader this far behind is cut off rather than remembered. */
const MAX_BUFFERED = 1_048_576
/** Sockets served in one go before other work gets its turn. */
const TURN = 1_000
const TEXT = { binary: false } as const

/** What is known of an open socket. Fields instead of closures: ten thousand idle ones are cheap (docs/performance.md). */
export class LiveSocket extends WebSocket {
  channel: { heard(socket: LiveSocket, bytes: RawData): void; left(socket: LiveSocket): void } | undefined = undefined
  person: Person | undefined = undefined
  /** Whose eyes it is looked at with, where those are not the person's own. */
  view: Actor | undefined = undefined
  sessionId = ''
  uuid = ''
  quietSweeps = 0
  windowAt = 0
  messages = 0
}

export type Person = { actor: Actor; readonly sockets: LiveSocket[] }

/** The people with open sockets on this instance. */
export class Audience {
  readonly people = new Map<string, Person>()
  readonly metrics = { open: 0, sent: 0, dropped: 0 }

  /** Whether one more socket of this person fits; one of the same uuid makes room for its successor. */
  hasRoom(staffId: string, uuid: string): boolean {
    const sockets = this.people.get(staffId)?.sockets ?? []
    return sockets.length < MAX_SOCKETS || sockets.some(socket => socket.uuid === uuid)
  }

  seat(socket: LiveSocket, session: Session, uuid: string): Person {
    const { own: actor } = session
    const person = this.people.get(actor.id) ?? { actor, sockets: [] }
    const former = person.sockets.find(other => other.uuid === uuid)
    if (former) this.evict(former, SOCKET_CLOSE.replaced)
    socket.person = person
    socket.view = session.actor.preview && session.actor
    socket.sessionId = session.id
    socket.uuid = uuid
    person.sockets.push(socket)
    // After the former one left: the last to leave takes the person along.
    this.people.set(actor.id, person)
    this.metrics.open += 1
    return person
  }

  /** From here on the socket is told nothing, whether its end is near or has come. */
  leave(socket: LiveSocket): void {
    const { person } = socket
    if (!person) return
    socket.person = undefined
    person.sockets.splice(person.sockets.indexOf(socket), 1)
    if (person.sockets.length === 0) this.people.delete(person.actor.id)
    this.metrics.open -= 1
  }

  evict(socket: LiveSocket, code: number): void {
    this.leave(socket)
    socket.close(code)
  }

  evictWhere(code: number, isOut: (socket: LiveSocket) => boolean): void {
    for (const { sockets } of this.people.values()) {
      for (const socket of sockets.filter(isOut)) this.evict(socket, code)
    }
  }

  /** To everybody with the page and the row in reach. */
  tellReached({ page, type, key, content, ...whose }: Topics['push']): Promise<void> {
    return this.tellWhere({ type, key, content, token: null }, actor => isReached(actor, page, whose))
  }

  /** To everybody who has the record in reach; who has it open asks for it again. */
  tellChanged({ page, record, id, ...whose }: Topics['changed']): Promise<void> {
    return this.tellWhere({ changed: { record, id } }, actor => isReached(actor, page, whose))
  }

  /** To everybody who may list the page: what each is shown of it is the call's to say. */
  tellListers(page: string, hint: Hint): Promise<void> {
    return this.tellWhere(hint, actor => can(actor, page, 'list'))
  }

  tellAll(hint: Hint): Promise<void> {
    return this.tellWhere(hint, () => true)
  }

  /** Serialised once, however many listen. */
  private async tellWhere(message: Push | Hint, isMeant: (actor: Actor) => boolean): Promise<void> {
    const bytes = serialised(message)
    let served = 0
    for (const { actor, sockets } of this.people.values()) {
      // Nobody sees more as a role than as himself.
      if (!isMeant(actor)) continue
      for (const socket of [...sockets]) if (!socket.view || isMeant(socket.view)) this.send(socket, bytes)
      served += sockets.length
      if (served >= TURN) {
        served = 0
        await nextTurn()
      }
    }
  }

  tellSession(person: Person, sessionId: string, push: Push): void {
    const bytes = serialised(push)
    for (const socket of person.sockets.filter(other => other.sessionId === sessionId)) this.send(socket, bytes)
  }

  /** Says that there is something to ask for, and nothing of what it is: what the person may see is the call's to say. */
  tellPerson(staffId: string, hint: Hint): void {
    const bytes = serialised(hint)
    for (const socket of [...(this.people.get(staffId)?.sockets ?? [])]) this.send(socket, bytes)
  }

  private send(socket: LiveSocket, bytes: Buffer): void {
    if (socket.bufferedAmount > MAX_BUFFERED) {
      this.metrics.dropped += 1
      this.leave(socket)
      socket.terminate()
      return
    }
    socket.send(bytes, TEXT)
    this.metrics.sent += 1
  }
}

const serialised = (message: Push | Hint): Buffer => Buffer.from(JSON.stringify(message))
