import { CHUNK_TIMEOUT_MS } from '#kit/model/contract.ts'

export class ChunkTimeout extends Error {
  override name = 'ChunkTimeout'
}

type Watcher = (error: unknown) => void
let watcher: Watcher = () => {}
/** Told of every part of the console that could not be loaded; set once by the shell. */
export const onChunkFailure = (given: Watcher): void => {
  watcher = given
}

/** Loads a part of the console; gives up after two minutes (spec §8). */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await Promise.race([
      load(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new ChunkTimeout()), CHUNK_TIMEOUT_MS)
      }),
    ])
  } catch (error) {
    watcher(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Loads a part before anybody asks for it. Never without a network: what failed once may stay away for as long as the
 * document lives.
 */
export function loadAhead(load: () => Promise<unknown>): void {
  if (navigator.onLine) void load().catch(() => {})
}
