import type { Actor } from './actor.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Four eyes, as a guard: whoever stands in the field of a record does not decide on it, and is told so in the slice's words. */
export const byAnother =
  <Field extends string>(field: Field, code: string) =>
  (row: Readonly<Record<Field, string | null>>, actor: Pick<Actor, 'id'>): Refusal | undefined =>
    row[field] === actor.id ? refuse(code) : undefined

/** As a guard: what somebody asked for is that person's alone to take back. */
export const onlyBy =
  <Field extends string>(field: Field, code: string) =>
  (row: Readonly<Record<Field, string | null>>, actor: Pick<Actor, 'id'>): Refusal | undefined =>
    row[field] === actor.id ? undefined : refuse(code)
