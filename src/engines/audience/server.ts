import { type Actor, type Scope, scopeOf } from '#kit/model/actor.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { type Audience, isNamed, type LeftOut, MAX_AUDIENCE, numbersIn, type Wish } from './model.ts'

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

export type Asking = { readonly app: App; readonly db: Queries; readonly actor: Actor; readonly now: Date }

/** Whom a wish reaches at this moment, as far as whoever wishes it may see them on this page. */
export async function findReached(
  { app, db, actor }: Omit<Asking, 'now'>,
  page: string,
  wish: Wish,
): Promise<LeftOut & { readonly members: readonly Reached[] }> {
  const { audience, repeated, invalid } = audienceOf(wish)
  const scope = scopeOf(actor, page)
  const members = await ask(app, membersReached, { db, scope, audience, atMost: MAX_AUDIENCE + 1 })
  if (members.length > MAX_AUDIENCE) throw tooBig()
  const strangers = 'phones' in audience ? audience.phones.length - members.length : 0
  return { members, repeated, invalid, strangers }
}

const tooBig = () => onField('numbers', refuse('engines/audience:too-big', { max: MAX_AUDIENCE }))

function audienceOf(wish: Wish): { audience: Audience; repeated: number; invalid: number } {
  if (wish.audienceBy === 'NUMBERS') {
    const { phones, repeated, invalid } = numbersIn(wish.numbers)
    if (phones.length === 0) throw onField('numbers', refuse('engines/audience:numbers-missing'))
    if (phones.length > MAX_AUDIENCE) throw tooBig()
    return { audience: { phones }, repeated, invalid }
  }
  const { levels, channels, tags, ofOwnerId } = wish
  const inCommon = { levels, channels, tags, ownerIds: ofOwnerId === null ? [] : [ofOwnerId] }
  if (!isNamed(inCommon)) throw onField('numbers', refuse('engines/audience:nobody-named'))
  return { audience: { inCommon }, repeated: 0, invalid: 0 }
}
