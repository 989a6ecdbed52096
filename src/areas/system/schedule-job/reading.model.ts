import type { Cron } from '#kit/model/cron.ts'

/** A text of this slice with its holes filled. */
export type Say = (key: string, params?: Readonly<Record<string, string | number>>) => string

/** As many times of a day as people read at a glance. */
const MOST_TIMES = 6

/**
 * A schedule in words that are true: "every 7 minutes" is said only of what goes on through the full hour as well, anything
 * else by its numbers.
 */
export function readingOf(cron: Cron, say: Say): string {
  const parts = [monthsOf(cron, say), daysOf(cron, say), timesOf(cron, say)].filter(part => part !== '')
  const words = parts.reduce((first, second) => say('reading.and-then', { first, second }))
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

const monthsOf = ({ months }: Cron, say: Say): string =>
  months.length === 12 ? '' : say('reading.months', { months: listed(months, say, month => say(`month.${month}`)) })

function daysOf({ days, isLastDay, weekdays }: Cron, say: Say): string {
  const found: string[] = []
  if (days !== null && days.length > 0) found.push(say('reading.days', { days: listed(days, say, String) }))
  if (isLastDay) found.push(say('reading.last-day'))
  if (weekdays !== null && weekdays.length < 7) {
    // A week begins on Monday.
    const fromMonday = weekdays.map(day => (day + 6) % 7).sort((a, b) => a - b)
    found.push(say('reading.weekdays', { days: listed(fromMonday, say, day => say(`weekday.${(day + 1) % 7}`)) }))
  }
  return found.length === 0 ? '' : found.reduce((first, second) => say('reading.or', { first, second }))
}

function timesOf(cron: Cron, say: Say): string {
  const { seconds, minutes, hours } = cron
  const often = oftenOf(cron, say)
  if (often) return often
  const isAnyDay = daysOf(cron, say) === '' && cron.months.length === 12
  const times = hours.length * minutes.length * seconds.length
  if (times <= MOST_TIMES) {
    const clock = hours.flatMap(hour => minutes.flatMap(minute => seconds.map(second => clockOf(hour, minute, second))))
    const said = say('reading.at', { times: clock.reduce((first, second) => say('reading.list', { first, second })) })
    return isAnyDay ? say('reading.and-then', { first: say('reading.every-day'), second: said }) : said
  }
  return [
    say('reading.hours', { values: listed(hours, say, String) }),
    say('reading.minutes', { values: listed(minutes, say, String) }),
    ...(isZero(seconds) ? [] : [say('reading.seconds', { values: listed(seconds, say, String) })]),
  ].reduce((first, second) => say('reading.and-then', { first, second }))
}

/** What goes on all day at even steps, in the largest unit that tells it whole. */
function oftenOf({ seconds, minutes, hours }: Cron, say: Say): string | undefined {
  const [bySecond, byMinute, byHour] = [stepOf(seconds, 60), stepOf(minutes, 60), stepOf(hours, 24)]
  const every = (unit: string, count: number) => say(`reading.every-${unit}${count === 1 ? '' : 's'}`, { count })
  const from = (unit: string, value: number, rest: string) =>
    value === 0 ? rest : say('reading.and-then', { first: rest, second: say(`reading.${unit}`, { value }) })
  if (byHour?.step === 1 && byMinute?.step === 1 && bySecond)
    return seconds.length === 1
      ? from('at-second', bySecond.first, every('minute', 1))
      : from('from-second', bySecond.first, every('second', bySecond.step))
  if (byHour?.step === 1 && byMinute && minutes.length > 1 && seconds.length === 1) {
    const steps = from('from-minute', byMinute.first, every('minute', byMinute.step))
    return from('at-second', seconds[0] ?? 0, steps)
  }
  if (byHour && hours.length > 1 && minutes.length === 1 && isZero(seconds)) {
    const hourly = from('from-hour', byHour.first, every('hour', byHour.step))
    return from('at-minute', minutes[0] ?? 0, hourly)
  }
}

/** Numbers that come round evenly: a minute, an hour or a day has as many of them wherever one begins. */
function stepOf(values: readonly number[], round: number): { step: number; first: number } | undefined {
  const step = round / values.length
  const first = values[0] ?? 0
  return values.every((value, at) => value === first + at * step) ? { step, first } : undefined
}

const isZero = (values: readonly number[]): boolean => values.length === 1 && values[0] === 0

/** Numbers in a row are told by both ends. */
function listed(values: readonly number[], say: Say, name: (value: number) => string): string {
  const rows: number[][] = []
  for (const value of values) {
    const last = rows.at(-1)
    if (last?.at(-1) === value - 1) last.push(value)
    else rows.push([value])
  }
  return rows
    .flatMap(row =>
      row.length > 2 ? [say('reading.range', { from: name(row[0] ?? 0), to: name(row.at(-1) ?? 0) })] : row.map(name),
    )
    .reduce((first, second) => say('reading.list', { first, second }))
}

const two = (value: number): string => String(value).padStart(2, '0')
const clockOf = (hour: number, minute: number, second: number): string =>
  `${two(hour)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`
