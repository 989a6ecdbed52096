import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'

const HOUR_MS = 3_600_000
const DAYS_BACK = 730
/** How much is sold two years ago against today. */
const START_OF_GROWTH = 0.55
// From January: New Year's feast empties February; summer, start of school and the November sales fill theirs.
const BY_MONTH = [0.95, 0.6, 1.15, 0.95, 0.9, 1.05, 1.35, 1.3, 1.25, 0.9, 1.2, 1]
// From Sunday.
const BY_WEEKDAY = [1.4, 0.85, 0.85, 0.9, 0.9, 1.1, 1.35]
// From midnight: parents buy at noon and, most of all, when the children have done their homework.
const BY_HOUR = [
  0.4, 0.15, 0.08, 0.05, 0.05, 0.08, 0.25, 0.5, 0.8, 1, 1.1, 1.2, 1.5, 1.2, 0.9, 0.9, 1, 1.1, 1.4, 2.2, 3.2, 3.4, 2.4,
  1.1,
]

/** An hour of the two years up to `now`, and how many of the orders fall into it. */
export type Hour = { readonly start: number; readonly lengthMs: number; readonly orders: number }

type Rhythm = {
  /** The instant before which this fraction of all orders was placed, in milliseconds. */
  at(fraction: number): number
  /** Shares out so many orders; the sum is exact, hours without any are left out. */
  hours(orders: number): Hour[]
}

/** How sales spread over the two years up to `now`: by season, weekday and hour, and growing. */
export function rhythmUntil(now: Date): Rhythm {
  const hours = hoursUntil(now)
  const all = hours.at(-1)?.until ?? 0
  return {
    at(fraction) {
      const wanted = fraction * all
      const hour = hours[firstAtLeast(hours, wanted)]
      return hour ? Math.floor(hour.start + hour.lengthMs * (1 - (hour.until - wanted) / hour.weight)) : now.getTime()
    },
    hours(orders) {
      let given = 0
      return hours.flatMap(({ start, lengthMs, until }) => {
        const here = Math.round((orders * until) / all) - given
        given += here
        return here > 0 ? [{ start, lengthMs, orders: here }] : []
      })
    },
  }
}

/** `until` is the weight of this hour and all before it. */
type Weighed = { start: number; lengthMs: number; weight: number; until: number }

function hoursUntil(now: Date): Weighed[] {
  const first = addDays(dayOf(now), -DAYS_BACK)
  const hours: Weighed[] = []
  let until = 0
  for (let index = 0; index <= DAYS_BACK; index += 1) {
    const day = addDays(first, index)
    const growth = START_OF_GROWTH + ((1 - START_OF_GROWTH) * index) / DAYS_BACK
    const ofDay = growth * (BY_MONTH[Number(day.slice(5, 7)) - 1] ?? 1) * (BY_WEEKDAY[new Date(day).getUTCDay()] ?? 1)
    for (const [hour, ofHour] of BY_HOUR.entries()) {
      const start = startOfDay(day).getTime() + hour * HOUR_MS
      const lengthMs = Math.min(HOUR_MS, now.getTime() - start)
      if (lengthMs <= 0) return hours
      const weight = (ofDay * ofHour * lengthMs) / HOUR_MS
      until += weight
      hours.push({ start, lengthMs, weight, until })
    }
  }
  return hours
}

function firstAtLeast(hours: readonly Weighed[], wanted: number): number {
  let low = 0
  let high = hours.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hours[middle]?.until ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
