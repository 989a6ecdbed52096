import * as z from 'zod'

/** Two weeks: this one and the one it is compared with. */
export const DAYS = 14
export const WEEK = 7

export const dayFigures = z.strictObject({
  day: z.iso.date(),
  /** Orders placed on that day. */
  placed: z.int().min(0),
  /** Money that came in on that day, for orders of whatever day. */
  paidFen: z.int().min(0),
})
export type DayFigures = z.infer<typeof dayFigures>

/** Orders of the last days, the oldest first; nothing for people who may not list orders. */
export const figures = z.strictObject({ orders: z.array(dayFigures).length(DAYS).nullable() })
export type Figures = z.infer<typeof figures>

export type Measure = 'placed' | 'paidFen'

export type Summary = {
  readonly today: number
  readonly yesterday: number
  readonly week: number
  /** Of this week against the one before, in percent; nothing when there was nothing to compare with. */
  readonly change: number | null
}

export function summaryOf(days: readonly DayFigures[], measure: Measure): Summary {
  const values = days.map(day => day[measure])
  const sum = (part: readonly number[]) => part.reduce((total, value) => total + value, 0)
  const week = sum(values.slice(-WEEK))
  const before = sum(values.slice(-2 * WEEK, -WEEK))
  return {
    today: values.at(-1) ?? 0,
    yesterday: values.at(-2) ?? 0,
    week,
    change: before === 0 ? null : Math.round(((week - before) / before) * 100),
  }
}
