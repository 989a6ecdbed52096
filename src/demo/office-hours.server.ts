import { dayOf, startOfDay } from '#kit/model/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** From nine until half past eight in the evening, when parents can be reached, on every day. */
const OPENS_MS = 9 * HOUR_MS
const CLOSES_MS = 20.5 * HOUR_MS

const midnightBefore = (at: number): number => startOfDay(dayOf(new Date(at))).getTime()

/** When somebody gets to what comes at this instant: at once, or in the first hour of the next working day. */
export function atWork(at: number): number {
  const day = midnightBefore(at)
  if (at >= day + OPENS_MS && at < day + CLOSES_MS) return at
  return (at < day + OPENS_MS ? day : day + DAY_MS) + OPENS_MS + (at % HOUR_MS)
}

/** The last instant up to this one at which somebody was at work. */
export function lastAtWork(until: number): number {
  const day = midnightBefore(until)
  return until < day + OPENS_MS ? day - DAY_MS + CLOSES_MS : Math.min(until, day + CLOSES_MS)
}
