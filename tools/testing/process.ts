import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../src/kit/server/database/embedded/embedded.ts'
import { onServer, trustThePlug } from './database.ts'
import { cloneDatabase, openTestInstance, person } from './instance.ts'
import { freePort } from './port.ts'
import { bareEnv, ROOT, type Run, SERVER, type Settings, watched } from './program.ts'

export type Mortal = { start(): Promise<void>; kill(): Promise<void> }

/** Processes, folders and databases of one test file; `end` leaves nothing of them. */
export class Processes {
  private readonly children: ChildProcess[] = []
  private readonly leavings: (() => Promise<unknown>)[] = []

  /** Node with these settings and none of ours. */
  node(settings: Settings, args: readonly string[], options: SpawnOptions = {}): Run {
    const child = spawn(process.execPath, args, {
      env: { ...bareEnv(), ...settings },
      stdio: 'pipe',
      ...options,
    })
    this.children.push(child)
    return watched(child)
  }

  /** The server, or one of its commands. */
  server(settings: Settings, ...args: string[]): Run {
    return this.node(settings, [SERVER, ...args])
  }

  /** A server that dies without a word and is started again, with the same settings, as often as a test has it. */
  mortal(settings: Settings): Mortal {
    let run: Run | undefined
    return {
      start: async () => {
        run = this.server(settings)
        await run.ready
      },
      async kill() {
        run?.child.kill('SIGKILL')
        await run?.exited
      },
    }
  }

  /** `npm run <name> -- <args>` without npm: the line of package.json as it stands. */
  async command(settings: Settings, name: string, args: readonly string[] = [], root = ROOT): Promise<Run> {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const [node, ...line] = String(scripts[name]).split(' ')
    if (node !== 'node') throw new Error(`package.json has no script ${name} that Node runs`)
    return this.node(settings, [...line, ...args], { cwd: root })
  }

  /** Settings for a console on a database of its own, listening on a free port. */
  async settings(more: Settings = {}): Promise<Settings> {
    const database = await cloneDatabase()
    this.leavings.push(() => database.drop())
    return {
      DATABASE_URL: database.url,
      DATA_DIR: await this.folder(),
      PORT: String(await freePort()),
      SIMULATE: 'off',
      ...more,
    }
  }

  /** The token of somebody who may do everything there: no demo business has to be made for one call. */
  async token({ DATABASE_URL: url = '' }: Settings): Promise<string> {
    const office = await openTestInstance({ url })
    const { token } = await person(office, { superAdmin: true })
    await office.close()
    return token
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'inkstone-process-'))
    this.leavings.push(() => rm(folder, { recursive: true, force: true }))
    // PostgreSQL does not run as root, and its user has to come in.
    await chmod(folder, 0o755)
    return folder
  }

  /** The PostgreSQL of a folder, which stands by itself until the end. */
  async database(folder: string): Promise<string> {
    const { url, stop } = await startEmbedded(folder, () => {})
    // Before its folder goes.
    this.leavings.unshift(stop)
    await onServer(url, trustThePlug)
    return url
  }

  async end(): Promise<void> {
    for (const child of this.children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      // Not killed outright: a database of its own would live on.
      child.kill('SIGTERM')
      await once(child, 'close')
    }
    for (const remove of this.leavings) await remove()
  }
}

/** The token of somebody of the demo business, at a console with CAPTCHA=off. */
export async function signInAt(address: string, username = 'admin', password = 'inkstone-demo'): Promise<string> {
  const { data: captcha } = await (await fetch(`${address}/api/auth/captcha`)).json()
  const answer = await fetch(`${address}/api/auth/login?verKey=${captcha.key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, captcha: 'any' }),
  })
  return (await answer.json()).data
}
