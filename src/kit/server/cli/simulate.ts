import { once } from 'node:events'
import { systemClock } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { openDatabase } from '#kit/server/database/database.ts'
import { keptInboxSecret } from '#kit/server/live/inbox-secret.ts'
import { openLog } from '#kit/server/process/log.ts'
import { type Command, withDatabase } from './command.ts'

type World = Pick<App, 'db' | 'env' | 'log' | 'clock'>
export type StartSimulator = (world: World, url: string) => { close(): Promise<void> }

/** Plays the app and the platforms for a console that runs already, until it is interrupted. */
export const simulateWith =
  (start: StartSimulator): Command =>
  (_args, env) =>
    withDatabase(env, async url => {
      const secret = env.INBOX_SECRET ?? (await keptInboxSecret(env.DATA_DIR))
      const db = openDatabase(url, 2)
      const target = `http://${env.HOST}:${env.PORT}`
      const simulator = start(
        { db, log: openLog(env.LOG_LEVEL), clock: systemClock, env: { ...env, INBOX_SECRET: secret } },
        target,
      )
      console.log(`Events go to ${target}, one or two a minute. Ctrl-C ends it.`)
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
      await simulator.close()
      await db.close()
      return 0
    })
