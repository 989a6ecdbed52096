import type { App, Change, Listener } from '../app.ts'

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

/** Something slices say of themselves once and for all, in their `listeners`. */
export const saying = <Told>(asked: Announcement<(told: Told) => void>, ...told: readonly Told[]): Listener =>
  listen(asked, async (_change, tell) => {
    for (const one of told) tell(one)
  })

/** All that slices say of themselves under this name. */
export async function allSaid<Told>(
  { listeners }: Pick<App, 'listeners'>,
  { name }: Announcement<(told: Told) => void>,
): Promise<Told[]> {
  const said: Told[] = []
  const tell = (told: Told) => said.push(told)
  for (const { to, hear } of listeners) if (to === name) await hear({} as Change, tell as never)
  return said
}
