import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { backOff } from '../tools/keep.mjs'
import { somebodyWaits } from '../tools/testing/locks.ts'
import { freePort } from '../tools/testing/port.ts'
import { Processes } from '../tools/testing/process.ts'
import type { Run } from '../tools/testing/program.ts'

const STAND_STILL = { NODE_OPTIONS: `--import=${new URL('../tools/testing/stand-still.mjs', import.meta.url)}` }
const KEEP = new URL('../tools/keep.mjs', import.meta.url)
const PATIENT = { timeout: 180_000 }
/** Builds the console where that was not done yet. */
const WITH_BUILD = { timeout: 300_000 }

const processes = new Processes()
afterAll(() => processes.end())

const times = ({ output }: Run, words: RegExp) => output().match(new RegExp(words, 'g'))?.length ?? 0
/** The process number in the newest line of the log. */
const newestPid = ({ output }: Run) => Number([...output().matchAll(/"pid":(\d+)/g)].at(-1)?.[1])

describe('a console whose loop stands still', () => {
  test('is ended, and the log names the calls under way by their templates', async () => {
    const settings = await processes.settings({ SEED: 'none', ADMIN_PASSWORD: 'seven-brushes-dry', ...STAND_STILL })
    const run = processes.server(settings)
    const address = await run.ready
    const authtoken = await processes.token(settings)
    const holder = new pg.Client({ connectionString: settings.DATABASE_URL })
    await holder.connect()
    await holder.query('begin; lock table sales_order in access exclusive mode')
    const requestId = '5b0c7c1e-6d0a-4a52-9a5c-1a2b3c4d5e6f'
    const call = fetch(`${address}/api/orders/order/424242`, { headers: { authtoken, 'x-request-id': requestId } })
    const broken = call.then(
      () => 'answered',
      () => 'broken off',
    )
    await somebodyWaits(sql => holder.query(sql))
    run.child.kill('SIGUSR2')
    // Nobody inside hears it any more.
    run.child.kill('SIGTERM')
    await run.exited
    expect(run.child.signalCode).toBe('SIGKILL')
    expect(await broken).toBe('broken off')
    await holder.end()
    const line = JSON.parse(
      run
        .output()
        .split('\n')
        .find(text => text.includes('stands still')) ?? '{}',
    )
    expect(line).toMatchObject({
      level: 'fatal',
      calls: [{ method: 'GET', route: '/api/orders/order/:id', requestId, ms: expect.any(Number) }],
    })
    expect(run.output()).not.toContain('424242')
    expect(run.output()).toContain('patience of the watchdog: 30000 ms')
  })

  test('is started again by npm start, with the database it left running', WITH_BUILD, async () => {
    const settings = { DATA_DIR: await processes.folder(), PORT: String(await freePort()), SEED: 'none' }
    const run = await processes.command({ ...settings, ...STAND_STILL }, 'start')
    const address = await run.ready
    await fetch(`${address}/api/auth/captcha`)
    await expect.poll(() => newestPid(run), PATIENT).toBeGreaterThan(0)
    process.kill(newestPid(run), 'SIGUSR2')
    await expect.poll(() => times(run, /Inkstone is ready at/), PATIENT).toBe(2)
    expect(run.output()).toMatch(/ended \(SIGKILL\) and is started again in 1 s\./)
    expect(run.output()).toMatch(/was left running by an earlier console and is used again/)
    expect((await fetch(`${address}/ready`)).status).toBe(200)
    run.child.kill('SIGTERM')
    expect(await run.exited).toBe(0)
  })
})

describe('whoever keeps the console running', () => {
  test('waits 1 s, then twice as long up to 30 s, and begins anew after a minute of health', () => {
    const waitFor = backOff()
    expect(Array.from({ length: 7 }, () => waitFor(1, 500))).toEqual(
      [1, 2, 4, 8, 16, 30, 30].map(seconds => seconds * 1_000),
    )
    expect(waitFor(137, 60_000)).toBe(1_000)
    expect(waitFor(1, 59_999)).toBe(2_000)
  })

  test.each([0, 64, 78])('does not repeat an end with %i', code => {
    expect(backOff()(code, 500)).toBeUndefined()
  })

  test('does not start again what its owner has to mend', WITH_BUILD, async () => {
    const run = await processes.command({ PORT: 'many' }, 'start')
    expect(await run.exited).toBe(78)
    expect(run.output()).not.toContain('started again')
  })

  test('ends at once when it is told to between two runs', async () => {
    const program = `import { keepRunning } from '${KEEP}'; keepRunning(process.execPath, ['-e', 'process.exit(3)'])`
    const run = processes.node({}, ['--input-type=module', '-e', program])
    await expect.poll(run.output).toContain('The console ended (3) and is started again in 2 s.')
    run.child.kill('SIGTERM')
    expect(await run.exited).toBe(0)
    expect(times(run, /started again/)).toBe(2)
  })

  test('passes a second signal on, which means at once', async () => {
    const stubborn = `let asked = 0; process.on('SIGTERM', () => (asked += 1) > 1 && process.exit(1)); setInterval(() => {}, 1000); console.log('up')`
    const program = `import { keepRunning } from '${KEEP}'; keepRunning(process.execPath, ['-e', ${JSON.stringify(stubborn)}])`
    const run = processes.node({}, ['--input-type=module', '-e', program])
    await expect.poll(run.output).toContain('up')
    run.child.kill('SIGTERM')
    await sleep(500)
    expect(run.child.exitCode).toBe(null)
    run.child.kill('SIGTERM')
    expect(await run.exited).toBe(1)
    expect(run.output()).not.toContain('started again')
  })
})
