import { create } from 'zustand'
import { useUser } from './user.ts'

export type NoticeAction = {
  readonly label: string
  readonly primary?: boolean
  /** A way back is gone once, a link leads as often as it is pressed. */
  readonly once?: boolean
  run(): void
}

/** Something said to the person: what happened, and what can be done about it. */
export type Notice = {
  /** A second one with the same key takes the place of the first instead of standing beside it. */
  readonly key: string
  readonly kind: 'success' | 'info' | 'warning' | 'error'
  readonly title: string
  readonly description?: string | undefined
  /** What an administrator finds the failure by. */
  readonly incident?: string | undefined
  readonly actions?: readonly NoticeAction[]
}

export type KeptNotice = Notice & { readonly id: number; readonly at: Date; readonly person: string }

/** Enough to look back over a morning; it ends with the window. */
const KEPT = 50

export const useKeptNotices = create<{ kept: readonly KeptNotice[] }>(() => ({ kept: [] }))

let count = 0

/** A notice goes by in seconds: here it can be read again, by whom it was said to and nobody else. */
export function keepNotice(notice: Notice): void {
  count += 1
  const kept = { ...notice, id: count, at: new Date(), person: useUser.getState().info?.id ?? '' }
  useKeptNotices.setState(state => ({ kept: [kept, ...state.kept].slice(0, KEPT) }))
}

/** Runs an action of a notice, wherever it is shown; what may be done once is offered no more. */
export function runAction(key: string, action: NoticeAction): void {
  if (action.once)
    useKeptNotices.setState(({ kept }) => ({
      kept: kept.map(notice =>
        notice.key === key ? { ...notice, actions: notice.actions?.filter(other => other !== action) ?? [] } : notice,
      ),
    }))
  action.run()
}
