import { sql } from 'kysely'
import type { App } from './app.ts'
import type { Tx } from './database.ts'
import { type Change, ownChange } from './operation.ts'

/** A call to the outside that follows from something stored. */
export type NewDelivery = { readonly kind: string; readonly key: string; readonly payload: unknown }

/**
 * How calls of one kind are made. `call` speaks to the outside under the row's key, which makes a repeated call the same
 * call; `settle` stores what came of it. A server that dies between them calls again.
 */
export type Delivery<Payload = never, Result = unknown> = {
  readonly kind: string
  call(app: App, payload: Payload, key: string): Promise<Result>
  settle(change: Change, payload: Payload, result: Result): Promise<void>
}

export const defineDelivery = <Payload, Result>(delivery: Delivery<Payload, Result>): Delivery =>
  delivery as unknown as Delivery

/** Leaves with the transaction of what it follows from; the same key again is the same call, due at once. */
export const deliver = (change: Pick<Change, 'tx' | 'now'>, { kind, key, payload }: NewDelivery) =>
  sql`
    insert into outbox (kind, key, payload, due_at, created_at)
    values (${kind}, ${key}, ${JSON.stringify(payload)}, ${change.now}, ${change.now})
    on conflict (kind, key) do update set status = 'WAITING', attempts = 0, due_at = excluded.due_at, payload = excluded.payload`.execute(
    change.tx,
  )

/** The provider has not decided yet, or could not be reached: ask again later. */
export class AskAgain extends Error {}

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

type Taken = { id: string; kind: string; key: string; payload: never; attempts: number }

/** Whichever instance is free makes the next call. While it speaks, the row is leased and no transaction is open. */
export function openOutbox(app: App): Outbox {
  const deliveries = new Map(app.catalogue.slices.flatMap(slice => slice.deliveries.map(one => [one.kind, one])))
  let running: Promise<void> | undefined
  let closed = false
  let again = false
  const drain = async () => {
    while (again && !closed) {
      again = false
      for (let taken = await take(app); taken && !closed; taken = await take(app)) await make(app, deliveries, taken)
    }
  }
  const run = () => {
    // Whoever asks while one run has just found nothing more must not be told that his call was made.
    again = true
    running ??= drain().finally(() => {
      running = undefined
    })
    return running
  }
  const timer = setInterval(() => {
    run().catch(error => app.log.warn({ err: error }, 'calls to the outside wait: the database is away'))
  }, LOOK_MS)
  timer.unref()
  return {
    run,
    async close() {
      closed = true
      clearInterval(timer)
      await running?.catch(() => {})
    },
  }
}

async function take({ db, clock }: App): Promise<Taken | undefined> {
  const now = clock.now()
  const { rows } = await sql<Taken>`
    update outbox set attempts = attempts + 1, due_at = ${new Date(now.getTime() + LEASE_MS)}
    where id = (select id from outbox where status = 'WAITING' and due_at <= ${now} order by due_at, id limit 1 for update skip locked)
    returning id, kind, key, payload, attempts`.execute(db.query)
  return rows[0]
}

async function make(app: App, deliveries: ReadonlyMap<string, Delivery>, taken: Taken): Promise<void> {
  const { id, kind, key, payload } = taken
  try {
    const delivery = deliveries.get(kind)
    if (!delivery) throw new Error(`no slice delivers ${kind}`)
    const result = await delivery.call(app, payload, key)
    await app.db.write(async tx => {
      const now = app.clock.now()
      await delivery.settle(ownChange(app, tx, now, `outbox:${id}`), payload, result)
      await markDone(tx, id, now)
    })
  } catch (error) {
    await postpone(app, taken, error)
  }
}

const markDone = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('outbox').set({ status: 'DONE', done_at: now, error: '' }).where('id', '=', id).execute()

async function postpone({ db, clock, log }: App, { id, kind, attempts }: Taken, error: unknown): Promise<void> {
  const said = error instanceof Error ? error.message : String(error)
  if (!(error instanceof AskAgain)) log.warn({ err: error, outbox: id, kind }, 'a call to the outside failed')
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20), LAST_RETRY_MS)
  await db.query
    .updateTable('outbox')
    .set({ due_at: new Date(clock.now().getTime() + wait), error: said.slice(0, MAX_ERROR) })
    .where('id', '=', id)
    .where('status', '=', 'WAITING')
    .execute()
}
