import type { Actor } from '#kit/model/actor.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** Who holds a role, and who may do everything. */
export type Holders = { readonly own: ReadonlySet<string>; readonly admins: ReadonlySet<string> } | undefined
type Person = Pick<Actor, 'id'>
type Named = { readonly code: string }

/** Holds everything without a row saying so, and is as it is. */
export const SUPER_ADMIN = 'SUPER_ADMIN'

/** What guards those who may do everything is decided by them alone. */
export function requirable({ code }: Named, { id }: Person, held: Holders): Refusal | undefined {
  if (code === SUPER_ADMIN && !held?.admins.has(id)) return refuse('factor-by-admin')
}

/** Nobody makes it easier to sign in as he is, but whoever is bound by nothing. */
export function liftable(row: Named, actor: Person, held: Holders): Refusal | undefined {
  const isOwn = held?.own.has(actor.id) && !held.admins.has(actor.id)
  return requirable(row, actor, held) ?? (isOwn ? refuse('own-factor') : undefined)
}
