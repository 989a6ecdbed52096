import type { Actor } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from './app.ts'
import { constraintOf, type Tx } from './database.ts'
import type { Call } from './route.ts'

/** Whom the operation log names, and how the doing is found again in other logs. */
export type Doer = Pick<Call, 'actor' | 'now' | 'address' | 'requestId'>

/** A change under way, by a person or by the console itself: what owners of records offer to others takes one. */
export type Change = {
  readonly app: App
  readonly tx: Tx
  readonly now: Date
  readonly call: Doer
}

/** One change by a person, whole or not at all: the transaction, the person, and the time its rules go by. */
export type Operation = Change & { readonly actor: Actor; readonly call: Call }

/** A change nobody pressed a button for: an event that came in, or a job. `cause` names it in the log. */
export const ownChange = (app: App, tx: Tx, now: Date, cause: string): Change => ({
  app,
  tx,
  now,
  call: { actor: null, now, address: '', requestId: cause },
})

/** Constraint → the refusal it stands for, and the field it speaks of when the answer belongs beside an input. */
export type Constraints = Readonly<Record<string, { readonly code: string; readonly field?: string }>>

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
    throw known.field
      ? new Refused(refusal, 'validation', { fields: { [known.field]: refusal } })
      : new Refused(refusal)
  }
}
