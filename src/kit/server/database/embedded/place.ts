import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartRefused } from '../../process/start-refused.ts'
import { findBinaries } from './binaries.ts'
import { cannotEnter, findRunner, findShelter, type Runner, runAs } from './user.ts'

export interface Place {
  /** The data folder, by its real path. */
  folder: string
  /** The data folder as its owner wrote it, for sentences. */
  shownAs: string
  /** Holds the cluster and its password: the data folder, or a shelter that the runner can enter. */
  home: string
  cluster: string
  /** Holds initdb, pg_ctl and postgres. */
  bin: string
  /** Undefined: PostgreSQL runs as the console does. */
  runner: Runner | undefined
}

/** Decides where the cluster lives, which binaries run it and as whom; says so when that is not the data folder. */
export async function findPlace(folder: string, shownAs: string, log: (line: string) => void): Promise<Place> {
  let home = (await readLocation(folder, shownAs)) ?? folder
  const runner = process.getuid?.() === 0 ? await findRunner(clusterIn(home)) : undefined
  if (!runner) await requireOwnCluster(clusterIn(home))
  if (runner && !(await canHold(home, runner))) {
    // Going elsewhere now would show an empty database to people who have one.
    if (await hasCluster(home)) throw cannotEnter(clusterIn(home), runner)
    home = join(await findShelter(runner), createHash('sha256').update(folder).digest('hex').slice(0, 16))
    await mkdir(home, { recursive: true })
    await chmod(home, 0o755)
    if (!(await canHold(home, runner))) throw cannotEnter(home, runner)
  }
  if (home !== folder) {
    const warning = home.startsWith(await realpath(tmpdir())) ? ', which the system may empty when it restarts' : ''
    log(`PostgreSQL does not run as root and its user cannot enter ${shownAs}: the database is in ${home}${warning}.`)
  }
  return { folder, shownAs, home, cluster: clusterIn(home), bin: await findBinaries(runner, home), runner }
}

/** The home of a cluster made earlier; nothing is created or changed. */
export async function findHome(folder: string, shownAs: string): Promise<string | undefined> {
  const home = (await readLocation(folder, shownAs)) ?? folder
  return (await hasCluster(home)) ? home : undefined
}

export function clusterIn(home: string): string {
  return join(home, 'postgres')
}

export function hasCluster(home: string): Promise<boolean> {
  return exists(join(clusterIn(home), 'PG_VERSION'))
}

/** The file in the data folder that remembers a cluster living elsewhere. */
export function locationFile(folder: string): string {
  return join(folder, 'postgres.location')
}

async function readLocation(folder: string, shownAs: string): Promise<string | undefined> {
  const file = locationFile(folder)
  if (!(await exists(file))) return undefined
  const home = (await readFile(file, 'utf8')).trim()
  if (await hasCluster(home)) return home
  throw new StartRefused(
    `The database of the data folder ${shownAs} was in ${home} and is no longer there. Bring it back, or remove ${file} to begin with an empty one.`,
  )
}

/** Tries it for real: makes the cluster's folder, gives it to the runner, and lets the runner enter it and write. */
async function canHold(home: string, runner: Runner): Promise<boolean> {
  const cluster = clusterIn(home)
  const isNew = !(await exists(cluster))
  try {
    if (isNew) await mkdir(cluster, { mode: 0o700 })
    await giveTo(runner, cluster)
    await runAs(runner, '/bin/sh', ['-c', 'cd "$0" && test -w .', cluster])
    return true
  } catch {
    if (isNew) await rm(cluster, { recursive: true, force: true })
    return false
  }
}

/** A cluster copied by root belongs to root, and PostgreSQL wants all of it to belong to the one who runs it. */
async function giveTo(runner: Runner, cluster: string): Promise<void> {
  if ((await stat(cluster)).uid === runner.uid) return
  const entries = await readdir(cluster, { recursive: true })
  for (const entry of [...entries, '.']) await chown(join(cluster, entry), runner.uid, runner.gid)
}

async function requireOwnCluster(cluster: string): Promise<void> {
  const owner = await stat(cluster).catch(() => undefined)
  if (!owner || !process.getuid || owner.uid === process.getuid()) return
  throw new StartRefused(
    `The database in ${cluster} belongs to another user (uid ${owner.uid}): start the console as that user, or set DATA_DIR to another folder.`,
  )
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
