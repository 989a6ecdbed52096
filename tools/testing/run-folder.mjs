// Plain JavaScript: the test runner needs it on Node 20.
import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, realpathSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WATCHER = fileURLToPath(new URL('./watcher.mjs', import.meta.url))

const IN_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Some three times what a run was seen to keep at once; what is in memory has to fit there besides what runs. */
const ROOM_BYTES = 8 * 2 ** 30

/**
 * Memory instead of a disk, where there is plenty: a database is copied there for a tenth of the processor time, and a
 * slow disk makes no test late. Whoever names a place of their own gets it.
 */
export function roomiest() {
  try {
    if (process.env.TMPDIR) return tmpdir()
    accessSync(IN_MEMORY, constants.W_OK)
    const { type, bavail, bsize } = statfsSync(IN_MEMORY)
    return type === TMPFS && bavail * bsize > ROOM_BYTES && freemem() > ROOM_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * A temporary folder for all that a run starts. When its owner closes it, or is gone in any other way (kill -9 among
 * them), processes that work in the folder end and the folder goes with them.
 */
export function openRunFolder(name = 'inkstone-run', within = tmpdir()) {
  const path = mkdtempSync(join(realpathSync(within), `${name}-`))
  // As root, PostgreSQL's own user has to enter it; else a cluster would be left behind in a shelter.
  chmodSync(path, 0o755)
  const watcher = spawn(process.execPath, [WATCHER, path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise(resolve => watcher.once('exit', resolve).once('error', resolve))
  // Whoever owns a run folder may end without closing it; the pipe then ends by itself.
  watcher.unref()
  watcher.stdin.unref()
  watcher.stdin.on('error', () => undefined)
  return {
    path,
    /** A process, or by a negative number its group, that must not outlive the owner. */
    take: id => void watcher.stdin.write(`take ${id}\n`),
    drop: id => void watcher.stdin.write(`drop ${id}\n`),
    async close() {
      watcher.ref()
      watcher.stdin.end()
      await ended
    },
  }
}
