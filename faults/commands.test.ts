import { createHash } from 'node:crypto'
import { cp, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator } from '../src/demo/simulator.server.ts'
import { systemClock } from '../src/kit/model/time.ts'
import { withConnection } from '../src/kit/server/database/connection.ts'
import { type Database, openDatabase } from '../src/kit/server/database/database.ts'
import { openEmbedded } from '../src/kit/server/database/embedded/embedded.ts'
import { readEnv } from '../src/kit/server/process/env.ts'
import { openLog } from '../src/kit/server/process/log.ts'
import { contentsOf } from '../tools/testing/contents.ts'
import { demoFolder } from '../tools/testing/demo-folder.ts'
import { emptyDatabase } from '../tools/testing/instance.ts'
import { freePort } from '../tools/testing/port.ts'
import { Processes, signInAt } from '../tools/testing/process.ts'
import type { Run, Settings } from '../tools/testing/program.ts'

const isLong = process.env.INKSTONE_LONG === 'yes'
/** Beside the demo business of some thousand orders. */
const ORDERS = isLong ? 100_000 : 500
const MINUTE_MS = 60_000
const COMMAND_MS = isLong ? 30 * MINUTE_MS : 10 * MINUTE_MS
/** What failed once is tried again, later each time. */
const PATIENT = { timeout: 3 * MINUTE_MS, interval: 200 }
/** Events of an hour at the simulator's own pace, played as fast as they are taken. */
const EVENTS = 140
const PLAYERS = 4

/** Commands of the README that are run by another test, or are the tests. */
const ELSEWHERE = {
  start: 'faults/watchdog.long.test.ts',
  test: '',
  'test:long': '',
  check: '',
  // The lint of `check` is the same tool, with the same rules.
  format: '',
  new: 'tools/new-screen/new-screen.long.test.ts',
} as const

const processes = new Processes()
afterAll(() => processes.end())
const ran = new Set<string>()

/** Runs a command of the README to its end, which must be a good one. */
async function command(settings: Settings, name: string, ...args: string[]): Promise<string> {
  const run = await begin(settings, name, ...args)
  expect(await run.exited, `${name}: ${run.output()}`).toBe(0)
  return run.output()
}

function begin(settings: Settings, name: string, ...args: string[]): Promise<Run> {
  ran.add(name)
  return processes.command(settings, name, args)
}

/** Names, contents and modes of what lies in a data folder beside the database. */
async function filesOf(dataDir: string): Promise<Record<string, string>> {
  const uploads = (await readdir(join(dataDir, 'files'))).map(name => `files/${name}`)
  const found: Record<string, string> = {}
  for (const name of ['inbox-secret', 'code-secret', 'file-key', ...uploads].sort()) {
    const path = join(dataDir, name)
    const held = await stat(path).catch(() => undefined)
    if (!held) continue
    const hash = createHash('sha256').update(await readFile(path))
    found[name] = `${(held.mode & 0o777).toString(8)} ${hash.digest('hex')}`
  }
  return found
}

