import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { formatInstant } from '#kit/model/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What a pool lets people claim. */
export type ClaimRules = {
  readonly name: string
  readonly isOpen: boolean
  readonly claimsADay: number
  readonly capacity: number
  readonly coolDownDays: number
  readonly embargoHours: number
  /** Who may claim from it; those who look after it are not held up by days and hours. */
  readonly members: ReadonlyMap<string, Claimer>
}

/** What somebody has claimed today and holds, and how much more than others that person may claim today. */
export type Claimer = {
  readonly isAdmin: boolean
  readonly claimed: number
  readonly held: number
  readonly extra: number
}

/** What a lead's pool knows when somebody wants to have it. */
export type Claiming = { readonly nowMs: number; readonly pool: ClaimRules | null }

type Pooled = {
  readonly pooledAt: string | null
  readonly timesReturned: number
  readonly previousOwnerId: string | null
}

/** Why this person may not have this lead now; when and how it can be had is said with it. */
export function whyNotClaim(
  lead: Pooled,
  { id }: { readonly id: string },
  { nowMs, pool }: Claiming,
): Refusal | undefined {
  if (pool === null || lead.pooledAt === null) return undefined
  const person = pool.members.get(id)
  if (!person) return refuse('not-in-pool', { pool: pool.name })
  if (!pool.isOpen) return refuse('pool-closed', { pool: pool.name })
  // What stands against this very lead is told first: another day would not help.
  const notYet = person.isAdmin ? undefined : whyNotYet(lead, id, nowMs, pool)
  if (notYet) return notYet
  const max = pool.claimsADay + person.extra
  if (person.claimed >= max) return refuse('claimed-enough', { max })
  if (person.held >= pool.capacity) return refuse('holds-enough', { max: pool.capacity })
}

function whyNotYet(lead: Pooled, id: string, nowMs: number, pool: ClaimRules): Refusal | undefined {
  const since = Date.parse(lead.pooledAt ?? '')
  const cooled = since + pool.coolDownDays * DAY_MS
  if (pool.coolDownDays > 0 && lead.previousOwnerId === id && nowMs < cooled)
    return refuse('cooling-down', { until: told(cooled) })
  const free = since + pool.embargoHours * HOUR_MS
  if (pool.embargoHours > 0 && lead.timesReturned === 0 && nowMs < free)
    return refuse('under-embargo', { until: told(free) })
}

const told = (ms: number): string => formatInstant(new Date(ms))
