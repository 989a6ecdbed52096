import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { backendCpu, cpuSeconds, spent } from '../bench/proc.ts'

/** As long as this share of the machine lies idle, nobody takes time from us. */
const IDLE = 0.1
const TICKS_PER_SECOND = 100

/**
 * How many times longer everything takes than on a machine of our own, told by CPU time since the call: what all processes
 * used over what this one, its database and a process it started meanwhile used. 1 while cores lie idle, and where it
 * cannot be told.
 */
export async function watchSlowness(url: string): Promise<(started?: number) => Promise<number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const look = async () => ({ machine: machineSeconds(), own: process.cpuUsage(), backends: await backendCpu(client) })
  const before = await look()
  return async started => {
    const after = await look()
    await client.end()
    const { user, system } = process.cpuUsage(before.own)
    const child = started === undefined ? 0 : (cpuSeconds(started) ?? 0)
    const own = (user + system) / 1e6 + spent(before.backends, after.backends) + child
    return share(before.machine, after.machine, own)
  }
}

const RESOLUTION_MS = 10
const IDLE_THREAD = `
  const { parentPort } = require('node:worker_threads')
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: ${RESOLUTION_MS} })
  delay.enable()
  parentPort.once('message', () => parentPort.postMessage({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }))
`

/**
 * How many milliseconds late a thread that does nothing is woken meanwhile: what the machine keeps from everybody, which
 * no use of processors tells where they are lent by the slice.
 */
export async function watchStalls(): Promise<() => Promise<{ p99: number; max: number }>> {
  const idle = new Worker(IDLE_THREAD, { eval: true })
  await once(idle, 'online')
  return async () => {
    const told = once(idle, 'message')
    idle.postMessage('tell')
    const [{ p99, max }] = await told
    await idle.terminate()
    return { p99: Math.max(0, p99 - RESOLUTION_MS), max: Math.max(0, max - RESOLUTION_MS) }
  }
}

/** How slow the machine is for a program that was started meanwhile with a database of its own: it, and all that it started in turn. */
export function watchMachine(): (pid: number) => number {
  const before = machineSeconds()
  return pid => share(before, machineSeconds(), familySeconds(pid))
}

function share(before: Machine | undefined, after: Machine | undefined, own: number): number {
  if (!before || !after) return 1
  const busy = after.busy - before.busy
  const idle = after.idle - before.idle
  return Number.isNaN(own) || idle > IDLE * (busy + idle) ? 1 : Math.max(1, busy / own)
}

/** CPU time of a process and its children, theirs among them; not a number where there is no /proc. */
function familySeconds(pid: number): number {
  const own = cpuSeconds(pid)
  if (own === undefined) return Number.NaN
  const tasks = readdirSync(`/proc/${pid}/task`).map(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'))
  const children = tasks.flatMap(line => line.split(' ').filter(Boolean).map(Number))
  return children.reduce((sum, child) => sum + (familySeconds(child) || 0), own)
}

type Machine = { readonly busy: number; readonly idle: number }

/** Seconds of all cores together since the machine started; nothing where there is no /proc. */
function machineSeconds(): Machine | undefined {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.trim().split(/\s+/).slice(1, 9).map(Number) ?? []
    const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...interrupts] = fields
    const busy = interrupts.reduce((sum, ticks) => sum + ticks, user + nice + system)
    return { busy: busy / TICKS_PER_SECOND, idle: (idle + waiting) / TICKS_PER_SECOND }
  } catch {
    return undefined
  }
}
