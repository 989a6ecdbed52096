import type { Change, Listener } from '../app.ts'

/** Something that happened to a record, told inside the transaction in which it happens. */
export type Announcement<Event> = { readonly name: string; readonly event?: Event }

/** Declared by the slice that owns the record, so that it need not know who depends on it. */
export const defineAnnouncement = <Event>(name: string): Announcement<Event> => ({ name })

export const listen = <Event>(
  { name }: Announcement<Event>,
  hear: (change: Change, event: Event) => Promise<void>,
): Listener => ({ to: name, hear })

/** Listeners are heard one after another, in the order of their slices: locks are taken in one order everywhere. */
export async function announce<Event>(change: Change, { name }: Announcement<Event>, event: Event): Promise<void> {
  for (const listener of change.app.listeners) {
    if (listener.to === name) await listener.hear(change, event as never)
  }
}
