import { Refused } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import type { Tx } from '../database.ts'
import type { InboxEvent, Source } from './event.ts'
import { phoneFree, withoutPhones } from './push.ts'

const FIRST_RETRY_MS = 1_000
/** An event that failed for hours may need a newer version of the code: it is asked for again, but seldom. */
const LAST_RETRY_MS = 3_600_000
const MAX_ERROR = 500

type Waiting = { id: string; source: string; event_key: string; type: string; payload: unknown; attempts: number }

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
      await this.postpone(taken, error, now)
    }
    return taken !== undefined
  }

  private async apply(tx: Tx, { id, source, event_key, type, payload }: Waiting, now: Date): Promise<void> {
    const event = this.events.get(type)
    if (!event) throw new Error(`no slice applies ${type}`)
    await event.apply({ app: this.app, tx, now, source: source as Source, key: event_key }, event.data.parse(payload))
    await tx
      .updateTable('inbox_event')
      // From here on the event is a trace of what happened; the phones in it have served.
      .set({ applied_at: now, error: null, payload: phoneFree(payload) })
      .where('id', '=', id)
      .execute()
  }

  private async postpone({ id, type, attempts }: Waiting, error: unknown, now: Date): Promise<void> {
    const said = error instanceof Refused ? error.refusal.code : error instanceof Error ? error.message : String(error)
    const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 30), LAST_RETRY_MS)
    this.app.log.warn({ err: error, event: id, type }, 'an event could not be applied yet')
    await this.app.db.query
      .updateTable('inbox_event')
      .set({
        attempts: attempts + 1,
        error: withoutPhones(said).slice(0, MAX_ERROR),
        next_at: new Date(now.getTime() + wait),
      })
      .where('id', '=', id)
      .where('applied_at', 'is', null)
      .execute()
  }
}

const nextWaiting = (tx: Tx, now: Date): Promise<Waiting | undefined> =>
  tx
    .selectFrom('inbox_event')
    .select(['id', 'source', 'event_key', 'type', 'payload', 'attempts'])
    .where('applied_at', 'is', null)
    .where('next_at', '<=', now as never)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
