import { readdirSync, readFileSync } from 'node:fs'
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

/** The same of a program that was started meanwhile with a database of its own: it, and all that it started in turn. */
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
