import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepBuiltInDictionaries } from '#areas/system/dictionary/built-in.server.ts'
import { keepShippedTemplates } from '#areas/system/message-template/shipped.server.ts'
import { Refused } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { createFirstAdmin } from '#kit/server/auth/admin.ts'
import { type DemoAccount, findDemoAccounts } from '#kit/server/auth/demo-account.ts'
import { type Command, WrongUse } from '#kit/server/cli/command.ts'
import { shareFolder } from '#kit/server/database/console-lock.ts'
import { startEmbedded } from '#kit/server/database/embedded/embedded.ts'
import { MigrationRefused, migrate } from '#kit/server/database/migrate.ts'
import { BadSettings, type Env, readEnv } from '#kit/server/process/env.ts'
import { openLog } from '#kit/server/process/log.ts'
import { StartRefused } from '#kit/server/process/start-refused.ts'
import { startWatchdog } from '#kit/server/process/watchdog.ts'
import { takeOverSettings } from '#kit/server/setting/take-over.ts'
import { openInstance } from '#kit/server/start/start.ts'
import { serveConsole } from '#kit/server/start/static.ts'
import { openTexts } from '#kit/server/text/texts.ts'
import { seedWithFiles } from './demo/proofs.server.ts'
import { startSimulator } from './demo/simulator.server.ts'

/** sysexits.h: something is wrong that its owner has to mend. A supervisor need not try again (tools/keep.mjs). */
const EXIT_CONFIG = 78
const EXIT_USAGE = 64
/** Calls under way get this long to end; whoever asked us to stop waits ten seconds before forcing it. */
const DRAIN_MS = 8_000
/** One wish to stop arrives twice where the process group, a supervisor or the launcher pass it on. */
const SAME_WISH_MS = 1_000

const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  access: async () => (await import('#kit/server/cli/access.ts')).changeAccess,
  'admin:create': async () => (await import('#kit/server/cli/admin-create.ts')).adminCreate,
  backup: async () => (await import('#kit/server/cli/backup.ts')).backup,
  doctor: async () => (await import('#kit/server/cli/doctor.ts')).doctor,
  'print-config': async () => (await import('#kit/server/cli/print-config.ts')).printConfig,
  restore: async () => (await import('#kit/server/cli/restore.ts')).restore,
  seed: async () =>
    (await import('#kit/server/cli/seed.ts')).seedWith({
      async seedDemo(app, options) {
        await keepBuiltInDictionaries(app, options.now)
        return seedWithFiles(app, options)
      },
      seedOrders: (await import('#areas/orders/order/demo-bulk.server.ts')).seedOrders,
    }),
  simulate: async () => (await import('#kit/server/cli/simulate.ts')).simulateWith(startSimulator),
}

const [name, ...args] = process.argv.slice(2)
try {
  if (name === undefined) await runConsole(readEnv(), stopSignal())
  else process.exitCode = await (await commandNamed(name))(args, readEnv())
} catch (error) {
  process.exitCode = await explained(error)
}
// Everything is closed by now; what a library may have left behind keeps nobody waiting.
process.exit()

async function commandNamed(wanted: string): Promise<Command> {
  const command = COMMANDS[wanted]
  if (!command) throw new WrongUse(`There is no command ${wanted}. Known are: ${Object.keys(COMMANDS).join(', ')}`)
  return command()
}

/** What its owner can mend is said in a sentence; anything else is a bug and shows where it happened. */
async function explained(error: unknown): Promise<number> {
  if (error instanceof BadSettings) {
    console.error(`These settings are not right:\n${error.message.replace(/^/gm, '  ')}`)
    return EXIT_CONFIG
  }
  if (error instanceof Refused) {
    console.error((await openTexts()).refusal('en-US', 'kit', `title-${error.kind}`, error.refusal))
    return 1
  }
  if (error instanceof StartRefused || error instanceof MigrationRefused) {
    console.error(error.message)
    return EXIT_CONFIG
  }
  const isWrongUse = error instanceof WrongUse
  console.error(isWrongUse ? error.message : error)
  return isWrongUse ? EXIT_USAGE : 1
}

