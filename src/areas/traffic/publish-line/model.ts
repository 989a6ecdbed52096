import * as z from 'zod'
import { day, dictionary, id, instant, number, reference as ref, type Tone, version } from '#kit/model/field.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { area } from '../area.ts'

const MOST = 2_147_483_647
const MAX_PLANNED = 100
/** So often a note is read that people call a hit. */
export const HIT_READS = 5_000

/** What one colleague publishes on one account in a day: as planned, and as it went. */
export const resource = defineResource({
  screen: area.screens['publish-line'],
  table: 'publish_line',
  record: z.strictObject({
    id: id(),
    day: day(),
    account: dictionary('XHS_ACCOUNT'),
    operatorId: ref('staff'),
    planned: number(0, MAX_PLANNED),
    published: number(0, MOST),
    hits: number(0, MOST),
    leads: number(0, MOST),
    createdAt: instant(),
    version: version(),
  }),
  title: 'day',
  brief: ['day', 'account', 'operatorId', 'planned'],
  list: {
    columns: ['day', 'account', 'operatorId', 'planned', 'published', 'hits', 'leads'],
    filters: ['day', 'account', 'operatorId'],
    sort: ['day', 'published', 'leads'],
    usual: 'day:desc',
    search: ['operatorId'],
  },
  create: ['day', 'account', 'operatorId', 'planned'],
  edit: ['planned'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
export type PublishLine = RecordOf<typeof resource>

export const calendarQuery = z.strictObject({ month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/) })

/** What one account is to publish and has published on a day, whoever does it. */
export const calendarDay = z.strictObject({
  day: z.string(),
  account: z.string(),
  planned: z.int(),
  published: z.int(),
  hits: z.int(),
  leads: z.int(),
})
export type CalendarDay = z.infer<typeof calendarDay>

export const STANDINGS = { done: 'done', short: 'failed', open: 'idle' } as const satisfies Record<string, Tone>

/** How a day went beside its plan. What is still to come has not fallen short. */
export function standing(
  { day: on, planned, published }: Pick<CalendarDay, 'day' | 'planned' | 'published'>,
  today: string,
): keyof typeof STANDINGS {
  if (published >= planned) return 'done'
  return on < today ? 'short' : 'open'
}

const WEEK = 7

/** The days a month's page shows, Monday first, whole weeks; those of other months are nothing. */
export function weeksOf(month: string): (string | null)[][] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const before = (first.getUTCDay() + 6) % WEEK
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const cells = Array.from({ length: Math.ceil((before + count) / WEEK) * WEEK }, (_, at) => {
    const date = at - before + 1
    return date < 1 || date > count ? null : `${month}-${String(date).padStart(2, '0')}`
  })
  return Array.from({ length: cells.length / WEEK }, (_, week) => cells.slice(week * WEEK, (week + 1) * WEEK))
}

/** The month so many after this one, or before it. */
export function monthAfter(month: string, by: number): string {
  const [year = 0, nth = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, nth - 1 + by, 1)).toISOString().slice(0, 7)
}
