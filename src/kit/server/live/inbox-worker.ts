import { Refused } from '#kit/model/refusal.ts'
import type { App, Change } from '../app.ts'
import { announce } from '../change/announce.ts'
import { ownChange } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'
import { eventGivenUp, type InboxEvent, NotYet, type Source } from './event.ts'
import { requireKnownWords, UnknownWord } from './event-words.ts'
import { phoneFree, withoutPhones } from './push.ts'

const FIRST_RETRY_MS = 1_000
/** An event that failed for hours may need a newer version of the code: it is asked for again, but seldom. */
const LAST_RETRY_MS = 3_600_000
/** More than a day of tries: then a person has to look. */
const MAX_ATTEMPTS = 36
/** How long an event waits for another one that it needs. */
const LONGEST_WAIT_MS = 7 * 24 * 3_600_000
const MAX_ERROR = 500

type Waiting = {
  id: string
  source: string
  event_key: string
  type: string
  payload: unknown
  attempts: number
  received_at: string
}

/**
 * Applies stored events, oldest first, one at a time on each instance. An effect and the mark that it happened are one
 * transaction: a server that dies between leaves the event waiting, and one that is slow shares it with nobody.
 */
export class InboxWorker {
  private readonly app: App
  private readonly events: ReadonlyMap<string, InboxEvent>
  private working: Promise<void> | undefined
  private again = false
  private closed = false

  constructor(app: App, events: ReadonlyMap<string, InboxEvent>) {
    this.app = app
    this.events = events
  }

  /** Ends when nothing is due any more, also what arrived meanwhile. */
  wake(): Promise<void> {
    this.again = true
    this.working ??= this.drain().finally(() => {
      this.working = undefined
    })
    return this.working
  }

  async close(): Promise<void> {
    this.closed = true
    await this.working
  }

  private async drain(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false
      try {
        while (!this.closed && (await this.applyNext()));
      } catch (error) {
        this.app.log.warn({ err: error }, 'events wait: the database is away')
        return
      }
    }
  }

  private async applyNext(): Promise<boolean> {
    const { db, clock } = this.app
    const now = clock.now()
    let taken: Waiting | undefined
    try {
      await db.write(async tx => {
        taken = await nextWaiting(tx, now)
        if (taken) await this.apply(tx, taken, now)
      })
    } catch (error) {
      if (!taken) throw error
      await this.fail(taken, error, now)
    }
    return taken !== undefined
  }

  private async apply(tx: Tx, { id, source, event_key, type, payload }: Waiting, now: Date): Promise<void> {
    const event = this.events.get(type)
    if (!event) throw new Error(`no slice applies ${type}`)
    const data = event.data.parse(payload)
    await requireKnownWords(this.app, tx, event.data, data)
    await event.apply({ app: this.app, tx, now, source: source as Source, key: event_key }, data)
    await tx
      .updateTable('inbox_event')
      // From here on the event is a trace of what happened.
      .set({ outcome: 'APPLIED', applied_at: now, error: null, awaits: null, payload: traceOf(event, payload) })
      .where('id', '=', id)
      .execute()
  }

  /** A reason of the business ends the event; anything else is tried again, later each time, and not for ever. */
  private async fail(event: Waiting, error: unknown, now: Date): Promise<void> {
    const { id, type, attempts } = event
    const { log, db } = this.app
    if (error instanceof Refused && error.kind !== 'unavailable') {
      log.info({ event: id, type, code: error.refusal.code }, 'an event was refused')
      await this.end(event, 'REFUSED', error.refusal.code)
      return
    }
    const isWaiting = error instanceof NotYet
    const isStuck = error instanceof UnknownWord
    const said = withoutPhones(error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR)
    const isLast = isWaiting
      ? now.getTime() - new Date(event.received_at).getTime() >= LONGEST_WAIT_MS
      : attempts + 1 >= MAX_ATTEMPTS
    if (isLast || isStuck) return this.giveUp(event, isWaiting ? 'REFUSED' : 'FAILED', said, now)
    log.warn({ err: error, event: id, type }, 'an event could not be applied yet')
    const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 30), LAST_RETRY_MS)
    await db.query
      .updateTable('inbox_event')
      .set({
        attempts: attempts + 1,
        error: said,
        awaits: isWaiting ? said : null,
        next_at: new Date(now.getTime() + wait),
      })
      .where('id', '=', id)
      .where('outcome', '=', 'WAITING')
      .execute()
  }

  private async giveUp(event: Waiting, outcome: 'REFUSED' | 'FAILED', error: string, now: Date): Promise<void> {
    const { id, source, type, event_key: key } = event
    this.app.log.error({ event: id, type, said: error }, 'an event was given up')
    await this.app.db.write(async tx => {
      if (!(await this.end(event, outcome, error, tx))) return
      await announce(ownChange(this.app, tx, now, `event:${key}`), eventGivenUp, { id, source, type, key, error })
    })
  }

  /** Refused, what it said has served; given up, somebody may have it tried once more. */
  private async end(
    { id, type, payload, attempts }: Waiting,
    outcome: 'REFUSED' | 'FAILED',
    error: string,
    db: Pick<Tx, 'updateTable'> = this.app.db.query,
  ): Promise<boolean> {
    const ended = await db
      .updateTable('inbox_event')
      .set({
        outcome,
        error,
        awaits: null,
        attempts: attempts + 1,
        ...(outcome === 'REFUSED' ? { payload: traceOf(this.events.get(type), payload) } : {}),
      })
      .where('id', '=', id)
      .where('outcome', '=', 'WAITING')
      .returning('id')
      .executeTakeFirst()
    return ended !== undefined
  }
}

/** What stays of an event that has served: no phone in full, and nothing that people typed. */
function traceOf(event: InboxEvent | undefined, payload: unknown): string {
  const kept = Object.entries(payload as object).filter(([name]) => !event?.unkept?.includes(name))
  return phoneFree(Object.fromEntries(kept))
}

/** Tries an event again that was given up, from its first attempt on; says whether there was one. */
export async function reviveEvent({ tx, now }: Pick<Change, 'tx' | 'now'>, id: string): Promise<boolean> {
  const revived = await tx
    .updateTable('inbox_event')
    .set({ outcome: 'WAITING', attempts: 0, next_at: now })
    .where('id', '=', id)
    .where('outcome', '=', 'FAILED')
    .returning('id')
    .executeTakeFirst()
  return revived !== undefined
}

const nextWaiting = (tx: Tx, now: Date): Promise<Waiting | undefined> =>
  tx
    .selectFrom('inbox_event')
    .select(['id', 'source', 'event_key', 'type', 'payload', 'attempts', 'received_at'])
    .where('outcome', '=', 'WAITING')
    .where('next_at', '<=', now.toISOString())
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
