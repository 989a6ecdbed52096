import type { Actor } from '#kit/model/actor.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { WRONG_STATE } from '#kit/model/workflow.ts'

/** Those who may do everything, by id, and whether they can sign in. */
export type Admins = ReadonlyMap<string, boolean> | undefined
type Person = Pick<Actor, 'id'>
type Account = { readonly id: string; readonly accountState: string; readonly openSessions: number }

/** Whoever may do everything is touched by those alone who may, too. */
export function notAbove({ id }: Pick<Account, 'id'>, actor: Person, admins: Admins): Refusal | undefined {
  if (admins?.has(id) && !admins.has(actor.id)) return refuse('only-by-admin')
}

/** Nobody lifts, lowers or shuts out himself. */
function another({ id }: Pick<Account, 'id'>, actor: Person): Refusal | undefined {
  if (id === actor.id) return refuse('not-oneself')
}

export const givable = (row: Account, actor: Person, admins: Admins): Refusal | undefined =>
  another(row, actor) ?? notAbove(row, actor, admins)

/** Somebody must be left who may do everything; asked once more, under the lock of that role, when it is done. */
export function disableable(row: Account, actor: Person, admins: Admins): Refusal | undefined {
  const isLast = admins?.get(row.id) && [...admins.values()].filter(Boolean).length === 1
  return (
    another(row, actor) ?? notAbove(row, actor, admins) ?? (isLast ? refuse('kit/server/auth:last-admin') : undefined)
  )
}

export function endable(row: Account, actor: Person, admins: Admins): Refusal | undefined {
  if (row.openSessions === 0) return refuse('not-signed-in')
  return row.id === actor.id ? refuse('own-sessions') : notAbove(row, actor, admins)
}

/** A code may stand in for nobody: who lost the device is helped by another. */
export function unfactorable(
  row: Account & { readonly hasFactor: boolean },
  actor: Person,
  admins: Admins,
): Refusal | undefined {
  return row.hasFactor ? givable(row, actor, admins) : refuse('no-factor')
}

/** By another, and not from a session of the account itself: in foreign hands that would be a way to guess on and on. */
export function unlockable(row: Account, actor: Person, admins: Admins): Refusal | undefined {
  const { accountState } = row
  if (accountState !== 'LOCKED') return refuse(WRONG_STATE, { state: `accountState.${accountState}` })
  return givable(row, actor, admins)
}
