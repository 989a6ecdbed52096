import { sql, type Updateable } from 'kysely'
import { storable } from '#kit/model/storable.ts'
import type { App, Change } from '../app.ts'
import type { Tx } from '../database/database.ts'
import type { Schema } from '../database/schema.gen.ts'
import { announce, defineAnnouncement } from './announce.ts'
import { ownChange } from './operation.ts'

/** A call to the outside that follows from something stored. */
type NewDelivery = {
  readonly kind: string
  readonly key: string
  readonly payload: unknown
  /** Not before; at once unless said. */
  readonly dueAt?: Date
}

/**
 * How calls of one kind are made. `call` speaks to the outside under the row's key, which makes a repeated call the same
 * call; `settle` stores what came of it. A server that dies between them calls again.
 */
export type Delivery<Payload = never, Result = unknown> = {
  readonly kind: string
  call(app: App, payload: Payload, key: string): Promise<Result>
  settle(change: Change, payload: Payload, result: Result): Promise<void>
}

export const defineDelivery = <Payload, Result>(delivery: Delivery<Payload, Result>): Delivery => delivery as Delivery

/** Leaves with the transaction of what it follows from; the same key again is the same call. */
export const deliver = (change: Pick<Change, 'tx' | 'now'>, { kind, key, payload, dueAt = change.now }: NewDelivery) =>
  sql`
    insert into outbox (kind, key, payload, due_at, created_at)
    values (${kind}, ${key}, ${JSON.stringify(payload)}, ${dueAt}, ${change.now})
    on conflict (kind, key) do update set status = 'WAITING', attempts = 0, due_at = excluded.due_at, payload = excluded.payload`.execute(
    change.tx,
  )

/** The provider has not decided yet, or could not be reached: ask again later. */
export class AskAgain extends Error {}

type GivenUpCall = { readonly id: string; readonly kind: string; readonly key: string; readonly error: string }
/** A call could not be made in all that time, or nothing came of it: somebody has to look. */
export const callGivenUp = defineAnnouncement<GivenUpCall>('call-given-up')

/** Makes a call again that was given up, from its first attempt on; says whether there was one. */
export async function reviveCall({ tx, now }: Pick<Change, 'tx' | 'now'>, id: string): Promise<boolean> {
  const revived = await tx
    .updateTable('outbox')
    .set({ status: 'WAITING', attempts: 0, due_at: now })
    .where('id', '=', id)
    .where('status', '=', 'GIVEN_UP')
    .returning('id')
    .executeTakeFirst()
  return revived !== undefined
}

export type Outbox = {
  /** Makes every call that is due; ends when none is. */
  run(): Promise<void>
  close(): Promise<void>
}

const LOOK_MS = 1_000
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 30 * 60_000
/** A call that takes longer is taken to have failed; another instance may make it again. */
const LEASE_MS = 60_000
const MAX_ERROR = 500
/** With the waits above, more than a day of failures, and more than a week in which nobody decides. */
const MAX_FAILED = 60
const MAX_ASKED = 350

type Taken = { id: string; kind: string; key: string; payload: never; attempts: number; leasedUntil: Date }

/**
 * Whichever instance is free makes the next call. While it speaks, the row is leased and no transaction is open. Calls of one
 * kind stand in a lane of their own, in the order they fell due and one at a time on each instance: what ten thousand of one
 * kind wait for keeps no call of another from leaving.
 */
export function openOutbox(app: App, declared: readonly Delivery[], isTimed = true): Outbox {
  const deliveries = new Map(declared.map(one => [one.kind, one]))
  const lanes = new Map<string, Lane>()
  const settling = inTurns(SETTLED_AT_ONCE)
  let closed = false
  const drain = async (kind: string, lane: Lane): Promise<number> => {
    let made = 0
    try {
      while (lane.again && !closed) {
        lane.again = false
        for (let taken = await take(app, kind); taken && !closed; taken = await take(app, kind)) {
          await make(app, deliveries, taken, settling)
          made += 1
        }
      }
    } finally {
      // At once: nobody enters a lane that has ended.
      lanes.delete(kind)
    }
    return made
  }
  /** Whoever asks while a lane has just found nothing more must not be told that his call was made. */
  const enter = (kind: string): Promise<number> => {
    const entered = lanes.get(kind)
    if (entered) {
      entered.again = true
      return entered.ended
    }
    const lane: Lane = { again: true, ended: Promise.resolve(0) }
    lanes.set(kind, lane)
    lane.ended = drain(kind, lane)
    return lane.ended
  }
  /** Starts what is due; says, once all of it has ended, how many calls were made. */
  const look = async (): Promise<number> => {
    const ended = await Promise.all((await dueKinds(app)).map(enter))
    return ended.reduce((sum, made) => sum + made, 0)
  }
  // What was made may have led to calls of other kinds.
  const run = async () => {
    while (!closed && (await look()) > 0);
    await Promise.all([...lanes.values()].map(({ ended }) => ended))
  }
  const lookLater = () =>
    void look().catch(error => app.log.warn({ err: error }, 'calls to the outside wait: the database is away'))
  const timer = isTimed ? setInterval(lookLater, LOOK_MS).unref() : undefined
  return {
    run,
    async close() {
      closed = true
      clearInterval(timer)
      await Promise.allSettled([...lanes.values()].map(({ ended }) => ended))
    },
  }
}

