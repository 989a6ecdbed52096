import type { Readable } from 'node:stream'

/** How a file is called and what it is: all that whoever is shown it is told besides its bytes. */
export type Called = { readonly name: string; readonly type: string }

/** A file as it stands written aside, whole and measured. */
export type Aside = { readonly path: string; readonly bytes: number; readonly sha256: string }

/** The first and the last byte that are wanted. */
export type Span = { readonly first: number; readonly last: number }

/** Where the bytes of files rest, under names of ours. Nobody ever reads half of one. */
export type Store = {
  /** Takes over what stands written aside; it is gone from there afterwards. */
  put(name: string, aside: Aside, called: Called, signal?: AbortSignal): Promise<void>
  read(name: string, part?: Span): Promise<Readable | undefined>
  /** When it was put there; nothing when it is not there. */
  putAt(name: string): Promise<Date | undefined>
  remove(name: string): Promise<void>
  /** All that is there, some at a time. */
  names(): AsyncIterable<readonly string[]>
}

export async function allNames(store: Store): Promise<string[]> {
  const all: string[] = []
  for await (const names of store.names()) all.push(...names)
  return all
}

/** A store that browsers can read from without us, by links that carry their own end. */
export type LinkedStore = Store & {
  /** Where such links lead, for the policy of the pages. */
  readonly site: string
  link(name: string, now: Date, lifeMs: number): string
}

/** The storage outside does not answer, or not now; what was asked of it may be asked again. */
export class StorageAway extends Error {
  override name = 'StorageAway'
}
