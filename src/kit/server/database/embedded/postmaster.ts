import { spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartRefused } from '../../process/start-refused.ts'
import type { Place } from './place.ts'
import { runAs } from './user.ts'

export interface Postmaster {
  pid: number
  port: number
  /** Resolves with how it ended when the process is gone; waiting for it does not keep the console alive. */
  ended: Promise<string>
}

const STOP_SECONDS = '60'
/** After a crash under load the log is replayed first: seconds, at worst minutes. */
const READY_TIMEOUT_MS = 120_000
/** Backends of a killed postmaster finish their statement before they notice. */
const ORPHANS_TIMEOUT_MS = 10_000
const PORT_ATTEMPTS = 5
const ADOPTED_CHECK_MS = 500

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // Everybody connects by TCP, and the path of a socket in a deep data folder would be too long.
  unix_socket_directories: '',
  shared_buffers: '256MB',
  max_connections: '200',
  wal_compression: 'on',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements reach the console through the driver; here they would write phone numbers into a plain file.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
}

/** Starts PostgreSQL on the port, or on a free one, and waits until it answers. */
export async function startPostmaster(place: Place, port?: number): Promise<Postmaster> {
  const orphansUntil = Date.now() + ORPHANS_TIMEOUT_MS
  for (let attempt = 1; ; ) {
    const started = await launch(place, port ?? (await findFreePort()))
    if (typeof started !== 'string') return started
    if (/shared memory block.*in use/.test(started) && Date.now() < orphansUntil) await sleep(100)
    else if (/TCP\/IP sockets/.test(started) && port === undefined && attempt < PORT_ATTEMPTS) attempt += 1
    else throw new StartRefused(`PostgreSQL does not start (${started}). ${logFile(place)} may tell more.`)
  }
}

/** Gives the postmaster when it is ready, or the reason why it ended before. */
async function launch(place: Place, port: number): Promise<Postmaster | string> {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = await open(logFile(place), 'a')
  const logBegin = (await log.stat()).size
  const child = spawn(join(place.bin, 'postgres'), ['-D', place.cluster, '-p', String(port), ...settings], {
    ...place.runner,
    cwd: parse(place.cluster).root,
    env: {},
    stdio: ['ignore', log.fd, log.fd],
    // A session of its own: Ctrl-C goes to the console alone, which still needs the database while it stops.
    detached: true,
  })
  let end: string | undefined
  const ended = new Promise<string>(resolve => {
    child.once('error', cause => resolve(cause.message))
    child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`))
  })
  ended.then(how => {
    end = how
  })
  child.unref()
  await log.close()
  const readyUntil = Date.now() + READY_TIMEOUT_MS
  while (end === undefined) {
    const noted = await readPidFile(place.cluster)
    if (noted && noted.pid === child.pid && noted.ready) return { pid: noted.pid, port, ended }
    if (Date.now() > readyUntil) return `still not ready after ${READY_TIMEOUT_MS / 1000} s, process ${child.pid}`
    await sleep(10)
  }
  return (await readFatal(place, logBegin)) ?? end
}

/** Watches a postmaster that an earlier console left behind. */
export function watchPostmaster(pid: number, port: number, cluster: string): Postmaster {
  const waitForEnd = async () => {
    while (await isPostmaster(pid, cluster)) await sleep(ADOPTED_CHECK_MS, undefined, { ref: false })
    return 'ended'
  }
  return { pid, port, ended: waitForEnd() }
}

/** Fast shutdown: connections are cut, everything committed is on disk. */
export async function stopPostmaster(place: Place, { pid }: Postmaster): Promise<void> {
  const stop = async (mode: string): Promise<void> => {
    await runAs(place.runner, join(place.bin, 'pg_ctl'), ['stop', '-D', place.cluster, '-m', mode, '-t', STOP_SECONDS])
  }
  for (const mode of ['fast', 'immediate'])
    try {
      return await stop(mode)
    } catch (cause) {
      // On a busy machine it may end by itself between being asked and being asked again: then there is nobody to tell.
      if (!(await isPostmaster(pid, place.cluster))) return
      if (mode === 'immediate') throw cause
    }
}

/** What PostgreSQL notes about itself while it runs. */
export async function readPidFile(cluster: string): Promise<{ pid: number; port: number; ready: boolean } | undefined> {
  const lines = (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : undefined
}

export function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

export function logFile({ folder }: Place): string {
  return join(folder, 'postgres.log')
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}

/** Whether the process runs this cluster: numbers are used again, in containers soon. Where nobody can tell, yes. */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    .catch(() => runAs(undefined, '/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)]))
    .catch(() => undefined)
  return command === undefined || command.includes(cluster)
}

async function readFatal(place: Place, begin: number): Promise<string | undefined> {
  const lines = (await readFile(logFile(place))).subarray(begin).toString().trim().split('\n')
  return (lines.findLast(line => line.includes('FATAL')) ?? lines.at(-1)) || undefined
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
