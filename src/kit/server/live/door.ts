import type * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { FileAnswer, type Route, route } from '../http/route.ts'
import type { Source } from './event.ts'

/** An event as the inbox keeps it; `id` is its sender's, by which it has one effect. */
export type ToldEvent = { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }

/** What somebody sent, as it came: signatures are over the bytes. */
export type Knock<Query = unknown> = {
  readonly query: Query
  readonly bytes: Buffer
  readonly now: Date
  header(name: string): string | undefined
}

/** What a platform tells, in our events; nothing where that is no concern of ours. */
export type Heard = {
  readonly events: readonly ToldEvent[]
  /** Its own word for "taken". */
  readonly answer: string
  /** By which number its support finds what it sent. */
  readonly trace?: string | undefined
}

/** How a platform is listened to whose keys are set. Both refuse what is not signed by it. */
export type Listening<Query> = {
  hear(knock: Knock<Query>): Heard
  /** What it is answered that asks whether somebody is there. */
  greet?(knock: Knock<Query>): string
}

/**
 * Where a platform tells what happened in its own words and under its own signature: what it tells becomes events of its
 * source, and they are kept and applied like all others. A slice's server.ts lists its doors in `doors`.
 */
export type Door<Query = unknown> = {
  readonly source: Source
  readonly path: string
  readonly texts: string
  readonly query: z.ZodType<Query>
  readonly summary: string
  /** Nothing while its keys are not set: its address does not exist then. */
  open(app: Pick<App, 'env'>): Listening<Query> | undefined
  /** Whether people have switched it on, where that is for them to say: its address does not exist until then. */
  isOn?(app: Pick<App, 'settings' | 'db' | 'log'>): Promise<boolean>
  /** It asks by GET whether somebody is there. */
  readonly greets?: true
}

export const defineDoor = <Query>(door: Door<Query>): Door => door as Door

export function doorRoutes(app: App, door: Door, take: (event: ToldEvent, now: Date) => Promise<void>): Route[] {
  const { path, texts, query, summary } = door
  const open = async () => {
    const listening = door.open(app)
    if (!listening || !((await door.isOn?.(app)) ?? true)) throw new Refused(refuse('kit:address-unknown'), 'not-found')
    return listening
  }
  // Public by design: the signature takes the place of a session.
  const shared = { path, texts, query, access: 'public', answer: 'file' } as const
  const told = route({
    ...shared,
    method: 'POST',
    body: 'raw',
    summary,
    async handle(call, given) {
      const knock = { query: given.query, bytes: call.raw.bytes(), now: call.now, header: call.header }
      const { events, answer, trace } = (await open()).hear(knock)
      if (trace !== undefined) app.log.info({ source: door.source, trace, events: events.map(({ id }) => id) }, 'told')
      for (const event of events) await take(event, call.now)
      return inWords(answer)
    },
  })
  const greeted = route({
    ...shared,
    method: 'GET',
    summary: 'Answers a platform that asks whether somebody is there who knows its token.',
    async handle(call, given) {
      const { greet } = await open()
      return inWords(greet?.({ query: given.query, bytes: NONE, now: call.now, header: call.header }) ?? '')
    },
  })
  return door.greets ? [told, greeted] : [told]
}

const NONE = Buffer.alloc(0)
const inWords = (answer: string) =>
  new FileAnswer('answer', answer.startsWith('{') ? 'application/json' : 'text/plain', Buffer.from(answer), true)
