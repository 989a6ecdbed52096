import { createHash } from 'node:crypto'
import { type Scope, scopeOf } from '#kit/model/actor.ts'
import { CODES } from '#kit/model/contract.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { type Gate, mostOf, spend, untake } from '#kit/server/access/gate.ts'
import { record } from '#kit/server/change/audit.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { type Audience, inCommonOf, isNamed, type LeftOut, MAX_AUDIENCE, numbersIn, type Wish } from './model.ts'

export type Reached = { readonly id: string; readonly name: string; readonly phone: string }

type Asked = {
  readonly db: Queries
  /** A number of somebody else's member is as unknown as a stranger's. */
  readonly scope: Scope
  readonly audience: Audience
  readonly atMost: number
  /** What is told by days is told as of now. */
  readonly now: Date
}
/** The members of an audience somebody may reach, in the order of their ids; who is frozen is not among them. */
export const membersReached = defineQuestion<Asked, Reached[]>('audience-members-reached')

export type Asking = Pick<Operation, 'app' | 'actor' | 'now' | 'call'> & { readonly db: Queries }

/** Whom a wish reaches at this moment, as far as whoever wishes it may see them on this page. */
export async function findReached(
  asking: Asking,
  page: string,
  wish: Wish,
): Promise<LeftOut & { readonly members: readonly Reached[] }> {
  const { app, db, actor, now } = asking
  const { audience, repeated, invalid } = audienceOf(wish)
  const scope = scopeOf(actor, page)
  const members = await ask(app, membersReached, { db, scope, audience, atMost: MAX_AUDIENCE + 1, now })
  if (members.length > MAX_AUDIENCE) throw tooBig()
  if (!('phones' in audience)) return { members, repeated, invalid, strangers: 0 }
  await requireNoGuesses(asking, page, audience.phones, members.length)
  return { members, repeated, invalid, strangers: audience.phones.length - members.length }
}

const DAY_MS = 86_400_000
/** Numbers of a day that may reach nobody, beside as many as one list of the day reaches; more are tried out. */
const MISTAKEN: Gate = { kind: 'audience-number', limit: 200, windowMs: DAY_MS }
const REACHED = { kind: 'audience-reached', windowMs: DAY_MS } as const
/** A list counts once, however often it is asked about while a form is filled in. */
const COUNTED: Gate = { kind: 'audience-list', limit: 1, windowMs: DAY_MS }

/**
 * What becomes of numbers tells whose they are, also those that stand behind stars. Where too many of the day reach nobody, nothing is told
 * of any more, and what is left of the day is used up: that so many are too many would tell something of them, too.
 */
async function requireNoGuesses(
  { app, actor, now, call }: Asking,
  page: string,
  phones: readonly string[],
  reached: number,
): Promise<void> {
  const list = createHash('sha256')
    .update([...phones].sort().join())
    .digest('base64url')
  const mine = [app.db.query, COUNTED, `${actor.id}:${list}`] as const
  if (await spend(...mine, 1, now)) return
  // The same known numbers beside others again and again buy no more of them.
  const most = await mostOf(app.db.query, REACHED, actor.id, reached, now)
  const mistaken = { ...MISTAKEN, limit: MISTAKEN.limit + most }
  // One at least: where nothing is left, nothing is told of what is right either.
  const over = await spend(app.db.query, mistaken, actor.id, Math.max(1, phones.length - reached), now)
  await record(app.db.query, call, {
    page,
    action: 'find-by-phone',
    diff: { rows: [null, phones.length] },
    ...(over ? { code: CODES.validation } : {}),
  })
  if (!over) return
  if (over.left > 0) await spend(app.db.query, mistaken, actor.id, over.left, now)
  await untake(...mine)
  throw onField('numbers', refuse('engines/audience:numbers-guessed'))
}

const tooBig = () => onField('numbers', refuse('engines/audience:too-big', { max: MAX_AUDIENCE }))

function audienceOf(wish: Wish): { audience: Audience; repeated: number; invalid: number } {
  if (wish.audienceBy === 'NUMBERS') {
    const { phones, repeated, invalid } = numbersIn(wish.numbers)
    if (phones.length === 0) throw onField('numbers', refuse('engines/audience:numbers-missing'))
    if (phones.length > MAX_AUDIENCE) throw tooBig()
    return { audience: { phones }, repeated, invalid }
  }
  const inCommon = inCommonOf(wish)
  if (!isNamed(inCommon)) throw onField('numbers', refuse('engines/audience:nobody-named'))
  return { audience: { inCommon }, repeated: 0, invalid: 0 }
}