describe(`the commands of the README on a business with ${ORDERS} orders more`, { timeout: COMMAND_MS }, () => {
  let settings: Settings
  let backups: string
  let db: Database
  beforeAll(async () => {
    const [dataDir, home] = [await processes.folder(), await processes.folder()]
    await demoFolder(home)
    // The database of a folder serves its own console alone, and here it has to stand by itself.
    await cp(home, dataDir, { recursive: true, filter: path => !basename(path).startsWith('postgres') })
    settings = {
      DATABASE_URL: await processes.database(home),
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      SIMULATE: 'off',
      SEED: 'demo',
      CAPTCHA: 'off',
      INBOX_SECRET: 'sixteen-letters-or-more',
    }
    backups = await processes.folder()
    expect(await command(settings, 'seed', '--orders', String(ORDERS))).toContain(`${ORDERS} orders more`)
    db = openDatabase(settings.DATABASE_URL ?? '', 4)
  }, COMMAND_MS)
  afterAll(() => db?.close())

  test('a backup restored into an empty server has every table and file of the first', async () => {
    const target = { DATA_DIR: await processes.folder(), SEED: 'demo' }
    await command(settings, 'backup', '--to', join(backups, 'quiet'))
    await command(target, 'restore', '--from', join(backups, 'quiet'))
    const embedded = await openEmbedded(target.DATA_DIR, () => {})
    try {
      const [first, second] = [await contentsOf(settings.DATABASE_URL ?? ''), await contentsOf(embedded.url)]
      expect(Object.keys(first.tables).length).toBeGreaterThan(50)
      expect(second).toEqual(first)
    } finally {
      await embedded.stop()
    }
    const files = await filesOf(settings.DATA_DIR ?? '')
    expect(Object.keys(files).length).toBeGreaterThan(100)
    expect(await filesOf(target.DATA_DIR)).toEqual(files)
    expect(await command(target, 'doctor')).toContain('All is well.')
  })

  describe('beside a console at work', () => {
    let address: string
    beforeAll(async () => {
      address = await processes.server(settings).ready
    })

    /** Plays the app and the platforms as fast as the console takes it, until so many events were taken. */
    async function play(events: number): Promise<void> {
      const env = readEnv(settings)
      const simulator = startSimulator({ db, env, log: openLog('silent'), clock: systemClock }, address)
      let left = events
      const one = async () => {
        while (left > 0) {
          left -= 1
          await simulator.play()
        }
      }
      await Promise.all(Array.from({ length: PLAYERS }, one))
      await simulator.close()
    }
    const number = async (sql: string) => Number((await db.read.pool.query(sql)).rows[0].n)
    const EVENTS_TAKEN = 'select count(*)::int as n from inbox_event'

    test('a backup made meanwhile is of one instant, and holds all that was said yes to before', async () => {
      await play(EVENTS / 4)
      const before = await number(EVENTS_TAKEN)
      const isOver = new AbortController()
      const playing = (async () => {
        while (!isOver.signal.aborted) await play(PLAYERS)
      })()
      await command(settings, 'backup', '--to', join(backups, 'busy'))
      const after = await number(EVENTS_TAKEN)
      isOver.abort()
      await playing
      expect(after).toBeGreaterThan(before)

      const empty = await emptyDatabase()
      const target = { DATABASE_URL: empty.url, DATA_DIR: await processes.folder(), SEED: 'demo' }
      await command({ DATA_DIR: target.DATA_DIR }, 'restore', '--from', join(backups, 'busy'), '--into', empty.url)
      const held = await withConnection({ connectionString: empty.url }, async client =>
        Number((await client.query(EVENTS_TAKEN)).rows[0].n),
      )
      expect(held).toBeGreaterThanOrEqual(before)
      expect(held).toBeLessThanOrEqual(after)
      expect(await command(target, 'doctor')).toContain('All is well.')
      await empty.drop()
    })

    test('an hour of events at high speed leaves nothing for the doctor to find', async () => {
      await play(EVENTS)
      await expect.poll(() => number(`${EVENTS_TAKEN} where outcome = 'WAITING'`), PATIENT).toBe(0)
      const unapplied = 'select type, outcome, error from inbox_event where applied_at is null'
      expect((await db.read.pool.query(unapplied)).rows).toEqual([])
      expect(await command(settings, 'doctor')).toContain('All is well.')
    })

    test('simulate plays events until it is told to stop', async () => {
      const before = await number(EVENTS_TAKEN)
      const simulating = await begin(settings, 'simulate')
      await expect.poll(() => number(EVENTS_TAKEN), PATIENT).toBeGreaterThan(before)
      simulating.child.kill('SIGINT')
      expect(await simulating.exited).toBe(0)
    })

    test('an administrator made by hand can sign in, and a right taken away is gone', async () => {
      const said = await command(settings, 'admin:create', '--username', 'night-watch')
      const password = /with the password (\S+)/.exec(said)?.[1] ?? ''
      expect(await signInAt(address, 'night-watch', password)).toMatch(/^[\w-]{43}$/)
      const authtoken = await signInAt(address, 'finance')
      const orders = async () => (await fetch(`${address}/api/orders/order`, { headers: { authtoken } })).status
      expect(await orders()).toBe(200)
      await command(settings, 'access', 'revoke', 'FINANCE', 'order-list', 'list')
      await expect.poll(orders).toBe(403)
    })

    test('the settings in force are printed, and no secret', async () => {
      const said = await command(settings, 'print-config')
      expect(said).toContain(`PORT=${settings.PORT}\n`)
      expect(said).not.toContain(settings.INBOX_SECRET)
    })
  })

  test('dev serves the console with hot reload and the calls behind it', async () => {
    const [port, consolePort] = [String(await freePort()), String(await freePort())]
    const dev = await begin({ ...settings, PORT: port, CONSOLE_PORT: consolePort }, 'dev')
    await dev.ready
    const page = await fetch(`http://localhost:${consolePort}/`)
    expect(await page.text()).toContain('/@vite/client')
    expect((await fetch(`http://localhost:${consolePort}/api/auth/captcha`)).status).toBe(200)
    dev.child.kill('SIGTERM')
    expect(await Promise.race([dev.exited, sleep(15_000, 'still there')])).toBe(0)
  })

  test('no command of the README is left out', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const named = [...readme.matchAll(/npm (?:run )?(start|test|[a-z:-]+)(?= |`|$)/gm)].map(([, name]) => name)
    expect([...new Set(named)].sort()).toEqual([...new Set([...ran, ...Object.keys(ELSEWHERE)])].sort())
  })
})
