import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { CallBoard } from './call-board.ts'

/** A loop that stands still this long answers nobody any more, and will not by itself. */
const LIMIT_MS = 30_000
/** How often the loop shows that it turns, and how often that is looked at. */
const BEAT_MS = 500

export type Watch = {
  readonly beats: SharedArrayBuffer
  readonly calls: SharedArrayBuffer
  readonly limitMs: number
  readonly beatMs: number
}

/**
 * Ends the process when its event loop stands still: a thread of its own looks on, so that it works although nothing
 * else here does, a signal to stop included. What was under way is named in the log; whoever started us starts us again
 * (decision 016).
 */
export function startWatchdog(board: CallBoard): void {
  // At a breakpoint the loop stands still because somebody wants it to.
  if (debuggerUrl() !== undefined) return
  const beats = new SharedArrayBuffer(4)
  const counter = new Int32Array(beats)
  setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS).unref()
  const watch: Watch = { beats, calls: board.memory, limitMs: LIMIT_MS, beatMs: BEAT_MS }
  new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: watch, name: 'watchdog' }).unref()
}
