import { create } from 'zustand'
import { holdsNumber } from '#kit/model/mask.ts'
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

/** Like drafts (decision 031): as long as the browser's own tab lives, through its reload, and no longer than its person is signed in. */
const KEY = 'inkstone-notices'
/** Enough to look back over a morning. */
const KEPT = 50

export const useKeptNotices = create<{ kept: readonly KeptNotice[] }>(() => ({ kept: readStored() }))

let count = useKeptNotices.getState().kept[0]?.id ?? 0

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

useKeptNotices.subscribe(({ kept }) => store(kept))

useUser.subscribe(({ info }, before) => {
  if (info?.id === before.info?.id) return
  const { kept } = useKeptNotices.getState()
  if (info) useKeptNotices.setState({ kept: kept.filter(({ person }) => person === info.id) })
  else sessionStorage.removeItem(KEY)
})

/** What was said, without what could be done about it: that ends with the page. A number that leads to somebody is not kept. */
function store(kept: readonly KeptNotice[]): void {
  // Before the person is known, and after he has gone, there is nobody to keep it for.
  if (!useUser.getState().info) return
  const said = kept.map(({ actions: _, description, ...notice }) =>
    description === undefined || holdsNumber(description) ? notice : { ...notice, description },
  )
  try {
    sessionStorage.setItem(KEY, JSON.stringify(said))
  } catch {
    // Full: the list then ends with the page.
  }
}

function readStored(): KeptNotice[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as (KeptNotice & { at: string })[]
    return stored.map(notice => ({ ...notice, at: new Date(notice.at) }))
  } catch {
    return []
  }
}
