import { printable } from '#kit/server/process/env.ts'
import type { Command } from './command.ts'

/** Prints the settings in force, one a line; of secrets only whether they are set. */
export const printConfig: Command = async (_args, env) => {
  for (const [name, value] of Object.entries(printable(env))) console.log(`${name}=${value}`)
  return 0
}
