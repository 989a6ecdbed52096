import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { parsed } from '../http.ts'
import { type Call, type Route, route } from '../route.ts'
import { type InboxEvent, SOURCES, type Source } from './event.ts'
import { secretOf, signatureOf } from './inbox-secret.ts'
import { InboxWorker } from './inbox-worker.ts'

/** A signed event older or younger than this is a replay or a wrong clock. */
const MAX_AGE_MS = 300_000
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
export function openInbox(app: App): Inbox {
  const events = eventsOf(app)
  const worker = new InboxWorker(app, events)
  const timer = setInterval(() => void worker.wake(), SWEEP_MS)
  timer.unref()
  return {
    routes: [eventRoute(app, events, worker)],
    sweep: () => worker.wake(),
    close() {
      clearInterval(timer)
      return worker.close()
    },
  }
}

function eventsOf(app: App): ReadonlyMap<string, InboxEvent> {
  const events = new Map<string, InboxEvent>()
  for (const event of app.catalogue.slices.flatMap(slice => slice.events)) {
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
      requireSignature(app, call, source)
      const { id, type, data } = readEvent(events, call, source)
      const stored = await app.db.query
        .insertInto('inbox_event')
        .values({
          source,
          event_key: id,
          type,
          payload: JSON.stringify(data),
          received_at: call.now,
          next_at: call.now,
        })
        .onConflict(conflict => conflict.columns(['source', 'event_key']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (stored) void worker.wake()
      return { repeated: stored === undefined }
    },
  })

function requireSignature(app: App, call: Call, source: Source): void {
  const timestamp = call.header('x-inkstone-timestamp') ?? ''
  const given = Buffer.from(call.header('x-inkstone-signature') ?? '', 'hex')
  const right = Buffer.from(
    signatureOf(secretOf(app.env.INBOX_SECRET ?? '', source), timestamp, call.raw.bytes()),
    'hex',
  )
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    throw new Refused(refuse('signature-wrong'), 'permission')
  }
  // Ten digits are seconds, thirteen are milliseconds.
  const sentAt = /^\d{10}$/.test(timestamp)
    ? Number(timestamp) * 1_000
    : /^\d{13}$/.test(timestamp)
      ? Number(timestamp)
      : Number.NaN
  if (!(Math.abs(call.now.getTime() - sentAt) <= MAX_AGE_MS)) throw new Refused(refuse('timestamp-wrong'), 'permission')
}

function readEvent(events: ReadonlyMap<string, InboxEvent>, call: Call, source: Source): z.infer<typeof envelope> {
  if (!call.header('content-type')?.startsWith('application/json'))
    throw new Refused(refuse('kit:body-not-json'), 'parameter')
  // The route layer has parsed these bytes once: they are JSON.
  const body: unknown = JSON.parse(call.raw.bytes().toString('utf8') || '{}')
  const given = parsed(envelope, body, 'validation')
  const event = events.get(given.type)
  if (!event?.sources.includes(source)) {
    const unknown = refuse('event-unknown', { type: given.type })
    throw new Refused(unknown, 'validation', { fields: { type: unknown } })
  }
  parsed(z.strictObject({ data: event.data }), { data: given.data }, 'validation')
  return given
}
