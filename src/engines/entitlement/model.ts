import * as z from 'zod'
import { optional, reference } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { addDays, FIRST_DAY, LAST_DAY } from '#kit/model/time.ts'

export const GRANT_KINDS = ['MEMBER_DAYS', 'COURSE', 'LESSONS', 'COINS', 'GOODS', 'APPOINTMENTS'] as const
export type GrantKind = (typeof GRANT_KINDS)[number]
/** What a member holds in a ledger of ours; goods are sent instead. */
export type LotKind = Exclude<GrantKind, 'GOODS'>

/** What a lot comes from. */
export const SOURCES = ['ORDER', 'CODE', 'GIFT', 'REWARD'] as const
/** Coins somebody earned may be spent for so long. */
export const REWARD_DAYS = 180
export type Source = (typeof SOURCES)[number]
/** Why a lot became more or less. */
export const CAUSES = ['GRANTED', 'SPENT', 'GIVEN_BACK', 'TAKEN_BACK', 'EXPIRED'] as const
export type Cause = (typeof CAUSES)[number]

/** One thing a product gives. What is sold stays apart from what it gives: orders, codes and gifts all give grants. */
export const grant = z.strictObject({
  kind: z.enum(GRANT_KINDS),
  /** Days, lessons, coins, times or kits; a course is one. */
  quantity: z.int().min(1).max(1_000_000),
  /** How long it may be used; nothing: for ever. */
  validDays: z.int().min(1).max(3_650).nullable(),
  /** Its part of the product's price, for refunds; all parts make 1000. */
  sharePermille: z.int().min(0).max(1_000),
  packageId: optional(reference('course-package')),
  kitId: optional(reference('goods-kit')),
  name: z.string().trim().min(1).max(100),
})
export type Grant = z.infer<typeof grant>
export const MAX_GRANTS = 20

/** What a member may hold of one kind; a hundred years of membership are more than anybody uses. */
export const MAX_HELD = 1_000_000_000
const MOST: Readonly<Record<GrantKind, number>> = {
  MEMBER_DAYS: 36_500,
  COURSE: 100,
  LESSONS: 100_000,
  COINS: 10_000_000,
  GOODS: 1_000,
  APPOINTMENTS: 100_000,
}

/** Why this cannot be given so many times over at once; nothing when it can. */
export function whyNotTimes(grants: readonly Grant[], times: number): Refusal | undefined {
  const over = grants.find(({ kind, quantity }) => quantity * times > MOST[kind])
  return over && refuse('engines/entitlement:grant-too-much', { name: over.name, max: MOST[over.kind] })
}

/** Why these grants cannot stand together, or nothing. */
export function whyNotGrants(grants: readonly Grant[]): Refusal | undefined {
  const wrong = wrongTogether(grants)
  return wrong === undefined ? whyNotTimes(grants, 1) : refuse(`engines/entitlement:${wrong}`)
}

function wrongTogether(grants: readonly Grant[]): string | undefined {
  if (grants.some(({ kind, packageId }) => (kind === 'COURSE') !== (packageId !== null))) return 'grant-package'
  if (grants.some(({ kind, kitId }) => (kind === 'GOODS') !== (kitId !== null))) return 'grant-kit'
  if (grants.reduce((sum, { sharePermille }) => sum + sharePermille, 0) !== 1_000) return 'grant-shares'
  return undefined
}

/** The last takes what the others leave, so that the parts make a whole by themselves. */
export const withRest = (grants: readonly Grant[]): Grant[] => {
  const others = grants.slice(0, -1)
  const last = grants.at(-1)
  const taken = others.reduce((sum, { sharePermille }) => sum + sharePermille, 0)
  return last ? [...others, { ...last, sharePermille: Math.max(0, 1_000 - taken) }] : []
}

/** Equal parts; what does not divide is the last one's. */
export const evenedOut = (grants: readonly Grant[]): Grant[] =>
  withRest(grants.map(grant => ({ ...grant, sharePermille: Math.floor(1_000 / grants.length) })))

/** Days of membership from one source, as far as they have not been taken back. */
export type DaysLot = { readonly id: string; readonly grantedOn: string; readonly remaining: number }
export type Period = { readonly id: string; readonly startsOn: string; readonly endsOn: string }

