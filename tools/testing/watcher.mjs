// Started by run-folder.mjs, in a session of its own. Its standard input ends when its owner does, however that died.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** PostgreSQL told to stop at once needs a moment; what is there after that is killed. */
const PATIENCE_MS = 5_000
const STEP_MS = 50

const folder = process.argv[2]
if (!folder) throw new Error('Usage: node watcher.mjs <folder>')
const taken = new Set()
for await (const line of createInterface({ input: process.stdin })) {
  const [word, id] = line.split(' ')
  if (word === 'take') taken.add(Number(id))
  else taken.delete(Number(id))
}
for (const id of taken) tell(id, 'SIGKILL')
// SIGQUIT is how a postmaster takes its backends along.
for (const id of inFolder()) tell(id, 'SIGQUIT')
for (let waited = 0; waited < PATIENCE_MS && inFolder().length > 0; waited += STEP_MS) await sleep(STEP_MS)
for (const id of inFolder()) tell(id, 'SIGKILL')
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** Processes whose command names the folder: postmasters of clusters in it, browsers with their profile there. */
function inFolder() {
  return commands()
    .filter(({ id, command }) => id !== process.pid && command.includes(folder))
    .map(({ id }) => id)
}

/** Linux tells in files; elsewhere `ps` is there, and where it is not, nothing is found. */
function commands() {
  if (existsSync('/proc/self/cmdline'))
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(name => ({ id: Number(name), command: readIfThere(`/proc/${name}/cmdline`) }))
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').map(line => ({ id: Number.parseInt(line, 10), command: line }))
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function tell(id, signal) {
  try {
    process.kill(id, signal)
  } catch {
    // It has ended by itself.
  }
}
