import { dayOf, startOfDay } from './time.ts'

/**
 * When something is due: six fields (second, minute, hour, day, month, weekday) or five without the second, in Shanghai.
 * A field is `*`, numbers, ranges, steps (`8-20/2`, `10-59/10`, `7/10`) and lists of these; months and weekdays may be named, `?` is `*`,
 * `L` is the last day of a month. Where both days and weekdays are given, either is enough, as cron has always had it.
 */
export type Cron = {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  /** Nothing where every day will do. */
  readonly days: readonly number[] | null
  readonly isLastDay: boolean
  readonly months: readonly number[]
  /** 0 is Sunday. Nothing where every one will do. */
  readonly weekdays: readonly number[] | null
}

export const MAX_CRON = 100

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const DAY_MS = 86_400_000
/** A 29th of February may be eight years away. */
const MOST_DAYS = 8 * 366 + 1

/** Reads what somebody wrote; nothing where it is no schedule, or one that is never due. */
export function parseCron(text: string): Cron | undefined {
  const written = text.trim().toUpperCase().split(/\s+/)
  if (text.length > MAX_CRON || (written.length !== 5 && written.length !== 6)) return undefined
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] =
    written.length === 5 ? ['0', ...written] : written
  const dayParts = day.split(',')
  const numbered = dayParts.filter(part => part !== 'L').join(',')
  const isLastDay = dayParts.includes('L')
  const seconds = valuesOf(second, 0, 59)
  const minutes = valuesOf(minute, 0, 59)
  const hours = valuesOf(hour, 0, 23)
  const days = numbered === '' && isLastDay ? [] : valuesOf(numbered, 1, 31)
  const months = valuesOf(month, 1, 12, named(MONTHS, 1))
  const weekdays = valuesOf(weekday, 0, 7, named(WEEKDAYS, 0))
  if (!seconds || !minutes || !hours || !days || !months || !weekdays) return undefined
  const cron: Cron = {
    seconds,
    minutes,
    hours,
    days: isEvery(numbered) ? null : days,
    isLastDay,
    months,
    weekdays: isEvery(weekday) ? null : unique(weekdays.map(number => number % 7)),
  }
  return nextDue(cron, new Date(0)) ? cron : undefined
}

/** The first due time after an instant; nothing where there is none for eight years. */
export function nextDue(cron: Cron, after: Date): Date | undefined {
  // In whole seconds of the zone, whose days all have as many.
  const from = new Date(Math.floor(after.getTime() / 1_000) * 1_000 + 1_000)
  let start = startOfDay(dayOf(from)).getTime()
  let least = (from.getTime() - start) / 1_000
  for (let looked = 0; looked < MOST_DAYS; looked += 1) {
    const second = isDueOn(cron, dayOf(new Date(start))) ? firstOfDay(cron, least) : undefined
    if (second !== undefined) return new Date(start + second * 1_000)
    start += DAY_MS
    least = 0
  }
  return undefined
}

/** The due times from one instant to another, both included, in their order. */
export function* dueTimes(cron: Cron, from: Date, to: Date): Generator<Date> {
  let due = nextDue(cron, new Date(from.getTime() - 1))
  while (due && due <= to) {
    yield due
    due = nextDue(cron, due)
  }
}

function isDueOn({ days, isLastDay, months, weekdays }: Cron, day: string): boolean {
  const [year = 0, month = 0, number = 0] = day.split('-').map(Number)
  if (!months.includes(month)) return false
  const isLast = isLastDay && number === new Date(Date.UTC(year, month, 0)).getUTCDate()
  const isDay = isLast || (days?.includes(number) ?? false)
  const isWeekday = weekdays?.includes(new Date(Date.UTC(year, month - 1, number)).getUTCDay()) ?? false
  const anyDay = days === null && !isLastDay
  if (anyDay || weekdays === null) return (anyDay || isDay) && (weekdays === null || isWeekday)
  return isDay || isWeekday
}

/** The first second of a day, from one on, that hours, minutes and seconds name. */
function firstOfDay({ hours, minutes, seconds }: Cron, least: number): number | undefined {
  for (const hour of hours) {
    if (hour * 3_600 + 3_599 < least) continue
    for (const minute of minutes) {
      const start = hour * 3_600 + minute * 60
      if (start + 59 < least) continue
      const second = seconds.find(candidate => start + candidate >= least)
      if (second !== undefined) return start + second
    }
  }
  return undefined
}

const isEvery = (field: string): boolean => field === '*' || field === '?' || field === '*/1'
const unique = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b)
const named = (names: readonly string[], first: number) => new Map(names.map((name, at) => [name, at + first]))

/** The numbers a field names; nothing where it is none. */
function valuesOf(field: string, min: number, max: number, names?: ReadonlyMap<string, number>): number[] | undefined {
  const found: number[] = []
  for (const part of field.split(',')) {
    const [, first = '', last, step] = /^(\*|\?|\w+)(?:-(\w+))?(?:\/(\d{1,2}))?$/.exec(part) ?? []
    const isAll = first === '*' || first === '?'
    const from = isAll ? min : numberOf(first, names)
    // A start with a step goes on to the end; a number alone is itself.
    const end = last === undefined ? (isAll || step !== undefined ? max : from) : numberOf(last, names)
    const by = step === undefined ? 1 : Number(step)
    if (from === undefined || end === undefined || (isAll && last !== undefined)) return undefined
    if (from < min || end > max || from > end || by < 1 || by > max) return undefined
    for (let value = from; value <= end; value += by) found.push(value)
  }
  return unique(found)
}

const numberOf = (text: string, names?: ReadonlyMap<string, number>): number | undefined =>
  /^\d{1,2}$/.test(text) ? Number(text) : names?.get(text)
