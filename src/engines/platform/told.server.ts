import { timingSafeEqual } from 'node:crypto'
import type * as z from 'zod'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { FIRST_DAY, LAST_DAY, startOfDay } from '#kit/model/time.ts'

/** Refuses what is not signed by whom it names; in a time that tells nothing of where they differ. */
export function requireSigned(given: string | undefined, right: string): void {
  const [one, other] = [Buffer.from((given ?? '').toLowerCase()), Buffer.from(right.toLowerCase())]
  if (one.length !== other.length || !timingSafeEqual(one, other))
    throw new Refused(refuse('engines/platform:signature-wrong'), 'permission')
}

/** What was signed earlier or later than this is a replay or a wrong clock. */
const MAX_AGE_MS = 300_000

export function requireFresh(signedAt: number, now: Date): void {
  if (!(Math.abs(now.getTime() - signedAt) <= MAX_AGE_MS))
    throw new Refused(refuse('engines/platform:signature-wrong'), 'permission')
}

export const unreadable = (): Refused => new Refused(refuse('engines/platform:message-unreadable'), 'parameter')

/** Numbers too long for a number stay as they were written: platforms write ids of nineteen digits without quotes. */
export function readLongJson(text: string): unknown {
  try {
    return JSON.parse(text, (_name: string, value: unknown, written?: { readonly source?: string }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(written?.source ?? '')
        ? written?.source
        : value,
    )
  } catch {
    throw unreadable()
  }
}

/** What is told in a form nobody knows is refused, and told again by whoever sent it. */
export function readAs<S extends z.ZodType>(schema: S, said: unknown): z.infer<S> {
  const read = schema.safeParse(said)
  if (!read.success) throw unreadable()
  return read.data
}

/** Of a time in milliseconds; nothing where no calendar of ours has it. */
export const timeAt = (ms: number): string | undefined =>
  ms >= FIRST_MS && ms < END_MS ? new Date(ms).toISOString() : undefined
const [FIRST_MS, END_MS] = [FIRST_DAY, LAST_DAY].map(day => startOfDay(day).getTime()) as [number, number]

/** Of a time in milliseconds on which what is told hangs. */
export function fromMillis(ms: number): string {
  const at = timeAt(ms)
  if (at === undefined) throw unreadable()
  return at
}

/** Of a time in seconds. */
export const fromSeconds = (seconds: number): string => fromMillis(seconds * 1_000)
