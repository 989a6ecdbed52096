import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Whose } from '#kit/model/actor.ts'
import type { Changed, PushType } from '#kit/model/contract.ts'
import type { Database, Tx } from './database.ts'

/** What instances tell each other. Payloads are small and hold no secrets. */
export type Topics = {
  /** Rights, roles or state of these people changed (all people when the list is absent). */
  access: { staffIds?: readonly string[]; previewOf?: string }
  /** These sessions ended. */
  'sessions-ended': { sessionIds: readonly string[] }
  /** A push for everybody who may list `page` and has the record in scope. */
  push: Whose & { type: PushType; key: string; content: string; page: string }
  /** Something this person asked for was decided: the line of the operation log that tells. */
  decided: { staffId: string; logId: string }
  /** A record changed, or what hangs on it: for whoever may list `page` and has the record in scope. */
  changed: Whose & Changed & { page: string }
  /** What a page adds up is other than before: for whoever may list it. */
  figures: { page: string }
  /** Records in the list of a page are other than before: for whoever may list it. */
  rows: { page: string }
  /** Long work of this person's came to its end, well or not. */
  'task-ended': { staffId: string; taskId: string }
  /** A message to this person, to be read in the console. */
  message: { staffId: string; messageId: string }
  /** People arranged the menu anew: it is everybody's. */
  menu: Readonly<Record<string, never>>
  /** Somebody asked for a run of a job, or for its end, or changed when it is due. */
  jobs: Readonly<Record<string, never>>
  /** Texts kept in memory, such as dictionaries, changed. */
  cache: { name: string }
}
type Topic = keyof Topics
type Listener<T extends Topic> = (payload: Topics[T]) => void

export type Signals = {
  /** Leaves with the transaction: nothing is told that did not happen. */
  send<T extends Topic>(tx: Tx | Database['query'], topic: T, payload: Topics[T]): Promise<void>
  on<T extends Topic>(topic: T, listener: Listener<T>): void
  /** While deaf, an instance must not trust what it remembers. */
  deaf(): boolean
  close(): Promise<void>
}

/** A number missing between two read ones belongs to a transaction still open, or to one rolled back: given up after this. */
const GAP_LIFE_MS = 600_000
const RETRY_MS = 1_000
/** The connection is asked for life this often; a broken one is otherwise noticed only when somebody writes. */
const PULSE_MS = 5_000
const BATCH = 1_000

/** All it takes to tell the instances something, also for a command that runs beside them. */
export const sendSignal: Signals['send'] = async (where, topic, payload) => {
  await where
    .insertInto('signal')
    .values({ topic, payload: JSON.stringify(payload) })
    .execute()
}

export async function openSignals(db: Database, log: FastifyBaseLogger): Promise<Signals> {
  const listeners = new Map<Topic, Listener<Topic>[]>()
  const reader = new SignalReader(
    db,
    (topic, payload) => {
      for (const listener of listeners.get(topic) ?? []) {
        try {
          listener(payload as never)
        } catch (error) {
          log.error({ err: error, topic }, 'a signal listener failed')
        }
      }
    },
    log,
  )
  await reader.start()
  return {
    send: sendSignal,
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener as Listener<Topic>])
    },
    deaf: () => reader.deaf,
    close: () => reader.close(),
  }
}

class SignalReader {
  deaf = true
  private last = 0n
  private readonly missing = new Map<bigint, number>()
  private client: pg.Client | undefined
  private pulse: NodeJS.Timeout | undefined
  private reading: Promise<void> | undefined
  private again = false
  private closed = false
  private readonly db: Database
  private readonly deliver: (topic: Topic, payload: unknown) => void
  private readonly log: FastifyBaseLogger

  constructor(db: Database, deliver: (topic: Topic, payload: unknown) => void, log: FastifyBaseLogger) {
    this.db = db
    this.deliver = deliver
    this.log = log
  }

  /** Starts after what is there: an instance just born has no caches and no sockets to tell. */
  async start(): Promise<void> {
    const [row] = await this.db.read.rows('select coalesce(max(id), 0)::text as last from signal', [])
    this.last = BigInt(String(row?.last ?? 0))
    await this.listen()
  }

  private async listen(): Promise<void> {
    if (this.closed) return
    const client = new pg.Client({ connectionString: this.db.url, keepAlive: true, connectionTimeoutMillis: 2_000 })
    client.on('error', () => this.lost(client))
    client.on('end', () => this.lost(client))
    client.on('notification', () => this.wake())
    try {
      await client.connect()
      await client.query('listen signal')
      this.client = client
      this.pulse = setInterval(() => this.beat(client), PULSE_MS)
      this.pulse.unref()
      this.wake()
      await this.reading
    } catch (error) {
      this.log.warn({ err: error }, 'the signal connection could not be opened')
      client.end().catch(() => {})
      this.retry()
    }
  }

  private beat(client: pg.Client): void {
    const overdue = setTimeout(() => this.lost(client), PULSE_MS)
    client.query('select 1').then(
      () => {
        clearTimeout(overdue)
        // A wake-up lost on the way costs at most one pulse.
        this.wake()
      },
      () => {
        clearTimeout(overdue)
        this.lost(client)
      },
    )
  }

  private lost(client: pg.Client): void {
    if (this.client !== client || this.closed) return
    this.client = undefined
    this.deaf = true
    clearInterval(this.pulse)
    client.end().catch(() => {})
    this.log.warn('the signal connection was lost')
    this.retry()
  }

  private retry(): void {
    if (!this.closed) setTimeout(() => void this.listen(), RETRY_MS).unref()
  }

  private wake(): void {
    this.again = true
    this.reading ??= this.drain().finally(() => {
      this.reading = undefined
    })
  }

  private async drain(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false
      try {
        while ((await this.read()) === BATCH);
        // Not before what was missed is read: until then the caches may be wrong.
        this.deaf = this.client === undefined
      } catch (error) {
        this.deaf = true
        this.log.warn({ err: error }, 'signals could not be read')
        return
      }
    }
  }

  /** Numbers are given before transactions end, so a lower one may appear later: gaps are asked for again until given up. */
  private async read(): Promise<number> {
    const gaps = [...this.missing.keys()].map(String)
    const rows = await this.db.read.rows(
      `select id::text as id, topic, payload from signal where id > $1::bigint or id = any($2::bigint[]) order by id limit ${BATCH}`,
      [String(this.last), gaps],
    )
    for (const row of rows) {
      const id = BigInt(String(row.id))
      for (let gap = this.last + 1n; gap < id; gap += 1n) this.missing.set(gap, Date.now())
      this.missing.delete(id)
      if (id > this.last) this.last = id
      this.deliver(row.topic as Topic, row.payload)
    }
    for (const [id, since] of this.missing) if (Date.now() - since > GAP_LIFE_MS) this.missing.delete(id)
    return rows.length
  }

  async close(): Promise<void> {
    this.closed = true
    clearInterval(this.pulse)
    await this.client?.end().catch(() => {})
    await this.reading
  }
}
