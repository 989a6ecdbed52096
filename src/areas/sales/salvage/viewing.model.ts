import { type Refusal, refuse } from '#kit/model/refusal.ts'

/** What somebody of a pool has looked at today, and may. */
type Viewing = {
  /** Who look after the pool look through it. */
  readonly isAdmin: boolean
  readonly viewsADay: number
  /** Other leads nobody had, each once. */
  readonly viewed: number
  /** This one was looked at today already. */
  readonly isKnown: boolean
}

/** Why this person may not look at one more lead of the pool today. */
export const whyNotView = ({ isAdmin, viewsADay, viewed, isKnown }: Viewing): Refusal | undefined =>
  isAdmin || isKnown || viewed < viewsADay ? undefined : refuse('viewed-enough', { max: viewsADay })
