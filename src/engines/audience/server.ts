import type { Scope } from '#kit/model/actor.ts'
import { defineQuestion } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Audience } from './model.ts'

export type Reached = { readonly id: string; readonly name: string; readonly phone: string }

type Asked = {
  readonly db: Queries
  /** A number of somebody else's member is as unknown as a stranger's. */
  readonly scope: Scope
  readonly audience: Audience
  readonly atMost: number
}
/** The members of an audience somebody may reach, in the order of their ids; who is frozen is not among them. */
export const membersReached = defineQuestion<Asked, Reached[]>('audience-members-reached')
