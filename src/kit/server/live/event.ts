import type * as z from 'zod'
import type { Refusal } from '#kit/model/refusal.ts'
import type { App } from '../app.ts'
import { defineAnnouncement } from '../change/announce.ts'
import type { Tx } from '../database/database.ts'

/** Who sends events. Each signs with a secret of its own and may send only the types that name it. */
export const SHOPS = ['douyin', 'wechat-shop', 'xiaohongshu'] as const
/** Who brings orders and the money for them. */
export const SELLERS = ['app', ...SHOPS] as const
export type Seller = (typeof SELLERS)[number]
/** And whoever carries text messages, to tell what became of them, the platform people chat on, and the one they follow accounts on. */
export const SOURCES = [...SELLERS, 'sms', 'wecom', 'official-account'] as const
export type Source = (typeof SOURCES)[number]

/** An event being applied: its effect and the mark that it is applied share this transaction. */
export type Applying<From extends Source = Source> = {
  readonly app: App
  readonly tx: Tx
  readonly now: Date
  readonly source: From
  /** The sender's own id of the event. */
  readonly key: string
}

/**
 * What an event speaks of is not there yet: it is kept and asked again, for its own event may be on its way. A `Refused`
 * is the end of an event: what could not be had today must not be had by itself some other day.
 */
export class NotYet extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

type GivenUpEvent = { id: string; source: string; type: string; key: string; error: string }
/** An event could not be applied in all that time, or waited in vain: somebody has to look. */
export const eventGivenUp = defineAnnouncement<GivenUpEvent>('event-given-up')

export type InboxEvent<D = unknown> = {
  readonly type: string
  readonly sources: readonly Source[]
  readonly data: z.ZodType<D>
  /** What people typed, by its names in the data: read once, and no part of what stays of the event. */
  readonly unkept?: readonly string[]
  apply(applying: Applying, data: D): Promise<void>
}

/** Declares an event a slice applies; the slice's server.ts lists it in `events`. */
export const defineEvent = <S extends z.ZodType, From extends Source>(event: {
  type: string
  sources: readonly From[]
  data: S
  unkept?: readonly Extract<keyof z.infer<S>, string>[]
  apply(applying: Applying<From>, data: z.infer<S>): Promise<void>
}): InboxEvent => event as InboxEvent
