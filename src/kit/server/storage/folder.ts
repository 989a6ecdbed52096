import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from './store.ts'

/** One folder for all instances. It is made when something is first written aside in it. */
export function openFolder(folder: string): Store {
  const place = (name: string) => join(folder, requireName(name))
  return {
    put: (name, { path }) => rename(path, place(name)),
    async read(name, part) {
      try {
        return (await open(place(name))).createReadStream(part ? { start: part.first, end: part.last } : {})
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error
        return undefined
      }
    },
    async putAt(name) {
      return (await stat(place(name)).catch(() => undefined))?.mtime
    },
    remove: name => rm(place(name), { force: true }),
    async *names() {
      yield await readdir(folder).catch(() => [])
    },
  }
}

/** For the server's own user alone. */
export const makeFolder = (folder: string) => mkdir(folder, { recursive: true, mode: 0o700 })

/** Names come from us; were one ever to come from elsewhere, it would lead nowhere. */
export function requireName(name: string): string {
  if (!/^[\w-][\w.-]*$/.test(name)) throw new Error('not a name of a stored file')
  return name
}

export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
