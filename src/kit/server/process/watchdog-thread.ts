import { write } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { CallBoard } from './call-board.ts'
import type { Watch } from './watchdog.ts'

/** The log may be what everything waits for: it gets this long. */
const LAST_WORDS_MS = 1_000

const { beats, calls, limitMs, beatMs } = workerData as Watch
const counter = new Int32Array(beats)
let seen = Atomics.load(counter, 0)
let stillTurns = 0

// Turns of our own are counted, not time: a machine that slept stood still as a whole.
const looking = setInterval(() => {
  const now = Atomics.load(counter, 0)
  stillTurns = now === seen ? stillTurns + 1 : 0
  seen = now
  if (stillTurns * beatMs >= limitMs) end()
}, beatMs)

function end(): void {
  clearInterval(looking)
  const kill = () => process.kill(process.pid, 'SIGKILL')
  const line = {
    level: 'fatal',
    time: new Date().toISOString(),
    pid: process.pid,
    stoodStillMs: stillTurns * beatMs,
    calls: new CallBoard(calls).read(Date.now()),
    msg: 'the event loop stands still: the process ends',
  }
  setTimeout(kill, LAST_WORDS_MS)
  write(1, `${JSON.stringify(line)}\n`, kill)
}
