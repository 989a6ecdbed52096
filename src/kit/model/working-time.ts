import * as z from 'zod'
import { addDays, dayOf, startOfDay } from './time.ts'

/** When somebody works: from this hour on and no longer from that one on, on these days of the week (Monday is 1), on no holiday. */
export const workingHours = z.strictObject({
  days: z.array(z.int().min(1).max(7)),
  from: z.int().min(0).max(23),
  to: z.int().min(1).max(24),
  holidays: z.array(z.string()),
})
export type WorkingHours = z.infer<typeof workingHours>

const HOUR_MS = 3_600_000

/**
 * How much of the time from one instant to another was working time, in milliseconds; all of it where nobody said when there is
 * work. `worked` of the database (migrations/20261119T0100) reckons the same, and a test compares them.
 */
export function workedMs(since: Date, until: Date, hours: WorkingHours | undefined): number {
  if (!hours) return Math.max(0, until.getTime() - since.getTime())
  let sum = 0
  for (let day = dayOf(since); day <= dayOf(until); day = addDays(day, 1)) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
    if (!hours.days.includes(weekday) || hours.holidays.includes(day)) continue
    const begins = startOfDay(day).getTime()
    const [from, to] = [begins + hours.from * HOUR_MS, begins + hours.to * HOUR_MS]
    sum += Math.max(0, Math.min(until.getTime(), to) - Math.max(since.getTime(), from))
  }
  return sum
}
