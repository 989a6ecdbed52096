import type { FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '#kit/model/time.ts'
import { syncPermissions } from '../access/permission.ts'
import { openSessions } from '../access/session.ts'
import type { App } from '../app.ts'
import { authRoutes } from '../auth/routes.ts'
import { type Catalogue, readCatalogue, type Slice } from '../catalogue.ts'
import { declarePages } from '../change/logged-pages.ts'
import { type Outbox, openOutbox } from '../change/outbox.ts'
import { dictionaryRoutes } from '../choice/dictionary.ts'
import { referenceRoutes } from '../choice/reference.ts'
import { openDatabase } from '../database/database.ts'
import { openSignals } from '../database/signal.ts'
import { EXPORTS_AT_ONCE, exportRunner } from '../file/export.ts'
import { packRunner } from '../file/pack.ts'
import { fileRoutes } from '../file/routes.ts'
import { taskRoutes } from '../file/task-routes.ts'
import { mount, openHttp } from '../http/http.ts'
import type { Route } from '../http/route.ts'
import { importRoutes } from '../import/routes.ts'
import { importRunner } from '../import/runner.ts'
import { openCounts } from '../list/count.ts'
import { type Inbox, openInbox } from '../live/inbox.ts'
import { keptInboxSecret } from '../live/inbox-secret.ts'
import { type Live, openLive } from '../live/live.ts'
import { ticketRoute } from '../live/ticket.ts'
import { type Calls, trackCalls } from '../process/calls.ts'
import type { Env } from '../process/env.ts'
import { keptSecret } from '../process/kept-secret.ts'
import { stepsRunner } from '../serve/matching.ts'
import { searchRoute } from '../serve/search-everywhere.ts'
import { openSettings } from '../setting/in-force.ts'
import { openFiles } from '../storage/file.ts'
import { openTexts } from '../text/texts.ts'
import { viewRoutes } from '../view/view.ts'
import { syncJobs } from '../work/schedule-sync.ts'
import { openSlots } from '../work/slots.ts'
import { openTasks } from '../work/task.ts'
import { openTurns } from '../work/turns.ts'
import { type Housekeeping, jobsOf, keepHouse } from './housekeeping.ts'
import { openMetrics } from './metric.ts'
import { openApiRoute } from './openapi.ts'
import { mountProbes } from './probe.ts'

export type Instance = {
  readonly app: App
  /** All that the slices declare, with what their server code does. */
  readonly catalogue: Catalogue
  readonly http: FastifyInstance
  readonly routes: readonly Route[]
  readonly calls: Calls
  readonly live: Live
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly house: Housekeeping
  /** Says "not ready" from now on, so that nothing new is sent here while what is under way ends. */
  retire(): void
  close(): Promise<void>
}

type InstanceOptions = {
  readonly env: Env
  readonly url: string
  readonly log: App['log']
  readonly clock?: Clock
  /** Of the pool; tests open many instances on one small server. */
  readonly connections?: number
  /** How long a call waits for one of them. */
  readonly waitMs?: number | undefined
  /** Compares each answer with its declaration; for tests, where a field too many must not pass unseen. */
  readonly checkAnswers?: boolean
  /** Whether calls to the outside leave as soon as they can; tests that look at what waits say when. */
  readonly isSending?: boolean
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
  waitMs,
  checkAnswers = false,
  isSending = true,
  catalogue: declared,
}: InstanceOptions): Promise<Instance> {
  const env = {
    ...given,
    INBOX_SECRET: given.INBOX_SECRET ?? (await keptInboxSecret(given.DATA_DIR)),
    CODE_SECRET: given.CODE_SECRET ?? (await keptSecret(given.DATA_DIR, 'code-secret')),
  }
  const db = openDatabase(url, connections, waitMs)
  const [texts, catalogue] = await Promise.all([openTexts(), declared ?? readCatalogue()])
  const jobs = jobsOf(catalogue.slices)
  declarePages(catalogue.slices)
  await syncPermissions(db, catalogue, texts)
  await syncJobs(db, jobs, texts)
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
    listeners: catalogue.listeners,
    answers: catalogue.slices.flatMap(({ answers }) => answers),
    signals,
    sessions,
    settings: openSettings(signals),
    counts,
    checkAnswers,
    files: openFiles(env, db),
    tasks: openTasks(db, clock, log),
    jobs,
    exports: openSlots(EXPORTS_AT_ONCE),
    toDos: new Map(),
    namings: new Map(),
    stepTasks: new Map(),
    packs: new Map(),
    turns: openTurns({ places: 2, perPerson: 1, line: 100, waitMs: 30_000 }),
  }
  const { slices } = catalogue
  const inbox = openInbox(app, declaredBy(slices, 'events'), declaredBy(slices, 'doors'))
  const imports = declaredBy(slices, 'imports')
  const routes = routesOf(app, catalogue, inbox)
  const http = openHttp(app)
  const calls = trackCalls(http)
  await mount(http, app, routes)
  const live = openLive(app, http.server)
  const house = keepHouse(app, { jobs, rollUps: declaredBy(slices, 'rollUps') })
  const outbox = openOutbox(app, declaredBy(slices, 'deliveries'), isSending)
  const probes = await mountProbes(http, app, openMetrics(http, app, live.metrics))
  app.tasks.start({
    EXPORT: exportRunner(app),
    IMPORT: importRunner(app, imports),
    STEPS: stepsRunner(app),
    PACK: packRunner(app),
  })
  return {
    app,
    catalogue,
    http,
    routes,
    calls,
    live,
    inbox,
    outbox,
    house,
    retire: probes.stop,
    async close() {
      // Listening goes on until those who send calls here know, and those who wait have their answer.
      await probes.heard()
      await Promise.all([live.close(), calls.ended()])
      await http.close()
      await Promise.all([inbox.close(), outbox.close(), house.stop(), app.tasks.close()])
      await signals.close()
      await db.close()
    },
  }
}

/** Every call there is. */
function routesOf(app: App, catalogue: Catalogue, inbox: Inbox): Route[] {
  const routes = [
    ...authRoutes(app),
    ...dictionaryRoutes(app),
    ...fileRoutes(app),
    ...taskRoutes(app),
    ...importRoutes(app, declaredBy(catalogue.slices, 'imports')),
    ...viewRoutes(app),
    ticketRoute(app),
    ...inbox.routes,
    ...catalogue.slices.flatMap(slice => slice.routes?.(app) ?? []),
  ]
  routes.push(...referenceRoutes(app, routes), searchRoute(app))
  routes.push(openApiRoute(routes, catalogue))
  return routes
}

type Lists = Pick<Slice, 'events' | 'doors' | 'deliveries' | 'imports' | 'rollUps'>

const declaredBy = <Kind extends keyof Lists>(slices: readonly Slice[], kind: Kind): Lists[Kind][number][] =>
  slices.flatMap(slice => [...slice[kind]])
