import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endChild, isGone, remember } from './child.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_MS = 300_000
/** The server gives calls under way eight seconds. */
const STOP_MS = 12_000

export type Server = AsyncDisposable & { readonly pid: number; readonly host: string }

export type ServerOptions = {
  readonly url: string
  readonly port: number
  /** For its log and its data. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** For Node itself. */
  readonly flags?: readonly string[]
}

/**
 * The real console, `src/server.ts` in a process of its own with the settings it has by default: one line of log for
 * each call among them, which goes into a file.
 */
export async function startServer({ url, port, folder, env = {}, flags = [] }: ServerOptions): Promise<Server> {
  const logPath = join(folder, `server-${port}.log`)
  const log = openSync(logPath, 'a')
  const child = spawn(process.execPath, [...flags, 'src/server.ts'], {
    cwd: ROOT,
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: url,
      SEED: 'demo',
      SIMULATE: 'off',
      PORT: String(port),
      DATA_DIR: join(folder, `data-${port}`),
      ...env,
    },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  remember(child)
  const server: Server = {
    pid: child.pid ?? 0,
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => endChild(child, STOP_MS),
  }
  for (const until = Date.now() + READY_MS; ; await sleep(50)) {
    if (await isReady(server.host)) return server
    if (!isGone(child) && Date.now() < until) continue
    await server[Symbol.asyncDispose]()
    throw new Error(`The server did not start. Its last words:\n${readFileSync(logPath, 'utf8').slice(-2_000)}`)
  }
}

const isReady = async (host: string): Promise<boolean> =>
  (await fetch(`http://${host}/ready`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined))?.ok ?? false

/** One call as a person; refusals end the measurement. */
export async function call<Data>(
  host: string,
  token: string,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Data> {
  const response = await fetch(`http://${host}/api${path}`, {
    method,
    headers: { authtoken: token, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
    ...(method === 'POST' ? { body: '{}' } : {}),
    signal: AbortSignal.timeout(30_000),
  })
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: Data }
  if (code !== 0) throw new Error(`${method} ${path}: ${msg}`)
  return data
}
