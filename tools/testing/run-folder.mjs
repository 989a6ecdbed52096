// Plain JavaScript: the test runner needs it on Node 20.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WATCHER = fileURLToPath(new URL('./watcher.mjs', import.meta.url))

/**
 * A temporary folder for all that a run starts. When its owner closes it, or is gone in any other way (kill -9 among
 * them), processes that work in the folder end and the folder goes with them.
 */
export function openRunFolder(name = 'inkstone-run') {
  const path = mkdtempSync(join(realpathSync(tmpdir()), `${name}-`))
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