/** Starts everything in an order in which each step has what it needs, stays until it is told to stop, and undoes it all. */
async function runConsole(env: Env, stop: AbortSignal): Promise<void> {
  const begun = performance.now()
  // A person at a terminal reads the address and the accounts; a supervisor gets every line.
  const log = openLog(process.stdout.isTTY && env.LOG_LEVEL === 'info' ? 'warn' : env.LOG_LEVEL)
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'unexpected: the process ends rather than go on in doubt')
    process.exit(1)
  })
  await using opened = new AsyncDisposableStack()
  const url =
    env.DATABASE_URL === undefined ? await embeddedUrl(env, opened) : outsideUrl(env.DATABASE_URL, env, opened)
  await requireFreePort(env)
  if (stop.aborted) return
  await migrate(url)
  const instance = await openInstance({ env, url, log })
  opened.defer(() => drained(instance.close(), () => instance.http.server.closeAllConnections()))
  if (stop.aborted) return
  await takeOverSettings(instance.app, process.env)
  await keepBuiltInDictionaries(instance.app, new Date())
  if (env.SEED === 'demo') await seedWithFiles(instance.app, { now: new Date() })
  const firstPassword = await keepAdmin(instance.app)
  await keepShippedTemplates(instance.app, new Date())
  await serveConsole(instance.http)
  const address = await instance.http.listen({ host: env.HOST, port: env.PORT })
  startWatchdog(instance.calls.board)
  // Not before the demo business stands: it is made in one transaction, for which a job would wait in vain.
  instance.house.begin()
  if (env.SIMULATE === 'on') {
    const simulator = startSimulator(instance.app, address)
    opened.defer(() => simulator.close())
  }
  console.log(`Inkstone is ready at ${address} (${Math.round((performance.now() - begun) / 100) / 10} s)`)
  if (firstPassword) console.log(firstPassword)
  showAccounts(await findDemoAccounts(instance.app))
  if (!stop.aborted) await once(stop, 'abort')
  instance.retire()
}

/** The first start of an empty console makes its administrator; a password made up for it is told here and nowhere else. */
async function keepAdmin({ db, env }: App): Promise<string | undefined> {
  const first = await createFirstAdmin(db, {
    username: env.ADMIN_USERNAME,
    now: new Date(),
    profile: env.SECURITY_PROFILE,
    ...(env.ADMIN_PASSWORD === undefined ? {} : { password: env.ADMIN_PASSWORD }),
  })
  return !first?.generated
    ? undefined
    : `\nSign in as ${env.ADMIN_USERNAME} with the password ${first.generated}\nIt is shown this once, and has to be changed at the first sign-in.`
}

function showAccounts(accounts: readonly DemoAccount[]): void {
  if (accounts.length === 0) return
  const rows = [{ account: 'Account', password: 'Password', role: 'Role' }, ...accounts]
  const width = (of: 'account' | 'password') => Math.max(...rows.map(row => row[of].length)) + 3
  console.log('\nDemo accounts:')
  for (const row of rows)
    console.log(`  ${row.account.padEnd(width('account'))}${row.password.padEnd(width('password'))}${row.role}`)
}

async function embeddedUrl(env: Env, opened: AsyncDisposableStack): Promise<string> {
  const embedded = await startEmbedded(env.DATA_DIR, line => console.log(line))
  opened.defer(() => embedded.stop())
  return embedded.url
}

/** Nothing is restored into the folder while it serves. */
function outsideUrl(url: string, { DATA_DIR: folder }: Env, opened: AsyncDisposableStack): string {
  const shared = shareFolder(folder, folder)
  opened.defer(() => shared.release())
  return url
}

/** Asked before the work of a first start, so that nobody waits for it in vain. */
async function requireFreePort({ HOST: host, PORT: port }: Env): Promise<void> {
  const probe = createServer()
  const listening = Promise.withResolvers<void>()
  probe.once('error', listening.reject).listen({ host, port }, listening.resolve)
  try {
    await listening.promise
  } catch (error) {
    throw new StartRefused(whyNotListening(error as NodeJS.ErrnoException, host, port))
  }
  await new Promise(closed => probe.close(closed))
}

function whyNotListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program. Stop it, or set PORT to another one.`
  if (code === 'EACCES') return `This user may not use port ${port}. Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine has no address ${host}. Correct HOST.`
  return `The console cannot listen on ${host}:${port} (${message}).`
}

async function drained(closing: Promise<void>, force: () => void): Promise<void> {
  await Promise.race([closing, sleep(DRAIN_MS, undefined, { ref: false }).then(force)])
  await closing
}

/** The first wish to stop aborts, also during the start; a second one ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  let askedAt: number | undefined
  const ask = () => {
    if (askedAt !== undefined && performance.now() - askedAt < SAME_WISH_MS) return
    if (askedAt !== undefined) process.exit(1)
    askedAt = performance.now()
    stop.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  return stop.signal
}
