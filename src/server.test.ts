import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { watchMachine } from '../faults/slowness.ts'
import { demoFolder } from '../tools/testing/demo-folder.ts'
import { somebodyWaits } from '../tools/testing/locks.ts'
import { freePort } from '../tools/testing/port.ts'
import { Processes } from '../tools/testing/process.ts'
import type { Run, Settings } from '../tools/testing/program.ts'

const processes = new Processes()
afterAll(() => processes.end())
const run = (settings: Settings, ...args: string[]) => processes.server(settings, ...args)

/** On a database of its own, listening on a free port. */
async function start(more: Settings = {}): Promise<Run & { settings: Settings }> {
  const settings = await processes.settings(more)
  return { ...run(settings), settings }
}

describe('the first start', () => {
  test('tells the password of the first administrator once, and never again', async () => {
    const first = await start({ SEED: 'none' })
    await first.ready
    await expect.poll(first.output).toMatch(/Sign in as admin with the password [a-z0-9-]{20,}\n/)
    first.child.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    const second = run(first.settings)
    await second.ready
    second.child.kill('SIGTERM')
    await second.exited
    expect(second.output()).not.toMatch(/password/)
  })

  test('takes the password of the settings, and does not repeat it', async () => {
    const { ready, output } = await start({ SEED: 'none', ADMIN_PASSWORD: 'seven-brushes-dry' })
    await ready
    expect(output()).not.toMatch(/seven-brushes|password/i)
  })

  test('with demo data lists an account for each role', async () => {
    expect(await demoFolder(await processes.folder())).toMatch(/finance-cashier\s+inkstone-demo\s+\S+/)
  })
})

describe('a start that cannot be', () => {
  test('names every setting that is not right, and ends with 78', async () => {
    const { exited, output } = run({ PORT: 'many', SEED: 'all', DATABASE_URL: 'mysql://x' })
    expect(await exited).toBe(78)
    for (const name of ['PORT', 'SEED', 'DATABASE_URL']) expect(output()).toContain(`  ${name}: `)
  })

  test('says in one sentence that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as AddressInfo).port)
    const { exited, output } = await start({ PORT: port })
    expect(await exited).toBe(78)
    expect(output().trim()).toBe(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another one.`,
    )
    other.close()
  })

  test('names the commands when one is unknown', async () => {
    const { exited, output } = run({}, 'dance')
    expect(await exited).toBe(64)
    expect(output()).toMatch(/There is no command dance. Known are: .*backup.*doctor/)
  })
})

describe('the end', () => {
  /** A call that cannot be answered before `free` is called: somebody else holds the table. */
  async function callUnderWay(more: Settings) {
    const started = await start({ SEED: 'none', ADMIN_PASSWORD: 'seven-brushes-dry', ...more })
    const address = await started.ready
    const token = await processes.token(started.settings)
    const holder = new pg.Client({ connectionString: started.settings.DATABASE_URL })
    await holder.connect()
    await holder.query('begin; lock table sales_order in access exclusive mode')
    const answer = fetch(`${address}/api/orders/order`, { headers: { authtoken: token } }).then(
      ({ status }) => status,
      () => 'broken off',
    )
    await somebodyWaits(sql => holder.query(sql))
    return { ...started, address, token, answer, free: () => holder.end() }
  }

  test('a call under way is answered, sockets are told to come back, nothing new is wanted, and then it ends at once', async () => {
    const { address, token, answer, child, exited, free } = await callUnderWay({})
    const socket = new WebSocket(
      `${address.replace('http', 'ws')}/ws/websocket/9f1c2a34-0d0e-4c7b-9a53-0d6f1f8f2a11/${token}`,
    )
    await once(socket, 'open')
    const closed = once(socket, 'close').then(([code]) => code)
    child.kill('SIGTERM')
    expect(await closed).toBe(1012)
    const ready = await fetch(`${address}/ready`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }])
    await free()
    expect(await answer).toBe(200)
    const answeredAt = performance.now()
    expect(await exited).toBe(0)
    expect(performance.now() - answeredAt).toBeLessThan(5_000)
  })

  test('a start that is interrupted stops what it has started', { timeout: 600_000 }, async () => {
    const folder = await processes.folder()
    const { child, exited } = run({ DATA_DIR: folder, PORT: String(await freePort()), SIMULATE: 'off' })
    const pidFile = join(folder, 'postgres', 'postmaster.pid')
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => ''), { timeout: 20_000 }).toContain('ready')
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    await expect(readFile(pidFile)).rejects.toThrow(/ENOENT/)
  })

  test('a second signal ends it at once', async () => {
    const { answer, child, exited, free } = await callUnderWay({})
    child.kill('SIGTERM')
    // Later than the same wish passed on by somebody else would come.
    await new Promise(heard => setTimeout(heard, 1_200))
    child.kill('SIGTERM')
    expect(await exited).toBe(1)
    expect(await answer).toBe('broken off')
    await free()
  })
})

test('with its own database a second start is ready within five seconds', { timeout: 600_000 }, async () => {
  const settings = { DATA_DIR: await processes.folder(), PORT: String(await freePort()), SIMULATE: 'off' }
  await demoFolder(settings.DATA_DIR)
  const first = run(settings)
  await first.ready
  const second = run({ ...settings, PORT: String(await freePort()) })
  expect(await second.exited).toBe(78)
  expect(second.output()).toMatch(/Another console .*is already running on the data folder/)
  first.child.kill('SIGINT')
  expect(await first.exited).toBe(0)
  // The fastest of five, and where others take the cores meanwhile, by the share that was its own.
  const took: number[] = []
  for (let nth = 1; nth <= 5; nth += 1) {
    const begun = Date.now()
    const slowness = watchMachine()
    const again = run(settings)
    await again.ready
    took.push((Date.now() - begun) / slowness(again.child.pid ?? 0))
    again.child.kill('SIGTERM')
    expect(await again.exited).toBe(0)
    if (Math.min(...took) < 5_000) break
  }
  expect(Math.min(...took)).toBeLessThan(5_000)
})
