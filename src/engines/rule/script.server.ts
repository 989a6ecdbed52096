import { constants } from 'node:os'

/** What the console and the process of its scripts say to each other. */
export type Job = {
  /** The body of a function of `facts`, `_meta` and `defaultContext`. */
  readonly code: string
  /** JSON of `{ facts, meta }`. */
  readonly input: string
  /** The time it is, as long as the script runs. */
  readonly nowMs: number
  readonly limits: ScriptLimits
}
export type ScriptLimits = { readonly cpuMs: number; readonly memoryBytes: number }

/** JSON of `{ answer, changes }`, or why there is none; `ms` is the processor's time. */
export type Answer = {
  readonly output?: string
  readonly error?: { readonly code: ScriptErrorCode; readonly message: string; readonly line?: number }
  readonly ms: number
}

type ScriptErrorCode =
  /** Thrown by the script, or not JavaScript. */
  | 'script'
  | 'time'
  | 'memory'
  /** Its answer, or what it was to know. */
  | 'too-large'
  /** More scripts wait than will have their turn soon. */
  | 'busy'
  /** The process ended under it. */
  | 'crashed'

export class ScriptError extends Error {
  override name = 'ScriptError'
  readonly code: ScriptErrorCode
  /** The line of the script, where it is known. */
  readonly line: number | undefined

  constructor({ code, message, line }: NonNullable<Answer['error']>) {
    super(message)
    this.code = code
    this.line = line
  }
}

export const MAX_CODE = 20_000
export const MAX_INPUT = 256 * 1024
export const MAX_ANSWER = 64 * 1024

/** Whoever waits for a list goes first; a script still gets a tenth of a busy core. */
export const PRIORITY: number = constants.priority.PRIORITY_BELOW_NORMAL
