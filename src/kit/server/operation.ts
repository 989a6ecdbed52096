import type { Actor } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from './app.ts'
import { constraintOf, type Tx } from './database.ts'
import type { Call } from './route.ts'

/** One change, whole or not at all: the transaction, the person, and the time its rules go by. */
export type Operation = {
  readonly app: App
  readonly tx: Tx
  readonly actor: Actor
  readonly call: Call
  readonly now: Date
}

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
