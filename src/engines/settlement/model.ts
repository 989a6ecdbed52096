import { addDays, dayOf } from '#kit/model/time.ts'

/** What a partner is paid for: a fixed price for each of the first three, a share of what was paid for the last. */
export const EVENT_KINDS = {
  REGISTERED: 'busy',
  ACTIVATED: 'special',
  FIRST_ORDER: 'done',
  SHARE: 'attention',
} as const
export type EventKind = keyof typeof EVENT_KINDS

/** Whether an event counts, and why not. */
export const VERDICTS = {
  COUNTED: 'done',
  FROZEN: 'busy',
  REFUNDED: 'failed',
  OVER_CAP: 'attention',
  TOO_LATE: 'idle',
  NO_PRICE: 'idle',
  DUPLICATE: 'failed',
  OLD_MEMBER: 'idle',
  OWN_STAFF: 'failed',
} as const
export type Verdict = keyof typeof VERDICTS

/** What a line of a statement tells: what became of an event, or what was added and taken off besides. */
export const ENTRIES = {
  ...VERDICTS,
  TAKEN_BACK: 'failed',
  DEDUCTION: 'attention',
  CORRECTION: 'special',
  CARRIED: 'special',
} as const
export type Entry = keyof typeof ENTRIES

/**
 * One dated price. It holds for what happens from its first day on, until the next one begins or its last day is over. Where a later one
 * has ended it holds again, unless it is the dearer one: nobody has decided to pay that much again.
 */
export type Edition = {
  readonly id: string
  readonly kind: EventKind
  readonly validFrom: string
  readonly validTo: string | null
  readonly priceFen: number | null
  readonly sharePermille: number | null
  /** Days after a member came within which the event has to happen. */
  readonly windowDays: number | null
  /** Days in which a refund still takes it off before anything is paid. */
  readonly freezeDays: number
  /** How many of a calendar month are paid for. */
  readonly monthlyCap: number | null
  readonly deductionPermille: number
}

/** Something that happened and may be worth money to a partner, as others know it. */
export type Happening = {
  readonly kind: EventKind
  /** What is paid for once, whoever brought it: the member, or of a share the order. */
  readonly subjectId: string
  readonly memberId: string
  readonly orderId: string | null
  readonly at: Date
  readonly memberSince: Date
  readonly baseFen: number
  readonly refundedFen: number
  readonly isStaff: boolean
  /** The person had come to us by another way before. */
  readonly isOld: boolean
}

/** What was judged, as it stands: its worth is the sum of the lines it has on statements. */
export type Judged = Pick<
  Happening,
  'kind' | 'subjectId' | 'memberId' | 'orderId' | 'at' | 'baseFen' | 'refundedFen'
> & {
  readonly verdict: Verdict
  readonly priceId: string | null
  readonly worthFen: number
}

/**
 * The price of a day: the one that began last; of two that begin on one day, the one that was made last. Where that is over, the one
 * before it, if it costs no more than any that came after it.
 */
export function editionOn(editions: readonly Edition[], kind: EventKind, day: string): Edition | undefined {
  const begun = editions
    .filter(one => one.kind === kind && one.validFrom <= day && hasBegun(one))
    .sort((a, b) => (a.validFrom === b.validFrom ? Number(b.id) - Number(a.id) : a.validFrom < b.validFrom ? 1 : -1))
  const at = begun.findIndex(({ validTo }) => validTo === null || day <= validTo)
  const found = begun[at]
  return found && begun.slice(0, at).every(ended => costOf(found) <= costOf(ended)) ? found : undefined
}

/** What was called off before its first day never was a price. */
const hasBegun = ({ validFrom, validTo }: Edition): boolean => validTo === null || validFrom <= validTo

/** What one event costs by it, less what is agreed to be taken off: of two of one kind, to be compared. */
const costOf = ({ priceFen, sharePermille, deductionPermille }: Edition): number =>
  (priceFen ?? sharePermille ?? 0) * (1_000 - deductionPermille)

/** A part of an amount in whole fen, half a fen up; the same of what is taken as of what is given. */
export function partOf(fen: number, permille: number): number {
  const part = Math.floor((Math.abs(fen) * permille + 500) / 1_000)
  return fen < 0 && part > 0 ? -part : part
}

/** What an event is worth by a price, less what was given back of it. */
function worthOf(edition: Edition, { baseFen, refundedFen }: Pick<Happening, 'baseFen' | 'refundedFen'>): number {
  const left = Math.max(0, baseFen - refundedFen)
  if (edition.kind === 'SHARE') return partOf(left, edition.sharePermille ?? 0)
  return baseFen > 0 && left === 0 ? 0 : (edition.priceFen ?? 0)
}

/** The last day on which a refund takes the event off before it is paid for. */
const frozenTo = ({ freezeDays }: Pick<Edition, 'freezeDays'>, at: Date): string => addDays(dayOf(at), freezeDays)

const monthOf = (at: Date): string => dayOf(at).slice(0, 7)
export const capKey = (kind: EventKind, at: Date): string => `${kind} ${monthOf(at)}`

/** These have a place among what is paid for: of one subject nobody else is paid, and within a month they fill the cap. */
export const HOLDING = ['COUNTED', 'FROZEN', 'REFUNDED'] as const satisfies readonly Verdict[]
export const isHolding = (verdict: Verdict): boolean => HOLDING.some(one => one === verdict)

export const subjectKey = ({ kind, subjectId }: Pick<Happening, 'kind' | 'subjectId'>): string => `${kind} ${subjectId}`

