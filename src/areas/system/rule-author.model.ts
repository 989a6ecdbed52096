import type { Actor } from '#kit/model/actor.ts'
import { editionSteps } from '#kit/model/edition.ts'
import { byAnother } from '#kit/model/four-eyes.ts'
import type { Refusal } from '#kit/model/refusal.ts'

/** Who wrote the draft of a rule; nothing where there is none. */
export type Drafted = { readonly draftedBy: string } | undefined

const another = byAnother('draftedBy', 'system:rule-own-draft')

/** Whoever wrote a draft does not publish it: what runs on everybody's records was read by two. */
export const publishedByAnother = {
  ...editionSteps.publish,
  guard: (_row: unknown, actor: Pick<Actor, 'id'>, drafted: Drafted): Refusal | undefined =>
    drafted && another(drafted, actor),
} as const
