import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000
let now = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function listen(changed: () => void): () => void {
  listeners.add(changed)
  timer ??= setInterval(() => {
    now = new Date()
    for (const listener of listeners) listener()
  }, MINUTE_MS)
  return () => {
    listeners.delete(changed)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present minute, one clock for all that show an age. */
export const useMinute = (): Date =>
  useSyncExternalStore(listen, () => {
    // Nobody has listened for a while: the clock stood still.
    if (timer === undefined && Date.now() - now.getTime() >= MINUTE_MS) now = new Date()
    return now
  })
