import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startServer } from './server.ts'

export type Statement = { readonly text: string; readonly values: readonly unknown[] }

const RECORDER = fileURLToPath(new URL('record-statements.ts', import.meta.url))

/** What a server asks of its database while something is done with it. */
export type Listening = AsyncDisposable & {
  readonly server: Server
  heard(work: () => Promise<void>): Promise<Statement[]>
}

/**
 * A real server whose database driver writes down each statement with its values. So the bare programs run exactly the
 * SQL of the console, whoever changes the list engine; nothing is copied by hand.
 */
export async function listenToServer(url: string, port: number, folder: string): Promise<Listening> {
  const place = join(folder, 'statements')
  rmSync(place, { force: true })
  const server = await startServer({
    url,
    port,
    folder,
    env: { BENCH_STATEMENTS: place },
    flags: ['--import', RECORDER],
  })
  const lines = () => readFileSync(place, 'utf8').trimEnd().split('\n')
  return {
    server,
    async heard(work) {
      const before = lines().length
      await work()
      return lines()
        .slice(before)
        .map((line): Statement => JSON.parse(line))
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
