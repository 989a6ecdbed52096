import { sql } from 'kysely'
import type { App, Change } from '../app.ts'
import { ownChange } from '../change/operation.ts'
import type { Tx } from '../database/database.ts'

/** Work a slice repeats; its server.ts lists it in `jobs`. */
export type DeclaredJob = { readonly name: string; readonly ms: number; work(change: Change): Promise<unknown> }

export const runDeclared = (app: App, { name, ms, work }: DeclaredJob): Job =>
  every(app, name, ms, tx => work(ownChange(app, tx, app.clock.now(), `job:${name}`)))

export type Job = {
  /** Runs at once; says whether it ran, or was under way elsewhere. */
  run(): Promise<boolean>
  stop(): Promise<void>
}

/** Repeats work in a transaction of its own, on one instance at a time. Work that fails is tried again next time. */
export function every(app: Pick<App, 'db' | 'log'>, name: string, ms: number, work: (tx: Tx) => Promise<unknown>): Job {
  let running: Promise<boolean> | undefined
  const run = () => {
    running ??= app.db
      .write(async tx => {
        const { rows } = await sql<{
          mine: boolean
        }>`select pg_try_advisory_xact_lock(hashtext(${`job:${name}`})) as mine`.execute(tx)
        if (!rows[0]?.mine) return false
        await work(tx)
        return true
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
  const timer = setInterval(() => {
    run().catch(error => app.log.warn({ err: error, job: name }, 'a job failed'))
  }, ms)
  timer.unref()
  return {
    run,
    async stop() {
      clearInterval(timer)
      await running?.catch(() => false)
    },
  }
}
