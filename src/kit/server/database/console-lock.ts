import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartRefused } from '../process/start-refused.ts'

const SQLITE_BUSY = 5
const HOLDER = 'console.pid'

/** Another console has the folder. */
export class FolderTaken extends StartRefused {}

/** What is held until its holder lets go or dies. */
export type Held = { release(): void }

/** SQLite's locks: one that stands beside readers, theirs, and one that stands beside nothing. */
const WAYS = {
  alone: 'begin immediate',
  shared: 'begin; select 1 from sqlite_master',
  emptied: 'begin exclusive',
} as const

/**
 * Takes a folder for this console, or refuses with the process that has it. `shownAs` is its name in the sentence.
 *
 * The lock is SQLite's lock on a file that stays empty: the kernel drops it when the holder dies, however it dies, and
 * no process number is compared, so that one used again cannot fool it.
 */
export function lockFolder(folder: string, shownAs: string): Held {
  const holderFile = join(folder, HOLDER)
  const lock = hold(folder, shownAs, 'alone')
  try {
    rmSync(holderFile, { force: true })
    writeFileSync(holderFile, String(process.pid))
  } catch (cause) {
    lock.release()
    throw new StartRefused(unwritable(shownAs, cause))
  }
  let isHeld = true
  return {
    release() {
      // By the second time another console may have written its own.
      if (isHeld) rmSync(holderFile, { force: true })
      isHeld = false
      lock.release()
    },
  }
}

/**
 * Says that a console with its database elsewhere works in the folder, beside any number of others. Where the disk knows no
 * locks it works there unsaid.
 */
export function shareFolder(folder: string, shownAs: string): Held {
  try {
    mkdirSync(folder, { recursive: true })
    return hold(folder, shownAs, 'shared')
  } catch (cause) {
    if (cause instanceof FolderTaken) throw cause
    return { release: () => undefined }
  }
}

/** Takes a folder in which no console works, for as long as somebody fills it. */
export function takeFolder(folder: string, shownAs: string): Held {
  mkdirSync(folder, { recursive: true })
  return hold(folder, shownAs, 'emptied')
}

function hold(folder: string, shownAs: string, way: keyof typeof WAYS): Held {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(folder, 'console.lock'))
    lock.exec(`pragma journal_mode = memory; ${WAYS[way]}`)
  } catch (cause) {
    lock?.close()
    throw isBusy(cause) ? new FolderTaken(takenBy(folder, shownAs)) : new StartRefused(unwritable(shownAs, cause))
  }
  const held = lock
  return { release: () => void (held.isOpen && held.close()) }
}

/** The sentence for a data folder that cannot be used. */
export function unwritable(shownAs: string, cause: unknown): string {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return `The data folder ${shownAs} cannot be written (${reason}). Give this user the right, or set DATA_DIR to another folder.`
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY
}

function takenBy(folder: string, shownAs: string): string {
  let holder = ''
  try {
    holder = ` (process ${readFileSync(join(folder, HOLDER), 'utf8')})`
  } catch {
    // The holder has the lock, and has not written its number yet; those who share a folder write none.
  }
  return `Another console${holder} is already running on the data folder ${shownAs}. Stop it, or set DATA_DIR to another folder.`
}
