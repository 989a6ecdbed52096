import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** USER_HZ, the unit of /proc/<pid>/stat: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
const KIB = 1_024
const PEAK_MS = 20

/** CPU time of a process with all its threads, in seconds; nothing when it is gone. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = read(pid, 'stat')
  if (stat === undefined) return undefined
  // The second field is the program's name in brackets and may hold anything; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** What a process has in memory; not a number when it is gone. */
export function rssBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(read(pid, 'status') ?? '')
  return line ? Number(line[1]) * KIB : Number.NaN
}

/** Watches a process' memory until it is asked for the most it saw; the kernel's own peak would know the start as well. */
export function watchPeak(pid: number): () => number {
  let peak = rssBytes(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, rssBytes(pid))
  }, PEAK_MS)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** How many files and sockets this process, and those it starts, may have open. */
export function openFilesLimit(): number {
  const line = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  return line?.[1] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(line?.[1] ?? 0)
}

/**
 * CPU time of the database's connections, by process. Nothing is found where PostgreSQL runs on another machine: the
 * name of the process is asked, because the number may be another program's here.
 */
export async function backendCpu(monitor: pg.Client): Promise<Map<number, number>> {
  const { rows } = await monitor.query(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const seconds = new Map<number, number>()
  for (const { pid } of rows) {
    const cpu = read(pid, 'comm')?.startsWith('postgres') ? cpuSeconds(pid) : undefined
    if (cpu !== undefined) seconds.set(pid, cpu)
  }
  return seconds
}

/** Seconds spent between two readings; a connection opened meanwhile counts whole. */
export const spent = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  after.size === 0 ? Number.NaN : [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0)

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
