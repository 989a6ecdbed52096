import { type Actor, can, inScope, scopeOf, type Whose } from '#kit/model/actor.ts'
import { PUSHES, type PushType, type TOKEN_PUSH } from '#kit/model/contract.ts'
import { mask } from '#kit/model/mask.ts'
import type { App } from '../app.ts'
import type { Tx } from '../database/database.ts'

export type NewPush = Whose & {
  readonly type: Exclude<PushType, typeof TOKEN_PUSH>
  /** Names what the push is about: a client hides what its person dismissed by this key. */
  readonly key: string
  readonly content: Readonly<Record<string, unknown>>
}

/** Tells everybody, on every instance, who may list the type's page and has the record in scope; leaves with the transaction. */
export const push = ({ signals }: Pick<App, 'signals'>, tx: Tx, { type, key, content, ...whose }: NewPush) =>
  signals.send(tx, 'push', {
    type,
    key: withoutPhones(key),
    content: phoneFree(content),
    page: PUSHES[type].page,
    ...whose,
  })

/** A push tells no more than the list would: the action and the rows are those of the page's list. */
export const isReached = (actor: Actor, page: string, row: Whose): boolean =>
  can(actor, page, 'list') && inScope(scopeOf(actor, page), row)

/** "138 0013 8000" and "138-0013-8000" too; a longer run of digits is a number of another kind. */
const PHONE = /(?<!\d)1[3-9]\d(?:[ -]?\d{4}){2}(?!\d)/g

/** Senders put phones into free text: what leaves by push or stays in a log shows none in full. */
export const withoutPhones = (text: string): string =>
  text.replace(PHONE, phone => mask('phone', phone.replace(/\D/g, '')))

/** JSON of a value whose texts hold no phone in full. */
export const phoneFree = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? withoutPhones(part) : part))
