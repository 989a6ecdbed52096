import * as z from 'zod'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import { storableIn } from '#kit/model/storable.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import { bytesToJson, notJson } from '../http/body.ts'
import { parsed } from '../http/http.ts'
import { type Route, route } from '../http/route.ts'
import { type Door, doorRoutes, type ToldEvent } from './door.ts'
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
}) satisfies z.ZodType<ToldEvent>

export type Inbox = {
  readonly routes: Route[]
  /** Applies what waits and is due; also done after each event and by the timer. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The signed doors for events of the app and the platforms: stored first and answered, then applied exactly once. */
export function openInbox(app: App, declared: readonly InboxEvent[], doors: readonly Door[]): Inbox {
  const events = eventsOf(declared)
  const worker = new InboxWorker(app, events)
  const take = async (source: Source, event: ToldEvent, now: Date) => {
    const stored = await store(app, source, event, now)
    if (stored) void worker.wake()
    return stored
  }
  const timer = setInterval(() => void worker.wake(), SWEEP_MS)
  timer.unref()
  return {
    routes: [
      eventRoute(app, events, take),
      sentFileRoute(app),
      ...doors.flatMap(door =>
        doorRoutes(app, door, async (said, now) => {
          // Platforms pass on what people typed: nobody's form is lost for what no database keeps.
          const told = storableIn(said)
          requireKnown(events, door.source, told)
          await take(door.source, told, now)
        }),
      ),
    ],
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

type Take = (source: Source, event: ToldEvent, now: Date) => Promise<boolean>

const eventRoute = (app: App, events: ReadonlyMap<string, InboxEvent>, take: Take): Route =>
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
      return { repeated: !(await take(source, readEvent(events, call, source), call.now)) }
    },
  })

/** Keeps an event until it is applied; says whether it is a new one. */
async function store(app: App, source: Source, { id, type, data }: ToldEvent, now: Date): Promise<boolean> {
  const fingerprint = fingerprintOf(app.env.INBOX_SECRET ?? '', { type, data })
  const stored = await app.db.query
    .insertInto('inbox_event')
    .values({
      source,
      event_key: id,
      type,
      payload: JSON.stringify(data),
      fingerprint,
      received_at: now,
      next_at: now,
    })
    .onConflict(conflict => conflict.columns(['source', 'event_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!stored) await requireSame(app, source, id, fingerprint)
  return stored !== undefined
}

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

function readEvent(events: ReadonlyMap<string, InboxEvent>, call: Call, source: Source): ToldEvent {
  if (!call.header('content-type')?.startsWith('application/json')) throw notJson()
  const given = parsed(envelope, bytesToJson(call.raw.bytes()) ?? {}, 'validation')
  requireKnown(events, source, given)
  return given
}

/** What is stored can be applied: a type this source may tell, with what belongs to it. */
function requireKnown(events: ReadonlyMap<string, InboxEvent>, source: Source, { type, data }: ToldEvent): void {
  const event = events.get(type)
  if (!event?.sources.includes(source)) throw onField('type', refuse('kit/server/live:event-unknown', { type }))
  parsed(z.strictObject({ data: event.data }), { data }, 'validation')
}
