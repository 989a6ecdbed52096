import type { Actor } from '#kit/model/actor.ts'
import { editionSteps } from '#kit/model/edition.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** Everybody who wrote at the draft of a rule; nothing where there is none. */
export type Drafted = { readonly authors: readonly string[] } | undefined

/** Whoever wrote at a draft does not publish it: what runs on everybody's records was read by two. */
export const publishedByAnother = {
  ...editionSteps.publish,
  guard: (_row: unknown, { id }: Pick<Actor, 'id'>, drafted: Drafted): Refusal | undefined =>
    drafted?.authors.includes(id) ? refuse('system:rule-own-draft') : undefined,
} as const
