// Runs on Node 20 before anything is installed: no dependency, no TypeScript.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'

/** A console that has not stopped by then was not reached by the terminal's Ctrl-C. */
const INTERRUPT_GRACE_MS = 30_000
const PARENT_CHECK_MS = 250
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** What ran this long was well: its end begins a new row of waits. */
const WELL_MS = 60_000
/** Ends that another start would only repeat: as asked, wrong use, something its owner has to mend (sysexits.h). */
const FINAL = [0, 64, 78]

/** Runs a program of ours in this terminal, hands signals on, and ends as it ends. */
export function runToEnd(node, args) {
  run(node, args, () => undefined)
}

/** Does the same, and starts it again when it ended by itself. */
export function keepRunning(node, args) {
  run(node, args, backOff())
}

/** After how many milliseconds to start anew, by exit code and time lived: a wait that doubles. Undefined: never. */
export function backOff() {
  let next = FIRST_WAIT_MS
  return (code, livedMs) => {
    if (FINAL.includes(code)) return undefined
    const wait = livedMs >= WELL_MS ? FIRST_WAIT_MS : next
    next = Math.min(wait * 2, LONGEST_WAIT_MS)
    return wait
  }
}

function run(node, args, again) {
  let child
  let isTold = false
  const start = () => {
    const begun = Date.now()
    child = spawn(node, args, { stdio: 'inherit' })
    child.once('error', cause => {
      process.stderr.write(`${node} cannot be run: ${cause.message}.\n`)
      process.exit(1)
    })
    child.once('exit', (status, signal) => {
      const code = signal ? 128 + constants.signals[signal] : status
      const wait = isTold ? undefined : again(code, Date.now() - begun)
      if (wait === undefined) process.exit(code)
      process.stderr.write(`The console ended (${signal ?? code}) and is started again in ${wait / 1_000} s.\n`)
      child = undefined
      setTimeout(start, wait)
    })
  }
  const tell = () => {
    isTold = true
    // Between two runs there is nobody to wait for.
    if (child) child.kill('SIGTERM')
    else process.exit(0)
  }
  const hasTerminal = [0, 1, 2].some(isatty)
  process.on('SIGINT', () => {
    // Ctrl-C in a terminal reaches the child by itself.
    isTold = true
    if (hasTerminal && child) setTimeout(tell, INTERRUPT_GRACE_MS)
    else tell()
  })
  // A second one is how somebody says "at once"; the child knows it from the same one passed on twice.
  process.on('SIGTERM', tell)
  process.on('SIGHUP', tell)
  // npm that is told to end ends its shell, and nobody tells us.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && !isTold && tell(), PARENT_CHECK_MS)
  start()
}
