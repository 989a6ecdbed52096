import { create } from 'zustand'
import type { Push } from '#kit/model/contract.ts'

/** A push that was worth a notification, as the workbench lists it. */
export type Received = { readonly push: Push; readonly at: Date }

/** Enough to look back over a break, not a mailbox: it ends with the window. */
const KEPT = 20

export const useReceived = create<{ received: readonly Received[] }>(() => ({ received: [] }))

export const rememberReceived = (push: Push, at: Date): void =>
  useReceived.setState(({ received }) => ({ received: [{ push, at }, ...received].slice(0, KEPT) }))

/** What a push tells: who, what, how much, whatever its content holds of it. */
export type PushContent = {
  name?: string | null
  product?: string
  orderNo?: string
  amountFen?: number
  phone?: string | null
  reason?: string
  /** So many leads wait: by which rule of allocation, or because nobody claims or answers them. */
  count?: number
  rule?: string
  kind?: string
  /** Whoever did it, where it was one of us. */
  by?: string
}

export function readContent(push: Push): PushContent {
  try {
    const content = JSON.parse(push.content) as PushContent | null
    return content ?? {}
  } catch {
    return {}
  }
}
