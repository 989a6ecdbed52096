import type { Actor } from '#kit/model/actor.ts'
import type { Language } from '#kit/model/language.ts'
import type { Aside } from './storage/store.ts'

/** Who may call: everybody (the pinned list of docs/security.md), any session, or holders of one action on one page. */
export type Access = 'public' | 'session' | { readonly page: string; readonly action: string }

/** What every call knows of its caller, whatever the route. */
export type Call<A extends Access = Access> = {
  readonly actor: A extends 'public' ? null : Actor
  readonly sessionId: A extends 'public' ? null : string
  readonly now: Date
  readonly requestId: string
  readonly language: Language
  readonly address: string
  readonly device: string
  /** The query as it stands in the address, for lists, whose parameters follow from the declaration. */
  readonly search: Readonly<Record<string, string | string[] | undefined>>
  readonly header: (name: string) => string | undefined
  /** The body as it came over the wire, for signatures and files. */
  readonly raw: RawBody
  readonly answerHeader: (name: string, value: string) => void
}

type RawBody = {
  bytes(): Buffer
  /** The one file sent with a call, on the disk for as long as the call holds it: `await using`. */
  file(maxBytes: number): Promise<SentFile>
}
export type SentFile = AsyncDisposable &
  Aside & {
    readonly name: string
    readonly type: string
    /** The whole of it in memory; heavy, so in turn (`app.turns`). */
    read(): Promise<Buffer>
  }

/** Whom the operation log names, and how the doing is found again in other logs. */
export type Doer = Pick<Call, 'actor' | 'now' | 'address' | 'requestId'> & {
  /** What somebody who has no account here is called: a partner. */
  readonly called?: string
}
