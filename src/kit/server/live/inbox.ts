import * as z from 'zod'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { bytesToJson, notJson } from '../http/body.ts'
import { parsed } from '../http/http.ts'
import { type Route, route } from '../http/route.ts'
import { type InboxEvent, SOURCES, type Source } from './event.ts'
import { fingerprintOf } from './inbox-secret.ts'
import { InboxWorker } from './inbox-worker.ts'
import { sentFileRoute } from './sent-file.ts'
import { requireSignature } from './signed.ts'

/** How long an event waits at most that was stored by an instance which then died, or whose next try is due. */
const SWEEP_MS = 5_000

const envelope = z.strictObject({
  id: z.string().min(1).max(100),
  type: z.string().min(1).max(50),
  data: z.record(z.string(), z.unknown()),
})

export type Inbox = {
  readonly routes: Route[]
  /** Applies what waits and is due; also done after each event and by the timer. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The signed door for events of the app and the platforms: stored first and answered, then applied exactly once. */
export function openInbox(app: App, declared: readonly InboxEvent[]): Inbox {
  const events = eventsOf(declared)
  const worker = new InboxWorker(app, events)
  const timer = setInterval(() => void worker.wake(), SWEEP_MS)
  timer.unref()
  return {
    routes: [eventRoute(app, events, worker), sentFileRoute(app)],
    sweep: () => worker.wake(),
    close() {
      clearInterval(timer)
      return worker.close()
    },
  }
}

function eventsOf(declared: readonly InboxEvent[]): ReadonlyMap<string, InboxEvent> {
  const events = new Map<string, InboxEvent>()
  for (const event of declared) {
    if (events.has(event.type)) throw new Error(`two slices apply ${event.type}`)
    events.set(event.type, event)
  }
  return events
}

const eventRoute = (app: App, events: ReadonlyMap<string, InboxEvent>, worker: InboxWorker): Route =>
  route({
    method: 'POST',
    path: '/open/v1/:source/events',
    texts: 'kit/server/live',
    // Public by design: the signature takes the place of a session.
    access: 'public',
    params: z.strictObject({ source: z.enum(SOURCES) }),
    body: 'raw',
    answer: z.strictObject({ repeated: z.boolean() }),
    summary: 'Takes a signed event of the app or a platform. A repeated event id is answered and has no second effect.',
    async handle(call, { params: { source } }) {
      requireSignature(app, call, source, call.raw.bytes())
      const { id, type, data } = readEvent(events, call, source)
      const fingerprint = fingerprintOf(app.env.INBOX_SECRET ?? '', { type, data })
      const stored = await app.db.query
        .insertInto('inbox_event')
        .values({
          source,
          event_key: id,
          type,
          payload: JSON.stringify(data),
          fingerprint,
          received_at: call.now,
          next_at: call.now,
        })
        .onConflict(conflict => conflict.columns(['source', 'event_key']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (stored) void worker.wake()
      else await requireSame(app, source, id, fingerprint)
      return { repeated: stored === undefined }
    },
  })

/** An id used again for something else is a fault of the sender: answering "taken" would lose what it says. */
async function requireSame({ db }: App, source: Source, key: string, fingerprint: string): Promise<void> {
  const first = await db.query
    .selectFrom('inbox_event')
    .select('fingerprint')
    .where('source', '=', source)
    .where('event_key', '=', key)
    .executeTakeFirst()
  if (first?.fingerprint && first.fingerprint !== fingerprint)
    throw new Refused(refuse('event-id-reused', { id: key }), 'conflict')
}

function readEvent(events: ReadonlyMap<string, InboxEvent>, call: Call, source: Source): z.infer<typeof envelope> {
  if (!call.header('content-type')?.startsWith('application/json')) throw notJson()
  const given = parsed(envelope, bytesToJson(call.raw.bytes()) ?? {}, 'validation')
  const event = events.get(given.type)
  if (!event?.sources.includes(source)) {
    const unknown = refuse('event-unknown', { type: given.type })
    throw onField('type', unknown)
  }
  parsed(z.strictObject({ data: event.data }), { data: given.data }, 'validation')
  return given
}
