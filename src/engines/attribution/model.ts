import { isTouch, type TouchedBy } from '#engines/lead/model.ts'

/** One thing somebody came by, when it happened, whenever we were told of it. */
export type Touch = {
  /** Names it: told again, it is the same. */
  readonly key: string
  readonly cameBy: TouchedBy
  readonly at: Date
  readonly source: string
  readonly channel: string
}

export type Paying = {
  /** Of the first payment. */
  readonly paidAt: Date
  /** For so many days before it a touch counts, as was in force then. */
  readonly days: number
  /** As the member was entered: where nothing else is known. */
  readonly own: Origin
  /** Somebody has corrected it: then nothing else counts. */
  readonly isCorrected?: boolean
}
type Origin = { readonly source: string; readonly channel: string }

/** Why it is this channel: somebody has corrected it, or the first touch within the days, the last one where all are older, or how the member was entered. */
export type Why = 'CORRECTED' | 'FIRST_WITHIN' | 'LAST_BEFORE' | 'ENTERED'

export type Credit = Origin & {
  readonly why: Why
  /** The touch that counts. */
  readonly key: string | null
}

const DAY_MS = 86_400_000

/** At one instant what says most goes first: a link names who sent it, a form what was seen, a registration only that somebody came. */
const RANK = { LINK: 0, FORM: 1, PLATFORM_ORDER: 2, REGISTRATION: 3, IMPORT: 4 } satisfies Record<TouchedBy, number>

/** By when they happened and what they are, never by when we were told: whatever came late changes nothing but itself. */
export function inOrder<T extends Touch>(touches: readonly T[]): T[] {
  const rank = ({ cameBy }: T) => RANK[cameBy]
  return touches
    .filter(isTouch)
    .sort(
      (a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
    )
}

/** The first and the last of them up to an instant. */
export function endsOf<T extends Touch>(
  touches: readonly T[],
  until: Date,
): { first: T | undefined; last: T | undefined } {
  const before = inOrder(touches).filter(({ at }) => at <= until)
  return { first: before[0], last: before.at(-1) }
}

/** The one channel a paying member belongs to (decision 085). */
export function creditOf(touches: readonly Touch[], { paidAt, days, own, isCorrected = false }: Paying): Credit {
  if (isCorrected) return { ...own, why: 'CORRECTED', key: null }
  const before = inOrder(touches).filter(({ at }) => at <= paidAt)
  const since = paidAt.getTime() - days * DAY_MS
  const within = before.find(({ at }) => at.getTime() >= since)
  const counted = within ?? before.find(({ at }) => at.getTime() === before.at(-1)?.at.getTime())
  if (!counted) return { ...own, why: 'ENTERED', key: null }
  const { source, channel, key } = counted
  return { source, channel, key, why: within ? 'FIRST_WITHIN' : 'LAST_BEFORE' }
}