const DAY_MS = 86_400_000
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Days beyond the calendar's end are held, and lead no further. */
const AFTER_LAST = addDays(LAST_DAY, 1)
const laterBy = (day: string, days: number): string =>
  days < daysBetween(day, AFTER_LAST) ? addDays(day, days) : AFTER_LAST

/** Days on which a membership stands still, the first and the last included. */
export type Pause = { readonly startsOn: string; readonly endsOn: string }
type Pauses = readonly Pause[]

const earlier = (a: string, b: string): string => (a < b ? a : b)
const later = (a: string, b: string): string => (a > b ? a : b)

/** Days of a stretch, both ends included; none where it ends before it begins. */
const daysOf = (first: string, last: string): number => Math.max(0, daysBetween(first, last) + 1)

/** Days of these pauses from `first` to `last`, both included. */
export const pausedDays = (pauses: Pauses, first: string, last: string): number =>
  pauses.reduce((sum, { startsOn, endsOn }) => sum + daysOf(later(startsOn, first), earlier(endsOn, last)), 0)

/** The same day on a calendar that has no paused days; a paused day is the first that counts after it. */
const withoutPauses = (day: string, pauses: Pauses): string =>
  addDays(day, -pausedDays(pauses, FIRST_DAY, addDays(day, -1)))

/** And back, through the pauses from the oldest on: each that began by then moves the day on. */
const withPauses = (day: string, pauses: Pauses): string =>
  pauses.reduce(
    (moved, { startsOn, endsOn }) => (startsOn <= moved ? laterBy(moved, daysOf(startsOn, endsOn)) : moved),
    day,
  )

/**
 * Lots follow one another: each begins when it is granted, or the day after the one before it ends. Paused days are nobody's: the
 * lot of that time, and all after it, end so much later. Pauses come oldest first, and never one within another.
 */
export function periodsOf(lots: readonly DaysLot[], pauses: Pauses): Period[] {
  const periods: Period[] = []
  let next = ''
  for (const { id, grantedOn, remaining } of lots) {
    if (remaining <= 0) continue
    const startsOn = later(withoutPauses(grantedOn, pauses), next)
    next = laterBy(startsOn, remaining)
    const endsOn = earlier(withPauses(addDays(next, -1), pauses), LAST_DAY)
    periods.push({ id, startsOn: withPauses(startsOn, pauses), endsOn })
  }
  return periods
}

/** The last day of membership, if there ever was one. */
export const membershipEnd = (lots: readonly DaysLot[], pauses: Pauses): string | null =>
  periodsOf(lots, pauses).at(-1)?.endsOn ?? null

type Stretch = Pick<Period, 'startsOn' | 'endsOn'>

/** Days of a period that are gone by the end of `today`, that day included. */
export function daysUsed({ startsOn, endsOn }: Stretch, today: string, pauses: Pauses = []): number {
  const last = earlier(today, endsOn)
  return daysOf(startsOn, last) - pausedDays(pauses, startsOn, last)
}

/** Days of a period that are still there on `today`, that day included. */
export function daysLeft({ startsOn, endsOn }: Stretch, today: string, pauses: Pauses = []): number {
  const first = later(today, startsOn)
  return daysOf(first, endsOn) - pausedDays(pauses, first, endsOn)
}

/** Where to take units from: lots that end first come first, and nothing frozen is touched. */
export type SpendableLot = { readonly id: string; readonly free: number; readonly expiresOn: string | null }

export function spendFrom(lots: readonly SpendableLot[], units: number): { id: string; units: number }[] | undefined {
  const taken: { id: string; units: number }[] = []
  let missing = units
  for (const { id, free } of lots.toSorted(byExpiry)) {
    if (missing === 0 || free <= 0) continue
    const part = Math.min(free, missing)
    taken.push({ id, units: part })
    missing -= part
  }
  return missing === 0 ? taken : undefined
}

const byExpiry = (a: SpendableLot, b: SpendableLot): number => {
  if (a.expiresOn === b.expiresOn) return Number(BigInt(a.id) - BigInt(b.id))
  if (a.expiresOn === null) return 1
  if (b.expiresOn === null) return -1
  return a.expiresOn < b.expiresOn ? -1 : 1
}
