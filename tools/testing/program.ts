import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const SERVER = fileURLToPath(new URL('../../src/server.ts', import.meta.url))

export type Settings = Record<string, string>

/** What a program under test has of our environment: nothing of its settings, but it need not compile again what others have. */
export const bareEnv = (): Settings => ({
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
})

export type Run = { child: ChildProcess; output(): string; exited: Promise<number | null>; ready: Promise<string> }

export function watched(child: ChildProcess): Run {
  let output = ''
  const ready = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      output += chunk
      const address = /Inkstone is ready at (\S+)/.exec(output)?.[1]
      if (address) ready.resolve(address)
    })
  }
  const exited = once(child, 'close').then(([code]) => code as number | null)
  exited.then(code => ready.reject(new Error(`ended with ${code}: ${output}`)))
  ready.promise.catch(() => {})
  return { child, output: () => output, exited, ready: ready.promise }
}