export type Book = {
  readonly editions: readonly Edition[]
  /** Subjects somebody holds already. */
  readonly held: ReadonlySet<string>
  /** How many of a month hold a place, by `capKey`. */
  readonly taken: ReadonlyMap<string, number>
  readonly now: Date
}

/** Judges what is new, in the order in which it happened: a cap is filled by who came first. */
export function judgeAll(happenings: readonly Happening[], book: Book): Judged[] {
  const held = new Set(book.held)
  const taken = new Map(book.taken)
  return [...happenings].sort(byTime).map(happening => {
    const judged = judge(happening, { ...book, held, taken })
    if (isHolding(judged.verdict)) {
      const month = capKey(happening.kind, happening.at)
      held.add(subjectKey(happening))
      taken.set(month, (taken.get(month) ?? 0) + 1)
    }
    return judged
  })
}

const byTime = (a: Happening, b: Happening): number =>
  a.at.getTime() - b.at.getTime() || Number(a.subjectId) - Number(b.subjectId)

function judge(happening: Happening, book: Book): Judged {
  const { kind, subjectId, memberId, orderId, at, baseFen, refundedFen } = happening
  const edition = editionOn(book.editions, kind, dayOf(at))
  const verdict = whyNotCounted(happening, edition, book) ?? ripeness(edition as Edition, happening, book.now)
  return {
    ...{ kind, subjectId, memberId, orderId, at, baseFen, verdict },
    refundedFen: isHolding(verdict) ? refundedFen : 0,
    priceId: edition?.id ?? null,
    worthFen: verdict === 'COUNTED' ? worthOf(edition as Edition, happening) : 0,
  }
}

/** Why an event is never paid for, the plainest reason first; nothing where it may be. */
function whyNotCounted(happening: Happening, edition: Edition | undefined, { held, taken }: Book): Verdict | undefined {
  if (happening.isStaff) return 'OWN_STAFF'
  if (happening.isOld) return 'OLD_MEMBER'
  if (held.has(subjectKey(happening))) return 'DUPLICATE'
  if (!edition) return 'NO_PRICE'
  if (edition.windowDays !== null && dayOf(happening.at) > addDays(dayOf(happening.memberSince), edition.windowDays))
    return 'TOO_LATE'
  const cap = edition.monthlyCap
  if (cap !== null && (taken.get(capKey(happening.kind, happening.at)) ?? 0) >= cap) return 'OVER_CAP'
}

type Ripening = Pick<Happening, 'at' | 'baseFen' | 'refundedFen'>

/** What holds its place waits until its freeze is over; what was given back whole by then is worth nothing. */
function ripeness(edition: Edition, event: Ripening, now: Date): Verdict {
  if (event.baseFen > 0 && event.refundedFen >= event.baseFen) return 'REFUNDED'
  return dayOf(now) > frozenTo(edition, event.at) ? 'COUNTED' : 'FROZEN'
}

export type Moved = Pick<Judged, 'verdict' | 'worthFen' | 'refundedFen'> & {
  readonly entry: Entry
  /** What this adds to a statement. */
  readonly amountFen: number
}

/**
 * What has become of an event judged before: its freeze is over, or money was given back since. By the price of its own day,
 * whatever is in force now. Nothing where nothing is news.
 */
export function moveOf(event: Judged, edition: Edition, refundedFen: number, now: Date): Moved | undefined {
  const since = { ...event, refundedFen: Math.max(event.refundedFen, refundedFen) }
  if (event.verdict === 'FROZEN') {
    const verdict = ripeness(edition, since, now)
    if (verdict === 'FROZEN') return undefined
    const worthFen = verdict === 'COUNTED' ? worthOf(edition, since) : 0
    return { verdict, worthFen, refundedFen: since.refundedFen, entry: verdict, amountFen: worthFen }
  }
  if (event.verdict !== 'COUNTED' || since.refundedFen === event.refundedFen) return undefined
  const worthFen = worthOf(edition, since)
  const amountFen = worthFen - event.worthFen
  return { verdict: 'COUNTED', worthFen, refundedFen: since.refundedFen, entry: 'TAKEN_BACK', amountFen }
}

type PricedLine = { readonly priceId: string | null; readonly amountFen: number }

/** What earlier statements say of a price: what it brought there, and what was taken off that. */
export type Deducted = { readonly broughtFen: number; readonly takenFen: number }

/**
 * What is taken off by agreement, for each price that says so: of all it brought so far, less what was taken off before, so that the
 * parts come to the whole; and back of what was taken back.
 */
export function deductionsOf(
  lines: readonly PricedLine[],
  editions: readonly Edition[],
  before: ReadonlyMap<string, Deducted>,
): PricedLine[] {
  return editions
    .filter(({ deductionPermille }) => deductionPermille > 0)
    .map(({ id, deductionPermille }) => {
      const sum = sumOf(lines.filter(({ priceId }) => priceId === id))
      const { broughtFen, takenFen } = before.get(id) ?? { broughtFen: 0, takenFen: 0 }
      // What brings nothing here takes nothing off: a fen of months ago is no line of its own.
      const fen = sum === 0 ? 0 : partOf(broughtFen + sum, deductionPermille) - takenFen
      return { priceId: id, amountFen: -fen || 0 }
    })
    .filter(({ amountFen }) => amountFen !== 0)
}

export const sumOf = (lines: readonly Pick<PricedLine, 'amountFen'>[]): number =>
  lines.reduce((sum, { amountFen }) => sum + amountFen, 0)

/** Nobody is asked to pay us: what a statement would fall below nothing by goes on to the next one. */
export const carriedOf = (totalFen: number): number => Math.max(0, -totalFen)
