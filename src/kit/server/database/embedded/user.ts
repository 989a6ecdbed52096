import { execFile } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { StartRefused } from '../../process/start-refused.ts'

/** Who runs PostgreSQL when the console runs as root, which PostgreSQL itself refuses. */
export interface Runner {
  uid: number
  gid: number
}

export const DATABASE_URL_HINT = 'set DATABASE_URL to a PostgreSQL 15 or newer'

/** For root: the owner of an existing cluster goes on running it; else the system's `postgres` user, else `nobody`. */
export async function findRunner(cluster: string): Promise<Runner> {
  const owner = await stat(cluster).catch(() => undefined)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const user = users.find(fields => fields[0] === name)
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new StartRefused(
    `PostgreSQL does not run as root and this system has no other user for it: start the console as an ordinary user, or ${DATABASE_URL_HINT}.`,
  )
}

/** Gives a folder outside the data folder. Only root may write it: what lies there is executed and trusted. */
export async function findShelter(runner: Runner): Promise<string> {
  const shelters = ['/var/lib/inkstone', join(await realpath(tmpdir()), 'inkstone')]
  for (const shelter of shelters) {
    try {
      await mkdir(shelter).catch(() => undefined)
      const found = await lstat(shelter)
      if (!found.isDirectory() || found.uid !== 0) continue
      await chmod(shelter, 0o755)
      await runAs(runner, '/bin/sh', ['-c', 'cd "$0"', shelter])
      return shelter
    } catch {
      // The next one is tried.
    }
  }
  throw cannotEnter(shelters.join(' or '), runner)
}

export function cannotEnter(folder: string, runner: Runner): StartRefused {
  return new StartRefused(
    `PostgreSQL does not run as root, and the user it runs as (uid ${runner.uid}) cannot enter ${folder}: let that user in, start the console as an ordinary user, or ${DATABASE_URL_HINT}.`,
  )
}

/**
 * Runs a program as the runner and gives its output. The environment is empty: LANG, LC_*, PG* and the like of the
 * person who starts the console must not change the cluster. The working folder is one that everybody can enter.
 */
export function runAs(runner: Runner | undefined, program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...runner, cwd: parse(program).root, env: {} }, (cause, stdout, stderr) =>
      cause ? reject(new Error(stderr.trim() || cause.message, { cause })) : resolve(stdout),
    )
  })
}
