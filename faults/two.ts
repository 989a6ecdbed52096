import { randomUUID } from 'node:crypto'
import {
  type Answer,
  type Caller,
  caller,
  cloneDatabase,
  openTestInstance,
  patiently,
  type TestInstance,
} from '../tools/testing/instance.ts'

/** Two instances on one database: callers with even numbers speak to one, the others to the other. */
export type Two = {
  at(nth: number): TestInstance
  /** A person's call, each with a key of its own unless one is given. */
  post<T>(nth: number, who: Caller, path: string, body?: object, key?: string): Promise<Answer<T>>
}

export async function openTwo(): Promise<Two> {
  const { url } = await cloneDatabase()
  const instances = [await openTestInstance({ url }), await openTestInstance({ url })] as const
  const at = (nth: number) => instances[nth % 2 === 0 ? 0 : 1]
  return {
    at,
    post: <T>(nth: number, who: Caller, path: string, body: object = {}, key: string = randomUUID()) =>
      patiently(() => caller(at(nth), who.id, who.token).post<T>(path, body, { 'idempotency-key': key })),
  }
}

export const atOnce = <T>(times: number, work: (nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, nth) => work(nth)))

export const accepted = (answers: readonly Answer[]): number => answers.filter(({ code }) => code === 0).length

/** What a build does that looks first and writes later: how many of so many at once it says yes to. */
export async function naively(
  { at }: Two,
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
