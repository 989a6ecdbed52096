/** What stops a run other than a node that fails of itself. */
export type RuleErrorCode =
  /** Took longer than it was given by `maxWait…`. */
  | 'timeout'
  /** More steps, rounds, chains within chains or time than a run may take. */
  | 'limit'
  /** Nobody waits for the outcome any more. */
  | 'aborted'
  /** A SWITCH that leads nowhere and has no DEFAULT. */
  | 'no-target'
  /** A node answered something its type does not promise. */
  | 'answer'
  /** An id nobody knows. */
  | 'unknown'

export class RuleError extends Error {
  override name = 'RuleError'
  readonly code: RuleErrorCode

  constructor(code: RuleErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What neither CATCH nor retry nor ignoreError may pass over. */
export const isFinal = (error: unknown): boolean =>
  error instanceof RuleError && (error.code === 'limit' || error.code === 'aborted')
