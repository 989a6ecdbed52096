import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { cloneDatabase, openTestInstance, person } from '../tools/testing/instance.ts'
import { openSocket } from '../tools/testing/live.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { freePort } from '../tools/testing/port.ts'
import { placeOrder } from '../tools/testing/records.ts'
import { openRunFolder } from '../tools/testing/run-folder.mjs'

const MINUTES = 10
/** Code is compiled, pools and caches fill. */
const WARM_MINUTES = 2
const CALLERS = 10
const SOCKETS = 50
const LOOK_MS = 20_000
const COLLECT_MS = 3_000
const MB = 1_048_576
/** What a leak of a few kilobytes a call would pass in the first minute. */
const MB_A_MINUTE = 1
const FILES_MORE = 30

const CALLS = [
  '/orders/order',
  '/orders/order?current=2&payState=PAID',
  '/orders/order?query=nobody',
  '/members/member',
  '/auth/userInfo',
  '/common/settings',
  '/orders/refund-application',
]

type Look = { readonly minute: number; readonly heapMb: number; readonly files: number }

describe.runIf(IS_LONG && process.platform === 'linux')('a console that runs and runs', () => {
  const folder = openRunFolder('inkstone-soak')
  afterAll(() => folder.close())

  test(`keeps neither memory nor files nor connections over ${MINUTES} minutes of calls and of sockets that come and go`, async () => {
    const { url } = await cloneDatabase()
    const keeper = await openTestInstance({ url })
    for (let nth = 0; nth < 200; nth += 1) await placeOrder(keeper)
    const { token } = await person(keeper, { superAdmin: true })
    const people = await Promise.all(Array.from({ length: SOCKETS }, () => person(keeper)))
    const heapFile = join(folder.path, 'heap')
    const port = await freePort()
    // Notes the size of its heap after a collection, when it is told to.
    const flags = ['--expose-gc', '--import', './bench/collect-garbage.ts']
    const child = spawn(process.execPath, [...flags, 'src/server.ts'], {
      env: {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: url,
        DATA_DIR: folder.path,
        PORT: String(port),
        SEED: 'none',
        SIMULATE: 'off',
        LOG_LEVEL: 'error',
        BENCH_HEAP: heapFile,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const { pid } = child
    if (!pid) throw new Error('no process')
    folder.take(pid)
    const host = `127.0.0.1:${port}`
    await expect
      .poll(async () => (await fetch(`http://${host}/ready`).catch(() => undefined))?.ok, { timeout: 120_000 })
      .toBe(true)

    const stop = new AbortController()
    let failed = 0
    const busy = [
      ...Array.from({ length: CALLERS }, async (_, nth) => {
        for (let at = nth; !stop.signal.aborted; at += 1) {
          const answer = await fetch(`http://${host}/api${CALLS[at % CALLS.length]}`, { headers: { authtoken: token } })
          if (((await answer.json()) as { code: number }).code !== 0) failed += 1
        }
      }),
      (async () => {
        while (!stop.signal.aborted) {
          const opened = await Promise.allSettled(people.map(one => openSocket(host, one.token)))
          // Told to come back later, as a browser would be: the door lets in only so many in a second.
          const sockets = opened.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
          await sleep(100)
          for (const { raw } of sockets) raw.close()
          await Promise.all(sockets.map(({ closed }) => closed))
        }
      })(),
    ]
    const looks: Look[] = []
    for (const begun = Date.now(); Date.now() - begun < MINUTES * 60_000; ) {
      await sleep(LOOK_MS)
      process.kill(pid, 'SIGUSR2')
      await sleep(COLLECT_MS)
      const heapMb = Number(readFileSync(heapFile, 'utf8')) / MB
      looks.push({ minute: (Date.now() - begun) / 60_000, heapMb, files: readdirSync(`/proc/${pid}/fd`).length })
    }
    stop.abort()
    await Promise.all(busy)
    const connections = await keeper.app.db.read.pool.query(
      'select count(*)::int as n from pg_stat_activity where datname = current_database()',
    )
    child.kill('SIGTERM')
    await once(child, 'close')

    const warm = looks.filter(({ minute }) => minute > WARM_MINUTES)
    expect(failed).toBe(0)
    expect(slope(warm)).toBeLessThan(MB_A_MINUTE)
    const files = warm.map(look => look.files)
    expect(Math.max(...files) - Math.min(...files)).toBeLessThan(SOCKETS * 2 + FILES_MORE)
    expect((files.at(-1) ?? 0) - (files[0] ?? 0)).toBeLessThan(SOCKETS + FILES_MORE)
    expect(connections.rows[0].n).toBeLessThan(60)
  }, 1_800_000)
})

/** Megabytes a minute, by the line that lies closest to all looks. */
function slope(looks: readonly Look[]): number {
  const mean = (of: (look: Look) => number) => looks.reduce((sum, look) => sum + of(look), 0) / looks.length
  const [minute, heap] = [mean(look => look.minute), mean(look => look.heapMb)]
  const along = looks.reduce((sum, look) => sum + (look.minute - minute) * (look.heapMb - heap), 0)
  return along / looks.reduce((sum, look) => sum + (look.minute - minute) ** 2, 0)
}
