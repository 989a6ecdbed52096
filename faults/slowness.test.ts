import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openTestInstance } from '../tools/testing/instance.ts'
import { watchMachine, watchSlowness } from './slowness.ts'

/** Takes all it can get of a core, as long as whoever started it is there. */
const TAKES = "process.stdout.write('.'); const starter = process.ppid; while (process.ppid === starter);"
/** Starts one of these for each core, and then waits. */
const STARTS = `
const { spawn } = require('node:child_process')
const takers = Array.from({ length: ${availableParallelism()} }, () =>
  spawn(process.execPath, ['-e', ${JSON.stringify(TAKES)}], { stdio: ['ignore', 'pipe', 'inherit'] }))
Promise.all(takers.map(taker => new Promise(done => taker.stdout.once('data', done)))).then(() => process.stdout.write('.'))
`
const WAITS = "process.stdout.write('.'); setInterval(() => {}, 1_000)"
/** Processor time is told in hundredths of a second: so many are enough. */
const WATCHED_MS = 1_500

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})
async function start(script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

describe.runIf(process.platform === 'linux')('a bound in seconds, while the cores are taken', () => {
  test('by others is several times as long', async () => {
    const { url } = await openTestInstance()
    await start(STARTS)
    const slowness = await watchSlowness(url)
    await sleep(WATCHED_MS)
    expect(await slowness()).toBeGreaterThan(2)
  })

  test('by a program and what it started is longer for others, and not for that program', async () => {
    const [taker, waiter] = [await start(STARTS), await start(WAITS)]
    const slowness = watchMachine()
    await sleep(WATCHED_MS)
    expect(slowness(taker)).toBeLessThan(slowness(waiter) / 2)
  })
})
