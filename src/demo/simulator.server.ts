import { randomUUID } from 'node:crypto'
import type { Brought } from '#engines/platform/knocking.server.ts'
import type { App } from '#kit/server/app.ts'
import { readCatalogue } from '#kit/server/catalogue.ts'
import { secretOf, signatureOf } from '#kit/server/live/inbox-secret.ts'
import { type Random, randomBy } from './builders.server.ts'
import type { Scene, SimulatedEvent } from './scene.server.ts'
import { readStories } from './story.server.ts'

const FIRST_MS = 8_000
const SHORTEST_MS = 12_000
const LONGEST_MS = 45_000
const CALL_MS = 5_000

export type Simulator = {
  /** Plays one event now; says which, or nothing where there is no business to play with. */
  play(): Promise<string | undefined>
  close(): Promise<void>
}

/** Told of each event that was played, by its type; of none where it came to nothing. */
export type Hear = (type: string | undefined) => void

type World = Pick<App, 'db' | 'env' | 'log' | 'clock'>
type Scenes = readonly (readonly [Scene, weight: number])[]

/** Who cannot do one thing does another, but not for ever. */
const TRIES = 8

/** Plays the app and the platforms through the signed door, at the pace of a quiet evening (architecture §5). */
export function startSimulator(
  world: World,
  url: string,
  { chance = Math.random, hear = () => {} }: { chance?: () => number; hear?: Hear } = {},
): Simulator {
  const random = randomBy(chance)
  let timer: NodeJS.Timeout | undefined
  let playing: Promise<unknown> = Promise.resolve()
  let closed = false
  const scenes = readCatalogue()
    .then(readStories)
    .then(stories => stories.flatMap(story => story.scenes ?? []))
  // A slice that cannot be read is told by whoever plays.
  scenes.catch(() => {})
  const play = async () => {
    const event = await nextEvent(world, random, await scenes)
    return event && ((await send(world, url, event)) ? event.type : undefined)
  }
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      playing = play()
        .catch(error => void world.log.debug({ err: error }, 'a simulated event was not sent'))
        .then(hear)
        .finally(() => {
          if (!closed) wait(SHORTEST_MS + chance() * (LONGEST_MS - SHORTEST_MS))
        })
    }, ms)
  }
  wait(FIRST_MS)
  return {
    play,
    async close() {
      closed = true
      clearTimeout(timer)
      await playing
    },
  }
}

/** What happens next out there; nothing where there is no business to play with. */
async function nextEvent(world: World, random: Random, scenes: Scenes): Promise<SimulatedEvent | undefined> {
  const [member] = await world.db.read.rows(
    `select m.id::text as id, m.phone, m.guardian_name, m.coins from member m
     where m.status = 'ACTIVE' and m.id >= $1::float8 * (select max(id) from member) order by m.id limit 1`,
    [random.fraction()],
  )
  for (let tries = 0; member && tries < TRIES; tries += 1) {
    const event = await random.weighted(scenes)(world, random, member)
    if (event) return event
  }
  return undefined
}

async function send(world: World, url: string, event: SimulatedEvent): Promise<boolean> {
  const all = 'brought' in event ? event.brought : [toInbox(world, event)]
  for (const { path, headers, body } of all) {
    const answer = await fetch(new URL(path, url), {
      method: 'POST',
      body,
      headers,
      signal: AbortSignal.timeout(CALL_MS),
    })
    await answer.body?.cancel()
    if (!answer.ok) world.log.warn({ status: answer.status, type: event.type }, 'a simulated event was refused')
    if (!answer.ok) return false
  }
  return true
}

type ForInbox = Exclude<SimulatedEvent, { brought: unknown }>

function toInbox({ env, clock }: World, { source, type, data }: ForInbox): Brought {
  const body = JSON.stringify({ id: randomUUID(), type, data })
  const timestamp = String(clock.now().getTime())
  return {
    path: `/api/open/v1/${source}/events`,
    body,
    headers: {
      'content-type': 'application/json',
      'x-inkstone-timestamp': timestamp,
      'x-inkstone-signature': signatureOf(secretOf(env.INBOX_SECRET ?? '', source), timestamp, body),
    },
  }
}
