import type * as z from 'zod'
import type { App } from '../app.ts'
import type { Tx } from '../database.ts'

/** Who sends events. Each signs with a secret of its own and may send only the types that name it. */
export const SHOPS = ['douyin', 'wechat-shop', 'xiaohongshu'] as const
export const SOURCES = ['app', ...SHOPS] as const
export type Source = (typeof SOURCES)[number]

/** An event being applied: its effect and the mark that it is applied share this transaction. */
export type Applying = {
  readonly app: App
  readonly tx: Tx
  readonly now: Date
  readonly source: Source
  /** The sender's own id of the event. */
  readonly key: string
}

export type InboxEvent<D = unknown> = {
  readonly type: string
  readonly sources: readonly Source[]
  readonly data: z.ZodType<D>
  apply(applying: Applying, data: D): Promise<void>
}

/** Declares an event a slice applies; the slice's server.ts lists it in `events`. */
export const defineEvent = <S extends z.ZodType>(event: {
  type: string
  sources: readonly Source[]
  data: S
  apply(applying: Applying, data: z.infer<S>): Promise<void>
}): InboxEvent => event as unknown as InboxEvent
