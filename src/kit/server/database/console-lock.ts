import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartRefused } from '../process/start-refused.ts'

const SQLITE_BUSY = 5

/** Another console has the folder. */
export class FolderTaken extends StartRefused {}

/**
 * Takes a folder for this console, or refuses with the process that has it. `shownAs` is its name in the sentence.
 *
 * The lock is SQLite's lock on a file that stays empty: the kernel drops it when the holder dies, however it dies, and
 * no process number is compared, so that one used again cannot fool it.
 */
export function lockFolder(folder: string, shownAs: string): { release(): void } {
  const holderFile = join(folder, 'console.pid')
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, 'console.lock'))
    lock.exec('pragma journal_mode = memory; begin immediate')
    rmSync(holderFile, { force: true })
    writeFileSync(holderFile, String(process.pid))
  } catch (cause) {
    lock?.close()
    throw isBusy(cause) ? new FolderTaken(takenBy(holderFile, shownAs)) : new StartRefused(unwritable(shownAs, cause))
  }
  return {
    release() {
      if (!lock.isOpen) return
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

/** The sentence for a data folder that cannot be used. */
export function unwritable(shownAs: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return `The data folder ${shownAs} cannot be written (${reason}). Give this user the right, or set DATA_DIR to another folder.`
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY
}

function takenBy(holderFile: string, shownAs: string): string {
  let holder = ''
  try {
    holder = ` (process ${readFileSync(holderFile, 'utf8')})`
  } catch {
    // The holder has the lock, and has not written its number yet.
  }
  return `Another console${holder} is already running on the data folder ${shownAs}. Stop it, or set DATA_DIR to another folder.`
}
