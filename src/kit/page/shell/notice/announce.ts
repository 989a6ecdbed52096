import type { Notice } from '../../kept-notices.ts'

export type Announcement = Notice & {
  /** Until somebody decides: nothing that may pass unseen. */
  readonly stays?: true
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
