import type { Change } from '#kit/server/app.ts'
import { defineQuestion } from '#kit/server/change/question.ts'
import type { NewLine, PlacedOrder } from './placing.server.ts'

type Asked = {
  readonly change: Change
  /** What the link has sent along with the buyer. */
  readonly state: string
  readonly line: NewLine
  readonly hasCoupon: boolean
  /** What the sender says it sold for. */
  readonly toldFen: number | null
}

/** The link an order comes by, and its line at the price that holds by it. */
export type ByLink = {
  readonly linkId: string
  readonly line: NewLine
  /** To be called in the same transaction, once the order stands. */
  markPlaced(order: PlacedOrder): Promise<void>
}

/**
 * What was promised to whoever comes with this state; nothing where nobody sent it. Whoever makes links knows, and holds the link
 * until the order stands.
 */
export const orderByLink = defineQuestion<Asked, ByLink | undefined>('order-by-link')
