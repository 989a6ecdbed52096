import { once } from 'node:events'
import { formatInstant, systemClock } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import { openDatabase } from '#kit/server/database/database.ts'
import { keptInboxSecret } from '#kit/server/live/inbox-secret.ts'
import { openLog } from '#kit/server/process/log.ts'
import { type Command, withDatabase } from './command.ts'

type World = Pick<App, 'db' | 'env' | 'log' | 'clock'>
/** Hears of each event by its type, and of none where what was tried came to nothing. */
type Hear = (type: string | undefined) => void
type StartSimulator = (world: World, url: string, options: { hear: Hear }) => { close(): Promise<void> }

/** Plays the app and the platforms for a console that runs already, until it is interrupted. */
export const simulateWith =
  (start: StartSimulator): Command =>
  (_args, env) =>
    withDatabase(env, async url => {
      const secret = env.INBOX_SECRET ?? (await keptInboxSecret(env.DATA_DIR))
      const db = openDatabase(url, 2)
      const target = `http://${env.HOST}:${env.PORT}`
      const { hear, sum } = diary(line => console.log(line))
      const simulator = start(
        { db, log: openLog(env.LOG_LEVEL), clock: systemClock, env: { ...env, INBOX_SECRET: secret } },
        target,
        { hear },
      )
      console.log(`Events go to ${target}, one or two a minute. Ctrl-C ends it.`)
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
      await simulator.close()
      await db.close()
      console.log(sum())
      return 0
    })

/** Tells what was played line by line, and at the end how many of each. */
export function diary(tell: (line: string) => void): { readonly hear: Hear; sum(): string } {
  const played = new Map<string, number>()
  let vain = 0
  return {
    hear(type) {
      const time = formatInstant(systemClock.now()).slice(11)
      if (type === undefined) {
        vain += 1
        return tell(`${time} nothing: the console took no event, or has no member to play one with`)
      }
      played.set(type, (played.get(type) ?? 0) + 1)
      tell(`${time} ${type}`)
    },
    sum() {
      const each = [...played].sort(([, one], [, other]) => other - one).map(([type, times]) => `${type} ${times}`)
      const count = [...played.values()].reduce((all, times) => all + times, 0)
      return [
        `${count} events${each.length > 0 ? `: ${each.join(', ')}` : ''}`,
        ...(vain > 0 ? [`${vain} times nothing`] : []),
      ].join('; ')
    },
  }
}
