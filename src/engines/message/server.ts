import type { App, Change, Listener } from '#kit/server/app.ts'
import { allSaid, announce, defineAnnouncement, saying } from '#kit/server/change/announce.ts'
import { defineQuestion } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type ConsentAt, inWords, type Kind, type Shipped, type Terms, type ValuesOf, type Variable } from './model.ts'

/** Whom a message is for: a member, a colleague, a lead or a partner, and where that person is reached; null where nobody has said. */
export type Receiver =
  | { readonly leadId: string; readonly address: string | null }
  | { readonly memberId: string; readonly address: string | null }
  | { readonly staffId: string; readonly address: string | null }
  | { readonly partnerId: string; readonly address: string | null }

export type Wanted = {
  readonly message: Shipped
  readonly to: Receiver
  readonly filled: Readonly<Record<string, string>>
  /** What it tells of: the same thing is told once, however often it is announced. */
  readonly about: string
  /** The words of a draft somebody wants to see arrive. */
  readonly trial?: Words
  /** The words as somebody agreed to them: what is published meanwhile is not sent instead. */
  readonly words?: Words
  /** The member whose own name stands in it, where it goes to somebody else: forgotten with that member. */
  readonly wordsOfId?: string
}
/** Somebody is to be told something; whoever owns messages writes it down and sees to it. */
export const messageWanted = defineAnnouncement<Wanted>('message-wanted')

export type Moved = {
  readonly about: string
  readonly status: 'SCHEDULED' | 'SENDING' | 'UNKNOWN' | 'FAILED' | 'WITHHELD' | 'DELIVERED'
  /** Why it has not reached anybody. */
  readonly cause: string | null
  readonly isHandedOver: boolean
}
/** A message outside the console was written, has left, has arrived or will not: whoever wanted it follows it by what it tells of. */
export const messageMoved = defineAnnouncement<Moved>('message-moved')

/** Leaves with the transaction of what it tells of; `wordsOf` is the member a colleague is told about. */
export const send = <H extends Shipped['holes']>(
  change: Change,
  message: Shipped<H>,
  {
    to,
    values,
    about,
    wordsOf,
  }: Pick<Wanted, 'to' | 'about'> & { readonly values: ValuesOf<H>; readonly wordsOf?: string | null },
): Promise<void> =>
  announce(change, messageWanted, {
    message,
    to,
    about,
    filled: inWords(message, values),
    ...(wordsOf ? { wordsOfId: wordsOf } : {}),
  })

const messagesAsked = defineAnnouncement<(message: Shipped) => void>('messages-asked')

/** A slice lists among its `listeners` what it sends, so that its templates stand on their page before the first one leaves. */
export const ships = (...messages: readonly Shipped[]): Listener => saying(messagesAsked, ...messages)

/** Everything the slices send, by code. */
export async function shippedMessages(app: Pick<App, 'listeners'>): Promise<ReadonlyMap<string, Shipped>> {
  const found = new Map<string, Shipped>()
  for (const message of await allSaid(app, messagesAsked)) {
    if (found.has(message.code)) throw new Error(`two slices send ${message.code}`)
    found.set(message.code, message)
  }
  return found
}

/** The words a message is made of, and where they come from. */
export type Words = {
  readonly templateId: string | null
  readonly editionId: string | null
  readonly title: string
  readonly body: string
  readonly providerCode: string | null
}
/** A template as it is published; nothing before anybody has published one: then the words it was shipped with go out. */
export const templateInForce = defineQuestion<{ tx: Tx; code: string }, Words | undefined>('message-template-in-force')

/** Whether a member agreed to be advertised to, at the number it goes to where it goes to one. */
export const consentOf = defineQuestion<{ tx: Tx; memberId: string; phone?: string | null }, ConsentAt>(
  'message-consent',
)

/** A published template of text messages, with what has to be put into it. */
export type OfferedTemplate = Words & {
  readonly templateId: string
  readonly code: string
  readonly variables: readonly Variable[]
}
/** The templates of text messages of one kind that may be sent, by their titles. */
export const offeredTemplates = defineQuestion<{ db: Queries; kind: Kind }, OfferedTemplate[]>(
  'message-templates-offered',
)

/** What binds advertising now. */
export const advertisingTerms = defineQuestion<{ db: Queries }, Terms>('message-advertising-terms')

type Lately = { readonly db: Queries; readonly memberIds: readonly string[]; readonly since: Date }
/** To which of these members advertising has gone since then, or is on its way. */
export const advertisedSince = defineQuestion<Lately, ReadonlySet<string>>('message-advertised-since')
