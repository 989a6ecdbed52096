import { type NumberKind, numberOf } from '#engines/sequence/model.ts'
import { dayOf } from '#kit/model/time.ts'
import { type Diff, diffOf } from '#kit/server/change/audit.ts'
import { keepingOf, type Logged, pageOf } from '#kit/server/change/logged-pages.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import type { Schema } from '#kit/server/database/schema.gen.ts'
import type { Env } from '#kit/server/process/env.ts'
import { type Agenda, openAgenda } from './agenda.server.ts'
import { type Random, randomFrom } from './builders.server.ts'
import { type Ids, insertRows, type NewRow, openIds } from './insert-rows.server.ts'
import type { Colleague } from './organisation.server.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000
const SINCE_DAYS = 760

/** A business in memory while its two years pass: what every story needs, and nothing of any one. */
export type World = {
  readonly now: Date
  /** Before the first order of the two years: by then everything was set up. */
  readonly since: Date
  readonly env: Env & { readonly CODE_SECRET: string }
  readonly staff: readonly Colleague[]
  /** How large the business is, beside the usual one of three thousand orders. */
  readonly scale: number
  readonly ids: Ids
  readonly agenda: Agenda
  readonly numbers: Numbers
  readonly log: Log
  readonly rows: Rows
}

export async function openWorld(tx: Tx, given: Pick<World, 'now' | 'env' | 'staff' | 'scale'>): Promise<World> {
  const rows = openRows()
  return {
    ...given,
    since: new Date(given.now.getTime() - SINCE_DAYS * DAY_MS),
    ids: await openIds(tx),
    agenda: openAgenda(),
    numbers: openNumbers(rows),
    log: openLog(rows),
    rows,
  }
}

/** What a story remembers of a world: made when it is first asked for, the same from then on. */
export function remembered<T>(make: (world: World) => T): (world: World) => T {
  const made = new WeakMap<World, { readonly it: T }>()
  return world => {
    const known = made.get(world) ?? { it: make(world) }
    made.set(world, known)
    return known.it
  }
}

/** Choices of one story: a source of its own, so that a new story changes none of the others. */
export const chanceOf = (story: string): ((world: World) => Random) =>
  remembered(() => randomFrom([...story].reduce((seed, sign) => Math.imul(seed, 31) + sign.charCodeAt(0), 20_211_115)))

/** What one story tells, and others that depend on it hear and answer; so that it need not know them. */
export type Word<What, Answer = void> = {
  hear(world: World, answer: (at: number, what: What) => Answer): void
  /** The answers of all who hear it, in the order in which they began to. */
  tell(world: World, at: number, what: What): Answer[]
}

export function defineWord<What, Answer = void>(): Word<What, Answer> {
  const hearers = remembered<((at: number, what: What) => Answer)[]>(() => [])
  return {
    hear: (world, answer) => void hearers(world).push(answer),
    tell: (world, at, what) => hearers(world).map(answer => answer(at, what)),
  }
}

type Table = keyof Schema

/** Rows as they will be stored; until then they may change. */
export type Rows = {
  of<T extends Table>(table: T): NewRow<T>[]
  add<T extends Table>(table: T, rows: readonly NewRow<T>[]): void
  /** Stores each table after those its rows name. */
  store(tx: Tx): Promise<void>
}

function openRows(): Rows {
  const tables = new Map<Table, object[]>()
  const of = (table: Table): object[] => {
    const rows = tables.get(table) ?? []
    tables.set(table, rows)
    return rows
  }
  return {
    of: table => of(table) as never,
    add(table, rows) {
      for (const row of rows) of(table).push(row)
    },
    async store(tx) {
      for (const table of await namedFirst(tx, [...tables.keys()])) await insertRows(tx, table, of(table) as never)
    },
  }
}

/** These tables, each after those it refers to. */
async function namedFirst(tx: Tx, tables: readonly Table[]): Promise<Set<Table>> {
  const references = await run(
    tx,
    `select distinct conrelid::regclass::text as of, confrelid::regclass::text as named from pg_constraint
     where contype = 'f' and not condeferred and connamespace = 'public'::regnamespace and conrelid <> confrelid order by 1, 2`,
    [],
  )
  const ordered = new Set<Table>()
  const take = (table: Table): void => {
    if (ordered.has(table)) return
    for (const { of, named } of references) if (of === table) take(named as Table)
    if (tables.includes(table)) ordered.add(table)
  }
  for (const table of tables) take(table)
  return ordered
}

/** Numbers people read, given in order of time. */
export type Numbers = { next(kind: NumberKind, at: number): string }

function openNumbers(rows: Rows): Numbers {
  const counters = new Map<string, { kind: string; day: string; last: number }>()
  return {
    next(kind, at) {
      const day = dayOf(new Date(at))
      const counter = counters.get(day + kind) ?? { kind, day, last: 0 }
      if (counter.last === 0) rows.add('number_sequence', [counter])
      counter.last += 1
      counters.set(day + kind, counter)
      return numberOf(kind, day, counter.last)
    },
  }
}

type LoggedChange = {
  readonly at: number
  /** Nobody: the console itself did it. */
  readonly actor: Colleague | null
  readonly resource: Logged
  readonly action: string
  readonly recordId: number
  readonly before?: object
  readonly after: object
  readonly reason?: string | undefined
}

/** The operation log, of which each record's timeline is made. */
export type Log = { write(logged: LoggedChange): void }

function openLog(rows: Rows): Log {
  const random = randomFrom(7_041_776)
  return {
    write({ at, actor, resource, action, recordId, before = {}, after, reason }) {
      const diff: Diff = diffOf(resource, before as never, after as never)
      rows.add('operation_log', [
        {
          at: new Date(at),
          actor_id: actor?.id ?? null,
          actor_name: actor?.name ?? '',
          address: actor ? `10.8.${random.whole(1, 4)}.${random.whole(2, 250)}` : '',
          request_id: `demo-${random.whole(0, 2 ** 31).toString(36)}`,
          page: resource.screen.key,
          action,
          record_id: recordId,
          record_no: null,
          diff: diff as never,
          reason: reason ?? null,
          code: 0,
          duration_ms: random.whole(6, 60),
          keep: keepingOf(pageOf(resource), action),
        },
      ])
    },
  }
}

/** Rows of tables that number themselves are stored as time went. */
export const byTime = <T>(rows: T[], timeOf: (row: T) => unknown): T[] =>
  rows.sort((a, b) => (timeOf(a) as Date).getTime() - (timeOf(b) as Date).getTime())

export function named<T>(from: readonly T[], is: (one: T) => boolean, name: string): T {
  const found = from.find(is)
  if (!found) throw new Error(`the demo business has no ${name}`)
  return found
}

export const colleague = ({ staff }: World, role: Colleague['role']): Colleague =>
  named(staff, one => one.role === role, role)

export const owned = (owner: Colleague | null) => ({ owner_id: owner?.id ?? null, org_id: owner?.orgId ?? null })
export const instant = (at: number | null): Date | null => (at === null ? null : new Date(at))
