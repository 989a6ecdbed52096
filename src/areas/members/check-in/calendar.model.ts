import { addDays } from '#kit/model/time.ts'

/** "2026-11" and the month before or after it. */
export function addMonths(month: string, months: number): string {
  const [year = 0, nth = 1] = month.split('-').map(Number)
  const at = year * 12 + nth - 1 + months
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** The weeks of a month from Monday on; nothing where a week reaches into another month. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const weeks: (string | null)[][] = []
  for (let monday = addDays(first, -weekday); monday.slice(0, 7) <= month; monday = addDays(monday, 7))
    weeks.push(
      Array.from({ length: 7 }, (_, at) => addDays(monday, at)).map(day => (day.startsWith(month) ? day : null)),
    )
  return weeks
}
