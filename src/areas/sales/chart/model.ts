import * as z from 'zod'
import { ratio } from '#kit/model/statistic.ts'
import { addDays } from '#kit/model/time.ts'

/** What roles can be given on this page. */
export const actions = ['list']

/** Monday first. */
export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export const HOURS = 24

/** A figure nobody is told who may not list what it is made of. */
const figure = z.int().nullable()

export const ranked = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Where this person works; nothing for a department. */
  team: z.string().nullable(),
  teamId: z.string().nullable(),
  /** The line of the list in which the target is set, of somebody who has one. */
  consultantId: z.string().nullable(),
  amount: figure,
  targetFen: figure,
  leads: figure,
  deals: figure,
})
export type Ranked = z.infer<typeof ranked>

/** How sales of a month are going, of what the caller may list and has in scope. */
export const chart = z.strictObject({
  month: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  asOf: z.iso.datetime(),
  amount: figure,
  net: figure,
  targetFen: figure,
  funnel: z.array(z.strictObject({ measure: z.string(), count: figure })),
  people: z.array(ranked),
  teams: z.array(ranked),
  /** What was done with leads on each day of the week, hour by hour. */
  hours: z.array(z.array(z.int())).nullable(),
})
export type Chart = z.infer<typeof chart>

/** How much of the target is reached; nothing without a target, or without being told of the money. */
export const reachedOf = ({ amount, targetFen }: Pick<Ranked, 'amount' | 'targetFen'>): number | null =>
  amount === null || targetFen === null ? null : ratio(amount, targetFen)

/** How much of the month is over. */
export const elapsedOf = ({ month, to }: Pick<Chart, 'month' | 'to'>): number => {
  const lastDay = addDays(`${monthBeside(month, 1)}-01`, -1)
  return ratio(Number(to.slice(-2)), Number(lastDay.slice(-2))) ?? 0
}

/** Whether none came and none was closed in the month: whatever was sold then came without a lead. */
export const isWithoutLeads = ({ leads, deals }: Pick<Ranked, 'leads' | 'deals'>): boolean => leads === 0 && deals === 0

const plus = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b)

/** Who has sold most, then who has closed most deals. */
export const byRank = (a: Ranked, b: Ranked): number =>
  (b.amount ?? -1) - (a.amount ?? -1) || (b.deals ?? -1) - (a.deals ?? -1) || (a.name < b.name ? -1 : 1)

/** What the people of each department have done together. */
export function teamsOf(people: readonly Ranked[]): Ranked[] {
  const teams = new Map<string, Ranked>()
  for (const { teamId, team, amount, targetFen, leads, deals } of people) {
    if (teamId === null) continue
    const before = teams.get(teamId)
    teams.set(teamId, {
      id: teamId,
      name: team ?? '',
      team: null,
      teamId: null,
      consultantId: null,
      amount: plus(before?.amount ?? null, amount),
      targetFen: plus(before?.targetFen ?? null, targetFen),
      leads: plus(before?.leads ?? null, leads),
      deals: plus(before?.deals ?? null, deals),
    })
  }
  return [...teams.values()].sort(byRank)
}

/** The month so many months away. */
export function monthBeside(month: string, by: number): string {
  const [year, nth] = month.split('-').map(Number)
  const months = (year ?? 0) * 12 + (nth ?? 1) - 1 + by
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}
