import { type ParseArgsConfig, parseArgs } from 'node:util'
import { openEmbedded } from '#kit/server/database/embedded/embedded.ts'
import type { Env } from '#kit/server/process/env.ts'

/** One `npm run` command: gets what stands after its name, gives the exit code. */
export type Command = (args: readonly string[], env: Env) => Promise<number>

/** The command was called in a way it does not know; the message says how it is called. */
export class WrongUse extends Error {
  override name = 'WrongUse'
}

/** Reads options strictly: an unknown one is refused with the way the command is called. */
export function readOptions<const T extends ParseArgsConfig>(args: readonly string[], usage: string, config: T) {
  try {
    return parseArgs<T>({ ...config, args: [...args] })
  } catch (error) {
    throw new WrongUse(`${error instanceof Error ? error.message : error}\nUsage: ${usage}`)
  }
}

/** The database the settings name: an outside one, that of a running console, or one started for the command alone. */
export async function withDatabase<T>(env: Env, work: (url: string) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL) return work(env.DATABASE_URL)
  const embedded = await openEmbedded(env.DATA_DIR, line => console.error(line))
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}