type Lane = { again: boolean; ended: Promise<number> }

/** The lanes share the connections for changes with everybody who works. */
const SETTLED_AT_ONCE = 3

type InTurns = <T>(work: () => Promise<T>) => Promise<T>

/** So many at once; who comes later waits in line. */
function inTurns(places: number): InTurns {
  let free = places
  const line: (() => void)[] = []
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => line.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** From one kind to the next by the index, however many calls of each there are; also kinds nobody delivers, which somebody is told of. */
async function dueKinds({ db, clock }: App): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    with recursive k as (
      select min(kind) as kind from outbox where status = 'WAITING'
      union all select (select min(o.kind) from outbox o where o.status = 'WAITING' and o.kind > k.kind) from k where k.kind is not null
    )
    select k.kind from k where exists (
      select from outbox o where o.status = 'WAITING' and o.kind = k.kind and o.due_at <= ${clock.now()})`.execute(
    db.query,
  )
  return rows.map(({ kind }) => kind)
}

async function take({ db, clock }: App, kind: string): Promise<Taken | undefined> {
  const now = clock.now()
  const leasedUntil = new Date(now.getTime() + LEASE_MS)
  const { rows } = await sql<Omit<Taken, 'leasedUntil'>>`
    update outbox set attempts = attempts + 1, due_at = ${leasedUntil}
    where id = (select id from outbox where status = 'WAITING' and kind = ${kind} and due_at <= ${now}
      order by due_at, id limit 1 for update skip locked)
    returning id, kind, key, payload, attempts`.execute(db.query)
  return rows[0] && { ...rows[0], leasedUntil }
}

async function make(
  app: App,
  deliveries: ReadonlyMap<string, Delivery>,
  taken: Taken,
  settling: InTurns,
): Promise<void> {
  const { id, kind, key, payload } = taken
  try {
    const delivery = deliveries.get(kind)
    if (!delivery) throw new Error(`no slice delivers ${kind}`)
    const result = await delivery.call(app, payload, key)
    await settling(() =>
      app.db.write(async tx => {
        const now = app.clock.now()
        await delivery.settle(ownChange(app, tx, now, `outbox:${id}`), payload, result)
        await still(tx, taken, { status: 'DONE', done_at: now, error: '' }).execute()
      }),
    )
  } catch (error) {
    await postpone(app, taken, error)
  }
}

/** Writes to the call as it was taken. One wanted again meanwhile begins anew, and what came of the first is not its end. */
const still = (
  db: App['db']['query'] | Tx,
  { id, attempts, leasedUntil }: Taken,
  fields: Updateable<Schema['outbox']>,
) =>
  db
    .updateTable('outbox')
    .set(fields)
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .where('attempts', '=', attempts)
    .where('due_at', '=', leasedUntil.toISOString())

async function postpone(app: App, taken: Taken, error: unknown): Promise<void> {
  const { id, kind, attempts } = taken
  const said = storable(error instanceof Error ? error.message : String(error), MAX_ERROR)
  const isAsked = error instanceof AskAgain
  if (attempts >= (isAsked ? MAX_ASKED : MAX_FAILED)) return giveUp(app, taken, said)
  if (!isAsked) app.log.warn({ err: error, outbox: id, kind }, 'a call to the outside failed')
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20), LAST_RETRY_MS)
  await still(app.db.query, taken, { due_at: new Date(app.clock.now().getTime() + wait), error: said }).execute()
}

async function giveUp(app: App, taken: Taken, error: string): Promise<void> {
  const { id, kind, key } = taken
  app.log.error({ outbox: id, kind, said: error }, 'a call to the outside was given up')
  await app.db.write(async tx => {
    const ended = await still(tx, taken, { status: 'GIVEN_UP', error }).returning('id').executeTakeFirst()
    if (ended)
      await announce(ownChange(app, tx, app.clock.now(), `outbox:${id}`), callGivenUp, { id, kind, key, error })
  })
}
