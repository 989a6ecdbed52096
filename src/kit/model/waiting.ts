import * as z from 'zod'
import { type WorkingHours, workedMs, workingHours } from './working-time.ts'

/** Whom a record waits for, since when, and until when that is in order. */
export const waiting = z.strictObject({
  /** The field of the state that says so. */
  field: z.string(),
  /** The step it waits for; nothing where it waits for somebody outside. */
  step: z.string().nullable(),
  /** As people say it: "finance", "Zhang San (applicant)". */
  who: z.string(),
  /** Where it is one person: others may be allowed to step in, and it does not wait for them. */
  person: z.strictObject({ id: z.string(), name: z.string() }).optional(),
  /** What keeps everybody from it: a rule that other records or the record itself must satisfy first. */
  why: z.string().optional(),
  since: z.string().nullable(),
  dueAt: z.string().nullable(),
  /** Time counts only while whoever it waits for works. */
  hours: workingHours.optional(),
})
export type Waiting = z.infer<typeof waiting>

export type Pace = 'normal' | 'due' | 'overdue'
/** Of the time a state may last: from here on it is due soon. */
const DUE_SHARE = 0.7

/** How a wait stands at an instant: it tells sooner than it is too late. */
export function paceOf({ since, dueAt, hours }: Pick<Waiting, 'since' | 'dueAt' | 'hours'>, now: Date): Pace {
  if (since === null || dueAt === null) return 'normal'
  const [begun, due] = [new Date(since), new Date(dueAt)]
  if (now >= due) return 'overdue'
  return workedMs(begun, now, hours) >= DUE_SHARE * workedMs(begun, due, hours) ? 'due' : 'normal'
}

const HOUR_MS = 3_600_000
/** What was in its state then, or before, has been so for too long. */
export const overdueSince = (now: Date, hours: number): Date => new Date(now.getTime() - hours * HOUR_MS)
export const dueAfter = (since: string, hours: number): string =>
  new Date(Date.parse(since) + hours * HOUR_MS).toISOString()

/** An age in the largest unit that fits it: minutes, hours, from two days of time on days, and those are always the calendar's. */
export function ageOf(
  since: string,
  now: Date,
  working?: WorkingHours,
): { count: number; unit: 'minute' | 'hour' | 'day' } {
  const minutes = Math.floor(workedMs(new Date(since), now, working) / 60_000)
  if (minutes < 60) return { count: minutes, unit: 'minute' }
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return { count: hours, unit: 'hour' }
  return { count: Math.floor((now.getTime() - Date.parse(since)) / (24 * HOUR_MS)), unit: 'day' }
}
