import type { Tone } from './field.ts'

export const MAX_IMPORT_ROWS = 100_000
export const MAX_IMPORT_BYTES = 20 * 1_048_576
/** How long rows stay, for the error file and for taking them back: they may hold personal data. */
export const IMPORT_KEEP_DAYS = 30
/** Rows of the file shown beside the choice of columns. */
export const SAMPLE_ROWS = 3

/** What an import has come to: what was reached, and whether something is under way or was broken off. */
export const IMPORT_STATES = {
  UPLOADED: 'idle',
  CHECKING: 'busy',
  CHECKED: 'attention',
  RUNNING: 'busy',
  STOPPED: 'failed',
  DONE: 'done',
  UNDOING: 'busy',
  UNDONE: 'idle',
} as const satisfies Readonly<Record<string, Tone>>
export type ImportState = keyof typeof IMPORT_STATES

export const isUnderWay = (state: ImportState): boolean => IMPORT_STATES[state] === 'busy'

type Kept = 'UPLOADED' | 'CHECKED' | 'RUNNING' | 'DONE' | 'UNDONE'

export function importState(kept: Kept, isWorking: boolean): ImportState {
  if (kept === 'UPLOADED') return isWorking ? 'CHECKING' : 'UPLOADED'
  if (kept === 'RUNNING') return isWorking ? 'RUNNING' : 'STOPPED'
  if (kept === 'DONE') return isWorking ? 'UNDOING' : 'DONE'
  return kept
}
