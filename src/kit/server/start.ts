import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '#kit/model/time.ts'
import type { App } from './app.ts'
import { authRoutes } from './auth/routes.ts'
import { type Catalogue, readCatalogue } from './catalogue.ts'
import { openCounts } from './count.ts'
import { openDatabase } from './database.ts'
import { dictionaryRoutes } from './dictionary.ts'
import type { Env } from './env.ts'
import { EXPORTS_AT_ONCE, exportRunner } from './export.ts'
import { fileRoutes } from './file/routes.ts'
import { openSlots } from './file/slots.ts'
import { taskRoutes } from './file/task-routes.ts'
import { openFiles } from './file.ts'
import { type Housekeeping, keepHouse } from './housekeeping.ts'
import { mount, openHttp } from './http.ts'
import { importRoutes } from './import/routes.ts'
import { importRunner } from './import/runner.ts'
import { keptSecret } from './kept-secret.ts'
import { type Inbox, openInbox } from './live/inbox.ts'
import { keptInboxSecret } from './live/inbox-secret.ts'
import { type Live, openLive } from './live/live.ts'
import { ticketRoute } from './live/ticket.ts'
import { openMetrics } from './metric.ts'
import { openApiRoute } from './openapi.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import { syncPermissions } from './permission.ts'
import { mountProbes } from './probe.ts'
import { referenceRoutes } from './reference.ts'
import type { Route } from './route.ts'
import { openSessions } from './session.ts'
import { openSignals } from './signal.ts'
import { openTasks } from './task.ts'
import { openTexts } from './texts.ts'
import { viewRoutes } from './view.ts'

export type Instance = {
  readonly app: App
  readonly http: FastifyInstance
  readonly routes: readonly Route[]
  readonly live: Live
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly house: Housekeeping
  /** Says "not ready" from now on, so that nothing new is sent here while what is under way ends. */
  retire(): void
  close(): Promise<void>
}

export type InstanceOptions = {
  readonly env: Env
  readonly url: string
  readonly log: App['log']
  readonly clock?: Clock
  /** Of the pool; tests open many instances on one small server. */
  readonly connections?: number
  /** Compares each answer with its declaration; for tests, where a field too many must not pass unseen. */
  readonly checkAnswers?: boolean
  /** What stands, when it is not what the folders hold: for tests, which declare what no slice does. */
  readonly catalogue?: Catalogue
}

/** One instance on a migrated database, not listening yet. */
export async function openInstance({
  env: given,
  url,
  log,
  clock = systemClock,
  connections = 20,
  checkAnswers = false,
  catalogue: declared,
}: InstanceOptions): Promise<Instance> {
  const env = {
    ...given,
    INBOX_SECRET: given.INBOX_SECRET ?? (await keptInboxSecret(given.DATA_DIR)),
    CODE_SECRET: given.CODE_SECRET ?? (await keptSecret(given.DATA_DIR, 'code-secret')),
  }
  const db = openDatabase(url, connections)
  const [texts, catalogue] = await Promise.all([openTexts(), declared ?? readCatalogue()])
  await syncPermissions(db, catalogue, texts)
  const signals = await openSignals(db, log)
  const sessions = openSessions(db, signals, clock, env)
  const counts = await openCounts(db)
  const app: App = {
    env,
    db,
    clock,
    log,
    texts,
    catalogue,
    signals,
    sessions,
    counts,
    checkAnswers,
    files: openFiles(env.DATA_DIR, db),
    tasks: openTasks(db, clock, log),
    exports: openSlots(EXPORTS_AT_ONCE),
  }
  const inbox = openInbox(app)
  const routes = [
    ...authRoutes(app),
    ...referenceRoutes(app),
    ...dictionaryRoutes(app),
    ...fileRoutes(app),
    ...taskRoutes(app),
    ...importRoutes(app),
    ...viewRoutes(app),
    ticketRoute(app),
    ...inbox.routes,
    ...catalogue.slices.flatMap(slice => slice.routes?.(app) ?? []),
  ]
  routes.push(openApiRoute(routes, catalogue))
  const http = openHttp(log)
  await mount(http, app, routes)
  const live = openLive(app, http.server)
  const house = keepHouse(app)
  const outbox = openOutbox(app)
  const probes = await mountProbes(http, app, openMetrics(http, app, live.metrics))
  app.tasks.start({ EXPORT: exportRunner(app), IMPORT: importRunner(app) })
  return {
    app,
    http,
    routes,
    live,
    inbox,
    outbox,
    house,
    retire: probes.stop,
    async close() {
      // Before the calls: the port is not free while a socket is open.
      await live.close()
      await http.close()
      await Promise.all([inbox.close(), outbox.close(), house.stop(), app.tasks.close()])
      await signals.close()
      await db.close()
    },
  }
}
