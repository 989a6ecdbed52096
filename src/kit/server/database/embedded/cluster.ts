import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartRefused } from '../../process/start-refused.ts'
import { clusterIn, hasCluster, locationFile, type Place } from './place.ts'
import { type Runner, runAs } from './user.ts'

export const SUPERUSER = 'inkstone'

/** Makes an empty cluster where there is none. It gets its name only when complete: half a cluster is never started. */
export async function createCluster(place: Place): Promise<void> {
  const { folder, home, cluster, bin, runner } = place
  if (!(await hasCluster(home))) {
    const unfinished = `${cluster}.new`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    await rm(passwordFile(home), { force: true })
    await writeFile(passwordFile(home), randomBytes(24).toString('hex'), { mode: 0o600 })
    if (runner) for (const path of [unfinished, passwordFile(home)]) await chown(path, runner.uid, runner.gid)
    await initialise(bin, runner, unfinished, passwordFile(home))
    await rm(cluster, { recursive: true, force: true })
    await rename(unfinished, cluster)
  }
  if (home !== folder) await writeFile(locationFile(folder), `${home}\n`)
}

/** The builtin C.UTF-8 knows every letter, needs no locale of the system, and sorts alike on all of them. */
async function initialise(bin: string, runner: Runner | undefined, pgdata: string, pwfile: string): Promise<void> {
  const options = {
    pgdata,
    pwfile,
    username: SUPERUSER,
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    'locale-provider': 'builtin',
    'builtin-locale': 'C.UTF-8',
    locale: 'C',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  try {
    await runAs(runner, join(bin, 'initdb'), args)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartRefused(`PostgreSQL could not make a database (${reason.replace(/\s+/g, ' ')}).`, { cause })
  }
}

export async function readPassword(home: string): Promise<string> {
  try {
    return await readFile(passwordFile(home), 'utf8')
  } catch (cause) {
    throw new StartRefused(
      `The database in ${clusterIn(home)} cannot be opened without ${passwordFile(home)}: bring that file back.`,
      { cause },
    )
  }
}

function passwordFile(home: string): string {
  return join(home, 'postgres.password')
}
