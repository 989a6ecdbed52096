/** Every time is shown, and every day is cut, in Shanghai's zone. It has had no daylight saving since 1991. */
const ZONE_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** "2026-11-15", the calendar day of an instant in Shanghai. */
export const dayOf = (instant: Date): string => new Date(instant.getTime() + ZONE_OFFSET_MS).toISOString().slice(0, 10)

/** The first instant of a calendar day in Shanghai. */
export const startOfDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00.000Z`) - ZONE_OFFSET_MS)

/** The days people may enter or ask for. Anything beyond is a slip of the pen, and some of it no calendar holds. */
export const FIRST_DAY = '1900-01-01'
export const LAST_DAY = '2100-12-31'

/** Whether a text is a day of the calendar ("2026-02-31" is none) within these. */
export function isDay(text: string, first = FIRST_DAY, last = LAST_DAY): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < first || text > last) return false
  const instant = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}

/** Written as a day, and none: "2026-02-31". */
export const isInNoCalendar = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !isDay(text, '0000-01-01', '9999-12-31')

/** Days sort as texts: one of five digits would stand before all others, so there is none. */
export function addDays(day: string, days: number): string {
  const text = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString()
  if (!/^\d{4}-/.test(text)) throw new RangeError(`no calendar reaches ${days} days from ${day}`)
  return text.slice(0, 10)
}

/** "2026-11-15 14:03:09" in Shanghai (spec §9). */
export const formatInstant = (instant: Date): string =>
  new Date(instant.getTime() + ZONE_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')

type RelativeDay = 'yesterday' | 'today' | 'tomorrow' | 'dayAfter'
const RELATIVE: ReadonlyMap<number, RelativeDay> = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
  [2, 'dayAfter'],
])

/** The name of the day when it has one (spec §9: today, yesterday, tomorrow, day after), and the time of day. */
export function relativeDay(instant: Date, now: Date): { day: RelativeDay | undefined; time: string } {
  const distance = Math.round((Date.parse(dayOf(instant)) - Date.parse(dayOf(now))) / DAY_MS)
  return { day: RELATIVE.get(distance), time: formatInstant(instant).slice(11, 16) }
}

type Greeting = 'morning' | 'forenoon' | 'noon' | 'afternoon' | 'evening'

/** Spec §9: before 9 morning, up to 11 forenoon, up to 13 noon, before 20 afternoon, else evening. */
export function greetingAt(instant: Date): Greeting {
  const hour = new Date(instant.getTime() + ZONE_OFFSET_MS).getUTCHours()
  if (hour < 9) return 'morning'
  if (hour <= 11) return 'forenoon'
  if (hour <= 13) return 'noon'
  return hour < 20 ? 'afternoon' : 'evening'
}

/** Where rules get the time from, so that a test can set it. */
export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }
