import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../src/kit/server/app.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import {
  type Answer,
  type Caller,
  caller,
  cloneDatabase,
  insist,
  openTestInstance,
  patiently,
  type TestInstance,
} from '../tools/testing/instance.ts'

/** As many as in life. */
const CONNECTIONS = 20

/** TwoInstances instances on one database: callers with even numbers speak to one, the others to the other. */
export type TwoInstances = {
  at(nth: number): TestInstance
  /** A person's call, each with a key of its own unless one is given. */
  post<T>(nth: number, who: Caller, path: string, body?: object, key?: string): Promise<Answer<T>>
}

export async function openTwoInstances(): Promise<TwoInstances> {
  const { url } = await cloneDatabase()
  const instances = [
    await insist(() => openTestInstance({ url, connections: CONNECTIONS })),
    await insist(() => openTestInstance({ url, connections: CONNECTIONS })),
  ] as const
  const at = (nth: number) => instances[nth % 2 === 0 ? 0 : 1]
  return {
    at,
    post: <T>(nth: number, who: Caller, path: string, body: object = {}, key: string = randomUUID()) =>
      patiently(() => caller(at(nth), who.id, who.token).post<T>(path, body, { 'idempotency-key': key })),
  }
}

export const atOnce = <T>(times: number, work: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, nth) => work(nth)))

export const persistent = <T>(times: number, work: (nth: number) => Promise<T>): Promise<T[]> =>
  atOnce(times, nth => insist(() => work(nth)))

/**
 * One change is made and not yet ended while the other begins: what the other says once the first has ended. It has
 * come as far as it can by then: it waits for the first, or has not noticed it.
 */
export async function meanwhile<T>(
  { at }: TwoInstances,
  first: (change: Change) => Promise<unknown>,
  other: () => Promise<T>,
): Promise<T> {
  const { app } = at(0)
  let [begun, isDone]: [Promise<T> | undefined, boolean] = [undefined, false]
  await app.db.write(async tx => {
    await first(ownChange(app, tx, app.clock.now(), 'test'))
    begun ??= other().finally(() => {
      isDone = true
    })
    // Told by whoever waits below; a rejection is not unheard meanwhile.
    begun.catch(() => {})
    while (!isDone && !(await someoneWaits(at(1)))) await sleep(5)
    // Long enough to stand in line after the first look.
    await sleep(100)
  })
  return begun as unknown as Promise<T>
}

const someoneWaits = async ({ app }: TestInstance): Promise<boolean> => {
  const rows = await app.db.read.rows(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    [],
  )
  return rows.length > 0
}

export const accepted = (answers: readonly Answer[]): number => answers.filter(({ code }) => code === 0).length

/** What a build does that looks first and writes later: how many of so many at once it says yes to. */
export async function naively(
  { at }: TwoInstances,
  times: number,
  look: (instance: TestInstance) => Promise<boolean>,
  write: (instance: TestInstance, nth: number) => Promise<unknown>,
): Promise<number> {
  const said = await atOnce(times, async nth => {
    if (!(await look(at(nth)))) return false
    await write(at(nth), nth)
    return true
  })
  return said.filter(Boolean).length
}
