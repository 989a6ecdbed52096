export type Announcement = {
  /** A second one with the same key takes the place of the first instead of standing beside it. */
  readonly key: string
  readonly kind: 'success' | 'info' | 'warning' | 'error'
  readonly title: string
  readonly description?: string
  /** How long it stays; 0 is until somebody closes it. */
  readonly seconds: number
  readonly actions?: readonly { readonly label: string; readonly primary?: boolean; run(): void }[]
}

type Listener = (announcement: Announcement) => void

const waiting: Announcement[] = []
const listeners = new Set<Listener>()

/**
 * Says something from outside a component: a session that ended, a push. What is said before the notices stand on the
 * screen waits for them.
 */
export function announce(announcement: Announcement): void {
  if (listeners.size === 0) {
    waiting.push(announcement)
    for (const summon of summoners) summon()
    return
  }
  for (const listener of listeners) listener(announcement)
}

export function hear(listener: Listener): () => void {
  listeners.add(listener)
  for (const announcement of waiting.splice(0)) listener(announcement)
  return () => void listeners.delete(listener)
}

const summoners = new Set<() => void>()
/** Called when something is said and nothing is there to show it: the notices come with their own chunk. */
export function onFirstAnnouncement(summon: () => void): () => void {
  if (waiting.length > 0) summon()
  summoners.add(summon)
  return () => void summoners.delete(summon)
}
