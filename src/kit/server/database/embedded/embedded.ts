import { mkdir, realpath, rename, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartRefused } from '../../process/start-refused.ts'
import { withConnection } from '../connection.ts'
import { FolderTaken, lockFolder, unwritable } from '../console-lock.ts'
import { createCluster, readPassword, SUPERUSER } from './cluster.ts'
import { clusterIn, findHome, findPlace, type Place } from './place.ts'
import {
  isAlive,
  isPostmaster,
  logFile,
  type Postmaster,
  pidFile,
  readPidFile,
  startPostmaster,
  stopPostmaster,
  watchPostmaster,
} from './postmaster.ts'

export { StartRefused }

export interface Embedded {
  url: string
  stop(): Promise<void>
}

type Log = (line: string) => void

const DATABASE = 'inkstone'
/** An adopted postmaster may be replaying its log, or on its way down. */
const ADOPT_TIMEOUT_MS = 60_000

/** Starts the PostgreSQL of a data folder for the one console that may use it (decision 001). */
export async function startEmbedded(dataDir: string, log: Log): Promise<Embedded> {
  const folder = await makeFolder(dataDir)
  const locks = [lockFolder(folder, dataDir)]
  const unlock = () => {
    for (const lock of locks) lock.release()
  }
  try {
    const place = await findPlace(folder, dataDir, log)
    // A copy of the data folder leads to the same cluster.
    if (place.home !== folder) locks.push(lockFolder(place.home, dataDir))
    await createCluster(place)
    const password = await readPassword(place.home)
    const postmaster = (await adopt(place.cluster, password, log)) ?? (await startAnew(place))
    const stop = supervise(place, postmaster, log)
    await createDatabase(postmaster.port, password).catch(cause => stop().then(() => Promise.reject(cause)))
    let stopped: Promise<void> | undefined
    return {
      url: urlOf(postmaster.port, password, DATABASE),
      stop: () => {
        stopped ??= stop().finally(unlock)
        return stopped
      },
    }
  } catch (cause) {
    unlock()
    throw cause
  }
}

/** For commands beside a console: the database of the one that runs now, or one started for the command alone. */
export async function openEmbedded(dataDir: string, log: Log): Promise<Embedded> {
  try {
    return await startEmbedded(dataDir, log)
  } catch (cause) {
    if (!(cause instanceof FolderTaken)) throw cause
    const home = await findHome(await realpath(dataDir), dataDir)
    const password = home && (await readPassword(home))
    const running = home && password && (await findRunning(clusterIn(home), password))
    if (!running) throw cause
    return { url: urlOf(running.port, password, DATABASE), stop: async () => undefined }
  }
}

async function makeFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true })
    return await realpath(dataDir)
  } catch (cause) {
    throw new StartRefused(unwritable(dataDir, cause))
  }
}

/** After kill -9 of a console its postmaster lives on, on the port of that time. */
async function adopt(cluster: string, password: string, log: Log): Promise<Postmaster | undefined> {
  const running = await findRunning(cluster, password)
  if (!running) return undefined
  log(`PostgreSQL (process ${running.pid}) was left running by an earlier console and is used again.`)
  return watchPostmaster(running.pid, running.port, cluster)
}

async function findRunning(cluster: string, password: string): Promise<{ pid: number; port: number } | undefined> {
  const until = Date.now() + ADOPT_TIMEOUT_MS
  for (;;) {
    const noted = await readPidFile(cluster)
    // A dead process' file is left to PostgreSQL, which first makes sure that no backend of it still writes.
    if (!noted || !isAlive(noted.pid)) return undefined
    if (!(await isPostmaster(noted.pid, cluster))) {
      await rm(pidFile(cluster), { force: true })
      return undefined
    }
    if (noted.ready && (await servesCluster(noted.port, password, cluster))) return noted
    if (Date.now() > until)
      throw new StartRefused(
        `PostgreSQL (process ${noted.pid}) runs on ${cluster} but does not answer. End that process and start again.`,
      )
    await sleep(50)
  }
}

async function servesCluster(port: number, password: string, cluster: string): Promise<boolean> {
  try {
    const rows = await query(port, password, 'show data_directory')
    return (await realpath(String(rows[0]?.data_directory))) === (await realpath(cluster))
  } catch {
    return false
  }
}

async function startAnew(place: Place): Promise<Postmaster> {
  await rename(logFile(place), `${logFile(place)}.1`).catch(() => undefined)
  return startPostmaster(place)
}

async function createDatabase(port: number, password: string): Promise<void> {
  const found = await query(port, password, `select 1 from pg_database where datname = '${DATABASE}'`)
  if (found.length === 0) await query(port, password, `create database ${DATABASE}`)
}

async function query(port: number, password: string, sql: string): Promise<Record<string, unknown>[]> {
  const config = { connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 5000 }
  return (await withConnection(config, client => client.query(sql))).rows
}

function urlOf(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`
}

/** Brings a postmaster that dies back on the same port, so that the console's pools recover; gives what stops both. */
function supervise(place: Place, first: Postmaster, log: Log): () => Promise<void> {
  const stopping = new AbortController()
  let postmaster = first
  let reviving: Promise<void> = Promise.resolve()
  const watch = () =>
    postmaster.ended.then(how => {
      if (stopping.signal.aborted) return
      log(`PostgreSQL (process ${postmaster.pid}) is gone (${how}) and is started again.`)
      reviving = revive()
    })
  const revive = async () => {
    for (let delayMs = 500; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, 30_000)) {
      try {
        postmaster = await startPostmaster(place, postmaster.port)
        log(`PostgreSQL is back (process ${postmaster.pid}).`)
        watch()
        return
      } catch (cause) {
        log(`${cause instanceof Error ? cause.message : String(cause)} Next try in ${delayMs / 1000} s.`)
        await sleep(delayMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      }
    }
  }
  watch()
  return async () => {
    stopping.abort()
    await reviving
    await stopPostmaster(place, postmaster)
  }
}
