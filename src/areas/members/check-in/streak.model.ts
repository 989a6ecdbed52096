import { addDays } from '#kit/model/time.ts'

export type Counted = { readonly dayNo: number; readonly streak: number }

/** What each day of one plan counts as: the how-manyeth it is, and of how many in a row the last. Days in order, each once. */
export function counted(days: readonly string[]): Map<string, Counted> {
  const found = new Map<string, Counted>()
  let [before, streak] = ['', 0]
  for (const [at, day] of days.entries()) {
    streak = before !== '' && addDays(before, 1) === day ? streak + 1 : 1
    found.set(day, { dayNo: at + 1, streak })
    before = day
  }
  return found
}

/** The days in a row that hold this one, whichever came first. */
export function runOf(days: readonly string[], day: string): string[] {
  const all = new Set(days)
  if (!all.has(day)) return []
  let [first, last] = [day, day]
  while (all.has(addDays(first, -1))) first = addDays(first, -1)
  while (all.has(addDays(last, 1))) last = addDays(last, 1)
  const run: string[] = []
  for (let one = first; one <= last; one = addDays(one, 1)) run.push(one)
  return run
}

/**
 * Whether a day earns a reward: one for every so many days in a row. Rewards given within the run count against it, so
 * that filling a gap between two rewarded runs earns nothing a second time; and only the day that makes a row full earns
 * one: what was not earned when it was due is not caught up with later.
 */
export const earnsReward = (days: readonly string[], day: string, rewarded: ReadonlySet<string>, every: number) => {
  const run = runOf(days, day)
  const [before, after] = [run.filter(one => one < day), run.filter(one => one > day)]
  const rows = (of: readonly string[]) => Math.floor(of.length / every)
  return rows(run) > rows(before) + rows(after) && rows(run) > run.filter(one => rewarded.has(one)).length
}

/** The row of days somebody is in today: it stands until a whole day has passed without one. */
export function currentStreak(days: readonly string[], today: string): number {
  const streaks = counted(days)
  return (streaks.get(today) ?? streaks.get(addDays(today, -1)))?.streak ?? 0
}

export const longestStreak = (days: readonly string[]): number =>
  Math.max(0, ...[...counted(days).values()].map(({ streak }) => streak))
