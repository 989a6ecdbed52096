import * as z from 'zod'
import { decision } from '#kit/model/decision.ts'
import { toDo } from '#kit/model/to-do.ts'

/** Two weeks: this one and the one it is compared with. */
export const DAYS = 14
export const WEEK = 7

const dayFigures = z.strictObject({
  day: z.iso.date(),
  /** Orders placed on that day. */
  placed: z.int().min(0),
  /** Money that came in on that day, for orders of whatever day. */
  paidFen: z.int().min(0),
})
export type DayFigures = z.infer<typeof dayFigures>

/** A membership that ends within these days is to be renewed; a member without a work for these has gone quiet. */
export const RENEWAL_DAYS = 30
export const QUIET_DAYS = 7
/** Of what runs out, this many are named. */
export const SHORTAGES = 5

export const MEASURES = [
  'ordersPaid',
  'refundsPaid',
  'codesUsed',
  'parcelsSent',
  'parcelsUnsent',
  'onSale',
  'renewals',
  'quiet',
] as const
export type MeasureName = (typeof MEASURES)[number]

/** How many, and how much where it is money; nothing where it could not be counted in time. */
const amount = { count: z.int().min(0).nullable(), fen: z.int().nullable() }

/** A figure the person is measured by. */
export const measured = z.strictObject({
  name: z.enum(MEASURES),
  /** Of this person's rows alone. */
  isOwn: z.boolean(),
  period: z.enum(['month', 'day']).nullable(),
  ...amount,
  /** The same days of the month before, or yesterday. */
  before: z.strictObject(amount).nullable(),
  oldestAt: z.string().nullable(),
  /** Where the list shows exactly these rows. */
  path: z.string(),
})
export type Measured = z.infer<typeof measured>

export const lowStock = z.strictObject({
  count: z.int().min(0),
  path: z.string(),
  products: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      unit: z.string(),
      available: z.int(),
      warnAt: z.int(),
      path: z.string().nullable(),
    }),
  ),
})
export type LowStock = z.infer<typeof lowStock>

/** Of whom somebody cares for, this many are named under each head. */
export const CARED = 5

/** Members this person sees to: promised a word by today, days that end, nothing handed in. */
export const care = z.strictObject({
  kind: z.enum(['followUps', 'ending', 'quiet']),
  count: z.int().min(0),
  path: z.string().nullable(),
  members: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      /** When the word is due, the days end, or something was last handed in. */
      at: z.string().nullable(),
      /** What was noted the last time. */
      said: z.string().nullable(),
      path: z.string().nullable(),
    }),
  ),
})
export type Care = z.infer<typeof care>

/** The person's day; the orders of the last days, the oldest first. Nothing where a list is not this person's. */
export const figures = z.strictObject({
  orders: z.array(dayFigures).length(DAYS).nullable(),
  toDos: z.array(toDo),
  decisions: z.array(decision).nullable(),
  measures: z.array(measured),
  lowStock: lowStock.nullable(),
  care: z.array(care).nullable(),
})
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

/** Cards in a line: the most, and the fewest where there are as many. */
const IN_LINE = { most: 6, fewest: 4 } as const

/** How many of these cards stand in a line, so that neither many lines nor an emptiness at the end of the last make it long. */
export function evenly(cards: number): number {
  let best = Math.min(cards, IN_LINE.most)
  const cost = (columns: number) => {
    const lines = Math.ceil(cards / columns)
    return lines + (lines * columns - cards)
  }
  for (let columns = best - 1; columns >= IN_LINE.fewest; columns -= 1) if (cost(columns) < cost(best)) best = columns
  return best
}

/** Which boxes, by their place, stand in the second of two columns, so that one is about as high as the other; the first stands in the first. */
export function splitOf(heights: readonly number[]): readonly number[] {
  const whole = heights.reduce((sum, height) => sum + height, 0)
  let best: readonly number[] = []
  let least = whole
  for (let choice = 2; choice < 2 ** heights.length; choice += 2) {
    const second = heights.flatMap((_, index) => ((choice >> index) & 1 ? [index] : []))
    const between = Math.abs(whole - 2 * second.reduce((sum, index) => sum + (heights[index] ?? 0), 0))
    if (between < least) [best, least] = [second, between]
  }
  return best
}
