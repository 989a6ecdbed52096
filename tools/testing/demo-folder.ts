import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { note } from './ledger.ts'
import { freePort } from './port.ts'
import { bareEnv, ROOT, SERVER, watched } from './program.ts'

/** What a first start with the demo business said, or why there is none. */
type FirstStart = { readonly said: string; readonly error?: string }

const LOOK_MS = 200

/**
 * Fills a folder with what a first start with the demo business leaves behind when it is stopped, and gives what that
 * start said. There is one such start in a run, made by whoever needs it first; others get a copy.
 */
export async function demoFolder(to: string): Promise<string> {
  const run = process.env.INKSTONE_LEDGER && dirname(process.env.INKSTONE_LEDGER)
  // A run of a single file by hand has no folder to share.
  if (!run) return firstStart(to)
  const home = join(run, 'demo')
  const { said, error } = await madeIn(home)
  if (error !== undefined) throw new Error(`the first start with the demo business failed: ${error}`)
  // A database that had to go elsewhere is not copied with its folder.
  if (existsSync(join(home, 'data', 'postgres.location'))) return firstStart(to)
  await cp(join(home, 'data'), to, { recursive: true, mode: constants.COPYFILE_FICLONE })
  return said
}

async function madeIn(home: string): Promise<FirstStart> {
  const [maker, result] = [join(home, 'maker'), join(home, 'first-start.json')]
  await mkdir(home, { recursive: true, mode: 0o755 })
  try {
    await writeFile(maker, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return waitFor(maker, result)
  }
  const made = await firstStart(join(home, 'data')).then(
    said => ({ said }),
    (error: Error) => ({ said: '', error: error.message }),
  )
  // By its name it is complete.
  await writeFile(`${result}.new`, JSON.stringify(made))
  await rename(`${result}.new`, result)
  return made
}

async function waitFor(maker: string, result: string): Promise<FirstStart> {
  for (;;) {
    if (existsSync(result)) return JSON.parse(await readFile(result, 'utf8'))
    const pid = Number(await readFile(maker, 'utf8'))
    if (pid > 0 && !isAlive(pid) && !existsSync(result)) return { said: '', error: 'whoever made it is gone' }
    await sleep(LOOK_MS)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function firstStart(folder: string): Promise<string> {
  const run = watched(
    spawn(process.execPath, [SERVER], {
      cwd: ROOT,
      env: { ...bareEnv(), DATA_DIR: folder, PORT: String(await freePort()), SIMULATE: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  await run.ready
  run.child.kill('SIGTERM')
  const code = await run.exited
  if (code !== 0) throw new Error(`it ended with ${code}: ${run.output()}`)
  for (const line of run.output().split('\n').filter(isOfLog)) note('log', 'log', line)
  return run.output()
}

/** The greeting for whoever started it, with the demo accounts, is no log. */
export const isOfLog = (line: string): boolean => line.startsWith('{')
