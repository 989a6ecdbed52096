/** A number of places for work that is heavy for one instance. */
export type Slots = {
  /** A place at once, or none. */
  take(): boolean
  /** A place as soon as there is one; given up when the signal says so. */
  wait(signal: AbortSignal): Promise<void>
  free(): void
}

export function openSlots(places: number): Slots {
  let open = places
  const waiting = new Set<() => void>()
  return {
    take() {
      if (open === 0) return false
      open -= 1
      return true
    },
    async wait(signal) {
      signal.throwIfAborted()
      if (this.take()) return
      await new Promise<void>((resolve, reject) => {
        const given = () => {
          signal.removeEventListener('abort', gone)
          resolve()
        }
        const gone = () => {
          waiting.delete(given)
          reject(signal.reason)
        }
        waiting.add(given)
        signal.addEventListener('abort', gone, { once: true })
      })
    },
    free() {
      const [next] = waiting
      if (!next) {
        open += 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
