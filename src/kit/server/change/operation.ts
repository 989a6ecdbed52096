import type { Actor } from '#kit/model/actor.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { App, Change } from '../app.ts'
import type { Call } from '../call.ts'
import { constraintOf, type Tx } from '../database/database.ts'

/** One change by a person, whole or not at all: the transaction, the person, and the time its rules go by. */
export type Operation = Change & { readonly actor: Actor; readonly call: Call }

/** What the log has room for: the names that others give their events have no bound of ours. */
const MAX_CAUSE = 200

/** A change nobody pressed a button for: an event that came in, or a job. `cause` names it in the log. */
export const ownChange = (app: App, tx: Tx, now: Date, cause: string): Change => ({
  app,
  tx,
  now,
  call: { actor: null, now, address: '', requestId: cause.slice(0, MAX_CAUSE) },
})

/** Who asked for long work, as it is kept with the task until the work is done. */
export type Errand = Pick<Call, 'language' | 'requestId' | 'address'>

/** A person's call when none of that person's is under way: what a task does, it does in that person's name. */
export const callLater = (app: App, actor: Actor, { language, requestId, address }: Errand): Call<'session'> => ({
  actor,
  sessionId: '',
  now: app.clock.now(),
  requestId,
  language,
  address,
  device: '',
  search: {},
  header: () => undefined,
  raw: { bytes: () => Buffer.alloc(0), file: () => Promise.reject(new Error('a task is sent no file')) },
  answerHeader: () => {},
})

/** Constraint → the refusal it stands for, and the field it speaks of when the answer belongs beside an input. */
export type Constraints = Readonly<Record<string, Constraint>>
type Constraint = {
  readonly code: string
  readonly field?: string
  /** Whose number it is that must be new, where those are other records than the ones written. */
  readonly holder?: { readonly of: Resource; readonly field: string }
}

/** Runs a change. The database has the last word on what must never be; here its word is turned into ours. */
export async function operate<T>(
  app: App,
  call: Call<'session'> | Call<{ page: string; action: string }>,
  work: (op: Operation) => Promise<T>,
  constraints: Constraints = {},
): Promise<T> {
  try {
    return await app.db.write(tx => work({ app, tx, actor: call.actor, call, now: call.now }))
  } catch (error) {
    const known = constraints[constraintOf(error) ?? '']
    if (!known) throw error
    const refusal = refuse(known.code)
    throw known.field ? onField(known.field, refusal) : new Refused(refusal)
  }
}
