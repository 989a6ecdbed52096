import * as z from 'zod'
import { ID } from '#kit/model/field.ts'
import { addDays } from '#kit/model/time.ts'

export const GRANT_KINDS = ['MEMBER_DAYS', 'COURSE', 'LESSONS', 'COINS', 'GOODS', 'APPOINTMENTS'] as const
export type GrantKind = (typeof GRANT_KINDS)[number]
/** What a member holds in a ledger of ours; goods are sent instead. */
export type LotKind = Exclude<GrantKind, 'GOODS'>

/** One thing a product gives. What is sold stays apart from what it gives: orders, codes and gifts all give grants. */
export const grant = z.strictObject({
  kind: z.enum(GRANT_KINDS),
  /** Days, lessons, coins, times or kits; a course is one. */
  quantity: z.int().min(1).max(1_000_000),
  /** How long it may be used; nothing: for ever. */
  validDays: z.int().min(1).max(3_650).nullable(),
  /** Its part of the product's price, for refunds; all parts make 1000. */
  sharePermille: z.int().min(0).max(1_000),
  packageId: z.string().regex(ID).nullable(),
  kitId: z.string().regex(ID).nullable(),
  name: z.string().trim().min(1).max(100),
})
export type Grant = z.infer<typeof grant>
export const MAX_GRANTS = 20

/** Why these grants cannot stand together: the code of a text, or nothing. */
export function whyNotGrants(grants: readonly Grant[]): string | undefined {
  if (grants.some(({ kind, packageId }) => (kind === 'COURSE') !== (packageId !== null))) return 'grant-package'
  if (grants.some(({ kind, kitId }) => (kind === 'GOODS') !== (kitId !== null))) return 'grant-kit'
  if (grants.reduce((sum, { sharePermille }) => sum + sharePermille, 0) !== 1_000) return 'grant-shares'
  return undefined
}

/** Days of membership from one source, as far as they have not been taken back. */
export type DaysLot = { readonly id: string; readonly grantedOn: string; readonly remaining: number }
export type Period = { readonly id: string; readonly startsOn: string; readonly endsOn: string }

/** Lots follow one another: each begins when it is granted, or the day after the one before it ends. */
export function periodsOf(lots: readonly DaysLot[]): Period[] {
  const periods: Period[] = []
  let next = ''
  for (const { id, grantedOn, remaining } of lots) {
    if (remaining <= 0) continue
    const startsOn = grantedOn > next ? grantedOn : next
    next = addDays(startsOn, remaining)
    periods.push({ id, startsOn, endsOn: addDays(next, -1) })
  }
  return periods
}

/** The last day of membership, if there ever was one. */
export const membershipEnd = (lots: readonly DaysLot[]): string | null => periodsOf(lots).at(-1)?.endsOn ?? null

/** Days of a period that are gone by the end of `today`, that day included. */
export function daysUsed({ startsOn, endsOn }: Period, today: string): number {
  const last = today < endsOn ? today : endsOn
  return last < startsOn ? 0 : daysBetween(startsOn, last) + 1
}

const DAY_MS = 86_400_000
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

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
